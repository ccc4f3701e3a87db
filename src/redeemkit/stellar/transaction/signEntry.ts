import { authorizeEntry, hash, xdr } from '@stellar/stellar-sdk'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkCount } from '../checkOptions.ts'
import { addressCredentialsOf } from '../envelope/addressCredentialsOf.ts'
import { findEntrySignature } from '../envelope/findEntrySignature.ts'
import type { Expectation } from '../expected/expectedTransaction.ts'
import type { InspectOptions } from '../inspect/context.ts'
import { inspectAuthEntry } from '../inspect/inspectAuthEntry.ts'
import { networkOf } from '../networks.ts'
import type { Signer } from '../signer/toSigner.ts'
import { checkHolder } from './checkHolder.ts'
import { ExpiredTransactionError } from './errors.ts'
import { guardRequest } from './guardRequest.ts'

/**
 * Signs an authorization entry for a wallet, after setting or judging its end and proving it to be the expected one.
 *
 * @returns base64 XDR of the signed entry
 * @throws what `signAuthEntry` throws
 */
export async function signEntry(
  wallet: Signer,
  unsigned: xdr.SorobanAuthorizationEntry,
  options: signEntry.Options,
): Promise<string> {
  // A copy: what is set here is not set in the transaction that it came from.
  const entry = xdr.SorobanAuthorizationEntry.fromXDR(unsigned.toXDR())
  const { validUntilLedger, latestLedger, expected } = options
  const { address } = wallet
  const credentials = addressCredentialsOf(entry)
  if (credentials === undefined)
    throw new InvalidTransactionError('The authorization has no address that could sign it.', {
      field: 'authEntry',
      fix: 'Sign the transaction instead: its source authorizes by that.',
    })
  const { holder } = credentials
  const end = checkCount(validUntilLedger, 'validUntilLedger') ?? holder.signatureExpirationLedger()
  if (end === 0 || end > 0xffffffff)
    throw new ExpiredTransactionError(`The authorization cannot end at ledger ${showValue(end)}.`, {
      field: 'validUntilLedger',
      fix: 'Give the last ledger in which it may be used: 12 close in a minute.',
    })
  if (validUntilLedger === undefined && latestLedger === undefined)
    throw new ExpiredTransactionError(`Nothing says when ledger ${end} will be.`, {
      field: 'latestLedger',
      fix: 'Give latestLedger to judge its end, or validUntilLedger to set it.',
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
     * The last ledger in which it may be used. Default: what stands in the entry, and then `latestLedger` is needed to
     * judge it: the time bounds of a transaction do not end an authorization inside it.
     */
    validUntilLedger?: number | undefined
    /** The passphrase that came with the request, when one did. */
    networkPassphrase?: string | undefined
  }
}
