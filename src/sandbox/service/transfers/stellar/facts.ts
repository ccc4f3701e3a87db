import type { ExpectedTransaction } from '../../../../redeemkit/stellar/expected.ts'

/** What has to be known again when a prepared transaction comes back. */
export type Facts = { transaction: string; expected: ExpectedTransaction }

/** Bigints as decimal text. */
export function formatFacts(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

/** Reads what {@link formatFacts} wrote. */
export function parseFacts(text: string): Facts {
  // Written by `formatFacts`.
  const { transaction, expected } = JSON.parse(text) as Facts
  if (expected.kind === 'payment')
    return { transaction, expected: { ...expected, amount: BigInt(expected.amount) } }
  const { spends } = expected
  return {
    transaction,
    expected: { ...expected, ...(spends && { spends: { ...spends, amount: BigInt(spends.amount) } }) },
  }
}
