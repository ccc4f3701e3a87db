import { Address, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { writeContractData } from '../entries/ledgerKeys.ts'
import type { LedgerState } from '../entries/state.ts'
import { type Authorizer, type CallNode, formatCallTree, lastMatch } from './authorizer.ts'
import { HostError } from './contract.ts'
import { nonceLedgerKey } from './enforcingAuthorizer.ts'

type Recorded = { address: string; root: CallNode; stack: (CallNode | undefined)[]; nonce: bigint }

export function recordingAuthorizer(options: {
  source: string
  nonce: () => bigint
  state: LedgerState
  sequence: number
}): Authorizer {
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
      const node: CallNode = { ...call, children: [], isUsed: true }
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
