import { hash, xdr } from '@stellar/stellar-sdk'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { asBuffer, formatBase64, parseBase64 } from '../encoding.ts'
import { findEntrySignature } from '../envelope/findEntrySignature.ts'
import { type AuthPreimage, parseAuthEntry } from '../envelope/parseAuthEntry.ts'
import { inspectPreimage } from '../inspect/inspectPreimage.ts'
import { networkOf } from '../networks.ts'
import { type Signer, type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { checkHolder } from './checkHolder.ts'
import { guardRequest } from './guardRequest.ts'
import { signEntry } from './signEntry.ts'

/**
 * Signs one Soroban authorization entry, so that somebody else may submit the call and pay for it.
 *
 * The entry must authorize the expected call and nothing else, for the signer's own address: the SDK's `authorizeEntry`
 * takes another key without a word, and the network refuses it later.
 *
 * @param options.authEntry base64 XDR of a `SorobanAuthorizationEntry` with address credentials; or of the `HashIdPreimage` that
 * SEP-43 hands to wallets, whose end `latestLedger` has to judge
 * @returns base64 XDR of the signed entry; for a preimage, the base64 signature
 * @throws `RefusedTransactionError` and its kin (`ExpiredTransactionError` for its last ledger) when the entry is anything else than expected; `WrongSignerError`,
 * `WrongNetworkError`, `WrongSignatureError`, `UserRejectedError`, `InvalidSignatureError`, `WalletFailedError` at the wallet
 * @see SEP-43, CAP-46-11
 * @example
 * ```ts
 * import { Keypair } from '@stellar/stellar-sdk'
 * import { signAuthEntry, type ExpectedTransaction } from 'redeemkit/stellar'
 * async function authorize(authEntry: string, expected: ExpectedTransaction) {
 *   return signAuthEntry(Keypair.random(), { authEntry, expected, environment: 'prod', validUntilLedger: 60_000_000 })
 * }
 * ```
 */
export async function signAuthEntry(signer: StellarSigner, options: signAuthEntry.Options): Promise<string> {
  const network = networkOf(options?.environment)
  const wallet = await toSigner(signer, network)
  const entry = parseAuthEntry(options.authEntry)
  if (!(entry instanceof xdr.SorobanAuthorizationEntry)) return signPreimage(wallet, entry, options)
  return signEntry(wallet, entry, options)
}

export declare namespace signAuthEntry {
  type Options = signEntry.Options & { authEntry: string }
  type ErrorType = guardRequest.ErrorType | toSigner.ErrorType | WrongSignerError
}

/** What SEP-43 hands to wallets: the entry is somebody else's to put together, so the signature alone is returned. */
async function signPreimage(
  wallet: Signer,
  preimage: AuthPreimage,
  options: signAuthEntry.Options,
): Promise<string> {
  const { authEntry, expected, latestLedger, validUntilLedger } = options
  if (validUntilLedger !== undefined || latestLedger === undefined)
    throw new InvalidOptionError('The end of a preimage cannot be set, only judged.', {
      field: validUntilLedger === undefined ? 'latestLedger' : 'validUntilLedger',
      fix: 'Give latestLedger, and leave validUntilLedger out.',
    })
  guardRequest({ ...options, address: wallet.address }, (context) => inspectPreimage(preimage, context))
  checkHolder(wallet, expected)
  return formatBase64(
    await wallet.sign(
      'signAuthEntry',
      authEntry,
      hash(asBuffer(parseBase64(authEntry, 'authEntry'))),
      findEntrySignature,
    ),
  )
}
