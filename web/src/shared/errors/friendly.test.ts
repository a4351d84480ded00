import vectorsFile from "@catalog/vectors/messages.json";
import { describe, expect, it } from "vitest";
import { friendlyMessage, matchMessage } from "./friendly";

describe("friendly messages", () => {
  it.each(vectorsFile.vectors)("$row: $raw", ({ raw, row, shown }) => {
    expect(matchMessage(raw)).toEqual({ row, shown });
  });

  it("do not depend on case", () => {
    for (const { raw, row } of vectorsFile.vectors) expect(matchMessage(raw.toUpperCase()).row).toBe(row);
  });

  it("have a default", () => {
    expect(friendlyMessage("something nobody has seen")).toBe(
      "Action Failed: Please try again or contact support",
    );
  });
});
