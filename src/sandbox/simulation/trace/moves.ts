import type { Hex } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame, RedeemReport } from '../redeemReport.ts'
import { addressIn, logsOf, walkFrames, wordsOf } from './frames.ts'

export type UsdcTransferCall = RedeemReport['usdc']['wanted'][number] & {
  /** True for `transferFrom` and for transfers by authorization; false for `transfer`. */
  isByAllowance: boolean
  at: readonly number[]
}

/** Includes failed and reverted calls. */
export function usdcTransferCalls(root: CallFrame, usdc: Hex): UsdcTransferCall[] {
  const transferCalls: UsdcTransferCall[] = []
  for (const { frame, at, persists } of walkFrames(root)) {
    const { type, from: by, to, input, failure } = frame
    if (type !== 'CALL' || !sameHex(to, usdc)) continue
    const [name = ''] = tokenCallOf(frame) ?? []
    const isByAllowance = name !== 'transfer'
    if (isByAllowance && !/^(transferFrom|.*WithAuthorization)$/.test(name)) continue
    const [from, receiver, amount] = isByAllowance ? wordsOf(input) : [by, ...wordsOf(input)]
    if (from === undefined || receiver === undefined || amount === undefined) continue
    transferCalls.push({
      by,
      isByAllowance,
      from: addressIn(from),
      to: addressIn(receiver),
      amount: BigInt(`0x${amount}`),
      done: failure === undefined,
      given: persists,
      at,
    })
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

type CoinMove = { token: Hex; amount: bigint; from: Hex; to: Hex }

/** Transfers of ERC-20 tokens that took effect, in order, according to events. */
function erc20Moves(root: CallFrame): CoinMove[] {
  return logsOf(root).flatMap(({ address, topics, data }) => {
    const [event, from, to, id] = topics
    // ERC-721 transfers have a third indexed value, the token id.
    const isMove = event === transferTopic && from && to && id === undefined && data.length === 66
    return isMove ? [{ token: address, amount: BigInt(data), from: addressIn(from), to: addressIn(to) }] : []
  })
}

export const usdcTransfers = (root: CallFrame, usdc: Hex) =>
  erc20Moves(root).filter(({ token }) => sameHex(token, usdc))

/** Transfers of ERC-20 tokens except USDC. */
export const coinMoves = (root: CallFrame, usdc: Hex | undefined) =>
  erc20Moves(root).filter(({ token }) => !sameHex(token, usdc))

export function usdcReceived(root: CallFrame, usdc: Hex): { account: Hex; amount: bigint }[] {
  const changes = usdcTransfers(root, usdc).flatMap(({ from, to, amount }): [Hex, bigint][] => [
    [from, -amount],
    [to, amount],
  ])
  return [...sumOf(changes)].flatMap(([account, amount]) => (amount > 0n ? [{ account, amount }] : []))
}

export function coinsGained(
  root: CallFrame,
  { account, usdc }: { account: Hex; usdc: Hex | undefined },
): { token: Hex; amount: bigint }[] {
  const changes = coinMoves(root, usdc).map(({ token, amount, from, to }): [Hex, bigint] => [
    token,
    (sameHex(to, account) ? amount : 0n) - (sameHex(from, account) ? amount : 0n),
  ])
  return [...sumOf(changes)].flatMap(([token, amount]) => (amount > 0n ? [{ token, amount }] : []))
}

/** Sums the amounts per address. */
export function sumOf(amounts: readonly (readonly [Hex, bigint])[]): ReadonlyMap<Hex, bigint> {
  const sums = new Map<Hex, bigint>()
  for (const [address, amount] of amounts) sums.set(address, (sums.get(address) ?? 0n) + amount)
  return sums
}

/** Topic of the event `Transfer` of ERC-20 and ERC-721. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Topic of the event `Approval` of ERC-20. */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

export function usdcApprovals(root: CallFrame, usdc: Hex): { owner: Hex; spender: Hex }[] {
  const approvals = new Map<string, { owner: Hex; spender: Hex }>()
  for (const { address, topics } of logsOf(root)) {
    const [event, owner, spender] = topics
    if (!sameHex(address, usdc) || event !== approvalTopic || !owner || !spender) continue
    approvals.set(owner + spender, { owner: addressIn(owner), spender: addressIn(spender) })
  }
  return [...approvals.values()]
}

export type TokenMove = {
  contract: Hex
  standard: 'ERC-721' | 'ERC-1155'
  id: bigint
  amount: bigint
  from: Hex
  to: Hex
}

/** Transfers of NFTs that took effect, in order, according to events. */
export function tokenMoves(root: CallFrame): TokenMove[] {
  const moves: TokenMove[] = []
  for (const log of logsOf(root)) if (moves.length < mostMoves) moves.push(...movesOf(log))
  return moves.slice(0, mostMoves)
}

/** Limited, because a contract can claim a hundred thousand transfers. */
const mostMoves = 1_000

function movesOf({ address, topics, data }: CallFrame['logs'][number]): TokenMove[] {
  const [event, first, second, third] = topics
  if (second === undefined || third === undefined) return []
  if (event === transferTopic)
    return [
      {
        contract: address,
        standard: 'ERC-721',
        id: BigInt(third),
        amount: 1n,
        from: addressIn(first ?? '0x'),
        to: addressIn(second),
      },
    ]
  if (event !== singleTopic && event !== batchTopic) return []
  const parties = {
    contract: address,
    standard: 'ERC-1155',
    from: addressIn(second),
    to: addressIn(third),
  } as const
  const words = (data.slice(2).match(/.{64}/g) ?? []).map((digits) => BigInt(`0x${digits}`))
  const pairs = event === singleTopic ? [[words[0], words[1]]] : pairsOf(words)
  return pairs.flatMap(([id, amount]) =>
    id === undefined || amount === undefined || amount === 0n ? [] : [{ ...parties, id, amount }],
  )
}

function pairsOf(words: readonly bigint[]): (bigint | undefined)[][] {
  const [ids, amounts] = [listAt(words, words[0]), listAt(words, words[1])]
  return ids.map((id, index) => [id, amounts[index]])
}

function listAt(words: readonly bigint[], offset: bigint | undefined): readonly bigint[] {
  if (offset === undefined || offset % 32n !== 0n || offset / 32n >= BigInt(words.length)) return []
  const start = Number(offset / 32n)
  const length = words[start] ?? 0n
  return length > BigInt(words.length) ? [] : words.slice(start + 1, start + 1 + Number(length))
}

/** Topic of `TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)`. */
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** Topic of `TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)`. */
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
