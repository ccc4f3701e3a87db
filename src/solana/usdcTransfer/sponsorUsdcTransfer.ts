import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { checkOptions } from '../checkOptions.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { readTransaction } from '../transaction/readTransaction.ts'
import { signatureStates } from '../transaction/signatureStates.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { signTransfer } from './signTransfer.ts'
import type { signUsdcTransfer } from './signUsdcTransfer.ts'

/**
 * The sponsor's part: proves that the transaction is the USDC transfer that was asked for, that the customer
 * has signed it and that fee and rent are no more than allowed, and only then signs as fee payer. A creation
 * of the receiver's token account needs `expected.rent` or `expected.maxRentLamports`; whether rent is due is
 * the chain's to say, so where none is expected, look for that account right before.
 *
 * @returns base64 of the whole transaction, ready for `submitUsdcTransfer`
 * @throws what `signUsdcTransfer` throws; {@link WrongSignatureError} when the customer's signature is
 *   missing
 */
export async function sponsorUsdcTransfer(
  sponsor: SolanaSigner,
  options: sponsorUsdcTransfer.Options,
): Promise<{ transaction: string }> {
  const expected = checkOptions(checkOptions(options).expected, 'expected')
  const parsed = readTransaction(options.transaction)
  const from = parseAddress(expected.from, { field: 'from' })
  if (signatureStates(parsed)[parsed.keys.indexOf(from)] !== 'right')
    throw new WrongSignatureError(`The transaction does not carry ${from}'s signature.`, {
      field: 'transaction',
      fix: 'Let the customer sign this very transaction first.',
    })
  const wallet = parseAddress(expected.sponsor, { field: 'sponsor' })
  return signTransfer(sponsor, { parsed, expected, lookupTables: options.lookupTables, wallet })
}

export declare namespace sponsorUsdcTransfer {
  type Options = signUsdcTransfer.Options & {
    expected: ExpectedTransfer & { sponsor: AddressLike }
  }
  type ErrorType = signUsdcTransfer.ErrorType
}
