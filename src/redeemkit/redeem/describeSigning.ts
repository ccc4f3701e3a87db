import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { localeOf, usdText } from '../core/formatUsd.ts'
import type { InspectionLine } from '../core/inspection/inspection.ts'
import { addressValue, chainValue, line, purchaseLines, textValue } from '../core/inspection/values.ts'
import { shortAddress } from '../core/shortAddress.ts'
import { speak, type UserMessageKey, type UserMessages } from '../core/userMessage/userMessages.ts'
import { goodsLines } from '../evm/creditPermit/describeCreditPermit.ts'
import { quote } from '../evm/findingTexts.ts'
import { networkOf } from '../evm/networks.ts'
import { settlementOf, shapeOf } from '../evm/transactionData/settlementOf.ts'
import { checkRecord, sameHex } from '../evm/values.ts'
import { StoredRedeemError } from './errors.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'

/**
 * Describes what the customer is about to sign, with the fee, in the customer's language. Show it before the wallet opens (PROTOCOL.md
 * 7.7). Pass stored data through `checkPrepared` first. `signingLines` returns the same facts as separate lines, as a wallet shows them.
 *
 * @returns `text`, ready to show, and the amounts in it: `credits` and `usdc`, which pay the price; `fee`, the maximum network fee; and
 * `most`, their sum
 * @throws InvalidOptionError for an unknown option or locale; the errors of `prepareRedeem` for data that is not a prepared redeem
 * @example
 * ```ts
 * import { describeSigning, type PreparedRedeem } from 'redeemkit'
 * import { ptBr } from 'redeemkit/languages'
 * const text = (prepared: PreparedRedeem) => describeSigning(prepared, { messages: ptBr }).text
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
  const { request, chainId, intentBound } = prepared
  const [amount, usdcAmount, gasFee] = [
    amountOf(prepared, 'amount'),
    amountOf(prepared, 'usdcAmount'),
    amountOf(prepared, 'gasFee'),
  ]
  const settlement = settlementOf(request.transactionData)
  const values = {
    amount: usdText(amount, locale),
    credits: usdText(amount - usdcAmount, locale),
    usdc: usdText(usdcAmount, locale),
    fee: usdText(gasFee, locale),
    target: nameOf(settlement.target, names),
    network: networkOf({ chainId }).name,
  }
  const paidFrom = usdcAmount === 0n ? 'credits' : usdcAmount === amount ? 'usdc' : 'both'
  const keys: UserMessageKey[] = [
    `signing.${shapeOf(settlement).does}`,
    `signing.${paidFrom}`,
    ...(intentBound ? [] : ['signing.trust' as const]),
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
    /** Messages in the customer's language. Missing entries are English. Default English. */
    messages?: Partial<UserMessages> | undefined
    /**
     * Display names of addresses, such as `{ [yourContract]: 'Moonrise Prints' }`: your own names, or ENS names that you resolved
     * in both directions. The shortened address is appended.
     */
    names?: Readonly<Record<string, string>> | undefined
  }
  type ReturnType = {
    text: string
    credits: string
    usdc: string
    fee: string
    most: string
  }
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidOptionError
    | settlementOf.ErrorType
    | networkOf.ErrorType
    | StoredRedeemError
}

const optionKinds: OptionKinds<describeSigning.Options> = { messages: 'object?', names: 'object?' }

function nameOf(address: string, names: Names): string {
  const name = displayName(address, names)
  return name === undefined ? address : `${name} (${shortAddress(address)})`
}

type Names = Readonly<Record<string, unknown>> | undefined

export function displayName(address: string, names: Names = {}): string | undefined {
  const [, name] = Object.entries(names).find(([key]) => sameHex(key, address)) ?? []
  if (name === undefined) return undefined
  if (typeof name !== 'string' || !/^[^\p{C}]{1,64}$/u.test(name) || name.trim() === '')
    throw new InvalidOptionError(`The name of ${address} is ${showValue(name)}, which cannot be displayed.`, {
      field: 'names',
      fix: 'Pass text of 1 to 64 characters on one line.',
    })
  return name
}

export function amountOf(prepared: PreparedRedeem, key: 'amount' | 'usdcAmount' | 'gasFee'): bigint {
  const text: unknown = prepared[key]
  if (typeof text === 'string' && /^\d{1,78}$/.test(text)) return BigInt(text)
  throw new StoredRedeemError(`${key} of the prepared redeem is ${showValue(text)}, not decimal digits.`, {
    field: `prepared.${key}`,
    fix: 'Pass what prepareRedeem or checkPrepared returned.',
  })
}

/**
 * Returns what the customer is about to sign as labeled values. Keys and order are those that `inspect` gives a wallet for the same
 * redeem. `formatInspection` of `redeemkit/evm` renders them.
 *
 * @throws InvalidOptionError for an unknown option; the errors of `prepareRedeem` for data that is not a prepared redeem
 * @example
 * ```ts
 * import { type PreparedRedeem, signingLines } from 'redeemkit'
 * const labels = (prepared: PreparedRedeem) => signingLines(prepared).map(({ key }) => key)
 * ```
 */
export function signingLines(
  prepared: PreparedRedeem,
  options: signingLines.Options = {},
): readonly InspectionLine[] {
  const { names } = checkOptions(options, { names: 'object?' })
  checkRecord(prepared, 'prepared')
  checkRecord(prepared.request, 'prepared.request')
  const { purchaseId, request, chainId } = prepared
  const [amount, usdcAmount, fee] = [
    amountOf(prepared, 'amount'),
    amountOf(prepared, 'usdcAmount'),
    amountOf(prepared, 'gasFee'),
  ]
  const settlement = settlementOf(request.transactionData)
  const { creditsContract, creditSeed } = checkRecord(prepared.pinned, 'prepared.pinned')
  return [
    ...goodsLines({ purchaseId, settlement }, (address) => displayName(address, names)),
    ...purchaseLines({ amount, usdcAmount, fee }),
    ...(typeof creditSeed === 'string' ? [line('balance', textValue(quote(creditSeed)))] : []),
    ...(typeof creditsContract === 'string' ? [line('contract', addressValue(creditsContract))] : []),
    line('chain', chainValue(chainId)),
  ]
}

export declare namespace signingLines {
  type Options = Pick<describeSigning.Options, 'names'>
  type ErrorType = checkOptions.ErrorType | settlementOf.ErrorType | InvalidOptionError | StoredRedeemError
}
