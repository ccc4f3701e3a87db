import type { Hex } from 'viem'
import { showText } from '../../core/errors/showText.ts'
import { sha256, stringToHex } from '../../evm/viem.ts'
import type { ClientData } from '../signature/parseClientData.ts'

/**
 * What a passkey's signature is held against, besides digest and account. The chain looks at none of it, so a page on
 * another domain could collect signatures that the chain takes: whoever knows the domain should name it.
 */
export type WebAuthnExpectation = {
  /** The relying party's id, e.g. `shop.example`. Without it, the id must fit the origin, as browsers see to. */
  rpId?: string | undefined
  /** Origins that may have asked for the signature, e.g. `https://shop.example`. Without it, any secure one that fits the id. */
  origins?: readonly string[] | undefined
  /** `required`: the authenticator must have verified the user (flag UV), not only felt a touch. Default `preferred`. */
  userVerification?: 'required' | 'preferred' | undefined
  /** Whether the page may have stood in a frame of another origin. Default `refuse`. */
  crossOrigin?: 'refuse' | 'accept' | undefined
  /**
   * Origins of pages that may frame the one that asks; naming them accepts those frames, and no others. A browser that does
   * not tell the page around (Safari, as of May 2026) is taken only with `crossOrigin: 'accept'` beside it.
   */
  topOrigins?: readonly string[] | undefined
}

/**
 * Whether an assertion was made for the relying party and page that were expected.
 *
 * @returns `undefined` when it was, else which of the two is wrong
 */
export function checkRelyingParty(
  rpIdHash: Hex,
  origin: ClientData['origin'],
  expected: WebAuthnExpectation,
): 'WRONG_ORIGIN' | 'WRONG_RP_ID' | undefined {
  const { origins, rpId } = expected
  if (origin === undefined || (origins !== undefined && !origins.includes(origin))) return 'WRONG_ORIGIN'
  if (rpId !== undefined) {
    if (sha256(stringToHex(rpId)) !== rpIdHash) return 'WRONG_RP_ID'
    if (origins !== undefined) return undefined // both are named: related origins and native apps included
  }
  const host = secureHost(origin)
  if (host === undefined) return 'WRONG_ORIGIN'
  if (rpId !== undefined) return host === rpId || host.endsWith(`.${rpId}`) ? undefined : 'WRONG_ORIGIN'
  return idsOf(host).some((id) => sha256(stringToHex(id)) === rpIdHash) ? undefined : 'WRONG_RP_ID'
}

/**
 * Whether a passkey was used in a frame of another origin that nobody allowed (WebAuthn L3, section 7.2): the page around it
 * could have laid anything over what the user saw.
 *
 * @returns `undefined` when it was not, else the reason
 */
export function checkFrame(
  { crossOrigin, topOrigin }: Pick<ClientData, 'crossOrigin' | 'topOrigin'>,
  expected: WebAuthnExpectation,
): string | undefined {
  if (!crossOrigin)
    return topOrigin === undefined
      ? undefined
      : 'The client data names a page around, and says that there is none.'
  const { topOrigins } = expected
  const around = topOrigin === undefined ? 'a page that the browser does not name' : showText(topOrigin, 80)
  const allowed =
    topOrigins === undefined || topOrigin === undefined
      ? expected.crossOrigin === 'accept'
      : expected.crossOrigin !== 'refuse' && topOrigins.includes(topOrigin)
  return allowed ? undefined : `The passkey was used in a frame of another origin, on ${around}.`
}

/** The host of an origin on which a browser offers passkeys at all. */
function secureHost(origin: string): string | undefined {
  let url: URL
  try {
    url = new URL(origin)
  } catch {
    return undefined
  }
  if (url.origin !== origin) return undefined
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
  return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url.hostname : undefined
}

/** The host and its parent domains of at least two labels: the ids that a page there may use (WebAuthn L3, section 5.1.4.1). */
function idsOf(host: string): readonly string[] {
  const labels = host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return host.endsWith('.localhost') ? [host, ...parents, 'localhost'] : [host, ...parents]
}
