import type { xdr } from '@stellar/stellar-sdk'

/** Result codes as Horizon writes them. */
export type ResultCodes = { transaction: string; inner_transaction?: string; operations?: string[] }

/** The codes of a result: of the transaction, of the one inside of a fee bump, and of the operations. */
export function resultCodes(result: xdr.TransactionResult): ResultCodes {
  const outer = result.result()
  const transaction = transactionCode(outer.switch().name)
  if (outer.switch().name !== 'txFeeBumpInnerFailed') return { transaction, ...operationsOf(outer) }
  const inner = outer.innerResultPair().result().result()
  return { transaction, inner_transaction: transactionCode(inner.switch().name), ...operationsOf(inner) }
}

function operationsOf(
  result: xdr.TransactionResultResult | xdr.InnerTransactionResultResult,
): Pick<ResultCodes, 'operations'> {
  return result.switch().name === 'txFailed' ? { operations: result.results().map(operationCode) } : {}
}

/** Where Horizon has words of its own (`codes` of Stellar's Horizon). */
const transactionWords: Partial<Record<string, string>> = {
  txNoAccount: 'tx_no_source_account',
  txBadMinSeqAgeOrGap: 'tx_bad_minseq_age_or_gap',
}
const operationWords: Partial<Record<string, string>> = {
  opNoAccount: 'op_no_source_account',
  createAccountAlreadyExist: 'op_already_exists',
  setTrustLineFlagsNoTrustLine: 'op_no_trustline',
  manageDataNameNotFound: 'op_data_name_not_found',
  manageDataInvalidName: 'op_data_invalid_name',
  invokeHostFunctionTrapped: 'function_trapped',
  invokeHostFunctionResourceLimitExceeded: 'resource_limit_exceeded',
  invokeHostFunctionEntryArchived: 'entry_archived',
  invokeHostFunctionInsufficientRefundableFee: 'insufficient_refundable_fee',
}
/** What stands before an operation's own words in the names of its results. */
const operationNames =
  /^(createAccount|payment|changeTrust|setTrustLineFlags|setOptions|manageData|bumpSequence|(?:begin|end)SponsoringFutureReserves|invokeHostFunction)/

function transactionCode(name: string): string {
  return transactionWords[name] ?? snake(name)
}

function operationCode(result: xdr.OperationResult): string {
  const name = result.switch().name === 'opInner' ? result.tr().value().switch().name : result.switch().name
  const word = operationWords[name]
  if (word !== undefined) return word
  return name.startsWith('op') ? snake(name) : `op${snake(name.replace(operationNames, ''))}`
}

/** `txBadSeq` as Horizon writes it: `tx_bad_seq`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
