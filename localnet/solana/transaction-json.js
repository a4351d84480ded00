// @ts-check
/** Landed transactions in the encodings of getTransaction. */
import { toBase58 } from './base58.js';
import { UNSUPPORTED_TRANSACTION_VERSION, RpcError, invalidParams } from './rpc-error.js';
import { parsedInstruction } from './parsed-instructions.js';
import { decodeTransaction, isWritable } from './transaction.js';

/**
 * @typedef {import('./transaction.js').Message} Message
 * @typedef {import('./transaction.js').ResolvedKeys} ResolvedKeys
 * @typedef {import('./history.js').Entry} Entry
 */

/**
 * @param {Entry} entry
 * @param {{encoding?: string, maxSupportedTransactionVersion?: number}} form
 */
export function transactionJson(entry, { encoding = 'json', maxSupportedTransactionVersion }) {
  const { message, signatures } = decodeTransaction(new Uint8Array(Buffer.from(entry.wire, 'base64')));
  if (message.version !== 'legacy' && maxSupportedTransactionVersion === undefined) {
    throw new RpcError(
      UNSUPPORTED_TRANSACTION_VERSION,
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the ' +
        'following configuration parameter: "maxSupportedTransactionVersion": 0',
    );
  }
  const { writable, readonly } = entry.meta.loadedAddresses;
  const resolved = { keys: [...message.staticKeys, ...writable, ...readonly], loaded: entry.meta.loadedAddresses };
  const version = maxSupportedTransactionVersion === undefined ? {} : { version: message.version };
  const answer = { slot: entry.slot, blockTime: entry.blockTime, meta: entry.meta, ...version };
  switch (encoding) {
    case 'base64':
      return { ...answer, transaction: [entry.wire, 'base64'] };
    case 'base58':
      return { ...answer, transaction: [toBase58(Buffer.from(entry.wire, 'base64')), 'base58'] };
    case 'json':
      return { ...answer, transaction: { signatures, message: messageJson(message) } };
    case 'jsonParsed':
      return {
        ...answer,
        meta: parsedMeta(entry, resolved),
        transaction: { signatures, message: parsedMessageJson(message, resolved) },
      };
    default:
      throw invalidParams(`encoding ${encoding} is not supported`);
  }
}

/** @param {Message} message */
function messageJson(message) {
  return {
    header: {
      numRequiredSignatures: message.header.signers,
      numReadonlySignedAccounts: message.header.readonlySigners,
      numReadonlyUnsignedAccounts: message.header.readonlyOthers,
    },
    accountKeys: message.staticKeys,
    recentBlockhash: message.lifetime,
    instructions: message.instructions.map(({ programIndex, accounts, data }) => ({
      programIdIndex: programIndex,
      accounts,
      data: toBase58(data),
      stackHeight: 1,
    })),
    ...lookupsJson(message),
  };
}

/**
 * @param {Message} message
 * @param {ResolvedKeys} resolved
 */
function parsedMessageJson(message, resolved) {
  return {
    accountKeys: resolved.keys.map((pubkey, index) => ({
      pubkey,
      signer: index < message.header.signers,
      writable: isWritable(message, resolved, index),
      source: index < message.staticKeys.length ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: message.lifetime,
    instructions: message.instructions.map(({ programIndex, accounts, data }) =>
      parsedInstruction(
        resolved.keys[programIndex],
        accounts.map((i) => resolved.keys[i]),
        data,
        1,
      ),
    ),
    ...lookupsJson(message),
  };
}

/** @param {Message} message */
function lookupsJson(message) {
  if (message.version === 'legacy') return {};
  return {
    addressTableLookups: message.lookups.map(({ table, writable, readonly }) => ({
      accountKey: table,
      writableIndexes: writable,
      readonlyIndexes: readonly,
    })),
  };
}

/**
 * @param {Entry} entry
 * @param {ResolvedKeys} resolved
 */
function parsedMeta({ meta }, { keys }) {
  const { loadedAddresses, ...rest } = meta;
  return {
    ...rest,
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) =>
        parsedInstruction(
          keys[programIdIndex],
          accounts.map((i) => keys[i]),
          data,
          stackHeight,
        ),
      ),
    })),
  };
}
