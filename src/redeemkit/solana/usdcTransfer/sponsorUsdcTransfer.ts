import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { signatureStates } from '../transaction/isSignedBy.ts'
import { readTransaction } from '../transaction/parseTransaction.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import type { signUsdcTransfer } from './signUsdcTransfer.ts'
import { signTransfer } from './signUsdcTransfer.ts'

/**
 * The sponsor's part: proves that the transaction is the USDC transfer that was asked for, that the customer
 * has signed it (unless the sponsor signs first) and that fee and rent are no more than allowed, and only then signs as fee payer. A creation
 * of the receiver's token account needs `expected.rent` or `expected.maxRentLamports`; whether rent is due is
 * the chain's to say, so where none is expected, look for that account right before. Guards of the customer's wallet
 * are taken: at most four assertions of the Lighthouse program, which is trusted with the signatures of both (see
 * PROTOCOL.md 9.3): keep no more SOL in the sponsor's wallet than its fees need.
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
  const { sponsorSigns = 'last' } = options
  if (sponsorSigns !== 'last' && sponsorSigns !== 'first')
    throw invalidOption('sponsorSigns', sponsorSigns, 'Pass "first" or "last", or omit it.')
  if (sponsorSigns === 'last' && signatureStates(parsed)[parsed.keys.indexOf(from)] !== 'right')
    throw new WrongSignatureError(`The transaction does not carry ${from}'s signature.`, {
      field: 'transaction',
      fix: 'Have the customer sign this exact transaction first.',
    })
  const wallet = parseAddress(expected.sponsor, { field: 'sponsor' })
  return signTransfer(sponsor, { parsed, expected, lookupTables: options.lookupTables, wallet })
}

export declare namespace sponsorUsdcTransfer {
  type Options = signUsdcTransfer.Options & {
    expected: ExpectedTransfer & { sponsor: AddressLike }
    /**
     * `first`: before the customer. A wallet then adds no assertions, because they would invalidate the sponsor's signature.
     * Anyone holding the customer's signature can send the transaction. Default `last`.
     */
    sponsorSigns?: 'first' | 'last' | undefined
  }
  type ErrorType = signUsdcTransfer.ErrorType
}
