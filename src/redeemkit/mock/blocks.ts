import type { Hex } from 'viem'
import { fundsOf, type MockWorld, minedAttempt, orderOf } from './mockWorld.ts'

const firstBlock = 1_000
const blockMs = 2_000

/** Blocks are mined every two seconds. */
export function blockNumberAt({ terms }: Pick<MockWorld, 'terms'>, now: number): bigint {
  return BigInt(firstBlock + Math.max(0, Math.floor((now - terms.startedAt) / blockMs)))
}

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

/** Mines every redeem that is due. A redeem reverts because of the settings, a used order or its expiry. */
export function mineRedeems(world: MockWorld): void {
  const { chain, minesAfterMs } = world.settings
  if (chain === 'waits' || chain === 'fails') return
  const now = world.terms.now()
  for (const redeem of world.redeems.values()) {
    if (redeem.status !== 'pending' || redeem.submittedAt + minesAfterMs > now) continue
    redeem.blockNumber = blockNumberAt(world, now)
    const { wallet, nonce } = redeem
    // The contract executes one attempt per order.
    const isUsed =
      world.cancelled.has(orderOf(wallet, nonce)) || minedAttempt(world, wallet, nonce) !== undefined
    const isExpired = BigInt(String(blockOf(world, redeem.blockNumber).timestamp)) >= redeem.validBefore
    redeem.status = chain === 'reverts' || isUsed || isExpired ? 'reverted' : 'mined'
    if (redeem.status === 'reverted') continue
    const funds = fundsOf(world, redeem.wallet)
    funds.credits -= redeem.amount - redeem.usdcAmount + redeem.gasFee
    funds.usdc -= redeem.usdcAmount
  }
}

/** Creates the error with which a node or wallet rejects a request (EIP-1193, EIP-1474): code, message, and the data of a revert. */
export function rpcError(code: number, message: string, data?: Hex): Error {
  return Object.assign(new Error(message), { code, ...(data && { data }) })
}
