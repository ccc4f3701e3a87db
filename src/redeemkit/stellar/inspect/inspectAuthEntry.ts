import type { xdr } from '@stellar/stellar-sdk'
import {
  type AuthPreimage,
  addressCredentialsOf,
  isEntrySigned,
  parseInvocation,
} from '../envelope/authEntry.ts'
import { networkIdOf } from '../envelope/signEnvelope.ts'
import { Address } from '../sdk.ts'
import { compareInvocation } from './compareExpected.ts'
import { addDanger, compare, type InspectedAuthorization, type InspectionContext } from './context.ts'

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
