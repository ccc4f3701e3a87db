import { showReason } from '../core/errors/showValue.ts'
import { messageKey } from '../core/userMessage/messageKey.ts'
import type { UserMessageKey } from '../core/userMessage/userMessages.ts'
import { firstOfOurs } from '../core/userMessage/verificationLinkOf.ts'

/** Prints once for each message, in development only. The customer sees a general message; the text names the field and the fix. */
export function reportMistake(error: unknown): void {
  try {
    // Bundlers replace the condition, and remove the code in production. Without a bundler, `process` may be missing: nothing is printed.
    if (process.env.NODE_ENV !== 'production') print(error)
  } catch {
    // Reporting must not break the page.
  }
}

/** Customer messages that do not name the cause: a mistake in the page, the whitelist or the contract, or an outage. */
const hiding: ReadonlySet<UserMessageKey> = /* @__PURE__ */ new Set<UserMessageKey>([
  'page',
  'unknown',
  'PreparedMismatchError',
  'ServiceUnreachableError',
  'ServiceFailureError',
  'ChainReadError',
  'ForbiddenError',
  'NotWhitelistedError',
  'RedeemWouldFailError',
  // A rejection of a submitted permit. An outage after the click has another key.
  'OutcomeUnknownError',
])

const printed = /* @__PURE__ */ new Set<string>()

function print(error: unknown): void {
  if (error === null || error === undefined) return
  if (!hiding.has(messageKey(error, { isPayment: true }))) return
  const text = `redeemkit: ${firstOfOurs(error)?.message ?? showReason(String(error), 300)}`
  if (printed.has(text)) return
  printed.add(text)
  // biome-ignore lint/suspicious/noConsole: this is for the developer, who sees no other trace of it
  console.error(text)
}
