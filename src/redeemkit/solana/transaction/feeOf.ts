/**
 * What a fee payer pays at most, in lamports: 5000 a signature, and the price of the compute units that may
 * be used, rounded up.
 */
export function feeOf(options: {
  signatures: number
  units: number | bigint
  /** Micro-lamports a unit. */
  microLamports: bigint
}): bigint {
  const { signatures, units, microLamports } = options
  return BigInt(signatures) * 5000n + (BigInt(units) * microLamports + 999_999n) / 1_000_000n
}
