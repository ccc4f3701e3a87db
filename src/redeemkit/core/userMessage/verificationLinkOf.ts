import { BaseError } from '../errors/baseError.ts'
import { isSecureUrl, parseUrl } from '../parseUrl.ts'

/**
 * Returns the verification URL from a 451 response: the link that the message of `userMessage` refers to. Also searches the error's causes.
 *
 * The URL comes from the service: show its host, and open it with `rel="noopener noreferrer"`. Anyone holding it can act as the
 * user, so never log it.
 *
 * @returns an https or localhost URL; `undefined` for other errors and if the service sent none
 * @see PROTOCOL.md 7.2
 * @example
 * ```ts
 * import { userMessage, verificationLinkOf } from 'redeemkit'
 * const messageOf = (error: unknown) => ({ text: userMessage(error), href: verificationLinkOf(error) })
 * ```
 */
export function verificationLinkOf(error: unknown): string | undefined {
  const found = firstOfOurs(error)?.walk((one) => Object(one).name === 'VerificationRequiredError')
  const { verificationLink } = Object(found) as { verificationLink?: unknown } // checked next
  if (typeof verificationLink !== 'string') return undefined
  const url = parseUrl(verificationLink)
  return url !== undefined && isSecureUrl(url) ? verificationLink : undefined
}

/** Frameworks wrap thrown errors, so this also searches the causes. */
export function firstOfOurs(error: unknown): BaseError | undefined {
  try {
    let at = error
    for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
      if (at instanceof BaseError) return at
      at = at.cause
    }
  } catch {
    // Reading the error threw, so it is not a redeemkit error.
  }
  return undefined
}
