import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { EvmClient } from '../client.ts'
import type { SignatureScheme } from '../signature/signatureScheme.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { checkText, type InvalidTextError } from '../values.ts'
import { hashMessage } from '../viem.ts'

/**
 * Returns whether an account signed the text (EIP-191).
 *
 * Signatures by an EOA's key are verified offline. Accounts with code (EIP-7702 included) and ERC-6492 signatures need `client`. On
 * Tempo, pass `chainId` and `signatures`: P-256 and WebAuthn are verified offline, access keys need `client`.
 *
 * @throws if the signature is not bytes, the node does not respond (ChainReadError), or only `redeemkit/tempo` could verify the
 * signature (SignatureSchemeMissingError)
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
  checkOptions(options, {
    message: 'any',
    address: 'any',
    signature: 'any',
    client: 'object?',
    chainId: 'any',
    signatures: 'object?',
  })
  return verifyDigest({ ...options, digest: hashMessage(checkText(options.message, 'message')) })
}

export declare namespace verifyAuthMessage {
  type Options = {
    message: string
    address: Address
    signature: Hex
    /** Reads the chain to verify accounts with code. Without a client, only a signature by the account's own key is valid. */
    client?: EvmClient | undefined
    /** The wallet's chain, which determines the accepted signature types. */
    chainId?: number | undefined
    /** Verifies signature types that only one chain has: on Tempo, pass `tempoSignatures()` from `redeemkit/tempo`. Requires `chainId`. */
    signatures?: SignatureScheme | undefined
  }
  type ErrorType = verifyDigest.ErrorType | InvalidTextError
}
