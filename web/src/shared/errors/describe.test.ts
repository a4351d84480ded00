import { describe, expect, it } from "vitest";
import { ProblemError } from "@/shared/api/problem";
import { describeFailure } from "./describe";
import { ShownError } from "./shown";

const refusal = new ProblemError({
  code: "quote_expired",
  status: 409,
  message: "The offer has ended.",
  fundsWhere: "Nothing left your wallet.",
});

describe("failures in words", () => {
  it("are the server's, with the place of the money", () => {
    expect(describeFailure(refusal)).toEqual({
      code: "quote_expired",
      message: "The offer has ended.",
      fundsWhere: "Nothing left your wallet.",
    });
  });

  it("are the server's also when something else wraps them", () => {
    expect(
      describeFailure(new ShownError("Unable to refresh session.", new Error("x", { cause: refusal }))),
    ).toMatchObject({
      code: "quote_expired",
    });
  });

  it("show a text written for people, with the specific one as details", () => {
    const error = new ShownError(
      "Unable to log in with the provided passkey.",
      new Error("Turnkey error 16: expired"),
    );
    expect(describeFailure(error)).toEqual({
      code: "client",
      message: "Unable to log in with the provided passkey.",
      details: "Turnkey error 16: expired",
    });
  });

  it("have words for a server that does not answer", () => {
    const silence = new ProblemError({ code: "unreachable", status: 0, message: "" });
    expect(describeFailure(silence).message).toMatch(/does not answer/);
  });

  it("never show a raw text that no rule knows", () => {
    expect(describeFailure(new TypeError("x is not a function")).message).toBe(
      "Action Failed: Please try again or contact support",
    );
    expect(describeFailure(undefined).message).toBe("");
  });
});
