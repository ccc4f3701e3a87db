import type { Hex } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame, RedeemReport } from '../redeemReport.ts'
import { addressIn, walkFrames, wordsOf } from './frames.ts'

export type UsdcTransferCall = RedeemReport['usdc']['wanted'][number] & {
  /** True for `transferFrom` and for transfers by authorization; false for `transfer`. */
  isByAllowance: boolean
  at: readonly number[]
}

/** Includes failed and reverted calls. */
export function usdcTransferCalls(root: CallFrame, usdc: Hex): UsdcTransferCall[] {
  const transferCalls: UsdcTransferCall[] = []
  for (const { frame, at, persists } of walkFrames(root)) {
    const { type, from: by, to, input } = frame
    if (type !== 'CALL' || !sameHex(to, usdc)) continue
    const [name = ''] = tokenCallOf(frame) ?? []
    const words = wordsOf(input)
    const read = (place: number) => words[place] as Hex | undefined
    const done = frame.failure === undefined
    const add = (from: Hex, receiver: Hex | undefined, amount: Hex | undefined) => {
      if (receiver === undefined || amount === undefined) return
      transferCalls.push({
        by,
        isByAllowance: name !== 'transfer',
        from,
        to: addressIn(receiver),
        amount: BigInt(`0x${amount}`),
        done,
        given: persists,
        at,
      })
    }
    const first = read(0)
    if (name === 'transfer') add(by, first, read(1))
    else if (first !== undefined && /^(transferFrom|.*WithAuthorization)$/.test(name))
      add(addressIn(first), read(1), read(2))
  }
  return transferCalls
}

/** The name and the first parameters of a token call. */
export const tokenCallOf = ({ input }: CallFrame): readonly [string, ...string[]] | undefined =>
  tokenCalls[input.slice(0, 10)]

const tokenCalls: Readonly<Record<string, readonly [string, ...string[]]>> = {
  '0x095ea7b3': ['approve', 'spender', 'amount'],
  '0xa9059cbb': ['transfer', 'to', 'amount'],
  '0x23b872dd': ['transferFrom', 'from', 'to', 'amount'],
  '0x39509351': ['increaseAllowance', 'spender', 'amount'],
  '0xa457c2d7': ['decreaseAllowance', 'spender', 'amount'],
  // The second of each pair takes the signature as bytes.
  '0xe3ee160e': ['transferWithAuthorization', 'from', 'to', 'amount'],
  '0xcf092995': ['transferWithAuthorization', 'from', 'to', 'amount'],
  '0xef55bec6': ['receiveWithAuthorization', 'from', 'to', 'amount'],
  '0x88b7ab63': ['receiveWithAuthorization', 'from', 'to', 'amount'],
  '0xdd62ed3e': ['allowance', 'owner', 'spender'],
  '0x70a08231': ['balanceOf', 'owner'],
}

/** Only transfers that took effect, in order, according to events. */
export function* usdcTransfers(
  root: CallFrame,
  usdc: Hex,
): Generator<{ from: Hex; to: Hex; amount: bigint }> {
  for (const { frame, persists } of walkFrames(root)) {
    if (!persists) continue
    for (const { address, topics, data } of frame.logs) {
      const [event, from, to] = topics
      if (sameHex(address, usdc) && event === transferTopic && from && to && data.length === 66)
        yield { from: addressIn(from), to: addressIn(to), amount: BigInt(data) }
    }
  }
}

export function usdcReceived(root: CallFrame, usdc: Hex): { account: Hex; amount: bigint }[] {
  const changes = new Map<Hex, bigint>()
  for (const { from, to, amount } of usdcTransfers(root, usdc)) {
    change(changes, from, -amount)
    change(changes, to, amount)
  }
  return [...changes].flatMap(([account, amount]) => (amount > 0n ? [{ account, amount }] : []))
}

function change(changes: Map<Hex, bigint>, account: Hex, by: bigint): void {
  changes.set(account, (changes.get(account) ?? 0n) + by)
}

/** Topic of the event `Transfer` of ERC-20 and ERC-721. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Topic of the event `Approval` of ERC-20. */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

export function usdcApprovals(root: CallFrame, usdc: Hex): { owner: Hex; spender: Hex }[] {
  const approvals = new Map<string, { owner: Hex; spender: Hex }>()
  for (const { frame, persists } of walkFrames(root)) {
    if (!persists) continue
    for (const { address, topics } of frame.logs) {
      const [event, owner, spender] = topics
      if (!sameHex(address, usdc) || event !== approvalTopic || !owner || !spender) continue
      approvals.set(owner + spender, { owner: addressIn(owner), spender: addressIn(spender) })
    }
  }
  return [...approvals.values()]
}
