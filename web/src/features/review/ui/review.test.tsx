// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost/"}
import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { serializeTransaction } from "viem";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { friend, native, payment } from "@/testing/movement";
import { problem, serve, showPage } from "@/testing/page";
import type { Movement } from "../api";
import { ReviewCard } from "./ReviewCard";

const sign = vi.hoisted(() => vi.fn(async () => "02aa"));
vi.mock("@/features/session", () => ({ signWithSession: sign }));

const amount = 5n * 10n ** 17n;
const confirming = "POST /api/v1/movements/p/signatures";

/** A payment of 0.5 ETH on Base that waits for its signature for a minute. */
function waiting(): Movement {
  const made = payment("needs_signature");
  const unsignedTransaction = serializeTransaction({
    type: "eip1559",
    chainId: 8453,
    nonce: 7,
    gas: 21_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    to: friend,
    value: amount,
  }).slice(2);
  const steps = made.steps.map((step) => ({ ...step, kind: "transfer" as const, unsignedTransaction }));
  return { ...made, steps, expiresAt: Date.now() + 60_000 };
}

function showReview() {
  const movement = waiting();
  const asset = { chainId: 8453, asset: native, toChainId: 8453, toAsset: native };
  const intent = {
    ...asset,
    kind: "transfer" as const,
    amount,
    owner: movement.from.owner,
    recipient: friend,
    minimumOut: 0n,
  };
  const ignore = () => undefined;
  showPage(() => <ReviewCard movement={movement} intent={intent} leavesUsd={null} onBack={ignore} />);
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  sign.mockClear();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pastTheEnd = () => act(() => vi.advanceTimersByTimeAsync(61_000));
const runOut = /has run out. Nothing was sent/;

it("says after its time that nothing was sent when nothing was", async () => {
  serve({});
  showReview();
  await screen.findByRole("button", { name: "Send 0.5 ETH" });
  await pastTheEnd();
  expect(screen.getByText(runOut)).toBeDefined();
  expect(screen.getByRole("button", { name: "Back to the form" })).toBeDefined();
});

it("never claims that nothing was sent after a silence, and repeats the very same confirmation", async () => {
  const press = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const keys: (string | null)[] = [];
  let answer: () => unknown = () => Promise.reject(new TypeError("Failed to fetch"));
  serve({
    [confirming]: (request: Request) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return answer();
    },
  });
  showReview();
  await press.click(await screen.findByRole("button", { name: "Send 0.5 ETH" }));
  expect(await screen.findByText(/it is not known whether this was sent/)).toBeDefined();
  await pastTheEnd();
  expect(screen.queryByText(runOut)).toBeNull();
  expect(screen.getByRole("button", { name: "Back" }).hasAttribute("disabled")).toBe(true);
  answer = () => problem(409, "movement_expired", "This review has expired. Nothing was sent.");
  await press.click(screen.getByRole("button", { name: "Send 0.5 ETH" }));
  expect(await screen.findByText(runOut)).toBeDefined();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(sign).toHaveBeenCalledTimes(1);
});
