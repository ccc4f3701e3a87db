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
