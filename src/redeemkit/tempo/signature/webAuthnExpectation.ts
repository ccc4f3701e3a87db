import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showText, showValue } from '../../core/errors/showValue.ts'
import { parseUrl } from '../../core/parseUrl.ts'
import { sha256, stringToHex } from '../../evm/viem.ts'
import { base64url, type ClientData, parseClientData } from './clientData.ts'
import type { TempoWebAuthnSignature } from './tempoSignature.ts'
import { refusal, type TempoSignatureRefusal, unreadable } from './tempoSignatureCheck.ts'

/**
 * The conditions for a passkey's signature, besides the digest and account that the chain checks. Without these conditions, a page on
 * another domain could collect valid signatures. Pass the domain if you know it.
 */
export type WebAuthnExpectation = {
  /** The relying party id, e.g. `shop.example`. If absent, the id must be the origin's domain or a parent domain, as browsers require. */
  rpId?: string | undefined
  /**
   * Origins that may have requested the signature, e.g. `https://shop.example`. If absent, any secure origin that matches the id is
   * accepted.
   */
  origins?: readonly string[] | undefined
  /** With `required`, the authenticator must have verified the user (flag UV), not only detected a user (flag UP). Default `preferred`. */
  userVerification?: 'required' | 'preferred' | undefined
  /** Whether to accept a signature from a page in a cross-origin frame. Default `refuse`. */
  crossOrigin?: 'refuse' | 'accept' | undefined
  /**
   * Origins of pages that may embed the requesting page in a frame. Other frames are refused. If the browser does not report the embedding
   * page (Safari, as of May 2026), the signature is accepted only with `crossOrigin: 'accept'`.
   */
  topOrigins?: readonly string[] | undefined
}

/** Returns the code of the mismatch, if the assertion is not for the expected relying party and page. */
function checkRelyingParty(
  rpIdHash: Hex,
  origin: ClientData['origin'],
  expected: WebAuthnExpectation,
): 'WRONG_ORIGIN' | 'WRONG_RP_ID' | undefined {
  const { origins, rpId } = expected
  if (origin === undefined || (origins !== undefined && !origins.includes(origin))) return 'WRONG_ORIGIN'
  if (rpId !== undefined) {
    if (sha256(stringToHex(rpId)) !== rpIdHash) return 'WRONG_RP_ID'
    if (origins !== undefined) return undefined // if both are given, they need not match: related origins and native apps may be listed
  }
  const host = secureHost(origin)
  if (host === undefined) return 'WRONG_ORIGIN'
  if (rpId !== undefined) return host === rpId || host.endsWith(`.${rpId}`) ? undefined : 'WRONG_ORIGIN'
  return idsOf(host).some((id) => sha256(stringToHex(id)) === rpIdHash) ? undefined : 'WRONG_RP_ID'
}

/** Returns why a cross-origin frame is not allowed: the embedding page could have covered it (WebAuthn L3, section 7.2). */
function checkFrame(
  { crossOrigin, topOrigin }: Pick<ClientData, 'crossOrigin' | 'topOrigin'>,
  expected: WebAuthnExpectation,
): string | undefined {
  if (!crossOrigin)
    return topOrigin === undefined
      ? undefined
      : 'The client data names an embedding page, but says that the requesting page is not embedded.'
  const { topOrigins } = expected
  const around = topOrigin === undefined ? 'a page that the browser did not report' : showText(topOrigin, 80)
  const allowed =
    topOrigins === undefined || topOrigin === undefined
      ? expected.crossOrigin === 'accept'
      : expected.crossOrigin !== 'refuse' && topOrigins.includes(topOrigin)
  return allowed ? undefined : `The passkey was used in a cross-origin frame, on ${around}.`
}

/** Returns the host of an origin on which browsers allow passkeys; `undefined` for any other origin. */
function secureHost(origin: string): string | undefined {
  const url = parseUrl(origin)
  if (url?.origin !== origin) return undefined
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
  return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url.hostname : undefined
}

