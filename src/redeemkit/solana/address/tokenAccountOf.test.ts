import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { networks } from '../networks.ts'
import { tokenAccountOf } from './tokenAccountOf.ts'

describe('tokenAccountOf', () => {
  const wallets = Array.from({ length: 60 }, () => Keypair.generate().publicKey)

  describe.each(networks)("of $environment's USDC", ({ usdcMint }) => {
    const mint = new PublicKey(usdcMint)

    test('is what spl-token derives for owners on the curve', () => {
      for (const wallet of wallets)
        expect(tokenAccountOf({ owner: wallet.toBase58(), mint: usdcMint })).toBe(
          getAssociatedTokenAddressSync(mint, wallet).toBase58(),
        )
    })

    test('is what spl-token derives for owners off the curve', () => {
      for (const [i, wallet] of wallets.entries()) {
        const [vault] = PublicKey.findProgramAddressSync([Buffer.from([i])], wallet)
        expect(tokenAccountOf({ owner: vault.toBase58(), mint: usdcMint })).toBe(
          getAssociatedTokenAddressSync(mint, vault, true).toBase58(),
        )
      }
    })
  })

  test('is the known account', () => {
    // Origin: `spl-token address` for the key of 32 ones and mainnet's USDC, by spl-token 0.4.14.
    expect(
      tokenAccountOf({ owner: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi', mint: networks[0].usdcMint }),
    ).toBe('Gs6NxmndAL3PULGZeYUHCknpMdDVbL46eFCBh856p5z6')
  })
})
