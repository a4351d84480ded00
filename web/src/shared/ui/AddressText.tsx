import { addressEnds, shortenAddress } from "@/shared/lib/address";

/** A whole address, its first and last six characters emphasised. */
export function AddressText({ address }: { address: string }) {
  const { start, middle, end } = addressEnds(address);
  return (
    <span className="font-mono text-small [overflow-wrap:anywhere]">
      <b className="font-semibold whitespace-nowrap">{start}</b>
      <span className="text-muted">{middle}</span>
      <b className="inline-block font-semibold whitespace-nowrap">{end}</b>
    </span>
  );
}

/** A shortened address or hash; the whole of it is its title and accessible text. */
export function ShortAddress({ address }: { address: string }) {
  return (
    <span className="font-mono text-small whitespace-nowrap" title={address}>
      <span aria-hidden="true">{shortenAddress(address)}</span>
      <span className="sr-only">{address}</span>
    </span>
  );
}
