import type { Hex } from 'viem'
import { numberToHex } from 'viem'

/** One authorization of many: another nonce and value each turn, so that nothing can be remembered from the last. */
export function authorization(turn: number) {
  return {
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    value: 4_000_000n + BigInt(turn),
    validAfter: 0n,
    validBefore: 1_900_000_000n,
    nonce: numberToHex(BigInt(turn) + 1n, { size: 32 }),
  } as const
}

export const chainId = 8453

/** Anvil's first published test key: no secret. */
export const privateKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
