import type { Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { showText } from '../../core/errors/showValue.ts'
import { type Invocation, parseCall } from '../envelope/authEntry.ts'
import { formatMemo, toMemo } from '../envelope/envelope.ts'
import { accountOperations, type Expectation } from '../expected.ts'
import { Address, fromSdk, Operation, scValToBigInt, xdr } from '../sdk.ts'
import { showName, stroopsOf } from '../values.ts'
import {
  compare,
  type InspectedOperation,
  type InspectionContext,
  type TransactionDetails,
} from './context.ts'

export function compareExpected(
  details: TransactionDetails,
  expected: Expectation,
  context: InspectionContext,
): void {
  const [operation] = details.operations
  compareParties(details, expected, context)
  const memo = formatMemo(toMemo(expected.memo))
  compare(context, 'WRONG_MEMO', 'memo', quote(details.memo), quote(memo), details.memo === memo)
  if (operation === undefined || expected.kind === 'account') return
  compareOperation(operation, expected, context)
  if (operation.call === undefined) return
  // The network rejects a memo in a contract call.
  compare(context, 'WRONG_MEMO', 'memo', quote(details.memo), 'empty')
  compareAuthorizations(details, operation, expected, context)
}

/** Quotes a memo: untrusted text that must not end its own quotation. */
const quote = (memo: string | undefined) => (memo === undefined ? 'empty' : showText(memo, 120))

/** Checks that only the customer and the sponsor take part, and that the expected account pays the fee. */
function compareParties(
  { source, feeSource, operations }: TransactionDetails,
  { from, sponsor, sponsorAs }: Expectation,
  context: InspectionContext,
): void {
  const payer = feeSource ?? source
  for (const [field, account] of [
    ['address', context.address],
    ['source', source],
    ['feeSource', payer],
    ['operation.source', operations[0]?.source ?? source],
  ] as const)
    compare(context, 'WRONG_ACCOUNT', field, account, sponsor ?? from, [from, sponsor].includes(account))
  if (sponsor === undefined || payer === sponsor) return
  const mayBeWrapped = sponsorAs === 'feeBump' && feeSource === undefined
  context.findings.push({
    severity: mayBeWrapped ? 'warning' : 'danger',
    code: 'CUSTOMER_PAYS_FEE',
    message: `${payer} pays the fee${mayBeWrapped ? `, unless ${sponsor} wraps the transaction in a fee bump` : `, not ${sponsor}`}.`,
    field: 'source',
    ...(!mayBeWrapped && {
      fix: 'Do not sign it, or set sponsorAs if the sponsor wraps the transaction in a fee bump.',
    }),
  })
}

function compareOperation(
  { type, source, payment, call }: InspectedOperation,
  expected: Expectation,
  context: InspectionContext,
): void {
  const { usdc } = context.network
  if (payment !== undefined && expected.kind === 'payment') {
    compare(context, 'WRONG_ACCOUNT', 'from', source, expected.from)
    compare(context, 'WRONG_ACCOUNT', 'to', payment.to, expected.to)
    compare(context, 'WRONG_AMOUNT', 'amount', payment.amount, expected.amount)
    compare(context, 'WRONG_ASSET', 'asset', payment.asset, `${usdc.code}:${usdc.issuer}`)
  } else if (call !== undefined && context.wanted !== undefined)
    compareCall(context, call, context.wanted, 'call')
  else {
    const code = payment === undefined && call === undefined ? 'UNKNOWN_OPERATION' : 'UNEXPECTED_OPERATION'
    compare(context, code, 'operation.type', type, expected.kind, false)
  }
}

/** Checks that a call has only the authorization that it needs, signed in the right place. */
function compareAuthorizations(
  { source, authorizations }: TransactionDetails,
  operation: InspectedOperation,
  expected: Expectation,
  context: InspectionContext,
): void {
  // Address credentials need a signature in the authorization entry. Source credentials need one on the envelope. A call has one
  // or the other.
  const isMixed =
    operation.source !== source && authorizations.some((entry) => entry.validUntilLedger !== undefined)
  compare(context, 'WRONG_ACCOUNT', 'operation.source', operation.source, source, !isMixed)
  const mayBeNone = expected.kind === 'call' && expected.spends === undefined
  const count = authorizations.length
  const isRight = count === 1 || (mayBeNone && count === 0)
  compare(context, 'EXTRA_AUTHORIZATION', 'auth.length', count, 1, isRight)
}

export function compareInvocation(
  context: InspectionContext,
  actual: Invocation,
  wanted: Invocation,
  field: string,
): void {
  compareCall(context, actual, wanted, field)
  const inner = actual.subInvocations
  compare(context, 'SUB_INVOCATION', `${field}.calls`, inner.length, wanted.subInvocations.length)
  inner.forEach((call, index) => {
    const wantedCall = wanted.subInvocations[index]
    if (wantedCall !== undefined) compareInvocation(context, call, wantedCall, `${field}.calls[${index}]`)
  })
}

/** Does not compare sub-invocations. */
function compareCall(
  context: InspectionContext,
  actual: Invocation,
  wanted: Invocation,
  field: string,
): void {
  const isTransfer = wanted.contract === context.network.usdc.contract && wanted.functionName === 'transfer'
  const contractCode = isTransfer ? 'WRONG_ASSET' : 'WRONG_CONTRACT'
  compare(context, contractCode, `${field}.contract`, actual.contract, wanted.contract)
  const [name, wantedName] = [actual, wanted].map(({ functionName }) => showName(functionName))
  compare(context, 'WRONG_FUNCTION', `${field}.functionName`, name, wantedName)
  const [actualArgs, wantedArgs] = [actual.args, wanted.args].map((args) => args.map(formatArgument))
  if (isTransfer && actual.args.length === 3)
    transferArguments.forEach(([name, code], index) => {
      const isRight = actual.args[index] === wanted.args[index]
      compare(context, code, `${field}.${name}`, actualArgs?.[index], wantedArgs?.[index], isRight)
    })
  else {
    const isRight = actual.args.join() === wanted.args.join()
    compare(context, 'WRONG_ARGUMENTS', `${field}.args`, actualArgs, wantedArgs, isRight)
  }
}

const transferArguments = [
  ['from', 'WRONG_ACCOUNT'],
  ['to', 'WRONG_ACCOUNT'],
  ['amount', 'WRONG_AMOUNT'],
] as const

/** Returns an argument as text, or as XDR if a transfer has no such argument. */
function formatArgument(arg: string): string {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  const type = value.switch().name
  if (type === 'scvAddress') return Address.fromScVal(value).toString()
  return type === 'scvI128' ? scValToBigInt(value).toString() : arg
}

/** Compares the operations that open an account for a customer without XLM. Returns whether `expected` is of kind `account`. */
export function compareAccount(
  { source, operations }: TransactionDetails,
  context: InspectionContext,
): boolean {
  const { expected, network } = context
  if (expected?.kind !== 'account') return false
  const wanted = accountOperations(expected, network)
  compare(context, 'EXTRA_OPERATION', 'operations.length', operations.length, wanted.length)
  operations.forEach(({ type, effect = type }, index) => {
    // An effect describes its whole operation. An unexpected operation may have no effect, so its type is compared.
    const right = wanted[index] && parseOperation(Operation.fromXDRObject(wanted[index]), source).effect
    compare(context, 'UNEXPECTED_OPERATION', `operations[${index}]`, effect, right ?? 'none')
  })
  return true
}

/** Allowance on top of 1.5 times the simulated resources: ledgers change, and servers add different margins. */
const slack = { fee: 100_000n, instructions: 1_000_000n, diskReadBytes: 5_000n, writeBytes: 5_000n } as const
const withMargin = (need: bigint, name: keyof typeof slack) => (need * 3n) / 2n + slack[name]
/** Maximum inclusion fee, in stroops: 0.1 XLM. The resource fee is not included. */
const maxInclusionFee = 1_000_000n
/** Maximum total fee without a simulation: 1 XLM, in stroops. */
const maxUnknownFee = 10_000_000n

/** Returns the highest fee that the payer may be charged, in stroops. */
export function maxFeeOf({ maxFee, simulation }: InspectionContext): bigint {
  if (maxFee !== undefined) return maxFee
  return simulation === undefined
    ? maxUnknownFee
    : withMargin(BigInt(simulation.minResourceFee), 'fee') + maxInclusionFee
}

/** Compares a call's declared resources with the simulation, because the fee payer pays for everything that is declared. */
export function compareResources(transaction: Transaction, context: InspectionContext): void {
  const { simulation } = context
  if (simulation === undefined) return
  const data: unknown = transaction.toEnvelope().v1().tx().ext().value()
  compare(context, 'UNEXPECTED_RESOURCES', 'ext', 'without resources', 'resources', Boolean(data))
  if (!data) return
  // Resources are the only value that the extension can have.
  const declared = amountsOf(data as Xdr.SorobanTransactionData)
  const needed = amountsOf(fromSdk(simulation.transactionData.build()), BigInt(simulation.minResourceFee))
  for (const name of ['fee', 'instructions', 'diskReadBytes', 'writeBytes'] as const) {
    const [amount, most] = [declared[name], withMargin(needed[name], name)]
    compare(context, 'UNEXPECTED_RESOURCES', `resources.${name}`, amount, `at most ${most}`, amount <= most)
  }
}

function amountsOf(
  data: Xdr.SorobanTransactionData,
  fee = BigInt(data.resourceFee().toString()),
): Record<keyof typeof slack, bigint> {
  const resources = data.resources()
  return {
    fee,
    instructions: BigInt(resources.instructions()),
    diskReadBytes: BigInt(resources.diskReadBytes()),
    writeBytes: BigInt(resources.writeBytes()),
  }
}

/**
 * Reads an operation. Returns amounts for a payment or a call, a description for an operation that opens a sponsored account, and only the
 * name for any other operation.
 */
export function parseOperation(
  operation: Transaction['operations'][number],
  transactionSource: string,
): InspectedOperation {
  const { type, source = transactionSource } = operation
  if (operation.type === 'payment') {
    const { asset, destination: to, amount } = operation
    return { type, source, payment: { to, asset: asset.toString(), amount: stroopsOf(amount) } }
  }
  if (
    operation.type === 'invokeHostFunction' &&
    operation.func.switch().name === 'hostFunctionTypeInvokeContract'
  )
    return { type, source, call: parseCall(operation.func.invokeContract()) }
  const effect = effectOf(operation, source)
  return effect === undefined ? { type, source } : { type, source, effect }
}

function effectOf(operation: Transaction['operations'][number], source: string): string | undefined {
  switch (operation.type) {
    case 'beginSponsoringFutureReserves':
      return `Makes ${source} pay the reserves of ${operation.sponsoredId}`
    case 'createAccount':
      return `Creates the account ${operation.destination} with ${operation.startingBalance} XLM of ${source}`
    case 'changeTrust':
      return `Lets ${source} hold ${operation.line} up to ${operation.limit}`
    case 'endSponsoringFutureReserves':
      return `Ends the sponsorship for ${source}`
    default:
      return undefined
  }
}
