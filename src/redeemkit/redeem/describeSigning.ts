import { usdText } from '../core/amount/formatUsd.ts'
import { localeOf } from '../core/amount/localeOf.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { shortAddress } from '../core/shortAddress.ts'
import { speak } from '../core/userMessage/speak.ts'
import type { UserMessageKey, UserMessages } from '../core/userMessage/userMessages.ts'
import { networkOf } from '../evm/networks.ts'
import { settlementKindOf, settlementOf, settlementShapes } from '../evm/transactionData/settlementOf.ts'
import { checkRecord } from '../evm/values.ts'
import { StoredRedeemError } from './errors.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'

/**
 * What a person is about to sign, in words of their language, with the fee: to be shown before the wallet is asked
 * (PROTOCOL.md 7.7).
 *
 * Says what `prepared` says. Of stored data that is yours to show only when `checkPrepared` has returned.
 *
 * @returns `text`, sentences that a page can show as they are, and what they are made of, each as it is shown: `credits` and `usdc`
 * that pay the price, `fee`, the most that is taken from the credits for the network, and `most`, all three together
 * @throws `InvalidOptionError` for an option that does not exist and a locale that is none, and the errors of `prepareRedeem` for
 * data that is no prepared redeem
 * @example
 * ```ts
 * import { describeSigning, type PreparedRedeem } from 'redeemkit'
 * import { ptBr } from 'redeemkit/languages'
 * const words = (prepared: PreparedRedeem) => describeSigning(prepared, { messages: ptBr }).text
 * ```
 */
export function describeSigning(
  prepared: PreparedRedeem,
  options: describeSigning.Options = {},
): describeSigning.ReturnType {
  const { messages = {}, names } = checkOptions(options, optionKinds)
  const locale = localeOf(messages)
  checkRecord(prepared, 'prepared')
  checkRecord(prepared.request, 'prepared.request')
  const { request, chainId, bound } = prepared
  const [amount, usdcAmount, gasFee] = [
    amountOf(prepared, 'amount'),
    amountOf(prepared, 'usdcAmount'),
    amountOf(prepared, 'gasFee'),
  ]
  const { kind, target } = settlementOf(request.transactionData)
  const values = {
    amount: usdText(amount, locale),
    credits: usdText(amount - usdcAmount, locale),
    usdc: usdText(usdcAmount, locale),
    fee: usdText(gasFee, locale),
    target: nameOf(target, names),
    network: networkOf({ chainId }).name,
  }
  const paidFrom = usdcAmount === 0n ? 'credits' : usdcAmount === amount ? 'usdc' : 'both'
  const keys: UserMessageKey[] = [
    `signing.${settlementShapes[settlementKindOf(kind)].does}`,
    `signing.${paidFrom}`,
    ...(bound ? [] : ['signing.trust' as const]),
  ]
  const { credits, usdc, fee } = values
  return {
    text: keys.map((key) => speak(messages, key, values)).join(' '),
    credits,
    usdc,
    fee,
    most: usdText(amount + gasFee, locale),
  }
}

export declare namespace describeSigning {
  type Options = {
    /** The language: the whole catalogue of one, or a part, of which the rest is English. Default English. */
    messages?: Partial<UserMessages> | undefined
    /**
     * What people know an address by, such as `{ [yourContract]: 'Moonrise Prints' }`: your own words, or a name that you have
     * looked up forth and back (ENS). The beginning and end of the address stand behind it.
     */
    names?: Readonly<Record<string, string>> | undefined
  }
  type ReturnType = { text: string; credits: string; usdc: string; fee: string; most: string }
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidOptionError
    | settlementOf.ErrorType
    | networkOf.ErrorType
    | StoredRedeemError
}

const optionKinds: OptionKinds<describeSigning.Options> = { messages: 'object?', names: 'object?' }

/** The address, or its name with as much of it as tells two of one name apart. An address is one in any case of its letters. */
function nameOf(address: string, names: Readonly<Record<string, unknown>> = {}): string {
  const [, name] = Object.entries(names).find(([key]) => key.toLowerCase() === address.toLowerCase()) ?? []
  if (name === undefined) return address
  if (typeof name !== 'string' || !/^[^\p{C}]{1,64}$/u.test(name) || name.trim() === '')
    throw new InvalidOptionError(`${showValue(name)} is no name of ${address}.`, {
      field: 'names',
      fix: 'Give text of 1 to 64 characters on one line.',
    })
  return `${name} (${shortAddress(address)})`
}

/** Raw units that a prepared redeem has as decimal text. */
function amountOf(prepared: PreparedRedeem, key: 'amount' | 'usdcAmount' | 'gasFee'): bigint {
  const text: unknown = prepared[key]
  if (typeof text === 'string' && /^\d{1,78}$/.test(text)) return BigInt(text)
  throw new StoredRedeemError(`${key} of the prepared redeem is ${showValue(text)}.`, {
    field: `prepared.${key}`,
    fix: 'Pass what prepareRedeem or checkPrepared returned.',
  })
}
