import { encodeFunctionData, erc20Abi, parseAbi, serializeTransaction } from "viem";
import { describe, expect, it } from "vitest";
import { disagreements, type Intent } from "./agreement.ts";
import { decodeEvm } from "./decode-evm.ts";
import { UnreadableTransaction } from "./facts.ts";

const NATIVE = "0x0000000000000000000000000000000000000000";
const WETH = "0x4200000000000000000000000000000000000006";
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const ROUTER = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D";
const DEPOSITORY = "0x4cd00e387622c35bddb9b4c962c136462338bc31";
const ME = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const FRIEND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const STRANGER = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

const allowed = { swap: ROUTER, deposit: DEPOSITORY };
const native = { asset: NATIVE, wrapped: WETH };
const routerAbi = parseAbi([
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
]);

function unsigned(fields: {
  to: string;
  value?: bigint;
  data?: `0x${string}`;
  chainId?: number;
  gas?: bigint;
}) {
  const { to, ...rest } = fields;
  return serializeTransaction({
    type: "eip1559",
    chainId: 8453,
    nonce: 7,
    gas: 21_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    to: to as `0x${string}`,
    ...rest,
  }).slice(2);
}

const payment: Intent = {
  kind: "transfer",
  chainId: 8453,
  asset: NATIVE,
  amount: 5n * 10n ** 17n,
  owner: ME,
  toChainId: 8453,
  toAsset: NATIVE,
  recipient: FRIEND,
  minimumOut: 0n,
};
const swapIntent: Intent = {
  ...payment,
  kind: "swap",
  toAsset: USDC,
  recipient: ME,
  minimumOut: 1_599_100_000n,
};

function swapCall(change: { to?: string; minimum?: bigint; last?: string; seconds?: number } = {}) {
  const { to = ME, minimum = 1_599_100_000n, last = USDC, seconds = 1200 } = change;
  const deadline = BigInt(Math.floor(Date.now() / 1000) + seconds);
  return encodeFunctionData({
    abi: routerAbi,
    functionName: "swapExactETHForTokens",
    args: [minimum, [WETH, last as `0x${string}`], to as `0x${string}`, deadline],
  });
}

const complaints = (intent: Intent, ...transactions: string[]) =>
  disagreements(intent, transactions.map(decodeEvm), allowed, native);

describe("reading EVM bytes", () => {
  it("reads a plain payment and its highest fee", () => {
    const facts = decodeEvm(unsigned({ to: FRIEND, value: 1n }));
    expect(facts).toEqual({
      chainId: 8453,
      from: null,
      maximumFee: 63_000_000_000_000n,
      effects: [{ kind: "transfer", asset: NATIVE, amount: 1n, recipient: FRIEND.toLowerCase() }],
    });
  });

  it.each([
    ["an unknown call", unsigned({ to: USDC, data: "0xdeadbeef" })],
    ["trailing data", `${unsigned({ to: FRIEND, value: 1n })}00`],
    ["half a transaction", unsigned({ to: FRIEND, value: 1n }).slice(0, 30)],
    [
      "a legacy transaction",
      serializeTransaction({ type: "legacy", chainId: 1, gas: 21000n, gasPrice: 1n, to: FRIEND }).slice(2),
    ],
    [
      "a token transfer with native coin attached",
      unsigned({
        to: USDC,
        value: 1n,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [FRIEND, 1n] }),
      }),
    ],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeEvm(bytes)).toThrow(UnreadableTransaction);
  });
});

describe("a payment on an EVM chain", () => {
  it("agrees when it pays the recipient exactly the amount", async () => {
    expect(await complaints(payment, unsigned({ to: FRIEND, value: payment.amount }))).toEqual([]);
  });

  it("agrees for a token", async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [FRIEND, 1_000_000n] });
    const intent = { ...payment, asset: USDC, amount: 1_000_000n };
    expect(await complaints(intent, unsigned({ to: USDC, data }))).toEqual([]);
  });

  it.each([
    ["another recipient", unsigned({ to: STRANGER, value: payment.amount }), "It pays another address."],
    ["another amount", unsigned({ to: FRIEND, value: payment.amount + 1n }), "It takes another amount."],
    [
      "another chain",
      unsigned({ to: FRIEND, value: payment.amount, chainId: 1 }),
      "It is for another chain.",
    ],
    [
      "an approval",
      unsigned({
        to: USDC,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [STRANGER, 1n] }),
      }),
      "It lets others take another asset.",
    ],
  ])("complains about %s", async (_, bytes, complaint) => {
    expect(await complaints(payment, bytes)).toContain(complaint);
  });

  it("complains about paying twice", async () => {
    const once = unsigned({ to: FRIEND, value: payment.amount });
    expect(await complaints(payment, once, once)).toContain("It pays more than once.");
  });
});

describe("a swap on an EVM chain", () => {
  it("agrees with the offer", async () => {
    expect(
      await complaints(swapIntent, unsigned({ to: ROUTER, value: swapIntent.amount, data: swapCall() })),
    ).toEqual([]);
  });

  it.each([
    [
      "a stranger's contract",
      { to: STRANGER, value: swapIntent.amount, data: swapCall() },
      "It calls a contract that is not the venue's.",
    ],
    [
      "another recipient",
      { to: ROUTER, value: swapIntent.amount, data: swapCall({ to: STRANGER }) },
      "It pays another address.",
    ],
    [
      "a larger value",
      { to: ROUTER, value: swapIntent.amount * 2n, data: swapCall() },
      "It takes another amount.",
    ],
    [
      "a lower minimum",
      { to: ROUTER, value: swapIntent.amount, data: swapCall({ minimum: 1n }) },
      "It accepts less than the offer's minimum.",
    ],
    [
      "a far deadline",
      { to: ROUTER, value: swapIntent.amount, data: swapCall({ seconds: 86_400 }) },
      "It can be carried out too late.",
    ],
    [
      "another asset",
      { to: ROUTER, value: swapIntent.amount, data: swapCall({ last: STRANGER }) },
      "It gives another asset.",
    ],
  ])("complains about %s", async (_, fields, complaint) => {
    expect(await complaints(swapIntent, unsigned(fields))).toContain(complaint);
  });

  it.each([
    ["to a stranger", STRANGER, 1_000_000n, "It lets a stranger take your tokens."],
    ["of everything", ROUTER, 2n ** 256n - 1n, "It approves another amount."],
  ])("complains about an approval %s", async (_, spender, amount, complaint) => {
    const intent = { ...swapIntent, asset: USDC, amount: 1_000_000n, toAsset: NATIVE };
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: "approve",
      args: [spender as `0x${string}`, amount],
    });
    expect(await complaints(intent, unsigned({ to: USDC, data }))).toContain(complaint);
  });
});
