import { describe, expect, test } from 'vitest'
import { usdcTransfer } from './index.ts'
import { amount, from, now, shop, sponsor, to } from './stellar.fixture.ts'

describe('a transfer is refused before the ledger is read', () => {
  const asked = async () => {
    throw new Error('the ledger was read')
  }
  const client = { getAccount: asked, getLedgerEntries: asked, simulateTransaction: asked }
  const options = { environment: 'sandbox', from, to, amount, sponsor: sponsor.publicKey(), now } as const
  test.each<[string, object, string, string]>([
    ['from an invalid account', { from: 'GABC' }, 'InvalidAddressError', 'from'],
    ['from a contract', { from: shop }, 'InvalidAddressError', 'from'],
    ['to an invalid account', { to: 'GABC' }, 'InvalidAddressError', 'to'],
    ['to the customer', { to: from }, 'WrongPartyError', 'to'],
    ['with an invalid sponsor', { sponsor: 'GABC' }, 'InvalidAddressError', 'sponsor'],
    ['of zero', { amount: 0n }, 'InvalidAmountError', 'amount'],
    ['with an amount that is a number', { amount: 25 }, 'InvalidAmountError', 'amount'],
    ['with a memo that is too long', { memo: 'x'.repeat(29) }, 'InvalidMemoError', 'memo'],
    [
      'with a memo of two-byte letters that is too long',
      { memo: 'é'.repeat(15) },
      'InvalidMemoError',
      'memo',
    ],
    ['with a number as its memo', { memo: 5 }, 'InvalidMemoError', 'memo'],
    ['with null as its memo', { memo: null }, 'InvalidMemoError', 'memo'],
    ['of 2^63', { amount: 1n << 63n }, 'InvalidAmountError', 'amount'],
    ['for a fraction of seconds', { validForSeconds: 1.5 }, 'InvalidOptionError', 'validForSeconds'],
    ['for text as seconds', { validForSeconds: '300' }, 'InvalidOptionError', 'validForSeconds'],
    ['for negative seconds', { validForSeconds: -5 }, 'InvalidOptionError', 'validForSeconds'],
    ['for NaN seconds', { validForSeconds: Number.NaN }, 'InvalidOptionError', 'validForSeconds'],
    ['for a negative fee', { inclusionFee: -1n }, 'InvalidOptionError', 'inclusionFee'],
    ['for a fee as a number', { inclusionFee: 100 }, 'InvalidOptionError', 'inclusionFee'],
    ['for a fee of 2^32', { inclusionFee: 1n << 32n }, 'InvalidOptionError', 'inclusionFee'],
  ])('%s', async (_, change, name, field) => {
    await expect(
      usdcTransfer(client, { ...options, ...change } as usdcTransfer.Options),
    ).rejects.toMatchObject({ name, field })
  })
  test('to a contract, if the sponsor is not an account', async () => {
    await expect(usdcTransfer(client, { ...options, to: shop, sponsor: 'GABC' })).rejects.toMatchObject({
      name: 'InvalidAddressError',
      field: 'sponsor',
    })
  })
  test('the ledger is read for a valid transfer', async () => {
    await expect(usdcTransfer(client, options)).rejects.toMatchObject({ name: 'MissingAccountError' })
  })
})
