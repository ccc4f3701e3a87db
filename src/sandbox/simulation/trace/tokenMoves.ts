import type { Hex } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'
import { addressIn, walkFrames } from './frames.ts'
import { transferTopic } from './usdcMoves.ts'

export type TokenMove = {
  contract: Hex
  standard: 'ERC-721' | 'ERC-1155'
  id: bigint
  amount: bigint
  from: Hex
  to: Hex
}

/** Only transfers that took effect, in order, according to events. */
export function tokenMoves(root: CallFrame): TokenMove[] {
  const moves: TokenMove[] = []
  for (const { frame, persists } of walkFrames(root)) {
    if (!persists) continue
    for (const log of frame.logs) if (moves.length < mostMoves) moves.push(...movesOf(log))
  }
  return moves.slice(0, mostMoves)
}

/** A contract can claim a hundred thousand transfers. */
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

/** Only transfers that took effect, in order, according to events. */
export function* coinMoves(
  root: CallFrame,
  usdc: Hex | undefined,
): Generator<{ token: Hex; amount: bigint; from: Hex; to: Hex }> {
  for (const { frame, persists } of walkFrames(root)) {
    if (!persists) continue
    for (const { address, topics, data } of frame.logs) {
      const [event, from, to, id] = topics
      // ERC-721 transfers have a third indexed value, the token id.
      if (event !== transferTopic || !from || !to || id !== undefined || data.length !== 66) continue
      if (!sameHex(address, usdc))
        yield { token: address, amount: BigInt(data), from: addressIn(from), to: addressIn(to) }
    }
  }
}

export function coinsGained(
  root: CallFrame,
  { account, usdc }: { account: Hex; usdc: Hex | undefined },
): { token: Hex; amount: bigint }[] {
  const gains = new Map<Hex, bigint>()
  for (const { token, amount, from, to } of coinMoves(root, usdc)) {
    const by = (sameHex(to, account) ? amount : 0n) - (sameHex(from, account) ? amount : 0n)
    gains.set(token, (gains.get(token) ?? 0n) + by)
  }
  return [...gains].flatMap(([token, amount]) => (amount > 0n ? [{ token, amount }] : []))
}
