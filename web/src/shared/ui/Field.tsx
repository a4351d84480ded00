import type { InputHTMLAttributes, KeyboardEvent, ReactNode, SelectHTMLAttributes } from "react";
import { useId } from "react";

const box =
  "min-w-0 rounded-input border bg-bg px-4 py-3.5 focus-within:border-accent has-[[aria-invalid=true]]:border-bad border-line";

interface FrameProps {
  label: string;
  /** Said at the right of the label, such as a balance. */
  aside?: ReactNode;
  /** What is wrong, said beneath the field and tied to it. */
  error?: string | undefined;
  /** A quiet line beneath the field. */
  hint?: ReactNode;
}

interface FieldProps extends FrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, "id"> {
  /** Stands beside the input inside the frame, such as an asset picker. */
  after?: ReactNode;
  /** The large digits of an amount. */
  large?: boolean;
}

/** A labelled text field with its error and hint. */
export function Field({ label, aside, error, hint, after, large, className = "", ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={box}>
      <FieldLabel htmlFor={id} label={label} aside={aside} />
      <div className="mt-1.5 flex items-center gap-3">
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
          className={`min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted ${large ? "h-11 text-large font-semibold tracking-tight" : "h-8 text-lead"} ${className}`}
        />
        {after}
      </div>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}

interface LongFieldProps extends FrameProps {
  name: string;
  value: string;
  placeholder?: string;
  onChange: (text: string) => void;
}

/** A labelled field for one long word, such as an address, which is shown whole on a phone too. */
export function LongField({ label, aside, error, hint, onChange, ...input }: LongFieldProps) {
  const id = useId();
  return (
    <div className={box}>
      <FieldLabel htmlFor={id} label={label} aside={aside} />
      <textarea
        autoComplete="off"
        spellCheck={false}
        rows={2}
        {...input}
        id={id}
        onChange={(event) => onChange(event.target.value.replace(/\s/g, ""))}
        onKeyDown={submitOnEnter}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className="mt-1.5 block w-full resize-none bg-transparent font-mono text-small break-all outline-none placeholder:text-muted"
      />
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}

/** Enter means the same as in any other field of the form. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

interface SelectFieldProps extends FrameProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> {}

/** A labelled native list: reachable by label, keyboard and typing on every device. */
export function SelectField({
  label,
  aside,
  error,
  hint,
  className = "",
  children,
  ...select
}: SelectFieldProps) {
  const id = useId();
  return (
    <div className={box}>
      <FieldLabel htmlFor={id} label={label} aside={aside} />
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={`mt-1.5 h-8 w-full min-w-0 bg-bg text-lead font-semibold outline-none ${className}`}
      >
        {children}
      </select>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}

function FieldLabel({ htmlFor, label, aside }: { htmlFor: string; label: string; aside: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3 text-small text-muted">
      <label htmlFor={htmlFor}>{label}</label>
      {aside ? <span className="text-right">{aside}</span> : null}
    </div>
  );
}

function FieldNote({ id, error, hint }: { id: string; error: string | undefined; hint: ReactNode }) {
  if (!error && !hint) return null;
  return (
    <div id={id} className={`mt-2 text-small ${error ? "text-bad" : "text-muted"}`}>
      {error || hint}
    </div>
  );
}
