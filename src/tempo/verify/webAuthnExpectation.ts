import type { Hex } from 'viem'
import { sha256, stringToHex } from 'viem'
import type { ClientData } from '../envelope/parseClientData.ts'

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

/** The host and its parent domains of at least two labels: the ids that a page there may use (WebAuthn L2, 5.1.4.1). */
function idsOf(host: string): readonly string[] {
  const labels = host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return host.endsWith('.localhost') ? [host, ...parents, 'localhost'] : [host, ...parents]
}
