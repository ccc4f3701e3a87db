import { localeOf, usdText } from '../amount/formatUsd.ts'
import { checkOptions, type OptionKinds } from '../checkOptions.ts'
import type { InvalidOptionError } from '../errors/inputErrors.ts'
import { firstOfOurs } from './firstOfOurs.ts'
import { messageKey } from './messageKey.ts'
import { speak, type UserMessages } from './userMessages.ts'

/**
 * What a person is told about an error: a sentence or two in the second person that a page can show as it is, beside the
 * `message` for developers.
 *
 * Always right about money (PROTOCOL.md 7.7): `Nothing was paid.` stands only where that is certain, and where the outcome is
 * open it says not to pay again. Takes whatever was thrown: errors of redeemkit, of wallets (EIP-1193, viem, wagmi, ethers), of
 * the page itself, and what frameworks wrap around them.
 *
 * @throws {@link InvalidOptionError} for an option that does not exist, and for a `locale` that is none; never for the error
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
  // Of errors that are not ours nothing is filled in: what they carry is theirs.
  const ours = firstOfOurs(error)
  const amounts = Object({ ...firstOfOurs(ours?.cause), ...ours }) as Amounts
  const { have, need, paid, expected, retryAfterMs } = amounts
  const values = {
    ...(typeof have === 'bigint' && { have: usdText(have, locale) }),
    ...(typeof need === 'bigint' && { need: usdText(need, locale) }),
    ...(typeof paid === 'bigint' && { paid: usdText(paid, locale) }),
    ...(typeof expected === 'bigint' && { expected: usdText(expected, locale) }),
    ...(typeof retryAfterMs === 'number' && { wait: waitText(retryAfterMs, locale) }),
    ...(network !== undefined && { network }),
  }
  const named = key === 'WrongNetworkError' && network !== undefined
  return speak(messages, named ? 'WrongNetworkError.named' : key, values)
}

export declare namespace userMessage {
  type Options = {
    /** The language: the whole catalogue of one, or a part, of which the rest is English. Default English. */
    messages?: Partial<UserMessages> | undefined
    /** Name of the network that the wallet has to be on, for people: `Base`. */
    network?: string | undefined
    /**
     * What the wallet was asked for. A no to a sign-in, to a cancellation or to a change of the network says nothing about a
     * payment: say `other` there. Default `payment`.
     */
    about?: 'payment' | 'other' | undefined
  }
  type ErrorType = InvalidOptionError
}

const optionKinds: OptionKinds<userMessage.Options> = {
  messages: 'object?',
  network: 'string?',
  about: 'string?',
}

/** What the sentences with numbers are filled with, each as its class has it. */
type Amounts = { have?: unknown; need?: unknown; paid?: unknown; expected?: unknown; retryAfterMs?: unknown }

/** So long, in words and rounded up: `30 seconds`, `2 minutes`. */
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
