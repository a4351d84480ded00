import { chainName, findAsset, findChain } from "@/shared/chains";

/** A coin or token with its chain's badge. Decoration: the names stand beside it. */
export function AssetIcon({
  chainId,
  address,
  size = 36,
}: {
  chainId: number;
  address: string;
  size?: number;
}) {
  const asset = findAsset(chainId, address);
  return (
    <span className="relative inline-block flex-none" style={{ width: size, height: size }}>
      <img src={asset?.icon ?? "/logo.svg"} alt="" width={size} height={size} className="rounded-full" />
      <span className="absolute -right-1 -bottom-1 rounded-[7px] border-2 border-surface bg-surface leading-none">
        <ChainIcon chainId={chainId} size={Math.max(12, Math.round(size * 0.42))} />
      </span>
    </span>
  );
}

/** A chain's drawing; decoration unless `named`. */
export function ChainIcon({
  chainId,
  size = 20,
  named,
}: {
  chainId: number;
  size?: number;
  named?: boolean;
}) {
  const chain = findChain(chainId);
  return (
    <img
      src={chain?.icon ?? "/logo.svg"}
      alt={named ? chainName(chainId) : ""}
      title={named ? chainName(chainId) : undefined}
      width={size}
      height={size}
      className="block flex-none"
    />
  );
}
