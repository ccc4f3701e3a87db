import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { type ChainReadError, callContract, type EvmClient } from '../../evm/client.ts'
import { checkHex, type InvalidHexError } from '../../evm/values.ts'
import { tempoContracts } from '../network.ts'

const verify = '0x1a86b550' // verify(address,bytes32,bytes)
// this function refuses access keys without admin rights, whose limits a permit would bypass
const verifyKeychainAdmin = '0x5f6fc5b7' // verifyKeychainAdmin(address,bytes32,bytes)
const yes = `0x${'0'.repeat(63)}1`

/**
 * Asks Tempo's precompile whether the account made a signature, as the credits contract does. Needs a node, but no elliptic-curve code.
 * `checkTempoSignature` works offline, and also checks a passkey's origin and relying party.
 *
 * @returns whether the account made the signature; `undefined` for an access key's signature (Keychain V2) before hardfork T6, which the
 * chain cannot verify. Since T6, the chain accepts only admin keys (TIP-1049)
 * @throws {@link ChainReadError} when the node does not respond
 * @see TIP-1020
 * @example
 * ```ts
 * import { askSignatureVerifier } from 'redeemkit/tempo'
 * import { createClient, http } from 'viem'
 *
 * await askSignatureVerifier(createClient({ transport: http('http://127.0.0.1:8545') }), {
 *   account: '0xDb1cF7C2C5375aeA1B363BD4A67803c7F704051b',
 *   digest: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   signature: `0x${'11'.repeat(64)}1b`,
 * })
 * ```
 */
export async function askSignatureVerifier(
  client: EvmClient,
  options: askSignatureVerifier.Options,
): Promise<boolean | undefined> {
  checkOptions(options, { account: 'any', digest: 'any', signature: 'any' })
  const account = checkAddress(options.account, 'account')
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const signature = checkHex(options.signature, 'signature').slice(2)
  const keychain = signature.startsWith('04') && signature.length !== 130
  // before T6, the chain cannot verify access keys, so the account in the signature is compared here
  if (keychain && signature.slice(2, 42).toLowerCase() !== account.slice(2).toLowerCase()) return false
  const ask = (selector: Hex, bytes: string) =>
    callContract(client, {
      to: tempoContracts.signatureVerifier,
      data: `${selector}${[account.slice(2), digest.slice(2), '60', (bytes.length / 2).toString(16)].map(word).join('')}${bytes}${'0'.repeat((64 - (bytes.length % 64)) % 64)}`,
    })
  const answer = await ask(keychain ? verifyKeychainAdmin : verify, signature)
  if (answer === yes) return true
  // Before T6, the function is unknown and reverts. Since T6, it returns false, or reverts for malformed bytes.
  return keychain && answer === undefined ? undefined : false
}

export declare namespace askSignatureVerifier {
  type Options = { account: Address; digest: Hex; signature: Hex }
  type ErrorType = checkOptions.ErrorType | ChainReadError | InvalidAddressError | InvalidHexError
}

function word(hex: string): string {
  return hex.padStart(64, '0')
}
