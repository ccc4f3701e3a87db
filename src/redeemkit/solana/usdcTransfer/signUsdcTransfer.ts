import { formatBase64 } from '../../core/base64.ts'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignatureError, WrongSignerError } from '../../core/errors/walletErrors.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { checkChoice, checkOptions } from '../checkOptions.ts'
import { networkOf } from '../networks.ts'
import type { addressOf, SolanaSigner } from '../signer/solanaSigner.ts'
import { isSameButAssertions, toTransactionSigner } from '../signer/toTransactionSigner.ts'
import { signatureStates } from '../transaction/isSignedBy.ts'
import {
  encodeTransaction,
  type ParsedTransaction,
  readTransaction,
} from '../transaction/parseTransaction.ts'
import type { LookupTable } from '../transaction/transactionDetails.ts'
import { type assertUsdcTransfer, refuseOtherTransfers } from './assertUsdcTransfer.ts'
import type { ExpectedTransfer } from './transferTerms.ts'

/**
 * Signs as the customer: checks that the transaction is the expected USDC transfer, then asks the wallet to sign. Keeps
 * existing signatures unchanged.
 *
 * @param options.transaction built by `usdcTransfer`, or by the service
 * @returns base64 of the partly signed transaction, for the sponsor
 * @throws the errors of {@link assertUsdcTransfer}, before any prompt; {@link WrongSignerError}
 *   {@link UserRejectedError} {@link WalletFailedError} {@link ChangedByWalletError}
 *   {@link WrongSignatureError}
 * @example
 * ```ts
 * import { type SolanaSigner, signUsdcTransfer, type UsdcTransfer } from 'redeemkit/solana'
 *
 * declare const wallet: SolanaSigner
 * declare const transfer: UsdcTransfer
 * const { transaction } = await signUsdcTransfer(wallet, { transaction: transfer.transaction, expected: transfer })
 * ```
 */
export async function signUsdcTransfer(
  signer: SolanaSigner,
  options: signUsdcTransfer.Options,
): Promise<{ transaction: string }> {
  const { from } = checkOptions(checkOptions(options).expected, 'expected')
  const wallet = parseAddress(from, { field: 'from' })
  const { transaction, expected, lookupTables } = options
  return signTransfer(signer, { parsed: readTransaction(transaction), expected, lookupTables, wallet })
}

export declare namespace signUsdcTransfer {
  type Options = Omit<assertUsdcTransfer.Options, 'wallet'>
  type ErrorType =
    | refuseOtherTransfers.ErrorType
    | addressOf.ErrorType
    | toTransactionSigner.SignErrorType
    | readTransaction.ErrorType
}

/**
 * Checks a transfer, then signs it with one of its two wallets. The wallet that signs first may add assertions; the
 * changed transaction is then checked against the same terms.
 */
export async function signTransfer(
  signer: SolanaSigner,
  options: {
    /** Parsed once, so that the checked values are signed even if the caller's object changes afterwards. */
    parsed: ParsedTransaction
    expected: ExpectedTransfer
    lookupTables: readonly LookupTable[] | undefined
    wallet: string
  },
): Promise<{ transaction: string }> {
  const { parsed, expected, lookupTables, wallet } = options
  const { address, signTransaction } = toTransactionSigner(signer, {
    chain: networkOf(expected.environment).chainIds[0],
    isSame: (before, after) => isSameButAssertions(before, after) && isTransfer(after),
  })
  if (address !== wallet || signTransaction === undefined)
    throw new WrongSignerError(
      address === wallet
        ? 'The wallet cannot sign transactions.'
        : `The signer is ${address}, not ${wallet}.`,
      { field: 'signer', fix: 'Sign with the transfer’s own wallet.' },
    )
  const isTransfer = (changed: ParsedTransaction) => {
    // Signatures are omitted: `toTransactionSigner` checked them when it extracted this wallet's signature.
    const unsigned = { ...changed, signatures: changed.signatures.map(() => new Uint8Array(64)) }
    try {
      refuseOtherTransfers(unsigned, { expected, wallet, lookupTables })
      return true
    } catch {
      return false
    }
  }
  refuseOtherTransfers(parsed, { expected, wallet, lookupTables })
  return { transaction: formatBase64(await signTransaction(encodeTransaction(parsed))) }
}

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
