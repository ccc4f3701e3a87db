import type { Address, Hex } from 'viem'
import { checkAddress } from '../../evm/checkAddress.ts'
import { toRecord } from '../../evm/client.ts'
import { orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import { type SettlementKind, settlementKindOf } from '../../evm/transactionData/settlementOf.ts'
import { isHex } from '../../evm/values.ts'

/** `Redeemed(address,bytes12,bytes32,bytes32,uint256,uint256,uint256)` */
export const redeemedTopic = '0xc4898db38a0c0d0a6ba91cf19522ef71e8a33f9a32ac75dd2ff149bf17c60e7b'

/** Decoded `Redeemed` event. */
export type RedeemedEvent = {
  wallet: Address
  /** 12 bytes: the order key. */
  orderKey: Hex
  /** 32 bytes: the nonce of the redeemed attempt. */
  nonce: Hex
  /** Keccak-256 of the charged credit seed. */
  creditSeedHash: Hex
  kind: SettlementKind
  /** Receiver of the money (`token`), or the called contract. */
  target: Address
  /** Amount that the redeem could spend, raw units. */
  amount: bigint
  /** Part of `amount` paid in the customer's USDC. */
  usdcAmount: bigint
  /** Taken from credits: `amount - usdcAmount + gasFee`. */
  charged: bigint
  /** Returned to credits, because the call used less than `amount`. */
  refunded: bigint
  /** Part of `charged` that the relayer keeps for gas. */
  gasFee: bigint
}

/** All hex is lowercase; each word is 64 hex digits without `0x`. */
export type ChainLog = {
  address: string
  topics: readonly string[]
  words: readonly string[]
  data: string
}

/** Returns `undefined` for malformed logs, and for logs removed by a reorganisation. */
export function parseLog(value: unknown): ChainLog | undefined {
  const { address, topics, data, removed } = toRecord(value, 'log')
  if (!isHex(address, 20) || !Array.isArray(topics) || !isHex(data) || removed === true) return
  if (!topics.every((topic) => isHex(topic, 32))) return
  const digits = data.slice(2).toLowerCase()
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic: string) => topic.toLowerCase()),
    words: digits.match(/.{64}/g) ?? [],
    data: digits,
  }
}

/** Returns `undefined` for a malformed event (PROTOCOL.md 6.6). */
export function decodeRedeemed({ topics, words }: ChainLog): RedeemedEvent | undefined {
  const [, wallet = '', orderTopic, creditSeedHash] = topics
  const [nonceWord = '', kindAndTarget = '', amounts = '', refundedAndGasFee] = words
  if (creditSeedHash === undefined || refundedAndGasFee === undefined) return
  const nonce: Hex = `0x${nonceWord}`
  const orderKey = orderKeyOf(nonce)
  const kind = settlementKindOf(Number(`0x${kindAndTarget.slice(0, 24)}`))
  if (orderTopic !== orderTopicOf(nonce) || kind === undefined) return
  const [amount, usdcAmount] = halvesOf(amounts)
  const [refunded, gasFee] = halvesOf(refundedAndGasFee)
  return {
    wallet: wordToAddress(wallet),
    orderKey,
    nonce,
    creditSeedHash: creditSeedHash as Hex, // `parseLog` checked the hex
    kind,
    target: wordToAddress(kindAndTarget),
    amount,
    usdcAmount,
    charged: amount - usdcAmount + gasFee,
    refunded,
    gasFee,
  }
}

/** As an event topic, the order key is left-aligned in its word. */
export const orderTopicOf = (nonce: Hex) => orderKeyOf(nonce).padEnd(66, '0')

const halvesOf = (word: string): [bigint, bigint] => [
  BigInt(`0x${word.slice(0, 32)}`),
  BigInt(`0x${word.slice(32)}`),
]

export function wordToAddress(word: string): Address {
  return checkAddress(`0x${word.slice(-40)}`, 'address')
}

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

/** Outcome of a redeem on chain. Amounts in raw units; 1 USDC is `1_000_000n`. */
export type RedeemOutcome = RedeemedEvent & {
  creditsContract: Address
  /** Transaction that used the order. Its hash can differ from the one that the service reported. */
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  /** Tokens that the wallet received (`in`, such as NFTs) or sent (`out`, such as USDC), and ERC-20 tokens paid to others (`paid`). */
  movements: readonly TokenMovement[]
  /** Always absent: the contract's event reports the outcome. A `RandomNonceOutcome` has `false` here. */
  intentBound?: undefined
}
