import { VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { formatBase64 } from '../../core/base64.ts'
import { customer, sponsor, stranger } from '../solana.fixture.ts'
import { sponsorUsdcTransfer } from './sponsorUsdcTransfer.ts'
import { bytes, signed, transfer } from './usdcTransfer.fixture.ts'

describe('sponsorUsdcTransfer', () => {
  const half = VersionedTransaction.deserialize(bytes)
  half.sign([customer])
  const byCustomer = half.serialize()
  const sign = (change: object = {}, signer = sponsor) =>
    sponsorUsdcTransfer(signer, { transaction: byCustomer, expected: { ...transfer, ...change } })

  test("adds the fee payer's signature to the customer's", async () => {
    expect(await sign()).toMatchObject({ transaction: formatBase64(signed.serialize()) })
  })

  test("signs nothing without the customer's signature", async () => {
    await expect(
      sponsorUsdcTransfer(sponsor, { transaction: bytes, expected: transfer }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test("signs nothing with any byte of the customer's signature changed", async () => {
    for (let at = 65; at < 129; at++) {
      const changed = Uint8Array.from(byCustomer)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(
        sponsorUsdcTransfer(sponsor, { transaction: changed, expected: transfer }),
      ).rejects.toMatchObject({ name: 'WrongSignatureError' })
    }
  })

  test.each([
    [{ amount: 1n }, 'WrongAmountError'],
    [{ paymentId: 'pay_2' }, 'WrongMemoError'],
    [{ maxFeeLamports: 10n }, 'FeeTooHighError'],
    [{ environment: 'prod' }, 'WrongNetworkError'],
  ])('signs nothing else: %o', async (change, name) => {
    await expect(sign(change)).rejects.toMatchObject({ name })
  })

  test('signs as the sponsor only', async () => {
    await expect(sign({}, stranger)).rejects.toMatchObject({ name: 'WrongSignerError' })
  })

  test('signs for the expected sponsor only', async () => {
    await expect(sign({ sponsor: stranger.publicKey }, stranger)).rejects.toMatchObject({
      name: 'WrongFeePayerError',
    })
  })

  test.each([
    ['options', undefined],
    ['options', null],
    ['expected', { transaction: byCustomer }],
    ['expected', { transaction: byCustomer, expected: null }],
  ])('rejects invalid %s before any prompt: %o', async (field, given) => {
    const signTransaction = vi.fn()
    const signer = { publicKey: sponsor.publicKey, signTransaction }
    await expect(sponsorUsdcTransfer(signer, given as never)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field,
    })
    expect(signTransaction).not.toHaveBeenCalled()
  })
})
