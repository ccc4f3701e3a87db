import { authorizeEntry, hash, xdr } from '@stellar/stellar-sdk'
import { InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { checkCount } from '../checkOptions.ts'
import { asBuffer } from '../encoding/asBuffer.ts'
import { formatBase64 } from '../encoding/formatBase64.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'
import { parseAuthEntry } from '../envelope/parseAuthEntry.ts'
import type { ExpectedTransaction } from '../expected/expectedTransaction.ts'
import type { InspectOptions } from '../inspect/context.ts'
import { networkOf } from '../networks.ts'
import { type Signer, type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { ExpiredTransactionError } from './errors.ts'
import { guardRequest } from './guardRequest.ts'

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
  if (entry instanceof xdr.HashIdPreimageSorobanAuthorization) return signPreimage(wallet, options)
  if (
    !(entry instanceof xdr.SorobanAuthorizationEntry) ||
    entry.credentials().switch().name !== 'sorobanCredentialsAddress'
  )
    throw new InvalidTransactionError('The authorization has no address that could sign it.', {
      field: 'authEntry',
      fix: 'Sign the transaction instead: its source account authorizes by that signature.',
    })
  const holder = entry.credentials().address()
  const validUntil =
    checkCount(options.validUntilLedger, 'validUntilLedger') ?? holder.signatureExpirationLedger()
  if (!Number.isInteger(validUntil) || validUntil <= 0 || validUntil > 0xffffffff)
    throw new ExpiredTransactionError(`The authorization cannot end at ledger ${showValue(validUntil)}.`, {
      field: 'validUntilLedger',
      fix: 'Give the last ledger in which it may be used: the latest one and 12 for each minute.',
    })
  if (options.validUntilLedger === undefined && options.latestLedger === undefined)
    throw new ExpiredTransactionError(`Nothing says when ledger ${validUntil} will be.`, {
      field: 'latestLedger',
      fix: 'Give latestLedger, so that its end can be judged, or validUntilLedger, to set it.',
    })
  holder.signatureExpirationLedger(validUntil)
  holder.signature(xdr.ScVal.scvVoid())
  guardRequest({ authEntry: entry.toXDR('base64') }, { ...options, address: wallet.address })
  checkHolder(wallet, options.expected)
  const signed = await authorizeEntry(
    entry,
    async (preimage) => ({
      signature: await wallet.signAuthEntry(preimage.toXDR('base64'), hash(preimage.toXDR())),
      publicKey: wallet.address,
    }),
    validUntil,
    network.networkPassphrase,
  )
  return signed.toXDR('base64')
}

/** What SEP-43 hands to wallets: the entry is somebody else's to put together, so the signature alone is returned. */
async function signPreimage(wallet: Signer, options: signAuthEntry.Options): Promise<string> {
  const { authEntry, expected, latestLedger, validUntilLedger } = options
  if (validUntilLedger !== undefined || latestLedger === undefined)
    throw new InvalidOptionError('The end of a preimage cannot be set, only judged.', {
      field: validUntilLedger === undefined ? 'latestLedger' : 'validUntilLedger',
      fix: 'Give latestLedger, and leave validUntilLedger out.',
    })
  guardRequest({ authEntry }, { ...options, address: wallet.address })
  checkHolder(wallet, expected)
  return formatBase64(
    await wallet.signAuthEntry(authEntry, hash(asBuffer(parseBase64(authEntry, 'authEntry')))),
  )
}

function checkHolder(wallet: Signer, { from }: ExpectedTransaction): void {
  if (from !== wallet.address)
    throw new WrongSignerError(`The authorization is ${from}'s, the wallet holds ${wallet.address}.`, {
      field: 'authEntry.address',
      fix: 'Sign it with the account that it names.',
    })
}

export declare namespace signAuthEntry {
  type Options = Omit<InspectOptions, 'address' | 'expected'> & {
    authEntry: string
    expected: ExpectedTransaction
    /**
     * The last ledger in which it may be used. Default: what stands in the entry, and then `latestLedger` is needed to
     * judge it: the time bounds of a transaction do not end an authorization inside it.
     */
    validUntilLedger?: number | undefined
    /** The passphrase that came with the request, when one did. */
    networkPassphrase?: string | undefined
  }
  type ErrorType = guardRequest.ErrorType | toSigner.ErrorType | WrongSignerError
}
