import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { tempoChainIds } from '../../core/evmNetworks.ts'
import { classifySignature } from '../../evm/signature/classifySignature.ts'
import type { SignatureScheme } from '../../evm/signature/signatureScheme.ts'
import { keychainDigest } from '../signature/tempoSignature.ts'
import { askSignatureVerifier } from './askSignatureVerifier.ts'
import { checkTempoSignature } from './checkTempoSignature.ts'
import { askAccessKey } from './getAccessKey.ts'
import { readSignature, type TempoSignatureRefusal } from './tempoSignatureCheck.ts'
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
