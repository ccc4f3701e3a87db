import { type Address, type Hex, hashMessage } from 'viem'
import { isTempoChain } from '../../tempo/isTempoChain.ts'
import { verifyTempoSignature } from '../../tempo/verify/verifyTempoSignature.ts'
import type { WebAuthnExpectation } from '../../tempo/verify/webAuthnExpectation.ts'
import type { EvmClient } from '../client/evmClient.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { checkRecord } from '../values/checkKeys.ts'
import { checkText } from '../values/checkText.ts'

/**
 * Whether a signature of a text (EIP-191) is by an account.
 *
 * Offline for key-held accounts; with `client` also by ERC-1271, ERC-7702 accounts included, and ERC-6492. With a
 * `chainId` of Tempo also P-256 and WebAuthn offline, and access keys with `client`.
 *
 * @throws when the signature is not bytes, or the node cannot be asked (ChainReadError)
 * @example
 * ```ts
 * import { verifyAuthMessage } from 'redeemkit/evm'
 * await verifyAuthMessage({
 *   message: 'hello',
 *   address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *   signature: `0x${'11'.repeat(64)}1b`,
 * }) // false
 * ```
 */
export async function verifyAuthMessage(options: verifyAuthMessage.Options): Promise<boolean> {
  checkRecord(options, 'options')
  const { message, address, chainId, signature, client, webAuthn } = options
  const digest = hashMessage(checkText(message, 'message'))
  if (chainId !== undefined && isTempoChain(chainId)) {
    if (await verifyTempoSignature({ account: address, digest, signature, client, webAuthn })) return true
  }
  return verifyDigest({ address, digest, signature, client })
}

export declare namespace verifyAuthMessage {
  type Options = {
    message: string
    address: Address
    signature: Hex
    /** Reads the chain for accounts with code. Without it only key-held accounts verify. */
    client?: EvmClient | undefined
    /** The chain that the wallet stands on: decides which kinds of signatures there are. */
    chainId?: number | undefined
    /** On Tempo, for passkeys: the relying party and pages that their signature is held against. */
    webAuthn?: WebAuthnExpectation | undefined
  }
}
