import type { Transaction } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { type ExpectedTransaction, expectedInvocation, parseCall } from '../transaction/expected.ts'
import { isSignatureOf } from '../transaction/findSignature.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import {
  addDanger,
  compare,
  type InspectedAuthorization,
  type InspectedOperation,
  type InspectionContext,
  type InspectionResult,
  warnUncompared,
} from './context.ts'
import { compareCall, describeCall, inspectEntry } from './inspectAuthEntry.ts'
import { attempt } from './inspectMessage.ts'

/** A transaction envelope. */
export function inspectTransaction(transactionXdr: string, context: InspectionContext): InspectionResult {
  const { expected, network } = context
  const { transaction, feeBump } = parseTransaction(transactionXdr, network)
  if (transaction.sequence === '0' && expected === undefined) {
    attempt(context, () => checkChallenge(transactionXdr, { ...context, domains: context.domains ?? [] }))
    return ['authChallenge', `Sign in as ${context.address} by a transaction that cannot land.`, undefined]
  }
  const { source, memo } = transaction
  const feeSource = feeBump?.feeSource
  const memoText = memo.type === 'none' ? undefined : `${memo.type}:${String(memo.value ?? '')}`
  const details = {
    hash: transaction.hash().toString('hex'),
    source,
    feeSource,
    fee: BigInt((feeBump ?? transaction).fee),
    sequence: BigInt(transaction.sequence),
    memo: memoText,
    validUntil: BigInt(transaction.timeBounds?.maxTime ?? 0),
    operations: transaction.operations.map((_, index) => parseOperation(transaction, index)),
    authorizations: [] as InspectedAuthorization[],
  }

  const parties = [context.address, source, feeSource, expected?.from, expected?.sponsor]
  for (const envelope of feeBump === undefined ? [transaction] : [transaction, feeBump])
    for (const signature of envelope.signatures)
      if (!parties.some((party) => party?.[0] === 'G' && isSignatureOf(signature, party, envelope.hash())))
        addDanger(
          context,
          'FOREIGN_SIGNATURE',
          `It carries a signature that nobody of it made on ${network.name}: another content, network or key.`,
          'signatures',
        )

  inspectConditions(transaction, context)
  if (details.sequence < 1n)
    addDanger(context, 'WRONG_SEQUENCE', 'Its sequence number cannot land.', 'sequence')
  if (details.fee > (context.maxFee ?? 10_000_000n))
    addDanger(
      context,
      'HIGH_FEE',
      `It may charge a fee of ${formatAmount(details.fee, { decimals: 7 })} XLM.`,
      'fee',
    )
  const [operation] = details.operations
  if (operation === undefined || details.operations.length > 1)
    addDanger(
      context,
      'EXTRA_OPERATION',
      `It has ${details.operations.length} operations, not one.`,
      'operations',
    )
  if (operation?.type === 'payment')
    compare(context, 'UNEXPECTED_RESOURCES', 'ext', transactionExt(transaction), 0)
  for (const { type, payment, call } of details.operations) {
    if (payment === undefined && call === undefined)
      addDanger(
        context,
        'UNKNOWN_OPERATION',
        `Operation ${type} is neither a payment nor a contract call.`,
        'operations',
      )
    const { code, issuer } = network.usdc
    if (payment?.asset.startsWith(`${code}:`))
      compare(context, 'WRONG_ASSET', 'asset', payment.asset, `${code}:${issuer}`)
  }

  warnUncompared(context)
  if (expected !== undefined) {
    const { from, sponsor } = expected
    const accounts = sponsor === undefined ? [from] : [from, sponsor]
    for (const [field, account] of [
      ['address', context.address],
      ['source', source],
      ['feeSource', feeSource ?? source],
      ['operation.source', operation?.source ?? source],
    ] as const)
      if (!accounts.includes(account))
        addDanger(
          context,
          'WRONG_ACCOUNT',
          `The ${field} is ${account}, expected ${accounts.join(' or ')}.`,
          field,
        )
    compare(
      context,
      'UNEXPECTED_MEMO',
      'memo',
      memoText,
      expected.memo === undefined ? undefined : `text:${expected.memo}`,
    )
    if (operation !== undefined) compareOperation(operation, expected, context)
  }

  const calls = transaction.operations.flatMap((operation) =>
    operation.type === 'invokeHostFunction' ? (operation.auth ?? []) : [],
  )
  for (const entry of calls)
    details.authorizations.push(inspectEntry(entry, operation?.source ?? source, context))
  if (expected !== undefined && operation?.call !== undefined) {
    const needed = expected.kind === 'payment' || expected.spends !== undefined ? 1 : calls.length && 1
    if (calls.length !== needed)
      addDanger(
        context,
        'EXTRA_AUTHORIZATION',
        `It has ${calls.length} authorizations, expected ${needed}.`,
        'auth',
      )
  }
  return ['stellarTransaction', summarize(details.operations), details]
}

