import type { xdr as Xdr } from '@stellar/stellar-sdk'
import {
  type AddressCredentials,
  addressCredentialsOf,
  preimageOf,
} from '../../../../redeemkit/stellar/envelope/authEntry.ts'
import { Address, hash, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { asBuffer } from '../../../../redeemkit/stellar/values.ts'
import { readContractData, writeContractData } from '../entries/contractData.ts'
import { isSignedStrictly } from '../entries/isSignedStrictly.ts'
import { contractDataLedgerKey } from '../entries/ledgerKeys.ts'
import { type AccountState, type LedgerState, maxEntryTtl } from '../entries/state.ts'
import { type Authorizer, type CallNode, isSameCall, lastMatch, parseCallTree } from './authorizer.ts'
import { HostError } from './contract.ts'

type Tracker = {
  address: string
  root: CallNode
  stack: (CallNode | undefined)[]
  entry: Xdr.SorobanAuthorizationEntry
  /** Undefined when the operation's source authorizes by the envelope's signature. */
  credentials: AddressCredentials | undefined
}

/**
 * Enforces authorization entries as the host does: each entry's tracker follows the calls down its tree; a node counts
 * once and only inside its parent. Signature, nonce and expiration ledger are checked when the root is first needed.
 */
export function enforcingAuthorizer(options: {
  entries: readonly Xdr.SorobanAuthorizationEntry[]
  state: LedgerState
  /** The operation's source account, which signed the envelope. */
  source: string
  networkPassphrase: string
  sequence: number
}): Authorizer {
  const trackers = options.entries.map((entry): Tracker => {
    const credentials = addressCredentialsOf(entry)
    const address = credentials === undefined ? options.source : addressOf(credentials)
    return { address, root: parseCallTree(entry.rootInvocation()), stack: [], entry, credentials }
  })
  return {
    enter: () => {
      for (const tracker of trackers) tracker.stack.push(undefined)
    },
    leave: () => {
      for (const tracker of trackers) tracker.stack.pop()
    },
    require(address, frames) {
      const call = frames.at(-1)
      for (const tracker of trackers) {
        if (call === undefined || tracker.address !== address || tracker.stack.at(-1) !== undefined) continue
        const active = lastMatch(tracker.stack)
        const match = (active?.children ?? [tracker.root]).find(
          (node) => !node.isUsed && isSameCall(node, call),
        )
        if (match === undefined) continue
        match.isUsed = true
        tracker.stack[tracker.stack.length - 1] = match
        if (match !== tracker.root || tracker.credentials === undefined) return []
        return [takeNonce(tracker.entry, tracker.credentials, options)]
      }
      throw new HostError(`HostError: Error(Auth, InvalidAction): not authorized by ${address}`)
    },
    entries: () => [...options.entries],
  }
}

/** Checks an authorization entry's signature, expiration ledger and nonce, and consumes the nonce. */
function takeNonce(
  entry: Xdr.SorobanAuthorizationEntry,
  credentials: AddressCredentials,
  options: { state: LedgerState; networkPassphrase: string; sequence: number },
): Xdr.LedgerKey {
  const { holder, delegates } = credentials
  const address = addressOf(credentials)
  if (delegates.length > 0) throw authError(`delegates of ${address} are not simulated`)
  const account = options.state.accounts.get(address)
  if (account === undefined)
    throw authError(`${address} is not an account; contract accounts are not simulated`)
  const lastLedger = holder.signatureExpirationLedger()
  if (lastLedger < options.sequence) throw authError(`signature expired at ledger ${lastLedger}`)
  if (lastLedger > options.sequence + maxEntryTtl - 1)
    throw authError('signature expiration is too far ahead')

  const digest = hash(asBuffer(preimageOf(entry, credentials, options)))
  const weight = signedWeight(holder, account, digest)
  if (weight === 0 || weight < account.thresholds.medium) throw authError(`too little weight for ${address}`)

  const key = nonceLedgerKey(address, holder.nonce().toBigInt())
  const { state, sequence } = options
  if (readContractData(state, key, sequence) !== undefined) throw authError('the nonce has already been used')
  writeContractData(state, key, xdr.ScVal.scvVoid(), { sequence, liveUntil: lastLedger })
  return key
}

/** The account that authorizes by its own signature. */
function addressOf({ holder }: AddressCredentials): string {
  return Address.fromScAddress(holder.address()).toString()
}

/** The account's weight behind an entry's signatures; each must be valid, and they must be in order. */
function signedWeight(holder: Xdr.SorobanAddressCredentials, account: AccountState, digest: Buffer): number {
  let weight = 0
  let previous: Buffer | undefined
  if (holder.signature().switch().name !== 'scvVec') throw authError(`no signature of ${account.address}`)
  for (const signed of holder.signature().vec() ?? []) {
    const fields = signed.switch().name === 'scvMap' ? (signed.map() ?? []) : []
    const [first, second] = fields.map((field) => field.val())
    const names = fields.map((field) => field.key().sym().toString()).join()
    if (first === undefined || second === undefined || names !== 'public_key,signature')
      throw authError('the signature has an unknown layout')
    const key = first.bytes()
    if (previous !== undefined && Buffer.compare(previous, key) >= 0)
      throw authError('the signatures are not ordered')
    previous = key
    const signer = Address.account(key).toString()
    if (!isSignedStrictly(signer, digest, second.bytes())) throw authError(`bad signature of ${signer}`)
    weight += signer === account.address ? account.masterWeight : (account.signers.get(signer) ?? 0)
  }
  return weight
}

export function nonceLedgerKey(address: string, nonce: bigint): Xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: new xdr.Int64(nonce) }))
  return contractDataLedgerKey(address, key, 'temporary')
}

function authError(message: string): HostError {
  return new HostError(`HostError: Error(Auth, InvalidAction): ${message}`)
}
