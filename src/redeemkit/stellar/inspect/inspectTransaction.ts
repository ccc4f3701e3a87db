import type { Transaction, xdr } from '@stellar/stellar-sdk'
import {
  type AuthPreimage,
  addressCredentialsOf,
  isEntrySigned,
  parseInvocation,
} from '../envelope/authEntry.ts'
import { formatMemo, isSignatureOf, networkIdOf, type ParsedTransaction } from '../envelope/envelope.ts'
import { Address } from '../sdk.ts'
import {
  compareAccount,
  compareExpected,
  compareInvocation,
  compareResources,
  maxFeeOf,
  parseOperation,
} from './compareExpected.ts'
import {
  addDanger,
  compare,
  type InspectedAuthorization,
  type InspectionContext,
  type TransactionDetails,
} from './context.ts'

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

/** An entry with source credentials belongs to `source`. */
export function inspectAuthEntry(
  entry: xdr.SorobanAuthorizationEntry,
  source: string,
  context: InspectionContext,
): InspectedAuthorization {
  return compareAuthorization(parseEntry(entry, source, context), context)
}

function compareAuthorization(
  authorization: InspectedAuthorization,
  context: InspectionContext,
): InspectedAuthorization {
  const { expected, wanted } = context
  compareEnd(authorization, context)
  if (expected === undefined) return authorization
  compare(context, 'WRONG_ACCOUNT', 'auth.address', authorization.address, expected.from)
  if (wanted === undefined)
    addDanger(context, 'EXTRA_AUTHORIZATION', 'The creation of an account authorizes no call.', 'auth')
  else compareInvocation(context, authorization.invocation, wanted, 'auth')
  return authorization
}

function compareEnd(
  { validUntilLedger: end, isSigned }: InspectedAuthorization,
  context: InspectionContext,
): void {
  const { latestLedger } = context
  const field = 'auth.lastLedger'
  if (end === undefined) return
  if (latestLedger === undefined)
    context.findings.push({
      severity: 'warning',
      code: 'EXPIRY_UNCHECKED',
      message: `The authorization is valid until ledger ${end}. The time of this ledger is unknown.`,
      field,
      fix: 'Pass latestLedger. The time bounds of the transaction do not limit the authorization.',
    })
  // An unsigned entry may have no expiry yet (0).
  else if (end !== 0 || isSigned) {
    // A ledger closes about every 5 seconds.
    const limit = latestLedger + Math.ceil(context.maxValidForSeconds / 5)
    compare(context, 'EXPIRED', field, end, `after ${latestLedger}`, end > latestLedger)
    compare(context, 'EXPIRES_TOO_LATE', field, end, `at most ${limit}`, end <= limit)
  }
}

function parseEntry(
  entry: xdr.SorobanAuthorizationEntry,
  source: string,
  context: InspectionContext,
): InspectedAuthorization {
  const { network } = context
  const invocation = parseInvocation(entry.rootInvocation())
  const credentials = addressCredentialsOf(entry)
  if (credentials === undefined) return { address: source, isSigned: false, invocation }
  const { holder, delegates } = credentials
  const address = Address.fromScAddress(holder.address()).toString()
  const isSigned = holder.signature().switch().name !== 'scvVoid'
  const isRight = !isSigned || isEntrySigned(entry, address, network)
  const owner = `${address} on ${network.name}`
  compare(context, 'FOREIGN_SIGNATURE', 'auth.signature', 'another key, content or network', owner, isRight)
  for (const delegate of delegates)
    addDanger(context, 'EXTRA_SIGNER', `${delegate} would sign for ${address}.`, 'auth.delegates')
  return { address, isSigned, delegates, validUntilLedger: holder.signatureExpirationLedger(), invocation }
}

/** A preimage that names no account is attributed to the wallet. */
export function inspectPreimage(
  { preimage, address: named }: AuthPreimage,
  context: InspectionContext,
): InspectedAuthorization {
  const { address: own, expected, network } = context
  const isRight = preimage.networkId().equals(networkIdOf(network))
  compare(context, 'WRONG_NETWORK', 'networkId', 'another', network.name, isRight)
  // The wallet is asked to sign as a delegate of another account. No payment needs that.
  if (expected !== undefined) compare(context, 'WRONG_ACCOUNT', 'preimage.address', named ?? own, own)
  const address = expected === undefined ? (named ?? own) : own
  const invocation = parseInvocation(preimage.invocation())
  const validUntilLedger = preimage.signatureExpirationLedger()
  return compareAuthorization({ address, isSigned: false, validUntilLedger, invocation }, context)
}
