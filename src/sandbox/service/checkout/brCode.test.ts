import { hasError, isStaticPix, parsePix } from 'pix-utils'
import { expect, test } from 'vitest'
import { brCode } from './brCode.ts'

const options = {
  key: '5a8d0c1e-7b36-4e4f-9d2a-0f6c3b1e8d47',
  cents: 6750,
  txid: 'RK0123456789ABCDEF',
  name: 'shop',
  city: 'SAO PAULO',
}
const parsed = (code: string) => {
  const pix = parsePix(code)
  if (hasError(pix)) throw new Error(pix.message)
  if (!isStaticPix(pix)) throw new Error(pix.type)
  return pix
}

test('an independent parser reads it', () => {
  expect(parsed(brCode(options))).toMatchObject({
    type: 'STATIC',
    pixKey: options.key,
    transactionAmount: 67.5,
    transactionCurrency: '986',
    countryCode: 'BR',
    merchantName: 'shop',
    merchantCity: 'SAO PAULO',
    txid: options.txid,
  })
})

test('the CRC reveals a changed digit', () => {
  expect(() => parsed(brCode(options).replace('67.50', '67.51'))).toThrow(/crc/)
})

test.each([
  [1, '0.01'],
  [99, '0.99'],
  [100, '1.00'],
  [999_999_999_999, '9999999999.99'],
])('%i cents', (cents, text) => {
  expect(brCode({ ...options, cents })).toContain(`54${String(text.length).padStart(2, '0')}${text}58`)
})

test('starts like the central bank’s example', () => {
  // Manual do BR Code, Banco Central do Brasil: static code with a random key.
  const example = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986'
  expect(brCode({ ...options, key: '123e4567-e12b-12d1-a456-426655440000' }).slice(0, example.length)).toBe(
    example,
  )
})

test('removes accents from names and shortens them', () => {
  const { merchantName, merchantCity } = parsed(
    brCode({ ...options, name: 'Açaí do João, a loja mais antiga', city: 'São José dos Campos' }),
  )
  expect(merchantName).toBe('Acai do Joao, a loja mais')
  expect(merchantCity).toBe('Sao Jose dos Ca')
})

test('replaces a name without ASCII letters', () => {
  expect(parsed(brCode({ ...options, name: '商店' })).merchantName).toBe('SANDBOX')
})
