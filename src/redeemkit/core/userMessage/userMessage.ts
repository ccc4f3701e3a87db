import { checkOptions, type OptionKinds } from '../checkOptions.ts'
import type { InvalidOptionError } from '../errors/inputErrors.ts'
import { localeOf, usdText } from '../formatUsd.ts'
import { shortAddress } from '../shortAddress.ts'
import { messageKey } from './messageKey.ts'
import { speak, type UserMessages } from './userMessages.ts'
import { firstOfOurs } from './verificationLinkOf.ts'

/**
 * Returns the user message of an error: one or two sentences that a page can show unchanged, next to the `message` for
 * developers.
 *
 * Always correct about money (PROTOCOL.md 7.7): it says `You have not been charged.` only if that is certain, and `Please don't
 * pay again.` while the outcome is open. Accepts any thrown value: errors of redeemkit, of wallets (EIP-1193, viem, wagmi,
 * ethers), of the page, and wrapped ones.
 *
 * @throws {@link InvalidOptionError} for an unknown option or an invalid `locale`; never for the error
 * @example
 * ```ts
 * import { userMessage } from 'redeemkit'
 * userMessage({ code: 4001, message: 'User rejected the request.' })
 * // 'You rejected the request in your wallet. You have not been charged.'
 * ```
 */
export function userMessage(error: unknown, options: userMessage.Options = {}): string {
  const { messages = {}, network, about = 'payment' } = checkOptions(options, optionKinds)
  const locale = localeOf(messages)
  const key = messageKey(error, { isPayment: about !== 'other' })
  // values come only from redeemkit errors, never from other errors
  const ours = firstOfOurs(error)
  const amounts = Object({ ...firstOfOurs(ours?.cause), ...ours }) as Amounts
  const { paidBy, retryAfterMs, validBefore } = amounts
  const values: Record<string, string> = {
    ...(typeof paidBy === 'string' && { paidBy: shortAddress(paidBy) }),
    ...(typeof retryAfterMs === 'number' && { wait: waitText(retryAfterMs, locale) }),
    ...(typeof validBefore === 'string' && { until: untilText(validBefore, locale) }),
    ...(network !== undefined && { network }),
  }
  for (const name of ['have', 'need', 'paid', 'expected'] as const) {
    const amount = amounts[name]
    if (typeof amount === 'bigint') values[name] = usdText(amount, locale)
  }
  const named = key === 'WrongNetworkError' && network !== undefined
  return speak(messages, named ? 'WrongNetworkError.named' : key, values)
}

export declare namespace userMessage {
  type Options = {
    /** The messages of a language; missing ones are English. Default English. */
    messages?: Partial<UserMessages> | undefined
    /** Display name of the required network: `Base`. */
    network?: string | undefined
    /** If the user rejects a sign-in, a cancellation or a network switch, pass `other`: no payment was involved. Default `payment`. */
    about?: 'payment' | 'other' | undefined
  }
  type ErrorType = InvalidOptionError
}

const optionKinds: OptionKinds<userMessage.Options> = {
  messages: 'object?',
  network: 'string?',
  about: 'string?',
}

type Amounts = Partial<
  Record<'have' | 'need' | 'paid' | 'paidBy' | 'expected' | 'retryAfterMs' | 'validBefore', unknown>
>

/** Rounds the expiry of a permit (unix seconds) up to the next minute: `3:05 PM`, with the date if it is on another day. */
function untilText(validBefore: string, locale: string): string {
  const end = new Date(Number(validBefore) * 1000 + 60_000)
  const isToday = end.toDateString() === new Date().toDateString()
  return end.toLocaleString(locale, { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) })
}

/** Rounds up: `30 seconds`, `2 minutes`. */
function waitText(ms: number, locale: string): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  const [count, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5400
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
