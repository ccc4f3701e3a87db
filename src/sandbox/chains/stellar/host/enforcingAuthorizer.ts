import type { xdr as Xdr } from '@stellar/stellar-sdk'
import {
  type AddressCredentials,
  addressCredentialsOf,
  preimageOf,
} from '../../../../redeemkit/stellar/envelope/authEntry.ts'
import { Address, hash, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { asBuffer } from '../../../../redeemkit/stellar/values.ts'
import { contractDataLedgerKey, readContractData, writeContractData } from '../entries/ledgerKeys.ts'
import { type LedgerState, maxEntryTtl } from '../entries/state.ts'
import {
  type Authorizer,
  type CallNode,
  isSameCall,
  isSignedStrictly,
  lastMatch,
  parseCallTree,
} from './authorizer.ts'
import { HostError } from './contract.ts'

type Tracker = {
  address: string
  root: CallNode
  stack: (CallNode | undefined)[]
  entry: Xdr.SorobanAuthorizationEntry
  /** Undefined when the operation's source account authorizes with the envelope's signature. */
  credentials: AddressCredentials | undefined
}

/**
 * Enforces authorization entries as the host does: a node of an entry's tree matches one call, and only inside the call of its parent.
 * Signature, nonce and expiration ledger are checked when the root is first needed.
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

/** Checks the entry's expiration ledger, signature and nonce, and consumes the nonce. */
function takeNonce(
  entry: Xdr.SorobanAuthorizationEntry,
  credentials: AddressCredentials,
  options: { state: LedgerState; networkPassphrase: string; sequence: number },
): Xdr.LedgerKey {
  const { holder, delegates } = credentials
  const address = addressOf(credentials)
  if (delegates.length > 0) throw authError(`delegates of ${address} are not simulated`)
  if (!options.state.accounts.has(address))
    throw authError(`${address} is not an account; contract accounts are not simulated`)
  const lastLedger = holder.signatureExpirationLedger()
  if (lastLedger < options.sequence) throw authError(`signature expired at ledger ${lastLedger}`)
  if (lastLedger > options.sequence + maxEntryTtl - 1)
    throw authError('signature expiration is too far ahead')

  const digest = hash(asBuffer(preimageOf(entry, credentials, options)))
  checkSignature(holder, address, digest)

  const key = nonceLedgerKey(address, holder.nonce().toBigInt())
  const { state, sequence } = options
  if (readContractData(state, key, sequence) !== undefined) throw authError('the nonce has already been used')
  writeContractData(state, key, xdr.ScVal.scvVoid(), { sequence, liveUntil: lastLedger })
  return key
}

/** Returns the account that authorizes with its own signature. */
function addressOf({ holder }: AddressCredentials): string {
  return Address.fromScAddress(holder.address()).toString()
}

/** Requires exactly one signature, by the account's own key. */
function checkSignature(holder: Xdr.SorobanAddressCredentials, address: string, digest: Buffer): void {
  const signatures = holder.signature().switch().name === 'scvVec' ? (holder.signature().vec() ?? []) : []
  const [signed] = signatures
  if (signed === undefined || signatures.length > 1)
    throw authError(`expected exactly one signature of ${address}`)
  const fields = signed.switch().name === 'scvMap' ? (signed.map() ?? []) : []
  const [first, second] = fields.map((field) => field.val())
  const names = fields.map((field) => field.key().sym().toString()).join()
  if (first === undefined || second === undefined || names !== 'public_key,signature')
    throw authError('the signature has an unknown layout')
  const isOwn = Address.account(first.bytes()).toString() === address
  if (!isOwn || !isSignedStrictly(address, digest, second.bytes()))
    throw authError(`bad signature of ${address}`)
}

export function nonceLedgerKey(address: string, nonce: bigint): Xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: new xdr.Int64(nonce) }))
  return contractDataLedgerKey(address, key, 'temporary')
}

function authError(message: string): HostError {
  return new HostError(`HostError: Error(Auth, InvalidAction): ${message}`)
}
