import messagesFile from "@catalog/messages.json";

/** One rule of the catalog: any of the substrings means the shown message; without one the text passes unchanged. */
interface Rule {
  contains: string[];
  show?: string | null;
}

const rules: readonly Rule[] = messagesFile.rules;
const byDefault = "Action Failed: Please try again or contact support";

/**
 * The message to show for a raw error text: the first rule that matches,
 * without regard to case, wins. An empty text gives an empty message.
 */
export function friendlyMessage(raw: string): string {
  if (raw === "") return "";
  const text = raw.toLowerCase();
  const rule = rules.find(({ contains }) => contains.some((part) => text.includes(part.toLowerCase())));
  if (!rule) return byDefault;
  return rule.show ?? raw;
}
