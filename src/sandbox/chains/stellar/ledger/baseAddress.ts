import { encodeMuxedAccountToAddress, extractBaseAddress, type xdr } from '@stellar/stellar-sdk'

/** The address of an account that may be muxed, without its id. */
export function baseAddress(account: xdr.MuxedAccount): string {
  return extractBaseAddress(encodeMuxedAccountToAddress(account, true))
}
