import { Address, hash, xdr } from '@stellar/stellar-sdk'
import { HostError } from './hostError.ts'
import { isSignedStrictly } from './isSignedStrictly.ts'
import { contractDataLedgerKey } from './ledgerEntries.ts'
import { type LedgerState, maxEntryTtl } from './state.ts'

/** A running call. The creation of a contract is one, too: without a contract, its only argument the `CreateContractArgsV2`. */
export type Call = { contract: string; functionName: string; args: readonly string[] }

/** Decides whether an address has authorized the running call. */
export type Authorizer = {
  enter: () => void
  leave: () => void
  /** @returns the ledger keys of the nonces that this used up */
  require: (address: string, frames: readonly Call[]) => readonly xdr.LedgerKey[]
  /** The entries that were needed (recording) or given (enforcing). */
  entries: () => xdr.SorobanAuthorizationEntry[]
}

type Node = Call & { children: Node[]; isUsed: boolean }
type Tracker = {
  address: string
  root: Node
  stack: (Node | undefined)[]
  entry: xdr.SorobanAuthorizationEntry
}

/**
 * Enforces given entries the way the host does: a tracker for each follows the calls down its tree; a node counts once,
 * and only inside its parent. The signature, the nonce and the last ledger are checked when its root is first needed.
 */
export function enforcingAuthorizer(options: {
  entries: readonly xdr.SorobanAuthorizationEntry[]
  state: LedgerState
  /** The operation's source account, whose signature is on the envelope. */
  source: string
  networkPassphrase: string
  sequence: number
}): Authorizer {
  const trackers = options.entries.map((entry): Tracker => {
    const credentials = entry.credentials()
    const address =
      credentials.switch().name === 'sorobanCredentialsAddress'
        ? Address.fromScAddress(credentials.address().address()).toString()
        : options.source
    return { address, root: toNode(entry.rootInvocation()), stack: [], entry }
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
        if (
          match !== tracker.root ||
          tracker.entry.credentials().switch().name !== 'sorobanCredentialsAddress'
        )
          return []
        return [useNonce(tracker.entry, options)]
      }
      throw new HostError(`HostError: Error(Auth, InvalidAction): not authorized by ${address}`)
    },
    entries: () => [...options.entries],
  }
}

/** Records which authorizations a call needs, without asking for any. */
export function recordingAuthorizer(options: { source: string; nonce: () => bigint }): Authorizer {
  type Recorded = Omit<Tracker, 'entry'> & { nonce: bigint }
  const trackers: Recorded[] = []
  let depth = 0
  return {
    enter: () => {
      depth += 1
      for (const tracker of trackers) tracker.stack.push(undefined)
    },
    leave: () => {
      depth -= 1
      for (const tracker of trackers) tracker.stack.pop()
    },
    require(address, frames) {
      const call = frames.at(-1)
      if (call === undefined) return []
      const node: Node = { ...call, children: [], isUsed: true }
      for (const tracker of trackers) {
        if (tracker.address !== address || tracker.stack.at(-1) !== undefined) continue
        const active = lastMatch(tracker.stack)
        if (active === undefined) continue
        active.children.push(node)
        tracker.stack[tracker.stack.length - 1] = node
        return []
      }
      if (depth > 1)
        throw new HostError(
          `HostError: Error(Auth, InvalidAction): ${address} would have to authorize a call below the root`,
        )
      const nonce = options.nonce()
      trackers.push({ address, root: node, stack: [node], nonce })
      return address === options.source ? [] : [nonceLedgerKey(address, nonce)]
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
            rootInvocation: fromNode(root),
          }),
      ),
  }
}

/** The creation of a contract as a call that somebody authorizes. */
export function creationCall(creation: xdr.CreateContractArgsV2): Call {
  return { contract: '', functionName: '', args: [creation.toXDR('base64')] }
}

