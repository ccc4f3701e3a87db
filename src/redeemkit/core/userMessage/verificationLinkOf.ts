import { isSecureUrl } from '../isSecureUrl.ts'
import { firstOfOurs } from './firstOfOurs.ts'

/**
 * Where a person has to go to be verified before they can go on (the service's 451): what the `link` is of which `userMessage` then speaks.
 * Found in whatever was thrown, also beneath an error of a payment that waits for it.
 *
 * It is the service's word: show its host, and open it with `rel="noopener noreferrer"`. Whoever has it acts as the person, so it belongs
 * into no log.
 *
 * @returns an https address, or one of this machine; `undefined` for every other error, and where the service named none
 * @see PROTOCOL.md 7.2
 * @example
 * ```ts
 * import { userMessage, verificationLinkOf } from 'redeemkit'
 * const tell = (error: unknown) => ({ text: userMessage(error), href: verificationLinkOf(error) })
 * ```
 */
export function verificationLinkOf(error: unknown): string | undefined {
  const found = firstOfOurs(error)?.walk((one) => Object(one).name === 'VerificationRequiredError')
  const { verificationLink } = Object(found) as { verificationLink?: unknown } // looked at next
  if (typeof verificationLink !== 'string' || !URL.canParse(verificationLink)) return undefined
  return isSecureUrl(new URL(verificationLink)) ? verificationLink : undefined
}
