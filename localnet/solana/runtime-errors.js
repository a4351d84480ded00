// @ts-check
/**
 * Why a transaction failed, from the runtime's numbers to the names that JSON-RPC clients know
 * (`"BlockhashNotFound"`, `{"InstructionError":[0,{"Custom":6001}]}`).
 */

// In the order of the runtime's own enumerations (litesvm's dist/internal.d.ts). The numbers have no names at
// run time, since TypeScript erases const enums.
export const TRANSACTION_ERRORS = `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound
InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep
MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure
ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion
InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks
AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData
InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit
WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded
InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled`.split(/\s+/);

/** The names of instruction errors, by the runtime's number. */
export const INSTRUCTION_ERRORS = `GenericError InvalidArgument InvalidInstructionData InvalidAccountData
AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized
UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend
ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified
RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed
AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified
ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount
ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded
PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable
IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner
MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
BuiltinProgramsMustConsumeComputeUnits BorshIoError`.split(/\s+/);

// What an RPC node says for an error, where clients and people look for the words.
const SENTENCES = /** @type {Record<string, string>} */ ({
  AccountInUse: 'Account in use',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
});

const INSTRUCTION_SENTENCES = /** @type {Record<string, string>} */ ({
  GenericError: 'generic instruction error',
  IncorrectAuthority: 'Incorrect authority provided',
  IncorrectProgramId: 'incorrect program id for instruction',
  InsufficientFunds: 'insufficient funds for instruction',
  InvalidAccountData: 'invalid account data for instruction',
  InvalidAccountOwner: 'Invalid account owner',
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidSeeds: 'Provided seeds do not result in a valid address',
  MissingRequiredSignature: 'missing required signature for instruction',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  PrivilegeEscalation: 'Cross-program invocation with unauthorized signer or writable account',
  UnsupportedProgramId: 'Unsupported program id',
});

/** @typedef {string | Record<string, unknown>} TransactionErrorJson */

/**
 * @param {import('litesvm').FailedTransactionMetadata} failure
 * @returns {TransactionErrorJson}
 */
export function transactionErrorJson(failure) {
  const error = /** @type {any} */ (failure.err());
  if (typeof error === 'number') {
    return TRANSACTION_ERRORS[error] ?? `UnknownTransactionError${error}`;
  }
  if (typeof error.err === 'function') {
    return { InstructionError: [error.index, instructionErrorJson(error.err())] };
  }
  const name = error.constructor.name.replace(/^TransactionError/, '');
  return { [name]: error.accountIndex === undefined ? error.index : { account_index: error.accountIndex } };
}

/** @param {any} error */
function instructionErrorJson(error) {
  if (typeof error === 'number') {
    return INSTRUCTION_ERRORS[error] ?? `UnknownInstructionError${error}`;
  }
  return error.code === undefined ? { BorshIoError: error.msg } : { Custom: error.code };
}

/**
 * The sentence in which a node reports the error.
 * @param {TransactionErrorJson} error
 * @returns {string}
 */
export function transactionErrorSentence(error) {
  if (typeof error === 'string') {
    return SENTENCES[error] ?? error;
  }
  if (error.InsufficientFundsForRent) {
    const { account_index: index } = /** @type {{account_index: number}} */ (error.InsufficientFundsForRent);
    return `Transaction results in an account (${index}) with insufficient funds for rent`;
  }
  if (!error.InstructionError) {
    return JSON.stringify(error);
  }
  const [index, inner] = /** @type {[number, string | {Custom: number}]} */ (error.InstructionError);
  return `Error processing Instruction ${index}: ${instructionSentence(inner)}`;
}

/** @param {string | {Custom?: number}} error */
function instructionSentence(error) {
  if (typeof error === 'string') {
    return INSTRUCTION_SENTENCES[error] ?? error;
  }
  return error.Custom === undefined ? JSON.stringify(error) : `custom program error: 0x${error.Custom.toString(16)}`;
}
