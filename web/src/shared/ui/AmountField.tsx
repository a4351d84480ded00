import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Field } from "./Field";

interface AmountFieldProps {
  /** What was typed, as typed. */
  value: string;
  onChange: (text: string) => void;
  /** The label; "Amount" unless a form has two. */
  label?: string;
  aside?: ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
  /** Beside the digits: the asset, or a picker of it. */
  after?: ReactNode;
  disabled?: boolean;
}

/** A field for an amount. Keeps the text as typed; parse it with shared/lib/money. */
export function AmountField({ value, onChange, label, ...rest }: AmountFieldProps) {
  const { t } = useLingui();
  return (
    <Field
      {...rest}
      large
      label={label ?? t`Amount`}
      name="amount"
      inputMode="decimal"
      placeholder="0"
      maxLength={80}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
