import { Address, xdr } from '@stellar/stellar-sdk'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { parseBase64 } from '../encoding.ts'

/** An authorization entry, or the preimage of its signature. */
export type AuthEntry = xdr.SorobanAuthorizationEntry | AuthPreimage

/** The preimage of an authorization's signature, of which CAP-71's names the address that it is for. */
export type AuthPreimage = {
  preimage: xdr.HashIdPreimageSorobanAuthorization
  address: string | undefined
}

/**
 * Reads base64 XDR of an authorization entry, or of the preimage of its signature, as wallets get to see it.
 *
 * @throws `InvalidBase64Error`, `InvalidTransactionError`
 */
export function parseAuthEntry(entryXdr: string): AuthEntry {
  parseBase64(entryXdr, 'authEntry')
  for (const type of [xdr.SorobanAuthorizationEntry, xdr.HashIdPreimage]) {
    try {
      const parsed = type.fromXDR(entryXdr, 'base64')
      if (parsed.toXDR('base64') !== entryXdr) continue
      return parsed instanceof xdr.HashIdPreimage ? readPreimage(parsed) : parsed
    } catch {}
  }
  throw new InvalidTransactionError('The base64 text is not a Soroban authorization entry.', {
    field: 'authEntry',
    fix: 'Give the XDR of a whole SorobanAuthorizationEntry or HashIdPreimage.',
  })
}

function readPreimage(parsed: xdr.HashIdPreimage): AuthPreimage {
  const name: string = parsed.switch().name
  if (name !== 'envelopeTypeSorobanAuthorizationWithAddress')
    return { preimage: parsed.sorobanAuthorization(), address: undefined }
  // SDK 16 has this arm, for which 15 has no types: the fields of the other, and the address.
  const preimage = parsed.value() as xdr.HashIdPreimageSorobanAuthorization & { address: () => xdr.ScAddress }
  return { preimage, address: Address.fromScAddress(preimage.address()).toString() }
}