function inspectConditions(transaction: Transaction, context: InspectionContext): void {
  const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' }
  const seconds = Math.floor(context.now() / 1000)
  if (maxTime === '0') addDanger(context, 'NO_TIME_LIMIT', 'It has no time limit.', 'timeBounds')
  else if (Number(maxTime) < seconds)
    addDanger(context, 'EXPIRED', `It expired at ${maxTime}.`, 'timeBounds.maxTime')
  else if (Number(maxTime) > seconds + (context.maxValidForSeconds ?? 3600))
    addDanger(context, 'LONG_TIME_LIMIT', `It stays valid until ${maxTime}.`, 'timeBounds.maxTime')
  // A clock may be a little off; a start that lies beyond that is a transaction for later.
  if (Number(minTime) > seconds + 300)
    addDanger(context, 'NOT_YET_VALID', `It is valid from ${minTime} on.`, 'timeBounds.minTime')
  const envelope = transaction.toEnvelope()
  if (envelope.switch().name === 'envelopeTypeTx' && envelope.v1().tx().cond().switch().name === 'precondV2')
    addDanger(context, 'UNKNOWN_CONDITION', 'It has conditions beyond its time limit.', 'preconditions')
}

function transactionExt(transaction: Transaction): number {
  const envelope = transaction.toEnvelope()
  return envelope.switch().name === 'envelopeTypeTx' ? envelope.v1().tx().ext().switch() : 0
}

function parseOperation(transaction: Transaction, index: number): InspectedOperation {
  const operation = transaction.operations[index]
  const type = operation?.type ?? ''
  const source = operation?.source ?? transaction.source
  if (operation?.type === 'payment') {
    const { asset, destination, amount } = operation
    // The SDK writes amounts as decimal text with exactly 7 places.
    return {
      type,
      source,
      payment: { to: destination, asset: asset.toString(), amount: BigInt(amount.replace('.', '')) },
    }
  }
  if (
    operation?.type === 'invokeHostFunction' &&
    operation.func.switch().name === 'hostFunctionTypeInvokeContract'
  )
    return { type, source, call: parseCall(operation.func.invokeContract()) }
  return { type, source }
}

function compareOperation(
  operation: InspectedOperation,
  expected: ExpectedTransaction,
  context: InspectionContext,
): void {
  const { payment, call } = operation
  const { code, issuer } = context.network.usdc
  if (payment !== undefined && expected.kind === 'payment') {
    compare(context, 'WRONG_ACCOUNT', 'from', operation.source, expected.from)
    compare(context, 'WRONG_ACCOUNT', 'to', payment.to, expected.to)
    compare(context, 'WRONG_AMOUNT', 'amount', payment.amount, expected.amount)
    compare(context, 'WRONG_ASSET', 'asset', payment.asset, `${code}:${issuer}`)
  } else if (call !== undefined)
    compareCall(call, expectedInvocation(expected, context.network), 'call', context)
  else
    addDanger(
      context,
      'UNEXPECTED_OPERATION',
      `It is a ${operation.type}, expected a ${expected.kind}.`,
      'operations',
    )
}

function summarize(operations: readonly InspectedOperation[]): string {
  return operations
    .map(({ type, source, payment, call }) =>
      payment !== undefined
        ? `Pay ${formatAmount(payment.amount, { decimals: 7 })} of ${payment.asset} from ${source} to ${payment.to}.`
        : call !== undefined
          ? `Call ${describeCall(call)}.`
          : `Do ${type} on ${source}.`,
    )
    .join(' ')
}
