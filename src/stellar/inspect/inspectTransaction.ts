import type { Transaction } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { type ExpectedTransaction, parseCall } from '../transaction/expected.ts'
import { isSignatureOf } from '../transaction/findSignature.ts'
import { createMemo, describeMemo } from '../transaction/memo.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import {
  compare,
  type InspectDetails,
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
    attempt(context, () => checkChallenge(transactionXdr, context))
    return ['signIn', `Sign in as ${context.address} by a transaction that cannot land.`, undefined]
  }
  const { source, memo, operations } = transaction
  const { feeSource } = feeBump ?? {}
  const calls = operations.flatMap((operation) =>
    operation.type === 'invokeHostFunction' ? (operation.auth ?? []) : [],
  )
  const inspected = operations.map((operation) => parseOperation(operation, source))
  const [operation] = inspected
  const details: InspectDetails = {
    hash: transaction.hash().toString('hex'),
    source,
    feeSource,
    fee: BigInt((feeBump ?? transaction).fee),
    sequence: BigInt(transaction.sequence),
    memo: describeMemo(memo),
    validUntil: BigInt(transaction.timeBounds?.maxTime ?? 0),
    operations: inspected,
    authorizations: calls.map((entry) => inspectEntry(entry, operation?.source ?? source, context)),
  }

  const parties = [context.address, source, feeSource, expected?.from, expected?.sponsor]
  for (const envelope of [transaction, feeBump])
    for (const signature of envelope?.signatures ?? [])
      compare(
        context,
        'FOREIGN_SIGNATURE',
        'signatures',
        'another key, content or network',
        `one of its accounts on ${network.name}`,
        parties.some((party) => party?.[0] === 'G' && isSignatureOf(signature, party, envelope?.hash())),
      )

  inspectConditions(transaction, context)
  compare(
    context,
    'WRONG_SEQUENCE',
    'sequence',
    transaction.sequence,
    'positive',
    (details.sequence ?? 0n) > 0n,
  )
  const maxFee = context.maxFee ?? 10_000_000n
  compare(context, 'HIGH_FEE', 'fee', details.fee, `at most ${maxFee}`, (details.fee ?? 0n) <= maxFee)
  compare(context, 'EXTRA_OPERATION', 'operations.length', inspected.length, 1)
  const usdc = `${network.usdc.code}:${network.usdc.issuer}`
  for (const { type, payment, call } of inspected) {
    if (!call) compare(context, 'UNKNOWN_OPERATION', 'operation.type', type, 'payment')
    if (payment?.asset.startsWith('USDC:')) compare(context, 'WRONG_ASSET', 'asset', payment.asset, usdc)
  }

  warnUncompared(context)
  if (expected !== undefined) {
    const { from, sponsor } = expected
    for (const [field, account] of [
      ['address', context.address],
      ['source', source],
      ['feeSource', feeSource ?? source],
      ['operation.source', operation?.source ?? source],
    ] as const)
      compare(context, 'WRONG_ACCOUNT', field, account, sponsor ?? from, [from, sponsor].includes(account))
    const payer = feeSource ?? source
    if (sponsor !== undefined && sponsor !== from && payer !== sponsor) {
      const byFeeBump = expected.sponsorAs === 'feeBump' && feeBump === undefined
      context.findings.push({
        severity: byFeeBump ? 'warning' : 'danger',
        code: 'CUSTOMER_PAYS_FEE',
        message: `${payer} pays the fee${byFeeBump ? `, unless ${sponsor} puts a fee bump around it` : `, not ${sponsor}`}.`,
        field: 'source',
        ...(!byFeeBump && {
          fix: 'Do not sign it. If the sponsor is to put a fee bump around it, say sponsorAs.',
        }),
      })
    }
    const wantedMemo = expected.memo === undefined ? undefined : describeMemo(createMemo(expected.memo))
    compare(context, 'UNEXPECTED_MEMO', 'memo', details.memo, wantedMemo)
    if (operation !== undefined) compareOperation(operation, expected, context)
    if (operation?.call !== undefined) {
      // The network takes no memo beside a call.
      compare(context, 'UNEXPECTED_MEMO', 'memo', details.memo, undefined)
      // Such an authorization asks for a signature inside, and such a source for one on the envelope: one of them is left over.
      const isMixed =
        operation.source !== source &&
        details.authorizations.some((entry) => entry.validUntilLedger !== undefined)
      compare(context, 'WRONG_ACCOUNT', 'operation.source', operation.source, source, !isMixed)
      const mayBeNone = expected.kind === 'call' && expected.spends === undefined
      const isRight = calls.length === 1 || (mayBeNone && calls.length === 0)
      compare(context, 'EXTRA_AUTHORIZATION', 'auth.length', calls.length, 1, isRight)
    }
  }
  return ['stellarTransaction', inspected.map(describeOperation).join(' '), details]
}

