import type { UsdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/usdcTransfer.ts'

/** Bigints as decimal text. */
export function formatFacts(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

const bigintFields = ['amount', 'computeUnitPrice', 'maxFeeLamports'] as const

/** Reads what {@link formatFacts} wrote: the transfer as it was prepared. */
export function parseFacts(facts: string): UsdcTransfer {
  // Written by `formatFacts`.
  const transfer = JSON.parse(facts) as Omit<UsdcTransfer, (typeof bigintFields)[number]> &
    Record<(typeof bigintFields)[number], string>
  return {
    ...transfer,
    amount: BigInt(transfer.amount),
    computeUnitPrice: BigInt(transfer.computeUnitPrice),
    maxFeeLamports: BigInt(transfer.maxFeeLamports),
  }
}
