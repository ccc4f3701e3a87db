import { formatBase64 } from '../../core/base64.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { parseAddress } from '../address.ts'
import { checkOptions } from '../checkOptions.ts'
import { networkOf } from '../networks.ts'
import type { addressOf, SolanaSigner } from '../signer/solanaSigner.ts'
import { isSameButAssertions, toTransactionSigner } from '../signer/toTransactionSigner.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import {
  type ParsedTransaction,
  readTransaction,
  type TransactionLike,
} from '../transaction/parseTransaction.ts'
import type { LookupTable } from '../transaction/transactionDetails.ts'
import { refuseOtherTransfers } from './assertUsdcTransfer.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'

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
  type Options = {
    transaction: TransactionLike
    expected: ExpectedTransfer
    lookupTables?: readonly LookupTable[] | undefined
  }
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
    /** Read once, so that the checked values are signed even if the caller's object changes afterwards. */
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
