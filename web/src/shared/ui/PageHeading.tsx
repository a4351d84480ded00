import { type ReactNode, useEffect, useRef } from "react";

let opened = false;

/**
 * A page's h1. Names the document, and takes the focus when one page follows
 * another, so that keyboards and screen readers start at the new page's top.
 */
export function PageHeading({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Tenfold`;
  }, [title]);
  useEffect(() => {
    if (opened) heading.current?.focus({ preventScroll: true });
    opened = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-title font-semibold">
      {children ?? title}
    </h1>
  );
}
