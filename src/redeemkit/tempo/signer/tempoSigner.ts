import type { Address, Hex, TypedDataDefinition } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { InvalidOptionError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { SignatureScheme } from '../../evm/signature/signatureScheme.ts'
import { askWallet } from '../../evm/signer/askWallet.ts'
import { checkHex, checkRecord } from '../../evm/values.ts'
import { hashMessage, hashTypedData } from '../../evm/viem.ts'
import { keychainDigest, parseTempoSignature, serializeTempoSignature } from '../signature/tempoSignature.ts'
import { tempoSignatures } from '../signature/tempoSignatures.ts'
import type { WebAuthnExpectation } from '../signature/webAuthnExpectation.ts'

/** A signer with one of Tempo's signature types. It has the interface of a viem account, so it is also an `EvmSigner`. */
export type TempoSigner = {
  readonly type: 'local'
  /** The account that the signer signs for. */
  readonly address: Address
  readonly sign: (parameters: { hash: Hex }) => Promise<Hex>
  readonly signTypedData: (typedData: TypedDataDefinition) => Promise<Hex>
  readonly signMessage: (parameters: { message: string }) => Promise<Hex>
  /** Lets the functions of `redeemkit/evm` verify the signer's signatures. */
  readonly signatures: SignatureScheme
}

/** Creates a signer from a function that signs a 32-byte digest. */
export function tempoSigner(
  address: Address,
  sign: (hash: Hex) => Promise<Hex>,
  webAuthn?: WebAuthnExpectation | undefined,
): TempoSigner {
  return Object.freeze({
    type: 'local',
    address,
    sign: async (options) => sign(checkHex(checkRecord(options, 'options').hash, 'hash', { bytes: 32 })),
    signTypedData: async (typedData) => sign(hashed(() => hashTypedData(typedData), 'typedData')),
    signMessage: async (options) => sign(hashed(() => hashMessage(options.message), 'message')),
    signatures: tempoSignatures({ webAuthn }),
  } satisfies TempoSigner)
}

function hashed(hash: () => Hex, field: string): Hex {
  try {
    return hash()
  } catch (cause) {
    throw new InvalidOptionError(`The ${field} cannot be hashed.`, {
      field,
      fix: 'Pass the arguments of signTypedData or signMessage of a viem account.',
      cause,
    })
  }
}

/** Asks a key to sign a digest. The caller must verify the signature. */
export async function askKey(
  key: { sign: (parameters: { hash: Hex }) => Promise<Hex> },
  hash: Hex,
): Promise<Hex> {
  // the signature parser refuses a response of the wrong type
  return (await askWallet(key, 'sign', { hash })) as Hex
}

/**
 * Creates a signer that signs for an account with an access key (Keychain V2). The account must have authorized the key on chain.
 *
 * @param options.account the account that the key acts for, which becomes the signer's `address`
 * @param options.key the access key: a `webCryptoSigner`, a `passkeySigner`, or a viem account with `sign`
 * @throws {@link InvalidSignatureError} if the key returns a Keychain signature itself
 * @see Tempo Transactions, "Keychain V2"
 * @example
 * ```ts
 * import { accessKeySigner } from 'redeemkit/tempo'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const signer = accessKeySigner({
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 *   key: privateKeyToAccount(`0x${'01'.repeat(32)}`),
 * })
 * await signer.sign({ hash: `0x${'22'.repeat(32)}` }) // '0x04480f86…'
 * ```
 */
export function accessKeySigner(options: accessKeySigner.Options): TempoSigner {
  checkOptions(options, { account: 'any', key: 'any', webAuthn: 'any' })
  const account = checkAddress(options.account, 'account')
  const sign = async (digest: Hex) => {
    const inner = parseTempoSignature(await askKey(options.key, keychainDigest({ digest, account })))
    if (inner.type === 'keychain')
      throw new InvalidSignatureError('The access key returned a Keychain signature.', {
        field: 'key',
        fix: 'Pass the access key itself, not a signer that already acts for an account.',
      })
    return serializeTempoSignature({ type: 'keychain', version: 2, account, inner })
  }
  return tempoSigner(account, sign, options.webAuthn)
}

export declare namespace accessKeySigner {
  type Options = {
    account: Address
    key: { sign: (parameters: { hash: Hex }) => Promise<Hex> }
    /** If the key is a passkey: the expected relying party and pages. */
    webAuthn?: WebAuthnExpectation | undefined
  }
  type ErrorType = serializeTempoSignature.ErrorType | tempoSignatures.ErrorType | askWallet.ErrorType
}
