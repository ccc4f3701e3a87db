import { parseAddress } from '../address/parseAddress.ts'
import { checkOptions } from '../checkOptions.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'
import type { LookupTable } from '../transactionDetails/resolveAccounts.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { signTransfer } from './signTransfer.ts'

/**
 * The customer's part: proves that the transaction is the USDC transfer that was asked for, and only then
 * asks the wallet for its signature. Signatures of others stay as they are, missing or not.
 *
 * @param options.transaction ours (`usdcTransfer`) or one that the service built
 * @returns base64 of the partly signed transaction, for the sponsor
 * @throws what {@link assertUsdcTransfer} throws, before any prompt; {@link WrongSignerError}
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
  type ErrorType = signTransfer.ErrorType | readTransaction.ErrorType
}
