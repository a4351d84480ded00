import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  /** Leave it out for a question that must be answered: then Escape does nothing. */
  onClose?: () => void;
  children: ReactNode;
}

/**
 * A layer over the page, on the native dialog element: focus is kept inside and
 * goes back to where it was. Mount it to open it, unmount it to close it.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useModal();
  const id = useId();
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      className="layer-in m-auto w-[min(440px,calc(100vw-32px))] rounded-card border border-line bg-raised p-5 text-text"
    >
      <h2 id={id} className="text-title font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

function useModal() {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return element;
}
