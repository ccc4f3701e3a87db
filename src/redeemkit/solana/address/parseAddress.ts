import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { parseBase58 } from '../encoding.ts'

/** An address as text, or an object that can write itself as one (a web3.js `PublicKey`). */
export type AddressLike = string | { toBase58(): string }

/**
 * Takes an address: base58 text of 32 bytes, or a web3.js `PublicKey`.
 *
 * @returns its base58 text
 * @throws {@link InvalidAddressError} for anything else
 */
export function parseAddress(address: AddressLike, options: { field: string }): string {
  const { field } = options
  try {
    const text = typeof address === 'string' ? address : address.toBase58()
    parseBase58(text, { field, length: 32 })
    return text
  } catch (cause) {
    throw new InvalidAddressError(`${showValue(address)} is not a Solana address.`, {
      field,
      cause,
      fix: 'Give the base58 text of a 32-byte public key.',
    })
  }
}
