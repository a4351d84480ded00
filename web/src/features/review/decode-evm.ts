import { decodeFunctionData, type Hex, parseAbi, parseTransaction, serializeTransaction } from "viem";
import { type Effect, type Facts, UnreadableTransaction } from "./facts.ts";

const NATIVE = "0x0000000000000000000000000000000000000000";

// Every call that may be signed: ERC-20, wrapped coins, the Uniswap v2 router
// and Relay's depository.
const knownCalls = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function deposit()",
  "function withdraw(uint256 amount)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function depositNative(address depositor, bytes32 id)",
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
]);

/**
 * Reads an unsigned EIP-2718 envelope (hex without 0x). Throws
 * UnreadableTransaction for anything but a plain payment or a call named above,
 * and when the bytes are not the canonical encoding of what was read.
 */
export function decodeEvm(unsigned: string): Facts {
  const bytes: Hex = `0x${unsigned}`;
  const tx = parse(bytes);
  if (tx.type !== "eip1559" || !tx.chainId || !tx.to || !tx.gas || !tx.maxFeePerGas) {
    throw new UnreadableTransaction("not a complete EIP-1559 transaction");
  }
  if (serializeTransaction(tx) !== bytes.toLowerCase()) {
    throw new UnreadableTransaction("not the canonical encoding");
  }
  const value = tx.value ?? 0n;
  const to = tx.to.toLowerCase();
  const effect: Effect = tx.data
    ? readCall(to, value, tx.data)
    : { kind: "transfer", asset: NATIVE, amount: value, recipient: to };
  return { chainId: tx.chainId, from: null, maximumFee: tx.gas * tx.maxFeePerGas, effects: [effect] };
}

function parse(bytes: Hex) {
  try {
    return parseTransaction(bytes as `0x02${string}`);
  } catch (cause) {
    throw new UnreadableTransaction("not an EIP-1559 transaction", { cause });
  }
}

function readCall(to: string, value: bigint, data: Hex): Effect {
  const call = decodeCall(data);
  switch (call.functionName) {
    case "deposit":
      return { kind: "wrap", amount: value, contract: to };
    case "swapExactETHForTokens": {
      const [minimumOut, path, recipient, deadline] = call.args;
      return swap(to, [NATIVE, value], [path.at(-1), minimumOut], recipient, deadline);
    }
    case "depositNative": {
      const [depositor, requestId] = call.args;
      return deposit(to, NATIVE, value, depositor, requestId);
    }
  }
  if (value !== 0n) throw new UnreadableTransaction(`${call.functionName} with native coin attached`);
  switch (call.functionName) {
    case "transfer": {
      const [recipient, amount] = call.args;
      return { kind: "transfer", asset: to, amount, recipient: recipient.toLowerCase() };
    }
    case "approve": {
      const [spender, amount] = call.args;
      return { kind: "approve", asset: to, amount, spender: spender.toLowerCase() };
    }
    case "withdraw":
      return { kind: "unwrap", amount: call.args[0], contract: to, recipient: null };
    case "swapExactTokensForETH": {
      const [amountIn, minimumOut, path, recipient, deadline] = call.args;
      return swap(to, [path[0], amountIn], [NATIVE, minimumOut], recipient, deadline);
    }
    case "swapExactTokensForTokens": {
      const [amountIn, minimumOut, path, recipient, deadline] = call.args;
      return swap(to, [path[0], amountIn], [path.at(-1), minimumOut], recipient, deadline);
    }
    case "depositErc20": {
      const [depositor, token, amount, requestId] = call.args;
      return deposit(to, token, amount, depositor, requestId);
    }
  }
}

function decodeCall(data: Hex) {
  try {
    return decodeFunctionData({ abi: knownCalls, data });
  } catch (cause) {
    throw new UnreadableTransaction("a call this page does not know", { cause });
  }
}

type AssetAmount = [asset: string | undefined, amount: bigint];

function swap(
  contract: string,
  [assetIn, amountIn]: AssetAmount,
  [assetOut, minimumOut]: AssetAmount,
  recipient: string,
  deadline: bigint,
): Effect {
  if (!assetIn || !assetOut) throw new UnreadableTransaction("a swap without a path");
  return {
    kind: "swap",
    assetIn: assetIn.toLowerCase(),
    amountIn,
    assetOut: assetOut.toLowerCase(),
    minimumOut,
    recipient: recipient.toLowerCase(),
    contract,
    deadline,
  };
}

function deposit(
  contract: string,
  asset: string,
  amount: bigint,
  depositor: string,
  requestId: string,
): Effect {
  return {
    kind: "deposit",
    asset: asset.toLowerCase(),
    amount,
    depositor: depositor.toLowerCase(),
    contract,
    requestId,
  };
}
