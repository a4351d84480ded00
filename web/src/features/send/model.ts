import { type AddressKind, sameAddress } from "@/shared/lib/address";
import { type ParsedAmount, parseAmount } from "@/shared/lib/money";
import { parseRecipient } from "@/shared/lib/recipient";

/** A payment as typed. */
export interface SendForm {
  chainId: number;
  asset: string;
  recipient: string;
  amount: string;
}

/** What the form is checked against. Amounts are base units. */
export interface SendFacts {
  kind: AddressKind;
  decimals: number;
  /** Null while the balance is not known: then it is not checked here. */
  balance: bigint | null;
  own: string | null;
}

/** Why a field can't be accepted, finest reason first. */
export type AmountRefusal = Extract<ParsedAmount, { ok: false }>["problem"] | "above_balance";
/** The same for the recipient's field. */
export type RecipientRefusal = "empty" | "other_kind" | "checksum" | "not_base58" | "invalid" | "self";

/** A payment that may be asked for, or the refusals by field. */
export type CheckedSend =
  | { ok: true; recipient: string; amount: bigint }
  | { ok: false; recipient?: RecipientRefusal; amount?: AmountRefusal };

/** Checks the form before the server does, with the same rules. */
export function checkSend(form: SendForm, facts: SendFacts): CheckedSend {
  const recipient = parseRecipient(facts.kind, form.recipient);
  const amount = parseAmount(form.amount, facts.decimals);
  const recipientRefusal = recipient.ok ? selfTransfer(recipient.address, facts) : recipient.problem;
  const amountRefusal = amount.ok ? aboveBalance(amount.amount, facts.balance) : amount.problem;
  if (recipient.ok && amount.ok && !recipientRefusal && !amountRefusal) {
    return { ok: true, recipient: recipient.address, amount: amount.amount };
  }
  return {
    ok: false,
    ...(recipientRefusal ? { recipient: recipientRefusal } : {}),
    ...(amountRefusal ? { amount: amountRefusal } : {}),
  };
}

function selfTransfer(recipient: string, facts: SendFacts): "self" | undefined {
  return facts.own && sameAddress(facts.kind, recipient, facts.own) ? "self" : undefined;
}

function aboveBalance(amount: bigint, balance: bigint | null): "above_balance" | undefined {
  return balance !== null && amount > balance ? "above_balance" : undefined;
}
