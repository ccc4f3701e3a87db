import type { Transaction, xdr } from '@stellar/stellar-sdk'
import { formatBase64, parseBase64 } from '../../core/base64.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type InvalidBase64Error, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { StellarNetwork } from '../networks.ts'
import { Asset, FeeBumpTransaction, hash, Keypair, Memo, TransactionBuilder } from '../sdk.ts'
import { isSignedBy } from '../signer/askWallet.ts'
import type { Signer } from '../signer/toSigner.ts'
import { asBuffer, hexOf } from '../values.ts'

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

/** A memo: text of at most 28 bytes, a 64-bit number in decimal digits, or 32 bytes in hex. Exchanges ask for a number or a hash. */
export type StellarMemo = string | { type: 'text' | 'id' | 'hash'; value: string }

const isValid: Partial<Record<string, (value: string) => boolean>> = {
  text: (value) => new TextEncoder().encode(value).length <= 28,
  id: (value) => /^(?:0|[1-9]\d{0,19})$/.test(value) && BigInt(value) < 1n << 64n,
  hash: (value) => /^[0-9a-f]{64}$/.test(value),
}

export function toMemo(memo: StellarMemo | undefined): Memo {
  if (memo === undefined) return Memo.none()
  const { type, value } = typeof memo === 'string' ? { type: 'text', value: memo } : Object(memo)
  // Each key of the table above is also the name of a `Memo` function of the SDK.
  if (typeof value === 'string' && isValid[type]?.(value)) return Memo[type as 'text' | 'id' | 'hash'](value)
  throw new InvalidMemoError(`${showValue(value ?? memo, 80)} is not a valid memo.`, {
    field: 'memo',
    fix: 'Use text of at most 28 bytes, an id of digits below 2^64, or a hash of 64 lower-case hex digits.',
  })
}

/** Returns a memo as comparable text: its type and value. */
export function formatMemo({ type, value }: Memo): string | undefined {
  if (type === 'none') return undefined
  if (typeof value === 'string' || value === null) return `${type}:${value}`
  const text = type === 'text' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : ''
  // Bytes that are not UTF-8 must not look like text.
  const isText = text !== '' && !text.includes('\ufffd')
  if (isText || value.length === 0) return `${type}:${text}`
  return `${type} bytes:${hexOf(value)}`
}

/** Adds a wallet's signature to a transaction or fee bump. Uses nothing else from the wallet's answer. */
export async function signEnvelope(
  wallet: Signer,
  envelope: Transaction | FeeBumpTransaction,
  network: StellarNetwork,
): Promise<string> {
  const { address } = wallet
  const digest = envelope.hash()
  const signature = await wallet.sign('signTransaction', envelope.toXDR(), digest, (signed) =>
    findSignature(signed, { network, digest, address }),
  )
  envelope.addSignature(address, formatBase64(signature))
  return envelope.toXDR()
}

/** Returns an address's signature in a signed transaction; undefined if it is missing, or if the transaction has another hash. */
export function findSignature(
  transactionXdr: string,
  options: { network: StellarNetwork; digest: Uint8Array; address: string },
): Uint8Array | undefined {
  const { network, digest, address } = options
  const { transaction, feeBump = transaction } = parseTransaction(transactionXdr, network)
  if (!feeBump.hash().equals(digest)) return undefined
  return feeBump.signatures.find((signature) => isSignatureOf(signature, address, digest))?.signature()
}

/** Whether this address signed these bytes, and the signature's hint names the address. */
export function isSignatureOf(
  decorated: xdr.DecoratedSignature,
  address: string,
  digest: Uint8Array,
): boolean {
  return (
    Keypair.fromPublicKey(address).signatureHint().equals(decorated.hint()) &&
    isSignedBy(address, digest, decorated.signature())
  )
}

/** An authorization's signed data contains the network id: the hash of the network's passphrase. */
export function networkIdOf({ networkPassphrase }: Pick<StellarNetwork, 'networkPassphrase'>): Buffer {
  return hash(asBuffer(new TextEncoder().encode(networkPassphrase)))
}
