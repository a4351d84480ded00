import { describe, expect, it } from "vitest";
import { createIframeClient } from "./frame";

describe("iframe client", () => {
  it("cannot be made without the frame's address", async () => {
    await expect(createIframeClient(undefined)).rejects.toThrow(
      "Tried to initialize iframeClient with no iframeUrl defined",
    );
  });
});
