import type { Transaction } from '@stellar/stellar-sdk'
import { formatMemo } from '../envelope/memo.ts'
import type { ParsedTransaction } from '../envelope/parseTransaction.ts'
import { isSignatureOf } from '../envelope/signEnvelope.ts'
import { compareAccount, compareExpected, compareResources, maxFeeOf } from './compareExpected.ts'
import { compare, type InspectionContext, type TransactionDetails } from './context.ts'
import { inspectAuthEntry } from './inspectAuthEntry.ts'
import { parseOperation } from './operations.ts'

export function inspectTransaction(
  parsed: ParsedTransaction,
  context: InspectionContext,
): TransactionDetails {
  const { transaction, feeBump } = parsed
  const { source } = transaction
  const operations = transaction.operations.map((operation) => parseOperation(operation, source))
  const owner = operations[0]?.source ?? source
  const details: TransactionDetails = {
    hash: transaction.hash().toString('hex'),
    source,
    feeSource: feeBump?.feeSource,
    fee: BigInt((feeBump ?? transaction).fee),
    sequence: BigInt(transaction.sequence),
    memo: formatMemo(transaction.memo),
    validUntil: BigInt(transaction.timeBounds?.maxTime ?? 0),
    operations,
    authorizations: transaction.operations
      .flatMap((operation) => (operation.type === 'invokeHostFunction' ? (operation.auth ?? []) : []))
      .map((entry) => inspectAuthEntry(entry, owner, context)),
  }
  inspectSignatures(parsed, context)
  inspectConditions(transaction, context)
  inspectContent(details, context)
  if (context.expected !== undefined) compareExpected(details, context.expected, context)
  return details
}

/** Checks that each signature was made by one of the accounts, for this content and network. */
function inspectSignatures({ transaction, feeBump }: ParsedTransaction, context: InspectionContext): void {
  const { address, expected, network } = context
  const parties = [address, transaction.source, feeBump?.feeSource, expected?.from, expected?.sponsor]
  for (const envelope of [transaction, feeBump])
    for (const signature of envelope?.signatures ?? [])
      compare(
        context,
        'FOREIGN_SIGNATURE',
        'signatures',
        'another key, content or network',
        `one of its accounts on ${network.name}`,
        parties.some(
          (party) => envelope && party?.[0] === 'G' && isSignatureOf(signature, party, envelope.hash()),
        ),
      )
}

function inspectConditions(transaction: Transaction, context: InspectionContext): void {
  const { minTime = 0, maxTime = 0 } = transaction.timeBounds ?? {}
  const [start, end] = [Number(minTime), Number(maxTime)]
  const seconds = Math.floor(context.now() / 1000)
  const latest = seconds + context.maxValidForSeconds
  const field = 'timeBounds.maxTime'
  if (end === 0) compare(context, 'NO_TIME_LIMIT', field, end, `at most ${latest}`)
  else {
    compare(context, 'EXPIRED', field, end, `at least ${seconds}`, end >= seconds)
    compare(context, 'EXPIRES_TOO_LATE', field, end, `at most ${latest}`, end <= latest)
  }
  // Allows for a small clock difference. A transaction that starts later is not valid yet.
  compare(context, 'NOT_YET_VALID', 'timeBounds.minTime', start, `at most ${seconds}`, start <= seconds + 300)
  const inner = transaction.toEnvelope().v1().tx()
  const kind = inner.cond().switch().name
  compare(context, 'UNKNOWN_CONDITION', 'preconditions', kind, 'time bounds only', kind !== 'precondV2')
  // Only contract calls declare resources.
  if (transaction.operations[0]?.type !== 'invokeHostFunction')
    compare(context, 'UNEXPECTED_RESOURCES', 'ext', inner.ext().switch(), 0)
  else compareResources(transaction, context)
}

function inspectContent(details: TransactionDetails, context: InspectionContext): void {
  const { sequence, fee, operations } = details
  const { code, issuer } = context.network.usdc
  const maxFee = maxFeeOf(context)
  compare(context, 'WRONG_SEQUENCE', 'sequence', sequence, 'positive', sequence > 0n)
  compare(context, 'FEE_TOO_HIGH', 'fee', fee, `at most ${maxFee}`, fee <= maxFee)
  if (context.expected === undefined) {
    for (const { payment } of operations)
      if (payment?.asset.startsWith('USDC:'))
        compare(context, 'WRONG_ASSET', 'asset', payment.asset, `${code}:${issuer}`)
  } else if (!compareAccount(details, context))
    compare(context, 'EXTRA_OPERATION', 'operations.length', operations.length, 1)
}
