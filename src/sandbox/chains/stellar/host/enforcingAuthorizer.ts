import { Address, type xdr } from '@stellar/stellar-sdk'
import type { LedgerState } from '../entries/state.ts'
import type { Authorizer } from './authorizer.ts'
import { type CallNode, isSameCall, lastMatch, parseCallTree } from './callTree.ts'
import { HostError } from './hostError.ts'
import { takeNonce } from './takeNonce.ts'

type Tracker = {
  address: string
  root: CallNode
  stack: (CallNode | undefined)[]
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
    return { address, root: parseCallTree(entry.rootInvocation()), stack: [], entry }
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
        return [takeNonce(tracker.entry, options)]
      }
      throw new HostError(`HostError: Error(Auth, InvalidAction): not authorized by ${address}`)
    },
    entries: () => [...options.entries],
  }
}
