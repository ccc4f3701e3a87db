import type { Address } from 'viem'
import { type ChainLog, wordToAddress } from './decodeRedeemed.ts'

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const transferBatch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** A token transfer, as reported by the token's event. */
export type TokenMovement = {
  standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  /** Token contract that emitted the event. Events of unknown contracts prove nothing. */
  contract: Address
  /**
   * `in`: the wallet received the token; `out`: the wallet sent it. `paid`: the credits contract sent ERC-20 tokens to others, or others
   * sent them to the target. Gas fees stay in the credits contract, so they do not appear.
   */
  direction: 'in' | 'out' | 'paid'
  from: Address
  to: Address
  /** Raw units; 1 for ERC-721. */
  amount: bigint
  /** Undefined for ERC-20. */
  tokenId?: bigint
}

/** Lists the wallet's transfers of ERC-20, ERC-721 and ERC-1155. Skips malformed logs. */
export function movementsOf(logs: readonly ChainLog[], wallet: string): TokenMovement[] {
  const own = wallet.toLowerCase()
  return transfersIn(logs).flatMap((transfer): TokenMovement[] => {
    if (transfer.to.toLowerCase() === own) return [{ ...transfer, direction: 'in' }]
    return transfer.from.toLowerCase() === own ? [{ ...transfer, direction: 'out' }] : []
  })
}

/** ERC-20 transfers from the credits contract to anyone but the wallet, and from others (not the wallet) to the target. */
export function paymentsOf(
  logs: readonly ChainLog[],
  { wallet, target, creditsContract }: { wallet: string; target: string; creditsContract: string },
): TokenMovement[] {
  const [own, payee, contract] = [wallet, target, creditsContract].map((address) => address.toLowerCase())
  return transfersIn(logs)
    .filter(({ standard, from, to }) => {
      const [giver, taker] = [from.toLowerCase(), to.toLowerCase()]
      if (standard !== 'ERC-20' || giver === own || taker === own || taker === contract) return false
      return giver === contract || taker === payee
    })
    .map((transfer) => ({ ...transfer, direction: 'paid' }))
}

type Transfer = Omit<TokenMovement, 'direction'>

function transfersIn(logs: readonly ChainLog[]): Transfer[] {
  const movements: Transfer[] = []
  for (const { address, topics, words, data } of logs) {
    const single = topics[0] === transferSingle
    const batch = topics[0] === transferBatch
    if (!single && !batch && topics[0] !== transferTopic) continue
    const [fromTopic, toTopic] = single || batch ? topics.slice(2) : topics.slice(1)
    if (fromTopic?.length !== 66 || toTopic?.length !== 66) continue
    const from = wordToAddress(fromTopic)
    const to = wordToAddress(toTopic)
    const base = { contract: wordToAddress(address), from, to }
    const numbers = words.map((word) => BigInt(`0x${word}`))
    const [first, second] = numbers
    const tokenId = topics[3]
    if (batch) {
      const ids = list(data, first ?? 0n)
      const amounts = list(data, second ?? 0n)
      if (ids === undefined || ids.length !== amounts?.length) continue
      ids.forEach((id, index) => {
        movements.push({ ...base, standard: 'ERC-1155', tokenId: id, amount: amounts[index] ?? 0n })
      })
    } else if (single) {
      if (first !== undefined && second !== undefined)
        movements.push({ ...base, standard: 'ERC-1155', tokenId: first, amount: second })
    } else if (tokenId !== undefined) {
      movements.push({ ...base, standard: 'ERC-721', tokenId: BigInt(tokenId), amount: 1n })
    } else if (first !== undefined) {
      movements.push({ ...base, standard: 'ERC-20', amount: first })
    }
  }
  return movements
}

/** Reads a `uint256[]` of ABI-encoded data: `undefined` if it is truncated, empty if the offset is past the data. */
function list(data: string, offset: bigint): bigint[] | undefined {
  const start = Number(offset) * 2
  const length = Number(`0x${data.slice(start, start + 64) || 0}`)
  const body = data.slice(start + 64, start + 64 + length * 64)
  if (body.length !== length * 64) return
  return (body.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}
