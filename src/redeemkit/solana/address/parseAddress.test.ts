import { Keypair } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { parseAddress } from './parseAddress.ts'

describe('parseAddress', () => {
  const key = Keypair.generate().publicKey
  test('takes a web3.js key', () => {
    expect(parseAddress(key, { field: 'to' })).toBe(key.toBase58())
  })

  test('takes text', () => {
    expect(parseAddress(key.toBase58(), { field: 'to' })).toBe(key.toBase58())
  })

  test.each([
    '',
    '1111',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTD',
    '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    ' 4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    undefined,
    null,
    7,
    {},
  ])('refuses %j, naming the field', (value) => {
    // Garbage on purpose: what callers without types pass.
    expect(() => parseAddress(value as never, { field: 'to' })).toThrow(InvalidAddressError)
    expect(() => parseAddress(value as never, { field: 'to' })).toThrow(/Field: to/)
  })
})
