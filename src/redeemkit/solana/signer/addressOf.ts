import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { parseAddress } from '../address/parseAddress.ts'
import { isKitSigner } from './isKitSigner.ts'
import type { SolanaSigner } from './solanaSigner.ts'

/**
 * The address that a signer signs for.
 *
 * @throws {@link WrongSignerError} for a wallet without an account; {@link InvalidAddressError}
 */
export function addressOf(signer: SolanaSigner): string {
  const isStandard = typeof signer === 'object' && signer !== null && 'account' in signer
  const publicKey = isStandard
    ? signer.features && signer.account?.address
    : isKitSigner(signer)
      ? signer.address
      : signer?.publicKey
  if (publicKey === null || publicKey === undefined)
    throw new WrongSignerError('The wallet has no account.', {
      field: 'signer',
      fix: 'Connect the wallet first.',
    })
  return parseAddress(publicKey, { field: 'signer.publicKey' })
}

export declare namespace addressOf {
  type ErrorType = WrongSignerError | InvalidAddressError
}
