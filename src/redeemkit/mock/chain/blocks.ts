import type { Hex } from 'viem'
import type { MockWorld } from '../service/mockWorld.ts'

const firstBlock = 1_000
const blockMs = 2_000

/** The newest block at a time: one every two seconds since the mock was made. */
export function blockNumberAt({ terms }: Pick<MockWorld, 'terms'>, now: number): bigint {
  return BigInt(firstBlock + Math.max(0, Math.floor((now - terms.startedAt) / blockMs)))
}

/** A block as JSON-RPC tells it. */
export function blockOf({ terms }: MockWorld, number: bigint): Record<string, unknown> {
  const at = terms.startedAt + (Number(number) - firstBlock) * blockMs
  return {
    number: toQuantity(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1n),
    timestamp: toQuantity(BigInt(Math.max(0, Math.floor(at / 1000)))),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    baseFeePerGas: '0x3b9aca00',
    transactions: [],
  }
}

export const blockHash = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`
