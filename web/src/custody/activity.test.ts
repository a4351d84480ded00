import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { assertActivityCompleted, readActivity, resultOf } from "./activity";

const completed = {
  id: "a",
  status: "ACTIVITY_STATUS_COMPLETED",
  result: { signTransactionResult: { signedTransaction: "02ff" } },
};

describe("activities", () => {
  it("pass when completed", () => expect(() => assertActivityCompleted(completed)).not.toThrow());

  it("say when others must agree", () => {
    expect(() =>
      assertActivityCompleted({ ...completed, status: "ACTIVITY_STATUS_CONSENSUS_NEEDED" }),
    ).toThrow("Activity requires consensus");
  });

  it.each(["ACTIVITY_STATUS_FAILED", "ACTIVITY_STATUS_REJECTED", "ACTIVITY_STATUS_PENDING", ""])(
    "name the status %j when it is not the expected one",
    (status) => {
      expect(() => assertActivityCompleted({ ...completed, status })).toThrow(
        `Expected COMPLETED status, got ${status}`,
      );
    },
  );

  it("give their result only when completed and of the asked shape", () => {
    const schema = v.object({ signedTransaction: v.string() });
    expect(resultOf(completed, "signTransactionResult", schema)).toEqual({ signedTransaction: "02ff" });
    expect(() => resultOf(completed, "otherResult", schema)).toThrow();
    expect(() =>
      resultOf({ ...completed, status: "ACTIVITY_STATUS_FAILED" }, "signTransactionResult", schema),
    ).toThrow("Expected COMPLETED status");
  });

  it("are not found in an answer without one", () => expect(() => readActivity({ wallet: {} })).toThrow());
});
