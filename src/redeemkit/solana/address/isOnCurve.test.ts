import { PublicKey } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { isOnCurve } from './isOnCurve.ts'

test('isOnCurve agrees with web3.js', () => {
  for (let i = 0; i < 200; i++) {
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes))
  }
})
