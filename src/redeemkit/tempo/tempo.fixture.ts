import { privateKeyToAccount } from 'viem/accounts'
import { Account } from 'viem/tempo'
import { buildTempoTransaction } from './transaction/buildTempoTransaction.ts'

export const customer = Account.fromSecp256k1(`0x${'ab'.repeat(31)}01`)
export const passkey = Account.fromHeadlessWebAuthn(`0x${'ab'.repeat(31)}02`, {
  rpId: 'shop.example',
  origin: 'https://shop.example',
})
export const sponsor = privateKeyToAccount(`0x${'cd'.repeat(32)}`)
export const token = '0x20C0000000000000000000000000000000000000' as const
export const alpha = '0x20C0000000000000000000000000000000000001' as const
export const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
export const seconds = 1_800_000_000n
export const now = () => Number(seconds) * 1000

/** Builds a sponsored transaction that expires in a minute. */
export const transactionOf = (calls: buildTempoTransaction.Options['calls']) =>
  buildTempoTransaction({
    chainId: 42431,
    calls,
    gas: 1_000_000n,
    maxFeePerGas: 20_000_000_000n,
    nonce: 3n,
    validBefore: seconds + 60n,
  })
