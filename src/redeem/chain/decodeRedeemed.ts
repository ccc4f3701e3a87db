import type { Address, Hex } from 'viem'
import { toRecord } from '../../evm/client/askNode.ts'
import { type SettlementKind, settlementKindOf } from '../../evm/transactionData/settlementKinds.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'

/** `Redeemed(address,bytes32,bytes32,uint8,address,uint256,uint256,uint256,uint256,uint256)` */
export const redeemedTopic = '0x7465661223683cdf8dc1336f199d3f9a49bccd0e5ec9e5f3f0e2cfa851f03ba6'

/** What a `Redeemed` event says. */
export type RedeemedEvent = {
  wallet: Address
  nonce: Hex
  /** Keccak-256 of the credit seed that was charged. */
  creditSeedHash: Hex
  kind: SettlementKind
  /** Who got the money (`token`) or was called. */
  target: Address
  /** What the redeem was allowed to spend, raw units. */
  amount: bigint
  /** Part of `amount` paid in the customer's USDC. */
  usdcAmount: bigint
  /** Taken from credits: `amount - usdcAmount + gasFee`. */
  charged: bigint
  /** Put back to credits because the call took less than `amount`. */
  refunded: bigint
  /** Part of `charged` that the relayer keeps for gas. */
  gasFee: bigint
}

/** An event log with its fields checked for form. Hex is lower case, words are 64 digits without prefix. */
export type ChainLog = {
  address: string
  topics: readonly string[]
  words: readonly string[]
  data: string
  index: number
}

/** Reads one log of a JSON-RPC answer; `undefined` for what has not the form of a log, or was reverted by the chain. */
export function parseLog(value: unknown): ChainLog | undefined {
  const { address, topics, data, logIndex, removed } = toRecord(value, 'log')
  if (!isHex(address, 20) || !Array.isArray(topics) || !isHex(data) || removed === true) return
  if (!topics.every((topic) => isHex(topic, 32))) return
  const digits = data.slice(2).toLowerCase()
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic: string) => topic.toLowerCase()),
    words: digits.match(/.{64}/g) ?? [],
    data: digits,
    index: typeof logIndex === 'string' ? Number(logIndex) : 0,
  }
}

/** Reads a `Redeemed` log; `undefined` when it is none. */
export function decodeRedeemed(log: ChainLog): RedeemedEvent | undefined {
  const [topic, wallet, nonce, seedHash] = log.topics
  const [kind = '', target = '', ...rest] = log.words
  if (topic !== redeemedTopic || wallet === undefined || nonce === undefined) return
  if (seedHash === undefined || rest.length < 5) return
  const [amount, usdcAmount, charged, refunded, gasFee] = rest.map((word) => BigInt(`0x${word}`))
  const name = settlementKindOf(Number(`0x${kind}`))
  if (
    amount === undefined ||
    usdcAmount === undefined ||
    charged === undefined ||
    refunded === undefined ||
    gasFee === undefined ||
    name === undefined
  )
    return
  return {
    wallet: wordToAddress(wallet),
    nonce: nonce as Hex, // parseLog has matched it against 0x-hex
    creditSeedHash: seedHash as Hex, // as the nonce
    kind: name,
    target: wordToAddress(target),
    amount,
    usdcAmount,
    charged,
    refunded,
    gasFee,
  }
}

/** The address in the low 20 bytes of a word, checksummed. */
export function wordToAddress(word: string): Address {
  return checkAddress(`0x${word.slice(-40)}`, 'address')
}

export function isHex(value: unknown, bytes?: number): value is Hex {
  return (
    typeof value === 'string' &&
    /^0x(?:[0-9a-fA-F]{2})*$/.test(value) &&
    (bytes === undefined || value.length === 2 + 2 * bytes)
  )
}
