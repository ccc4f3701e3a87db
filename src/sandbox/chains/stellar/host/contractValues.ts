import { Address, nativeToScVal, type xdr } from '@stellar/stellar-sdk'

/** An address as a contract's value. */
export function addressValue(address: string): xdr.ScVal {
  return Address.fromString(address).toScVal()
}

/** An amount as a contract's value. */
export function i128Value(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' })
}
