import { xdr } from '@stellar/stellar-sdk'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'

/** An authorization entry, or the preimage of its signature. */
export type AuthEntry = xdr.SorobanAuthorizationEntry | xdr.HashIdPreimageSorobanAuthorization

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
      return parsed instanceof xdr.HashIdPreimage ? parsed.sorobanAuthorization() : parsed
    } catch {}
  }
  throw new InvalidTransactionError('The base64 text is not a Soroban authorization entry.', {
    field: 'authEntry',
    fix: 'Give the XDR of a whole SorobanAuthorizationEntry or HashIdPreimage.',
  })
}
