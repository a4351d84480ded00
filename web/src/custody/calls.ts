import * as v from "valibot";
import { readActivity, resultOf } from "./activity";
import { type CustodyTarget, type Stamp, type Stamper, sendStamped } from "./request";

const whoamiSchema = v.object({
  userId: v.string(),
  organizationId: v.string(),
  organizationName: v.optional(v.string(), ""),
  username: v.optional(v.string(), ""),
});

/** Who a stamp belongs to. */
export type Whoami = v.InferOutput<typeof whoamiSchema>;

/** A request as it was stamped, for others to forward unchanged. */
export interface StampedRequest {
  body: string;
  stamp: Stamp;
}

/**
 * Stamps a whoami request without sending it. It carries the time, which custody
 * ignores, so that whoever accepts it can refuse to accept it twice.
 */
export async function stampWhoami(target: CustodyTarget, stamper: Stamper): Promise<StampedRequest> {
  const body = JSON.stringify({ organizationId: target.organizationId, timestampMs: String(Date.now()) });
  return { body, stamp: await stamper.stamp(body) };
}

/** Asks the custody provider whose credential stamps. */
export async function whoami(target: CustodyTarget, stamper: Stamper): Promise<Whoami> {
  const body = JSON.stringify({ organizationId: target.organizationId });
  const stamp = await stamper.stamp(body);
  return v.parse(whoamiSchema, await sendStamped(target.baseUrl, "/public/v1/query/whoami", body, stamp));
}

interface Submission<T> {
  path: string;
  type: string;
  parameters: Record<string, unknown>;
  result: string;
  schema: v.GenericSchema<unknown, T>;
}

async function submit<T>(target: CustodyTarget, stamper: Stamper, submission: Submission<T>): Promise<T> {
  const body = JSON.stringify({
    parameters: submission.parameters,
    organizationId: target.organizationId,
    timestampMs: String(Date.now()),
    type: submission.type,
  });
  const path = `/public/v1/submit/${submission.path}`;
  const answer = await sendStamped(target.baseUrl, path, body, await stamper.stamp(body));
  return resultOf(readActivity(answer), submission.result, submission.schema);
}

const readWriteSchema = v.object({
  userId: v.string(),
  organizationId: v.string(),
  credentialBundle: v.string(),
});

/** What a read-write session is asked with. */
export interface ReadWriteRequest {
  /** The frame's key, uncompressed hex, which the credential is sealed to. */
  targetPublicKey: string;
  expirationSeconds: number;
  invalidateExisting?: boolean;
}

/** Creates a read-write session: a credential that expires, sealed to the frame's key. */
export function createReadWriteSession(target: CustodyTarget, stamper: Stamper, request: ReadWriteRequest) {
  return submit(target, stamper, {
    path: "create_read_write_session",
    type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
    parameters: {
      targetPublicKey: request.targetPublicKey,
      expirationSeconds: String(request.expirationSeconds),
      ...(request.invalidateExisting ? { invalidateExisting: true } : {}),
    },
    result: "createReadWriteSessionResultV2",
    schema: readWriteSchema,
  });
}

const readOnlySchema = v.object({
  userId: v.string(),
  organizationId: v.string(),
  session: v.string(),
  /** Seconds on the wire, as a string. */
  sessionExpiry: v.union([v.string(), v.number()]),
});

/** Creates a read-only session: a token that reads and cannot sign. */
export function createReadOnlySession(target: CustodyTarget, stamper: Stamper) {
  return submit(target, stamper, {
    path: "create_read_only_session",
    type: "ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION",
    parameters: {},
    result: "createReadOnlySessionResult",
    schema: readOnlySchema,
  });
}

/** An API key to be added to a user. */
export interface NewApiKey {
  apiKeyName: string;
  /** Compressed P-256, hex. */
  publicKey: string;
  curveType: "API_KEY_CURVE_P256";
  expirationSeconds: string;
}

/** Adds an API key to a user. `target.organizationId` is the user's own organization. */
export function createApiKeys(target: CustodyTarget, stamper: Stamper, userId: string, apiKeys: NewApiKey[]) {
  return submit(target, stamper, {
    path: "create_api_keys",
    type: "ACTIVITY_TYPE_CREATE_API_KEYS_V2",
    parameters: { userId, apiKeys },
    result: "createApiKeysResult",
    schema: v.object({ apiKeyIds: v.array(v.string()) }),
  });
}

/** A transaction to be signed by the custody provider. */
export interface UnsignedTransaction {
  /** The address whose key signs. */
  signWith: string;
  type: "TRANSACTION_TYPE_ETHEREUM" | "TRANSACTION_TYPE_SOLANA";
  /** Hex without 0x. */
  unsignedTransaction: string;
}

/**
 * Has a transaction signed; returns the signed bytes as hex.
 * `target.organizationId` is the person's own organization.
 */
export async function signTransaction(
  target: CustodyTarget,
  stamper: Stamper,
  transaction: UnsignedTransaction,
): Promise<string> {
  const { signedTransaction } = await submit(target, stamper, {
    path: "sign_transaction",
    type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
    parameters: { ...transaction },
    result: "signTransactionResult",
    schema: v.object({ signedTransaction: v.string() }),
  });
  return signedTransaction;
}
