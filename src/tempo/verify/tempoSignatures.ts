import { tempoChainIds } from '../../evm/networks.ts'
import type { SignatureScheme } from '../../evm/signature/signatureScheme.ts'
import { checkKeys } from '../../evm/values/checkKeys.ts'
import { askAccessKey } from './askAccessKey.ts'
import { askSignatureVerifier } from './askSignatureVerifier.ts'
import { checkTempoSignature } from './checkTempoSignature.ts'
import { checkWebAuthnExpectation } from './checkWebAuthnExpectation.ts'
import type { WebAuthnExpectation } from './webAuthnExpectation.ts'

/**
 * Lets the functions of `redeemkit/evm`, which know plain keys and contract accounts only, tell Tempo's signatures too:
 * P-256, passkeys and access keys. The signers of `redeemkit/tempo` carry it; give it where a signature or a wallet of
 * another make is judged.
 *
 * @param options.webAuthn what passkeys are held against; without it, a chain asked by `verifyOnChain` looks at neither
 * domain nor page
 * @throws InvalidOptionError, UnknownFieldError, InvalidRecordError
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
  checkKeys(options, 'options', { required: [], optional: ['webAuthn'] })
  const webAuthn = options.webAuthn && checkWebAuthnExpectation(options.webAuthn)
  return Object.freeze({
    chainIds: tempoChainIds,
    verify: async (question) => (await checkTempoSignature({ ...question, webAuthn })).valid,
    verifyOnChain: async (client, question) => {
      if (webAuthn !== undefined)
        return withReason(await checkTempoSignature({ ...question, client, webAuthn }))
      if (question.signature.startsWith('0x04') && question.signature.length !== 132)
        return withReason(await askAccessKey(client, question))
      return { valid: (await askSignatureVerifier(client, question)) === true }
    },
  } satisfies SignatureScheme)
}

export declare namespace tempoSignatures {
  type Options = {
    /** For passkeys: the relying party and pages that their signature is held against. */
    webAuthn?: WebAuthnExpectation | undefined
  }
  type ReturnType = SignatureScheme
  type ErrorType = checkWebAuthnExpectation.ErrorType
}

function withReason(check: Awaited<ReturnType<typeof checkTempoSignature>>): {
  valid: boolean
  message?: string
} {
  return check.valid ? { valid: true } : { valid: false, message: check.message }
}
