// @ts-check
/** JSON-RPC methods about the chain itself: slots, blockhashes, epochs, version. */
import { FINALITY_SLOTS, SLOTS_PER_EPOCH } from '../clock.js';
import { decodeMessage, feeOf } from '../transaction.js';
import { invalidParams } from '../rpc-error.js';
import {
  API_VERSION,
  config,
  hash,
  list,
  address,
  requireMinContextSlot,
  u64,
  visibleSlot,
  withContext,
} from './params.js';

const PRIORITIZATION_FEE_SLOTS = 150;
const MAX_PRIORITIZATION_ACCOUNTS = 128;

/**
 * @param {import('../chain.js').Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function chainMethods(chain) {
  const { clock } = chain;
  /** @param {any} settings */
  const slotAt = (settings) => {
    const given = config(settings);
    requireMinContextSlot(chain, given);
    return visibleSlot(chain, given.commitment);
  };
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 0 }),
    getGenesisHash: () => clock.genesisHash(),
    getIdentity: () => ({ identity: clock.genesisHash() }),
    getSlot: ([settings]) => slotAt(settings),
    getBlockHeight: ([settings]) => clock.heightOf(slotAt(settings)),
    getTransactionCount: () => chain.history.count,
    getFirstAvailableBlock: () => 0,
    minimumLedgerSlot: () => 0,
    getEpochInfo: ([settings]) => {
      const slot = slotAt(settings);
      return {
        absoluteSlot: slot,
        blockHeight: clock.heightOf(slot),
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: chain.history.count,
      };
    },
    getEpochSchedule: () => ({
      firstNormalEpoch: 0,
      firstNormalSlot: 0,
      leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
      slotsPerEpoch: SLOTS_PER_EPOCH,
      warmup: false,
    }),
    getBlockTime: ([slot]) => {
      const wanted = Number(u64(slot));
      return wanted > clock.slot() ? null : clock.timeOf(wanted);
    },
    getLatestBlockhash: ([settings]) => withContext(chain, chain.blockhashAt(slotAt(settings))),
    isBlockhashValid: ([blockhash]) => withContext(chain, clock.usableSlotOf(hash(blockhash)) !== null),
    getFeeForMessage: ([message]) => withContext(chain, feeForMessage(chain, message)),
    getRecentPrioritizationFees: ([accounts]) => {
      list(accounts ?? [], address, MAX_PRIORITIZATION_ACCOUNTS);
      const newest = clock.slot();
      const count = Math.min(PRIORITIZATION_FEE_SLOTS, newest);
      return Array.from({ length: count }, (_, i) => ({ slot: newest - count + 1 + i, prioritizationFee: 0 }));
    },
    getRecentPerformanceSamples: () => [],
    getMaxRetransmitSlot: () => clock.slot(),
    getMaxShredInsertSlot: () => clock.slot(),
    getBlockCommitment: () => ({ commitment: null, totalStake: 0 }),
    getHighestSnapshotSlot: () => ({ full: Math.max(0, clock.slot() - FINALITY_SLOTS), incremental: null }),
  };
}

/**
 * @param {import('../chain.js').Chain} chain
 * @param {unknown} text base64
 * @returns {bigint | null} null when the message's blockhash has expired
 */
function feeForMessage(chain, text) {
  if (typeof text !== 'string') throw invalidParams('message must be base64 text');
  const message = decodeMessage(new Uint8Array(Buffer.from(text, 'base64')));
  return chain.isAlive(message) ? feeOf(message) : null;
}
