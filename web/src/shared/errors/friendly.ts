import messagesFile from "@catalog/messages.json";

/** One rule of the catalog. All its texts are in lower case. */
interface Rule {
  row: string;
  /** The message to show; null lets the raw text pass unchanged. */
  shown: string | null;
  /** The whole text. */
  exact?: string[];
  /** Any of these groups, of which every part must occur. */
  contains?: string[][];
  /** Regular expressions in the syntax that Go and JavaScript share. */
  patterns?: string[];
}

const rules: readonly Rule[] = messagesFile.rules;

/**
 * The message to show for a raw error text: the first rule that matches,
 * without regard to case, wins. An empty text gives an empty message.
 */
export function friendlyMessage(raw: string): string {
  return matchMessage(raw).shown;
}

/** The message for a raw error text, with the name of the rule that gave it. */
export function matchMessage(raw: string): { row: string; shown: string } {
  if (raw.trim() === "") return { row: "empty", shown: "" };
  const text = raw.toLowerCase().replaceAll("_", " ");
  const rule = rules.find((candidate) => matches(candidate, text));
  if (!rule) return { row: "default", shown: messagesFile.default };
  return { row: rule.row, shown: rule.shown ?? raw };
}

function matches({ exact = [], contains = [], patterns = [] }: Rule, text: string): boolean {
  return (
    exact.includes(text) ||
    contains.some((parts) => parts.every((part) => text.includes(part))) ||
    patterns.some((pattern) => new RegExp(pattern).test(text))
  );
}
