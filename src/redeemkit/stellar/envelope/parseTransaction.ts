import type { Transaction, xdr } from '@stellar/stellar-sdk'
import { formatBase64, parseBase64 } from '../../core/base64.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type InvalidBase64Error, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import type { StellarNetwork } from '../networks.ts'
import { Asset, FeeBumpTransaction, TransactionBuilder } from '../sdk.ts'

export type ParsedTransaction = {
  transaction: Transaction
  feeBump: FeeBumpTransaction | undefined
}

/** Parses an envelope strictly. It does not contain the passphrase: a wrong passphrase changes only the hash. */
export function parseTransaction(transactionXdr: string, network: StellarNetwork): ParsedTransaction {
  const bytes = parseBase64(transactionXdr, 'transaction')
  // An envelope from before 2020 has type 0. Its bytes with today's type, 2, in front are the same transaction with the same hash.
  const text = bytes[3] === 0 ? formatBase64(Uint8Array.of(0, 0, 0, 2, ...bytes)) : transactionXdr
  try {
    const parsed = TransactionBuilder.fromXDR(text, network.networkPassphrase)
    if (parsed.toXDR() !== text) throw new Error('not canonical')
    const [transaction, feeBump] =
      parsed instanceof FeeBumpTransaction ? [parsed.innerTransaction, parsed] : [parsed, undefined]
    for (const operation of transaction.toEnvelope().v1().tx().operations()) {
      const body = operation.body()
      const asset = body.switch().name === 'payment' ? body.paymentOp().asset() : undefined
      if (asset && !isCanonical(asset)) throw new Error('not canonical')
    }
    return { transaction, feeBump }
  } catch (cause) {
    checkSdkReads(cause, 'transaction')
    throw new InvalidTransactionError('The base64 text is not a Stellar transaction.', {
      field: 'transaction',
      cause,
      fix: 'Pass the XDR of a whole TransactionEnvelope.',
    })
  }
}

/**
 * Whether an asset is encoded canonically. The SDK reads a four-letter code in a twelve-letter field as the four-letter
 * code, but the network rejects that encoding.
 */
function isCanonical(asset: xdr.Asset): boolean {
  const { code, issuer } = Asset.fromOperation(asset)
  return new Asset(code, issuer).toXDRObject().toXDR('base64') === asset.toXDR('base64')
}

export declare namespace parseTransaction {
  type ErrorType = InvalidBase64Error | InvalidTransactionError
}

/** Throws an error that advises to update the SDK, if parsing failed because SDK 15 cannot read CAP-71. */
export function checkSdkReads(cause: unknown, field: string): void {
  if (isFromLaterProtocol(cause))
    throw new InvalidTransactionError(
      'The installed @stellar/stellar-sdk cannot read CAP-71 authorizations.',
      { field, cause, fix: updateSdk },
    )
}

export const updateSdk = 'Update the SDK: npm install @stellar/stellar-sdk@17. Nothing was signed.'

/** Whether SDK 15 failed on credentials or a preimage of CAP-71, whose type numbers it does not know. */
export function isFromLaterProtocol(cause: unknown): boolean {
  const unknownMember =
    /unknown (SorobanCredentialsType member for value [23]|EnvelopeType member for value 10)$/
  return cause instanceof Error && unknownMember.test(cause.message)
}

/** Converts the SDK's errors: its releases support different parts of the protocol, and throw various errors for unknown parts. */
export function readXdr<value>(read: () => value): value {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof BaseError) throw cause
    throw new InvalidTransactionError('The request has a part that cannot be read.', {
      field: 'request',
      cause,
      fix: 'Do not sign it. Check for newer versions of this package and of @stellar/stellar-sdk.',
    })
  }
}

/** A memo is invalid, or not allowed in this transaction. */
export class InvalidMemoError extends BaseError {
  override readonly name = 'InvalidMemoError'
}
