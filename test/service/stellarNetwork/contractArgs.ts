import { nativeToScVal, type xdr } from '@stellar/stellar-sdk'

/** An address as a contract argument. */
export const addressArg = (text: string): xdr.ScVal => nativeToScVal(text, { type: 'address' })

/** An amount as a contract argument. */
export const amountArg = (amount: bigint): xdr.ScVal => nativeToScVal(amount, { type: 'i128' })

/** A ledger number as a contract argument. */
export const ledgerArg = (ledger: number): xdr.ScVal => nativeToScVal(ledger, { type: 'u32' })
