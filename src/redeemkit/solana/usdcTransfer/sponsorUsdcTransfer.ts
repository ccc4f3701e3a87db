import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { checkChoice, checkOptions } from '../checkOptions.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { signatureStates } from '../transaction/isSignedBy.ts'
import { readTransaction } from '../transaction/parseTransaction.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { signTransfer, type signUsdcTransfer } from './signUsdcTransfer.ts'

/**
 * Signs as the sponsor (fee payer), after checking that the transaction is the expected USDC transfer, that the customer
 * has signed it (unless the sponsor signs first) and that fee and rent are within the limits.
 *
 * Creating the receiver's token account requires `expected.rent` or `expected.maxRentLamports`. If you expect no rent,
 * check right before that the account exists.
 *
 * Up to four assertions of the Lighthouse program, which some wallets add, are accepted. Both signatures also authorize that
 * program (see PROTOCOL.md 9.3), so keep no more SOL in the sponsor's wallet than its fees need.
 *
 * @returns base64 of the fully signed transaction, for `submitUsdcTransfer`
 * @throws the errors of `signUsdcTransfer`; {@link WrongSignatureError} when the customer's signature is
 *   missing; {@link InvalidAddressError} when the customer is the sponsor
 */
export async function sponsorUsdcTransfer(
  sponsor: SolanaSigner,
  options: sponsorUsdcTransfer.Options,
): Promise<{ transaction: string }> {
  const expected = checkOptions(checkOptions(options).expected, 'expected')
  const parsed = readTransaction(options.transaction)
  const from = parseAddress(expected.from, { field: 'from' })
  const { sponsorSigns = 'last' } = options
  checkChoice('sponsorSigns', sponsorSigns, ['first', 'last'])
  const wallet = parseAddress(expected.sponsor, { field: 'sponsor' })
  if (wallet === from)
    throw new InvalidAddressError(`${from} is the sponsor.`, {
      field: 'from',
      fix: 'The customer must differ from the sponsor, who would pay with its own USDC.',
    })
  if (sponsorSigns === 'last' && signatureStates(parsed)[parsed.keys.indexOf(from)] !== 'right')
    throw new WrongSignatureError(`The transaction does not contain ${from}'s signature.`, {
      field: 'transaction',
      fix: 'Have the customer sign this exact transaction first.',
    })
  return signTransfer(sponsor, { parsed, expected, lookupTables: options.lookupTables, wallet })
}

export declare namespace sponsorUsdcTransfer {
  type Options = signUsdcTransfer.Options & {
    expected: ExpectedTransfer & { sponsor: AddressLike }
    /**
     * `first`: the sponsor signs before the customer. The customer's wallet then adds no assertions, because they would
     * invalidate the sponsor's signature. Anyone holding the customer's signature can send the transaction. Default
     * `last`.
     */
    sponsorSigns?: 'first' | 'last' | undefined
  }
  type ErrorType = signUsdcTransfer.ErrorType
}
