import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { formatBase58 } from './encoding.ts'
import { networkOf } from './networks.ts'

export const keypair = (seed: number) => Keypair.fromSeed(new Uint8Array(32).fill(seed))
export const customer = keypair(1)
export const merchant = keypair(2)
export const sponsor = keypair(3)
export const stranger = keypair(4)

export const blockhash = formatBase58(new Uint8Array(32).fill(9))
export const mint = new PublicKey(networkOf('sandbox').usdcMint)
/** Returns the USDC account of an owner, as spl-token derives it. */
export const usdcAccountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(mint, owner, true)