function useNonce(
  entry: xdr.SorobanAuthorizationEntry,
  options: { state: LedgerState; networkPassphrase: string; sequence: number },
): xdr.LedgerKey {
  const holder = entry.credentials().address()
  const address = Address.fromScAddress(holder.address()).toString()
  const account = options.state.accounts.get(address)
  if (account === undefined) throw authError(`${address} is no account; contract accounts are not simulated`)
  const lastLedger = holder.signatureExpirationLedger()
  if (lastLedger < options.sequence) throw authError(`signature expired at ledger ${lastLedger}`)
  if (lastLedger > options.sequence + maxEntryTtl - 1)
    throw authError('signature expiration is too far ahead')

  const digest = hash(
    xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
      new xdr.HashIdPreimageSorobanAuthorization({
        networkId: hash(Buffer.from(options.networkPassphrase)),
        nonce: holder.nonce(),
        signatureExpirationLedger: lastLedger,
        invocation: entry.rootInvocation(),
      }),
    ).toXDR(),
  )
  let weight = 0
  let previous: Buffer | undefined
  if (holder.signature().switch().name !== 'scvVec') throw authError(`no signature of ${address}`)
  for (const signed of holder.signature().vec() ?? []) {
    const fields = signed.switch().name === 'scvMap' ? (signed.map() ?? []) : []
    const [first, second] = fields.map((field) => field.val())
    const names = fields.map((field) => field.key().sym().toString()).join()
    if (first === undefined || second === undefined || names !== 'public_key,signature')
      throw authError('the signature has another layout')
    const key = first.bytes()
    if (previous !== undefined && Buffer.compare(previous, key) >= 0)
      throw authError('the signatures are not ordered')
    previous = key
    const signer = Address.account(key).toString()
    if (!isSignedStrictly(signer, digest, second.bytes())) throw authError(`bad signature of ${signer}`)
    weight += signer === address ? account.masterWeight : (account.signers.get(signer) ?? 0)
  }
  if (weight === 0 || weight < account.thresholds.medium) throw authError(`too little weight for ${address}`)

  const key = nonceLedgerKey(address, holder.nonce().toBigInt())
  const name = key.toXDR('base64')
  if ((options.state.nonces.get(name) ?? -1) >= options.sequence) throw authError('the nonce was used before')
  options.state.nonces.set(name, lastLedger)
  return key
}

function nonceLedgerKey(address: string, nonce: bigint): xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: new xdr.Int64(nonce) }))
  return contractDataLedgerKey(address, key, 'temporary')
}

function authError(message: string): HostError {
  return new HostError(`HostError: Error(Auth, InvalidAction): ${message}`)
}

function isSameCall(a: Call, b: Call): boolean {
  return a.contract === b.contract && a.functionName === b.functionName && a.args.join() === b.args.join()
}

function toNode(invocation: xdr.SorobanAuthorizedInvocation): Node {
  const children = invocation.subInvocations().map(toNode)
  const authorized = invocation.function()
  if (authorized.switch().name === 'sorobanAuthorizedFunctionTypeCreateContractV2HostFn')
    return { ...creationCall(authorized.createContractV2HostFn()), children, isUsed: false }
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

function fromNode(node: Node): xdr.SorobanAuthorizedInvocation {
  const [creation] = node.args
  return new xdr.SorobanAuthorizedInvocation({
    function:
      node.contract === '' && creation !== undefined
        ? xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
            xdr.CreateContractArgsV2.fromXDR(creation, 'base64'),
          )
        : xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
            new xdr.InvokeContractArgs({
              contractAddress: Address.fromString(node.contract).toScAddress(),
              functionName: node.functionName,
              args: node.args.map((arg) => xdr.ScVal.fromXDR(arg, 'base64')),
            }),
          ),
    subInvocations: node.children.map(fromNode),
  })
}

/** The innermost call of a stack that is covered already. */
function lastMatch(stack: readonly (Node | undefined)[]): Node | undefined {
  return stack.filter((node) => node !== undefined).at(-1)
}
