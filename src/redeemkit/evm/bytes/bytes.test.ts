import fc from 'fast-check'
import { getAddress, stringToBytes, bytesToHex as theirBytesToHex, hexToBytes as theirHexToBytes } from 'viem'
import { expect, inject, test } from 'vitest'
import { checkAddress } from '../values/checkAddress.ts'
import { bytesToHex } from './bytesToHex.ts'
import { hexToBytes } from './hexToBytes.ts'
import { textToBytes } from './textToBytes.ts'

const digits = '0123456789abcdefABCDEF'

test('every pair of digits', () => {
  for (const high of digits)
    for (const low of digits)
      expect(hexToBytes(`0x${high}${low}`)).toEqual(new Uint8Array([Number.parseInt(`${high}${low}`, 16)]))
})

test('any bytes, there and back, as another library', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const hex = bytesToHex(bytes)
      expect(hex).toBe(theirBytesToHex(bytes))
      expect(hexToBytes(hex)).toEqual(theirHexToBytes(hex))
      expect(hexToBytes(hex)).toEqual(bytes)
    }),
    { numRuns: inject('generatedInputs') },
  )
})

test('any text, as another library', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(textToBytes(text)).toEqual(stringToBytes(text))
    }),
  )
})

test('checksums of addresses, as another library', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = bytesToHex(bytes)
      expect(checkAddress(address, 'address')).toBe(getAddress(address))
      expect(checkAddress(getAddress(address), 'address')).toBe(getAddress(address))
      expect(checkAddress(`0x${address.slice(2).toUpperCase()}`, 'address')).toBe(getAddress(address))
    }),
    { numRuns: inject('generatedInputs') },
  )
})
