import type { Address, Hex, TypedDataDefinition } from 'viem'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { SignatureScheme } from '../../evm/signature/signatureScheme.ts'
import { askWallet } from '../../evm/signer/askWallet.ts'
import { checkHex, checkRecord } from '../../evm/values.ts'
import { hashMessage, hashTypedData } from '../../evm/viem.ts'
import { tempoSignatures } from '../verify/tempoSignatures.ts'
import type { WebAuthnExpectation } from '../verify/webAuthnExpectation.ts'

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
