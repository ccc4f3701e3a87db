import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { formatBase64, parseBase64 } from '../../core/base64.ts'
import { InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { WrongSignerError } from '../../core/errors/walletErrors.ts'
import {
  type AuthPreimage,
  addressCredentialsOf,
  findEntrySignature,
  parseAuthEntry,
} from '../envelope/authEntry.ts'
import { type Expectation, ExpiredTransactionError } from '../expected.ts'
import type { InspectOptions } from '../inspect/context.ts'
import { inspectAuthEntry, inspectPreimage } from '../inspect/inspectTransaction.ts'
import { networkOf } from '../networks.ts'
import { authorizeEntry, hash, xdr } from '../sdk.ts'
import { type Signer, type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { asBuffer, checkCount } from '../values.ts'
import { checkHolder, guardRequest } from './guardRequest.ts'

/**
 * Signs one Soroban authorization entry, so that another account can submit the call and pay for it.
 *
 * The entry must authorize exactly the expected call, for the signer's own address. The SDK's `authorizeEntry` accepts
 * another key silently, and the network refuses the result later.
 *
 * @param options.authEntry base64 XDR of a `SorobanAuthorizationEntry` with address credentials; or of the
 * `HashIdPreimage` that SEP-43 passes to wallets, whose expiry is checked against `latestLedger`
 * @returns base64 XDR of the signed entry; for a preimage, the base64 signature
 * @throws `RefusedTransactionError` or a subclass (`ExpiredTransactionError` for its last ledger) if the entry is not the expected
 * one; `WrongSignerError`, `WrongNetworkError`, `WrongSignatureError`, `UserRejectedError`, `InvalidSignatureError`,
 * `WalletFailedError` at the wallet
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

/** Signs the preimage that SEP-43 passes to wallets. Another party assembles the entry, so only the signature is returned. */
async function signPreimage(
  wallet: Signer,
  preimage: AuthPreimage,
  options: signAuthEntry.Options,
): Promise<string> {
  const { authEntry, latestLedger, validUntilLedger } = options
  if (validUntilLedger !== undefined || latestLedger === undefined)
    throw new InvalidOptionError('The last ledger of a preimage can be checked, but not set.', {
      field: validUntilLedger === undefined ? 'latestLedger' : 'validUntilLedger',
      fix: 'Pass latestLedger, and omit validUntilLedger.',
    })
  guardRequest({ ...options, address: wallet.address }, (context) => inspectPreimage(preimage, context))
  return formatBase64(
    await wallet.sign(
      'signAuthEntry',
      authEntry,
      hash(asBuffer(parseBase64(authEntry, 'authEntry'))),
      findEntrySignature,
    ),
  )
}

/** Signs an authorization entry for a wallet, after setting or checking its expiry and comparing it with the expectation. */
export async function signEntry(
  wallet: Signer,
  unsigned: Xdr.SorobanAuthorizationEntry,
  options: signEntry.Options,
): Promise<string> {
  // Parsed as a copy, so that the original transaction does not change.
  const entry = xdr.SorobanAuthorizationEntry.fromXDR(unsigned.toXDR())
  const { validUntilLedger, latestLedger, expected } = options
  const { address } = wallet
  const credentials = addressCredentialsOf(entry)
  if (credentials === undefined)
    throw new InvalidTransactionError('The authorization has no address that could sign it.', {
      field: 'authEntry',
      fix: 'Sign the transaction instead: that is the source account’s authorization.',
    })
  const { holder } = credentials
  const end = checkCount(validUntilLedger, 'validUntilLedger') ?? holder.signatureExpirationLedger()
  if (end === 0 || end > 0xffffffff)
    throw new ExpiredTransactionError(`The authorization cannot end at ledger ${showValue(end)}.`, {
      field: 'validUntilLedger',
      fix: 'Pass the last ledger in which it may be used. About 12 ledgers close per minute.',
    })
  if (validUntilLedger === undefined && latestLedger === undefined)
    throw new ExpiredTransactionError(`The time of ledger ${end} is unknown.`, {
      field: 'latestLedger',
      fix: 'Pass latestLedger to check its expiry, or validUntilLedger to set it.',
    })
  holder.signatureExpirationLedger(end)
  holder.signature(xdr.ScVal.scvVoid())
  guardRequest({ ...options, address }, (context) => inspectAuthEntry(entry, address, context))
  checkHolder(wallet, expected)
  const signed = await authorizeEntry(
    entry,
    async (preimage) => ({
      signature: await wallet.sign(
        'signAuthEntry',
        preimage.toXDR('base64'),
        hash(preimage.toXDR()),
        findEntrySignature,
      ),
      publicKey: address,
    }),
    end,
    networkOf(options.environment).networkPassphrase,
  )
  return signed.toXDR('base64')
}

export declare namespace signEntry {
  type Options = Omit<InspectOptions, 'address' | 'expected'> & {
    expected: Expectation
    /**
     * Last ledger in which the entry is valid. Default: the entry's own value. Checking that value requires
     * `latestLedger`, because a transaction's time bounds do not limit an authorization inside it.
     */
    validUntilLedger?: number | undefined
    /** The passphrase that came with the request, if any. */
    networkPassphrase?: string | undefined
  }
}
