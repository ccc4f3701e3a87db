import { nativeToScVal, type xdr } from '@stellar/stellar-sdk'

/** An address as an argument of a contract. */
export const addressArg = (text: string): xdr.ScVal => nativeToScVal(text, { type: 'address' })

/** An amount as an argument of a contract. */
export const amountArg = (amount: bigint): xdr.ScVal => nativeToScVal(amount, { type: 'i128' })

/** A ledger as an argument of a contract. */
export const ledgerArg = (ledger: number): xdr.ScVal => nativeToScVal(ledger, { type: 'u32' })
