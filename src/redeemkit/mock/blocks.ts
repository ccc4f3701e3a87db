import type { Hex } from 'viem'
import { fundsOf, type MockWorld, minedAttempt, orderOf } from './mockWorld.ts'

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

/** Puts every redeem whose time has come into a block: charged, or reverted, as the settings say. */
export function mineRedeems(world: MockWorld): void {
  const { chain, minesAfterMs } = world.settings
  if (chain === 'waits' || chain === 'fails') return
  const now = world.terms.now()
  for (const redeem of world.redeems.values()) {
    if (redeem.status !== 'pending' || redeem.submittedAt + minesAfterMs > now) continue
    redeem.blockNumber = blockNumberAt(world, now)
    const { wallet, nonce } = redeem
    // The contract redeems one attempt of an order.
    const isUsed =
      world.cancelled.has(orderOf(wallet, nonce)) || minedAttempt(world, wallet, nonce) !== undefined
    redeem.status = chain === 'reverts' || isUsed ? 'reverted' : 'mined'
    if (redeem.status === 'reverted') continue
    const funds = fundsOf(world, redeem.wallet)
    funds.credits -= redeem.amount - redeem.usdcAmount + redeem.gasFee
    funds.usdc -= redeem.usdcAmount
  }
}

/** What a node or a wallet refuses a request with (EIP-1193, EIP-1474): a code, words, and of a revert the bytes that it left. */
export function rpcError(code: number, message: string, data?: Hex): Error {
  return Object.assign(new Error(message), { code, ...(data && { data }) })
}
