import { Link } from "@tanstack/react-router";
import { formatWhen, useNow } from "@/shared/lib/time";
import { AssetIcon } from "@/shared/ui/AssetIcon";
import { Pill } from "@/shared/ui/Surface";
import type { Movement } from "../api";
import { toneOf } from "../model";
import { stateWord, titleOf, wayOf } from "../words";

/** One movement in a list: what, where, when, and its state in a word. */
export function MovementRow({ movement, compact }: { movement: Movement; compact?: boolean }) {
  const now = useNow(30_000);
  return (
    <Link
      to="/activity/$id"
      params={{ id: movement.id }}
      className="flex min-h-[66px] items-center gap-3 px-4 py-3 hover:bg-accent-tint/60"
    >
      {compact ? null : <AssetIcon chainId={movement.from.chainId} address={movement.from.asset} />}
      <span className="grid min-w-0 flex-1">
        <b className="font-semibold [overflow-wrap:anywhere]">{titleOf(movement)}</b>
        <span className="text-small text-muted">
          {wayOf(movement)} · {formatWhen(movement.createdAt, now)}
        </span>
      </span>
      <StatePill movement={movement} />
    </Link>
  );
}

/** A movement's state as a word on its colour. */
export function StatePill({ movement }: { movement: Movement }) {
  return <Pill tone={toneOf(movement.state)}>{stateWord(movement.state)}</Pill>;
}