function inspectConditions(transaction: Transaction, context: InspectionContext): void {
  const { minTime = 0, maxTime = 0 } = transaction.timeBounds ?? {}
  const [start, end] = [Number(minTime), Number(maxTime)]
  const seconds = Math.floor(context.now() / 1000)
  const latest = seconds + (context.maxValidForSeconds ?? 3600)
  const field = 'timeBounds.maxTime'
  if (end === 0) compare(context, 'NO_TIME_LIMIT', field, end, `at most ${latest}`)
  else {
    compare(context, 'EXPIRED', field, end, `at least ${seconds}`, end >= seconds)
    compare(context, 'LONG_TIME_LIMIT', field, end, `at most ${latest}`, end <= latest)
  }
  // A clock may be a little off; a start that lies beyond that is a transaction for later.
  compare(context, 'NOT_YET_VALID', 'timeBounds.minTime', start, `at most ${seconds}`, start <= seconds + 300)
  const inner = transaction.toEnvelope().v1().tx()
  const kind = inner.cond().switch().name
  compare(context, 'UNKNOWN_CONDITION', 'preconditions', kind, 'time bounds only', kind !== 'precondV2')
  // Only a contract call has resources.
  if (transaction.operations[0]?.type === 'payment')
    compare(context, 'UNEXPECTED_RESOURCES', 'ext', inner.ext().switch(), 0)
}

function parseOperation(
  operation: Transaction['operations'][number],
  transactionSource: string,
): InspectedOperation {
  const { type, source = transactionSource } = operation
  if (operation.type === 'payment') {
    const { asset, destination, amount } = operation
    // The SDK writes amounts as decimal text with exactly 7 places.
    return {
      type,
      source,
      payment: { to: destination, asset: asset.toString(), amount: BigInt(amount.replace('.', '')) },
    }
  }
  if (
    operation.type === 'invokeHostFunction' &&
    operation.func.switch().name === 'hostFunctionTypeInvokeContract'
  )
    return { type, source, call: parseCall(operation.func.invokeContract()) }
  return { type, source }
}

function compareOperation(
  { type, source, payment, call }: InspectedOperation,
  expected: ExpectedTransaction,
  context: InspectionContext,
): void {
  const { code, issuer } = context.network.usdc
  if (payment !== undefined && expected.kind === 'payment') {
    compare(context, 'WRONG_ACCOUNT', 'from', source, expected.from)
    compare(context, 'WRONG_ACCOUNT', 'to', payment.to, expected.to)
    compare(context, 'WRONG_AMOUNT', 'amount', payment.amount, expected.amount)
    compare(context, 'WRONG_ASSET', 'asset', payment.asset, `${code}:${issuer}`)
  } else if (call !== undefined && context.wanted !== undefined)
    compareCall(call, context.wanted, 'call', context)
  else compare(context, 'UNEXPECTED_OPERATION', 'operation.type', type, expected.kind, false)
}

function describeOperation({ type, source, payment, call }: InspectedOperation): string {
  if (payment !== undefined)
    return `Pay ${formatAmount(payment.amount, { decimals: 7 })} of ${payment.asset} from ${source} to ${payment.to}.`
  return call === undefined ? `Do ${type} on ${source}.` : `Call ${describeCall(call)}.`
}
