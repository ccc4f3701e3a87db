import { createPublicKey, verify } from 'node:crypto'
import type { xdr as Xdr } from '@stellar/stellar-sdk'
import {
  type AddressCredentials,
  addressCredentialsOf,
  preimageOf,
} from '../../../../redeemkit/stellar/envelope/authEntry.ts'
import { Address, hash, StrKey, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { asBuffer } from '../../../../redeemkit/stellar/values.ts'
import { HostError } from './contract.ts'
import {
  contractDataLedgerKey,
  type LedgerState,
  maxEntryTtl,
  readContractData,
  writeContractData,
} from './state.ts'

/** Arguments are base64 XDR. */
export type Call = { contract: string; functionName: string; args: readonly string[] }

export type Authorizer = {
  enter: () => void
  leave: () => void
  /** Returns the ledger keys of the nonces that this call consumed. */
  require: (address: string, frames: readonly Call[]) => readonly Xdr.LedgerKey[]
  /** Returns the authorization entries that the call needed (recording) or was given (enforcing). */
  entries: () => Xdr.SorobanAuthorizationEntry[]
}

type CallNode = Call & { children: CallNode[]; isUsed: boolean }

function isSameCall(a: Call, b: Call): boolean {
  return a.contract === b.contract && a.functionName === b.functionName && a.args.join() === b.args.join()
}

function parseCallTree(invocation: Xdr.SorobanAuthorizedInvocation): CallNode {
  const children = invocation.subInvocations().map(parseCallTree)
  const authorized = invocation.function()
  if (authorized.switch().name !== 'sorobanAuthorizedFunctionTypeContractFn')
    return { contract: '', functionName: '', args: [], children, isUsed: true }
  const call = authorized.contractFn()
  return {
    contract: Address.fromScAddress(call.contractAddress()).toString(),
    functionName: call.functionName().toString(),
    args: call.args().map((arg) => arg.toXDR('base64')),
    children,
    isUsed: false,
  }
}

function formatCallTree(node: CallNode): Xdr.SorobanAuthorizedInvocation {
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({
        contractAddress: Address.fromString(node.contract).toScAddress(),
        functionName: node.functionName,
        args: node.args.map((arg) => xdr.ScVal.fromXDR(arg, 'base64')),
      }),
    ),
    subInvocations: node.children.map(formatCallTree),
  })
}

/** A tree of authorized calls, and for each running call its node in the tree. */
type Tracked = { address: string; root: CallNode; stack: (CallNode | undefined)[] }

function callStacks(trackers: readonly Tracked[]): Pick<Authorizer, 'enter' | 'leave'> {
  return {
    enter: () => {
      for (const { stack } of trackers) stack.push(undefined)
    },
    leave: () => {
      for (const { stack } of trackers) stack.pop()
    },
  }
}

/** Returns the innermost authorized call of a stack. */
function lastMatch(stack: readonly (CallNode | undefined)[]): CallNode | undefined {
  return stack.filter((node) => node !== undefined).at(-1)
}

/** Unlike the SDK, the network's nodes use cofactorless verification, which rejects some signatures that the SDK accepts. */
export function isSignedStrictly(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const x = Buffer.from(StrKey.decodeEd25519PublicKey(address)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, digest, key, signature)
}

type Tracker = Tracked & {
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
    ...callStacks(trackers),
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

function nonceLedgerKey(address: string, nonce: bigint): Xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: new xdr.Int64(nonce) }))
  return contractDataLedgerKey(address, key, 'temporary')
}

function authError(message: string): HostError {
  return new HostError(`HostError: Error(Auth, InvalidAction): ${message}`)
}

export function recordingAuthorizer(options: {
  source: string
  nonce: () => bigint
  state: LedgerState
  sequence: number
}): Authorizer {
  const trackers: (Tracked & { nonce: bigint })[] = []
  return {
    ...callStacks(trackers),
    require(address, frames) {
      const call = frames.at(-1)
      if (call === undefined) return []
      const node: CallNode = { ...call, children: [], isUsed: true }
      for (const tracker of trackers) {
        if (tracker.address !== address || tracker.stack.at(-1) !== undefined) continue
        const active = lastMatch(tracker.stack)
        if (active === undefined) continue
        active.children.push(node)
        tracker.stack[tracker.stack.length - 1] = node
        return []
      }
      if (frames.length > 1)
        throw new HostError(
          `HostError: Error(Auth, InvalidAction): ${address} must authorize a call below the root`,
        )
      const nonce = options.nonce()
      trackers.push({ address, root: node, stack: [node], nonce })
      if (address === options.source) return []
      const key = nonceLedgerKey(address, nonce)
      // The recording writes the nonce as well, so that the nonce counts towards the write bytes.
      writeContractData(options.state, key, xdr.ScVal.scvVoid(), options)
      return [key]
    },
    entries: () =>
      trackers.map(
        ({ address, root, nonce }) =>
          new xdr.SorobanAuthorizationEntry({
            credentials:
              address === options.source
                ? xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
                : xdr.SorobanCredentials.sorobanCredentialsAddress(
                    new xdr.SorobanAddressCredentials({
                      address: Address.fromString(address).toScAddress(),
                      nonce: new xdr.Int64(nonce),
                      signatureExpirationLedger: 0,
                      signature: xdr.ScVal.scvVoid(),
                    }),
                  ),
            rootInvocation: formatCallTree(root),
          }),
      ),
  }
}