/** Returns the relying party ids that a page may use (WebAuthn L3, 5.1.4.1): its host, and parent domains of at least two labels. */
function idsOf(host: string): readonly string[] {
  const labels = host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return host.endsWith('.localhost') ? [host, ...parents, 'localhost'] : [host, ...parents]
}

const choices = { userVerification: ['required', 'preferred'], crossOrigin: ['refuse', 'accept'] } as const

/** Refuses an unknown option, because ignoring it would weaken the check. */
export function checkWebAuthnExpectation(
  value: WebAuthnExpectation | undefined,
  field = 'webAuthn',
): WebAuthnExpectation {
  if (value === undefined) return {}
  checkOptions(
    value,
    { rpId: 'any', origins: 'any', userVerification: 'any', crossOrigin: 'any', topOrigins: 'any' },
    field,
  )
  const { rpId } = value
  if (rpId !== undefined && (typeof rpId !== 'string' || rpId === ''))
    throw invalid(`${field}.rpId`, rpId, 'Pass the domain of the passkey, such as "shop.example".')
  for (const name of ['origins', 'topOrigins'] as const) {
    const list: unknown = value[name]
    if (list !== undefined && !(Array.isArray(list) && list.every((one) => typeof one === 'string')))
      throw invalid(`${field}.${name}`, list, 'Pass a list, such as ["https://shop.example"].')
  }
  for (const name of ['userVerification', 'crossOrigin'] as const) {
    const [one, other] = choices[name]
    const word: unknown = value[name]
    if (word !== undefined && word !== one && word !== other)
      throw invalid(`${field}.${name}`, word, `Pass "${one}" or "${other}".`)
  }
  return value
}

function invalid(field: string, value: unknown, fix: string): InvalidOptionError {
  return new InvalidOptionError(`A passkey cannot be checked against ${showValue(value)}.`, {
    field,
    fix,
    source: 'WebAuthn L3, section 7.2',
  })
}

/**
 * Checks type, challenge, origin, frame, relying party and flags of a passkey's assertion, but not the signature itself (WebAuthn L3,
 * section 7.2, steps 11 to 19). This runs even if the chain verifies the signature, because the chain checks few of these values.
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
    return unreadable(error)
  }
  const { challenge, origin, type } = clientData
  if (type !== 'webauthn.get')
    return refusal('WRONG_CEREMONY', `The passkey was used for ${showText(type, 40)}, not for webauthn.get.`)
  if (challenge !== base64url(digest))
    return refusal('WRONG_CHALLENGE', 'The challenge that the passkey signed is not this digest.')
  const frame = checkFrame(clientData, expected)
  if (frame !== undefined) return refusal('CROSS_ORIGIN', frame)
  const wrong = checkRelyingParty(`0x${authenticatorData.slice(2, 66)}`, origin, expected)
  if (wrong === 'WRONG_ORIGIN')
    return refusal(
      wrong,
      origin === undefined
        ? 'The passkey reported no origin.'
        : `The passkey was used on ${showText(origin, 80)}, which is not expected.`,
    )
  if (wrong === 'WRONG_RP_ID') return refusal(wrong, 'The passkey belongs to another relying party.')
  return judgeFlags(Number.parseInt(authenticatorData.slice(66, 68), 16), expected)
}

/** Checks the flags: user present 0x01, user verified 0x04, backup eligible 0x08, backed up 0x10 (WebAuthn L3, section 6.1). */
function judgeFlags(flags: number, expected: WebAuthnExpectation): TempoSignatureRefusal | undefined {
  if ((flags & 0x01) === 0)
    return refusal('USER_NOT_PRESENT', 'The authenticator did not detect a user (flag UP is clear).')
  if (expected.userVerification === 'required' && (flags & 0x04) === 0)
    return refusal('USER_NOT_VERIFIED', 'The authenticator did not verify the user (flag UV is clear).')
  if ((flags & 0x18) === 0x10)
    return refusal(
      'WRONG_BACKUP_FLAGS',
      'The authenticator reports a backed-up passkey that is not eligible for backup (flag BS without BE).',
    )
  return undefined
}
