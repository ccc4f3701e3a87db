import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import type { Expectation } from '../expected/expectedTransaction.ts'
import type { Signer } from '../signer/toSigner.ts'

/**
 * The authorization is the wallet's own.
 *
 * @throws `WrongSignerError`
 */
export function checkHolder({ address }: Signer, { from }: Expectation): void {
  if (from !== address)
    throw new WrongSignerError(`The authorization is ${from}'s, the wallet holds ${address}.`, {
      field: 'authEntry.address',
      fix: 'Sign it with the account that it names.',
    })
}
