import type { Address, Hex } from 'viem'
import type { InvalidAddressError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { ModuleLoadError } from '../../core/loadModule.ts'
import { checkAddress } from '../checkAddress.ts'
import { type ChainReadError, type EvmClient, hasCode } from '../client.ts'
import { isTempoChain } from '../networks.ts'
import { checkHex, type InvalidHexError } from '../values.ts'
import { recoverAddress } from '../viem.ts'
import { checkContractSignature } from './checkContractSignature.ts'
import {
  classifySignature,
  normalizeSignature,
  packSignature,
  type SignatureInput,
} from './normalizeSignature.ts'
import {
  type SignatureScheme,
  type SignatureSchemeMissingError,
  schemeMissing,
  schemeOn,
} from './signatureScheme.ts'

/**
 * Returns whether an account signed a digest.
 *
 * With a client, accounts with code (EIP-7702 included) are verified with ERC-1271, and ERC-6492 signatures of accounts without code with a
 * simulated deployment. Any other signature, and without a client every signature, must be by the account's own key. The scheme comes
 * before the account's code: on Tempo, an ordinary account may have code that does not implement ERC-1271.
 */
export async function verifyDigest(options: verifyDigest.Options): Promise<boolean> {
  const address = checkAddress(options.address, options.addressField ?? 'address')
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const bytes = packSignature(options.signature)
  const { client, chainId } = options
  const scheme = schemeOn(chainId, options.signatures)
  const unaided = scheme === undefined && chainId !== undefined && isTempoChain(chainId)
  if (scheme !== undefined) {
    if (await scheme.verify({ account: address, digest, signature: bytes, client })) return true
  } else if (unaided && (await recoverSigner(digest, bytes)) === address && isCanonical(bytes)) return true
  const valid = await isByAccount(client, { address, digest, signature: bytes })
  if (!valid && unaided && classifySignature(bytes) === 'other') throw schemeMissing('signature')
  return valid
}

export declare namespace verifyDigest {
  type Options = {
    address: Address
    digest: Hex
    signature: SignatureInput
    /** Reads the chain to verify accounts with code. Without a client, only a signature by the account's own key is valid. */
    client?: EvmClient | undefined
    chainId?: number | undefined
    signatures?: SignatureScheme | undefined
    addressField?: string | undefined
  }
  type ErrorType =
    | schemeOn.ErrorType
    | SignatureSchemeMissingError
    | ChainReadError
    | InvalidAddressError
    | InvalidHexError
    | InvalidSignatureError
    | ModuleLoadError
}

async function isByAccount(
  client: EvmClient | undefined,
  { address, digest, signature }: { address: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  if (client !== undefined) {
    const deployed = await hasCode(client, address)
    if (deployed || classifySignature(signature) === 'erc6492')
      return checkContractSignature(client, { address, digest, signature, deployed })
  }
  return (await recoverSigner(digest, signature)) === address
}

/** Tempo accepts only the canonical form of a signature by a key. */
const isCanonical = (signature: Hex) => normalizeSignature(signature) === signature.toLowerCase()

/** A valid signature by an unknown key. */
const known = { hash: '0x02', signature: { r: '0x01', s: '0x01', yParity: 0 } } as const

/** Loads viem's secp256k1 code, without which `recoverSigner` would find no key. viem otherwise loads it at the first recovery. */
export async function loadCurve(): Promise<void> {
  try {
    await recoverAddress(known)
  } catch (cause) {
    throw new ModuleLoadError(cause)
  }
}

export declare namespace loadCurve {
  type ErrorType = ModuleLoadError
}

export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | undefined> {
  try {
    const packed = normalizeSignature(signature)
    if (classifySignature(packed) !== 'packed') return undefined
    return await recoverAddress({ hash: digest, signature: packed })
  } catch {
    // v, r or s is out of range, or r is not the x coordinate of a curve point
    return undefined
  }
}
