import { keccak256 as ethersKeccak } from 'ethers'
import fc from 'fast-check'
import { keccak256 as viemKeccak } from 'viem'
import { expect, inject, test } from 'vitest'
import { keccak256 } from './keccak256.ts'

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

test('known answers', () => {
  expect(hex(keccak256(new Uint8Array()))).toBe(
    '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  )
  expect(hex(keccak256(new TextEncoder().encode('abc')))).toBe(
    '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
  )
})

test('every length around the block, as two other libraries', () => {
  for (let length = 0; length <= 3 * 136 + 2; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff)
    expect(hex(keccak256(bytes))).toBe(viemKeccak(bytes))
    expect(hex(keccak256(bytes))).toBe(ethersKeccak(bytes))
  }
})

test('any bytes, as another library; a part of a larger buffer too', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(7), (bytes, offset) => {
      const larger = new Uint8Array(bytes.length + 16).fill(0xee)
      larger.set(bytes, offset)
      expect(hex(keccak256(larger.subarray(offset, offset + bytes.length)))).toBe(viemKeccak(bytes))
    }),
    { numRuns: inject('generatedInputs') },
  )
})

test('a digest is not changed by the next hash', () => {
  const first = keccak256(new Uint8Array([1]))
  const copy = hex(first)
  keccak256(new Uint8Array([2]))
  expect(hex(first)).toBe(copy)
})
