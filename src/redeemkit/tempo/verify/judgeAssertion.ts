import type { Hex } from 'viem'
import { showText } from '../../core/errors/showText.ts'
import { base64url } from '../signature/base64url.ts'
import { type ClientData, parseClientData } from '../signature/parseClientData.ts'
import type { TempoWebAuthnSignature } from '../signature/tempoSignature.ts'
import { refusal as no, type TempoSignatureRefusal } from './tempoSignatureCheck.ts'
import { checkFrame, checkRelyingParty, type WebAuthnExpectation } from './webAuthnExpectation.ts'

/**
 * Everything about a passkey's assertion that needs no curve: ceremony, challenge, origin, frame, relying party, flags.
 *
 * The chain looks at little of it, so it is looked at here also when the chain checks the signature itself.
 *
 * @returns `undefined` when nothing is wrong
 * @see WebAuthn L3, section 7.2, steps 11 to 19
 */
export function judgeAssertion(
  digest: Hex,
  signature: Pick<TempoWebAuthnSignature, 'authenticatorData' | 'clientDataJSON'>,
  expected: WebAuthnExpectation,
): TempoSignatureRefusal | undefined {
  const { authenticatorData } = signature
  let clientData: ClientData
  try {
    clientData = parseClientData(signature.clientDataJSON)
  } catch (error) {
    return no('MALFORMED_SIGNATURE', error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
  }
  const { challenge, origin, type } = clientData
  if (type !== 'webauthn.get')
    return no('WRONG_CEREMONY', `The passkey was used for ${showText(type, 40)}, not for webauthn.get.`)
  if (challenge !== base64url(digest))
    return no('WRONG_CHALLENGE', 'The passkey signed another challenge than this digest.')
  const frame = checkFrame(clientData, expected)
  if (frame !== undefined) return no('CROSS_ORIGIN', frame)
  const wrong = checkRelyingParty(`0x${authenticatorData.slice(2, 66)}`, origin, expected)
  if (wrong === 'WRONG_ORIGIN')
    return no(wrong, `The passkey was used on ${origin === undefined ? 'no page' : showText(origin, 80)}.`)
  if (wrong === 'WRONG_RP_ID') return no(wrong, 'The passkey belongs to another relying party id.')
  return judgeFlags(Number.parseInt(authenticatorData.slice(66, 68), 16), expected)
}

/** User present 0x01, user verified 0x04, backup eligible 0x08, backed up 0x10 (WebAuthn L3, section 6.1). */
function judgeFlags(flags: number, expected: WebAuthnExpectation): TempoSignatureRefusal | undefined {
  if ((flags & 0x01) === 0)
    return no('USER_NOT_PRESENT', 'The authenticator felt no user (flag UP is clear).')
  if (expected.userVerification === 'required' && (flags & 0x04) === 0)
    return no('USER_NOT_VERIFIED', 'The authenticator did not verify the user (flag UV is clear).')
  if ((flags & 0x18) === 0x10)
    return no(
      'WRONG_BACKUP_FLAGS',
      'The authenticator says that the passkey is backed up and that it cannot be (flag BS without BE).',
    )
  return undefined
}
