import { type Address, type Hex, recoverAddress } from 'viem'
import type { EvmClient } from '../client/evmClient.ts'
import { hasCode } from '../client/readChain.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex } from '../values/checkHex.ts'
import { checkContractSignature } from './checkContractSignature.ts'
import { classifySignature } from './classifySignature.ts'
import {
  InvalidSignatureError,
  normalizeSignature,
  packSignature,
  type SignatureInput,
} from './normalizeSignature.ts'

/**
 * Whether a signature of a digest is by an account.
 *
 * With a client: an account with code (ERC-7702 included) answers for itself by ERC-1271; an ERC-6492-wrapped signature
 * of an account without code is judged after a trial deployment; any other account is a key. Without a client only
 * keys can be told, and everything else is false.
 */
export async function verifyDigest(options: verifyDigest.Options): Promise<boolean> {
  const address = checkAddress(options.address, options.addressField ?? 'address')
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const bytes = packSignature(options.signature)
  const { client } = options
  if (client !== undefined) {
    const deployed = await hasCode(client, address)
    if (deployed || classifySignature(bytes) === 'erc6492')
      return checkContractSignature(client, { address, digest, signature: bytes, deployed })
  }
  return (await recoverSigner(digest, bytes)) === address
}

export declare namespace verifyDigest {
  type Options = {
    /** Whose signature it should be. */
    address: Address
    digest: Hex
    signature: SignatureInput
    /** Reads the chain for accounts with code. Without it only key-held accounts verify. */
    client?: EvmClient | undefined
    addressField?: string | undefined
  }
}

/** The address of the key that signed a digest; `undefined` when no key can have. */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | undefined> {
  let packed: Hex
  try {
    packed = normalizeSignature(signature)
  } catch (error) {
    if (error instanceof InvalidSignatureError) return undefined
    throw error
  }
  if (packed.length !== 132) return undefined
  try {
    return await recoverAddress({ hash: digest, signature: packed })
  } catch {
    // r is not the abscissa of a point: no key makes such a signature
    return undefined
  }
}
