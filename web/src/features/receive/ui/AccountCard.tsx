import { Trans, useLingui } from "@lingui/react/macro";
import type { Account } from "@/features/account";
import { chainName } from "@/shared/chains";
import { AddressText } from "@/shared/ui/AddressText";
import { ChainIcon } from "@/shared/ui/AssetIcon";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Card } from "@/shared/ui/Surface";
import { QrCode } from "./QrCode";

/** One address: QR, the whole of it as text, copying, and its networks. */
export function AccountCard({ account }: { account: Account }) {
  const { t } = useLingui();
  const name = account.kind === "evm" ? t`EVM address` : t`Solana address`;
  const count = account.chainIds.length;
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="text-lead font-semibold">{name}</h2>
      <QrCode text={account.address} label={t`QR code of your ${name}`} />
      <p className="text-center">
        <AddressText address={account.address} />
      </p>
      <div className="grid justify-items-center">
        <CopyButton text={account.address} name={name} />
      </div>
      <div className="border-t border-line pt-4">
        <h3 className="mb-2 text-small text-muted">
          {count === 1 ? (
            <Trans>Good on one network only</Trans>
          ) : (
            <Trans>Good on these {count} networks</Trans>
          )}
        </h3>
        <ul className="flex flex-wrap gap-x-4 gap-y-2">
          {account.chainIds.map((id) => (
            <li key={id} className="flex items-center gap-2 text-small">
              <ChainIcon chainId={id} size={18} />
              {chainName(id)}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
