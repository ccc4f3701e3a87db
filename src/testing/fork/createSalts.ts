import { encodePacked, type Hex, keccak256 } from 'viem'

/**
 * Salts of the redeems on one chain, each of its own, and the same at the next run: what a redeem asks of a recorded fork hangs on
 * its salt, because USDC writes down which nonces were used.
 */
export function createSalts(): {
  next: (blockNumber: bigint) => Hex
  coming: (blockNumber: bigint) => Hex
  forget: () => void
} {
  const given = new Map<bigint, number>()
  const salt = (blockNumber: bigint) => {
    const place = BigInt(given.get(blockNumber) ?? 0)
    return keccak256(encodePacked(['string', 'uint256', 'uint256'], ['redeemkit fork', blockNumber, place]))
  }
  return {
    next: (blockNumber) => {
      const mine = salt(blockNumber)
      given.set(blockNumber, (given.get(blockNumber) ?? 0) + 1)
      return mine
    },
    // What is only tried uses none up.
    coming: salt,
    // The chain has gone back, and knows none of its later redeems.
    forget: () => given.clear(),
  }
}
