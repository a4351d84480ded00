import { type Asset, assetsOf, chainName, chains } from "@/shared/chains";
import { AssetIcon } from "@/shared/ui/AssetIcon";
import { Icon } from "@/shared/ui/Icon";
import { type AssetRef, assetKey, readAssetKey } from "../model";

interface AssetPickerProps {
  /** The field's name: "From" or "To". */
  label: string;
  asset: Asset;
  onChange: (asset: AssetRef) => void;
}

/**
 * A native list of every asset on every chain, under its own drawing: typing
 * finds an asset, and phones bring their own picker.
 */
export function AssetPicker({ label, asset, onChange }: AssetPickerProps) {
  return (
    <span className="relative inline-flex h-12 flex-none items-center gap-2 rounded-button border border-control pr-3 pl-2 font-semibold hover:bg-accent-tint has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent">
      <AssetIcon chainId={asset.chainId} address={asset.address} size={28} />
      <span aria-hidden="true" className="grid leading-tight">
        <span className="text-small font-normal text-muted">{label}</span>
        <span>
          {asset.symbol} <span className="text-small font-normal text-muted">{chainName(asset.chainId)}</span>
        </span>
      </span>
      <Icon name="down" size={14} />
      <select
        aria-label={label}
        value={assetKey(asset)}
        onChange={(event) => {
          const picked = readAssetKey(event.target.value);
          if (picked) onChange(picked);
        }}
        className="absolute inset-0 w-full cursor-pointer opacity-0 outline-none"
      >
        {chains.map((chain) => (
          <optgroup key={chain.id} label={chain.name}>
            {assetsOf(chain).map((one) => (
              <option key={one.address} value={assetKey(one)}>
                {one.symbol} on {chain.name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </span>
  );
}
