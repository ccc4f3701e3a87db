import { parseAddress } from '../address/parseAddress.ts'
import { checkOptions } from '../checkOptions.ts'
import { encodeBase64 } from '../encoding/encodeBase64.ts'
import type { checkUsdcTransfer } from '../inspect/checkUsdcTransfer.ts'
import type { LookupTable } from '../inspect/resolveAccounts.ts'
import { networkOf } from '../networks.ts'
import { type SolanaSigner, toSigner, WrongSignerError } from '../signer/toSigner.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'
import { assertUsdcTransfer } from './assertUsdcTransfer.ts'

/**
 * The customer's part: proves that the transaction is the USDC transfer that was asked for, and only then asks the
 * wallet for its signature. Signatures of others stay as they are, missing or not.
 *
 * @param options.transaction ours (`usdcTransfer`) or one that the service built
 * @returns base64 of the partly signed transaction, for the sponsor
 * @throws what {@link assertUsdcTransfer} throws, before any prompt; {@link WrongSignerError} {@link UserRejectedError}
 *   {@link WalletError} {@link ChangedByWalletError} {@link WrongSignatureError}
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
  return sign(signer, options, parseAddress(from, { field: 'from' }))
}

export declare namespace signUsdcTransfer {
  type Options = {
    transaction: TransactionLike
    expected: checkUsdcTransfer.Expected
    lookupTables?: readonly LookupTable[] | undefined
  }
}

/** Checks a transfer, then signs it with one of its two wallets. */
export async function sign(
  signer: SolanaSigner,
  options: signUsdcTransfer.Options,
  wallet: string,
): Promise<{ transaction: string }> {
  const { expected, lookupTables } = options
  const { address, signTransaction } = toSigner(signer, {
    chain: networkOf(expected.environment).chainIds[0],
  })
  if (address !== wallet || signTransaction === undefined)
    throw new WrongSignerError(
      address === wallet
        ? 'The wallet cannot sign transactions.'
        : `The signer is ${address}, not ${wallet}.`,
      { field: 'signer', fix: 'Sign with the wallet that the transfer names.' },
    )
  // Read once: what was inspected is what is signed, even if the caller's object changes in between.
  const bytes = encodeTransaction(readTransaction(options.transaction))
  assertUsdcTransfer({ transaction: bytes, expected, wallet, lookupTables })
  return { transaction: encodeBase64(await signTransaction(bytes)) }
}
