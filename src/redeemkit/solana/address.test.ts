import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { isOnCurve, parseAddress, tokenAccountOf } from './address.ts'
import { networks } from './networks.ts'

describe('parseAddress', () => {
  const key = Keypair.generate().publicKey
  test('accepts a web3.js PublicKey', () => {
    expect(parseAddress(key, { field: 'to' })).toBe(key.toBase58())
  })

  test('accepts base58 text', () => {
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
    // Invalid on purpose: untyped callers can pass anything.
    expect(() => parseAddress(value as never, { field: 'to' })).toThrow(InvalidAddressError)
    expect(() => parseAddress(value as never, { field: 'to' })).toThrow(/Field: to/)
  })
})

describe('tokenAccountOf', () => {
  const wallets = Array.from({ length: 60 }, () => Keypair.generate().publicKey)

  describe.each(networks)("of $environment's USDC", ({ usdcMint }) => {
    const mint = new PublicKey(usdcMint)

    test("equals spl-token's address for owners on the curve", () => {
      for (const wallet of wallets)
        expect(tokenAccountOf({ owner: wallet.toBase58(), mint: usdcMint })).toBe(
          getAssociatedTokenAddressSync(mint, wallet).toBase58(),
        )
    })

    test("equals spl-token's address for owners off the curve", () => {
      for (const [i, wallet] of wallets.entries()) {
        const [vault] = PublicKey.findProgramAddressSync([Buffer.from([i])], wallet)
        expect(tokenAccountOf({ owner: vault.toBase58(), mint: usdcMint })).toBe(
          getAssociatedTokenAddressSync(mint, vault, true).toBase58(),
        )
      }
    })
  })

  test.each(['owner', 'mint'])('rejects an invalid %s, naming the field', (field) => {
    const good = { owner: networks[1].usdcMint, mint: networks[0].usdcMint }
    expect(() => tokenAccountOf({ ...good, [field]: 'x' })).toThrow(expect.objectContaining({ field }))
  })

  test('returns the address that the spl-token CLI prints', () => {
    // Origin: `spl-token address` for the key of 32 ones and mainnet's USDC, by spl-token 0.4.14.
    expect(
      tokenAccountOf({ owner: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi', mint: networks[0].usdcMint }),
    ).toBe('Gs6NxmndAL3PULGZeYUHCknpMdDVbL46eFCBh856p5z6')
  })
})

test('isOnCurve agrees with web3.js', () => {
  for (let i = 0; i < 200; i++) {
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes))
  }
})
