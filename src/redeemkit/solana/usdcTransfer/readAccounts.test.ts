import { expect, test, vi } from 'vitest'
import { readRent } from './readAccounts.ts'

const rentOf = (answer: unknown, max?: bigint) => {
  const getMinimumBalanceForRentExemption = vi.fn(async () => answer as number)
  return readRent({ getMinimumBalanceForRentExemption }, max)
}

// 6960 lamports a byte today, 696 when SIMD-0437 is through: 165 bytes and 128 more.
test.each([2_039_280, 203_928, 1])('is what the node says: %i', async (lamports) => {
  expect(await rentOf(lamports)).toBe(BigInt(lamports))
})

test.each([2_039_281, 0, -0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n, null, undefined])(
  'is not what no token account has ever cost: %s',
  async (lamports) => {
    await expect(rentOf(lamports)).rejects.toMatchObject({ name: 'FeeTooHighError', field: 'rent' })
  },
)

test("has the caller's own bound", async () => {
  expect(await rentOf(2_039_281, 3_000_000n)).toBe(2_039_281n)
  await expect(rentOf(203_929, 203_928n)).rejects.toMatchObject({ name: 'FeeTooHighError' })
})

test('reports an invalid limit', async () => {
  await expect(rentOf(1, 1 as never)).rejects.toMatchObject({
    name: 'InvalidOptionError',
    field: 'maxRentLamports',
  })
})
