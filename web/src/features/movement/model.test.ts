import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { crossing, friend, native, payment } from "@/testing/movement";
import { keepMovement, type Movement, movementKeys } from "./api";
import { isFinal, progressOf, stagesOf, toneOf } from "./model";
import { stageText, titleOf, wayOf, whereIsTheMoney } from "./words";

const word = (movement: Movement) => stagesOf(movement).map(({ state, phase }) => `${phase} ${state}`);

describe("the stages of a movement", () => {
  it("are what happened, what happens and what is to come", () => {
    expect(word(crossing("draft", "needs_signature", "signed", "sent", "confirming"))).toEqual([
      "past signed",
      "past sent",
      "present confirming",
      "ahead bridging",
      "ahead delivering",
      "ahead done",
    ]);
  });

  it("end with the final state", () => {
    expect(word(crossing("draft", "signed", "sent", "failed"))).toEqual([
      "past signed",
      "past sent",
      "past failed",
    ]);
  });

  it("know no bridge on one chain", () => {
    expect(word(payment("sent"))).toEqual(["past signed", "present sent", "ahead confirming", "ahead done"]);
  });

  it("grow from nothing to everything", () => {
    expect(progressOf(crossing("draft", "needs_signature"))).toBe(0);
    expect(progressOf(crossing("signed", "sent", "confirming"))).toBeCloseTo(2 / 6);
    expect(progressOf(crossing("signed", "sent", "refunded"))).toBe(1);
  });
});

describe("states", () => {
  it.each(["done", "refunded", "failed", "expired", "cancelled"] as const)("%s is final", (state) => {
    expect(isFinal(state)).toBe(true);
  });

  it.each(["draft", "signed", "sent", "delayed", "needs_action", "delivering"] as const)(
    "%s is not",
    (state) => {
      expect(isFinal(state)).toBe(false);
    },
  );

  it("never look well when they are not", () => {
    expect((["failed", "refunded", "delayed", "sent"] as const).map(toneOf)).toEqual([
      "bad",
      "warn",
      "warn",
      "info",
    ]);
  });
});

describe("words", () => {
  it("say what moves and where", () => {
    expect(titleOf(crossing("sent"))).toBe("0.5 ETH → USDC");
    expect(wayOf(crossing("sent"))).toBe("Base to Solana");
    expect(titleOf(payment("sent"))).toBe("0.5 ETH → 0x111111…111111");
    expect(wayOf(payment("sent"))).toBe("on Base");
  });

  it("tell in another tense what lies behind", () => {
    const movement = crossing("signed", "sent", "confirming", "bridging");
    const [, , confirming, bridging, delivering] = stagesOf(movement).map((stage) =>
      stageText(stage, movement),
    );
    expect(confirming).toBe("Base settled it in block 21,904,113");
    expect(bridging).toBe("Relay is taking it over from Base");
    expect(delivering).toBe("Relay is paying out on Solana");
  });

  it("say where the money is", () => {
    expect(whereIsTheMoney(crossing("delivering"))).toBe(
      "0.5 ETH is with Relay on Base. If it cannot deliver, it comes back to your address on Base. You can close this page.",
    );
    expect(whereIsTheMoney(crossing("done"))).toBe("1,603.91 USDC is in your wallet on Solana.");
    expect(whereIsTheMoney(payment("done"))).toBe(`0.5 ETH is at ${friend} on Base.`);
    expect(whereIsTheMoney(payment("signed"))).toBe("0.5 ETH is in your wallet on Base.");
  });

  it("say what came back", () => {
    const refunded = crossing("signed", "sent", "refunded");
    expect(whereIsTheMoney(refunded)).toBe("Your ETH came back to your address.");
    refunded.refund = {
      chainId: 8453,
      asset: native,
      symbol: "ETH",
      decimals: 18,
      amount: "499000000000000000",
    };
    expect(whereIsTheMoney(refunded)).toBe("0.499 ETH came back to your address on Base.");
  });

  it("prefer what the server knows", () => {
    const failed = crossing("signed", "failed");
    failed.problem = { code: "x", message: "It failed.", fundsWhere: "Half of it is on Base." };
    expect(whereIsTheMoney(failed)).toBe("Half of it is on Base.");
  });
});

describe("the cache of movements", () => {
  it("never goes back to an older version", () => {
    const queryClient = new QueryClient();
    const newer = crossing("signed", "sent", "confirming");
    keepMovement(queryClient, newer);
    keepMovement(queryClient, crossing("signed", "sent"));
    const kept = () => queryClient.getQueryData<Movement>(movementKeys.one("m"))?.state;
    expect(kept()).toBe("confirming");
    const newest = crossing("signed", "sent", "confirming", "done");
    keepMovement(queryClient, newest);
    expect(kept()).toBe("done");
  });
});
