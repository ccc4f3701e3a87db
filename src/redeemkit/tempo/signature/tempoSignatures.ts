import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { tempoChainIds } from '../../core/evmNetworks.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { type ChainReadError, callContract, type EvmClient } from '../../evm/client.ts'
import { classifySignature } from '../../evm/signature/normalizeSignature.ts'
import type { SignatureScheme } from '../../evm/signature/signatureScheme.ts'
import { checkHex, type InvalidHexError } from '../../evm/values.ts'
import { tempoContracts } from '../network.ts'
import { checkTempoSignature } from './checkTempoSignature.ts'
import { judgeAccessKey } from './getAccessKey.ts'
import { keychainDigest } from './tempoSignature.ts'
import {
  readSignature,
  refusal,
  type TempoSignatureCheck,
  type TempoSignatureRefusal,
  wrongAccount,
} from './tempoSignatureCheck.ts'
import { checkWebAuthnExpectation, judgeAssertion, type WebAuthnExpectation } from './webAuthnExpectation.ts'

/**
 * Creates a signature scheme with which the functions of `redeemkit/evm` verify signatures by P-256 keys, passkeys and access keys. Without
 * it, they verify only EOAs and contract accounts. Signers of `redeemkit/tempo` include the scheme. Pass it for signers of other libraries.
 *
 * The scheme always checks a passkey's page, frame and flags, because the chain does not.
 *
 * @param options.webAuthn the expected relying party and pages of passkeys
 * @throws InvalidOptionError
 * @see TIP-1020
 * @example
 * ```ts
 * import { verifyAuthMessage } from 'redeemkit/evm'
 * import { tempoSignatures } from 'redeemkit/tempo'
 * const isSignedIn = (message: string, address: `0x${string}`, signature: `0x${string}`) =>
 *   verifyAuthMessage({ message, address, signature, chainId: 4217, signatures: tempoSignatures() })
 * ```
 */
export function tempoSignatures(options: tempoSignatures.Options = {}): SignatureScheme {
  checkOptions(options, { webAuthn: 'any' })
  const webAuthn = options.webAuthn && checkWebAuthnExpectation(options.webAuthn)
  return Object.freeze({
    chainIds: tempoChainIds,
    verify: async (question) => (await checkTempoSignature({ ...question, webAuthn })).valid,
    verifyOnChain: async (client, question) => {
      const refused = judgePasskey(question.digest, question.signature, webAuthn ?? {})
      if (refused !== undefined) return refused
      if (question.signature.startsWith('0x04') && classifySignature(question.signature) !== 'packed')
        return askAccessKey(client, question)
      return { valid: (await askSignatureVerifier(client, question)) === true }
    },
  } satisfies SignatureScheme)
}

export declare namespace tempoSignatures {
  type Options = {
    /** For passkeys: the expected relying party and pages. */
    webAuthn?: WebAuthnExpectation | undefined
  }
  type ReturnType = SignatureScheme
  type ErrorType = checkOptions.ErrorType
}

/** Checks a passkey's client data and flags before the chain verifies the signature, even if the passkey is an access key. */
function judgePasskey(
  digest: Hex,
  signature: Hex,
  expected: WebAuthnExpectation,
): TempoSignatureRefusal | undefined {
  const parsed = readSignature(signature)
  if ('valid' in parsed) return undefined // malformed bytes are refused later, by the chain or by `askAccessKey`
  if (parsed.type === 'webAuthn') return judgeAssertion(digest, parsed, expected)
  if (parsed.type !== 'keychain' || parsed.inner.type !== 'webAuthn') return undefined
  return judgeAssertion(keychainDigest({ digest, account: parsed.account }), parsed.inner, expected)
}

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
  const selector = keychain ? verifyKeychainAdmin : verify
  const answer = await callVerifier(client, selector, [account.slice(2), digest.slice(2)], signature)
  if (answer === yes) return true
  // Before T6, the function is unknown and reverts. Since T6, it returns false, or reverts for malformed bytes.
  return keychain && answer === undefined ? undefined : false
}

export declare namespace askSignatureVerifier {
  type Options = { account: Address; digest: Hex; signature: Hex }
  type ErrorType = checkOptions.ErrorType | ChainReadError | InvalidAddressError | InvalidHexError
}

/** Calls a function of the precompile whose last argument is `bytes`. Takes hex digits without 0x. */
function callVerifier(client: EvmClient, selector: Hex, words: readonly string[], bytes: string) {
  const head = [...words, (32 * words.length + 32).toString(16), (bytes.length / 2).toString(16)]
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  return callContract(client, {
    to: tempoContracts.signatureVerifier,
    data: `${selector}${head.map((one) => one.padStart(64, '0')).join('')}${padded}`,
  })
}

const recover = '0x19045a25' // recover(bytes32,bytes)

/**
 * Verifies an access key's signature as `checkTempoSignature` does, but with the chain's precompile in place of elliptic-curve code
 * (TIP-1020). Calls `recover` for the inner signature, because `verifyKeychain` exists only since T6 and ignores limits.
 */
export async function askAccessKey(
  client: EvmClient,
  options: { account: Address; digest: Hex; signature: Hex },
): Promise<TempoSignatureCheck> {
  const { account, digest } = options
  const signature = readSignature(options.signature)
  if ('valid' in signature) return signature
  if (signature.type !== 'keychain')
    return refusal('MALFORMED_SIGNATURE', 'The signature is not by an access key.')
  if (signature.account !== account) return wrongAccount(signature.account, account)
  const inner = options.signature.slice(2 + 2 * 21)
  const answer = await callVerifier(client, recover, [keychainDigest({ digest, account }).slice(2)], inner)
  if (answer?.length !== 66) return refusal('BAD_SIGNATURE', 'The access key did not sign this digest.')
  const keyId = checkAddress(`0x${answer.slice(26)}`, 'signature')
  return judgeAccessKey(client, { account, keyId, kind: signature.inner.type })
}
