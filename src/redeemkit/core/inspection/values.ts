import { usdcDecimals } from '../amount.ts'
import { evmNetworks } from '../evmNetworks.ts'
import type { Finding, InspectionKind } from '../finding/finding.ts'
import { permitMaximumSeconds } from '../limits.ts'
import type { InspectionLine, InspectionSentence, InspectionValue } from './inspection.ts'
import type { CommonSentenceKey, LabelKey, SentenceKey } from './inspectionTexts.ts'

export const sentence = (
  key: CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence => ({ key, values })

/** Returns a function that creates the sentences of a chain. A sentence that only this chain has includes its English text. */
export const sentencesOf =
  <texts extends Partial<Record<SentenceKey, string>>>(texts: texts) =>
  (
    key: Extract<keyof texts, SentenceKey> | CommonSentenceKey,
    values: Readonly<Record<string, InspectionValue>> = {},
  ): InspectionSentence => ({ key, values, english: texts[key] })

export const sentenceValue = (said: InspectionSentence): InspectionValue => ({
  type: 'sentence',
  sentence: said,
})

export const joinSentences = (
  first: InspectionSentence,
  others: Iterable<InspectionSentence>,
): InspectionSentence =>
  [...others].reduce(
    (effect, also) => sentence('effect.and', { effect: sentenceValue(effect), also: sentenceValue(also) }),
    first,
  )

export const line = (key: LabelKey, value: InspectionValue): InspectionLine => ({ key, value })

export const fieldLine = (field: string, value: InspectionValue): InspectionLine => ({
  ...line('field', value),
  field,
})

export const dollarValue = (amount: bigint): InspectionValue => ({
  type: 'amount',
  amount,
  decimals: usdcDecimals,
  symbol: 'USD',
})

/** USDC, or a token whose decimals may be unknown. */
export const tokenValue = (
  amount: bigint | 'unlimited',
  of: 'USDC' | { token: string; decimals?: number; symbol?: string | undefined },
): InspectionValue =>
  of === 'USDC'
    ? { type: 'amount', amount, decimals: usdcDecimals, symbol: 'USDC' }
    : { type: 'amount', amount, decimals: undefined, symbol: undefined, ...of }

export const addressValue = (address: string, name?: string): InspectionValue => ({
  type: 'address',
  address,
  name,
})

/** `undefined` for a request that leaves the chain to the wallet. */
export const chainValue = (chainId: number | undefined): InspectionValue => ({
  type: 'chain',
  chainId,
  name: evmNetworks.find((network) => network.chainId === chainId)?.name,
})

export const timeValue = (seconds: bigint | undefined, now: bigint): InspectionValue => ({
  type: 'time',
  seconds,
  now,
})

/** The sentence for a permit, or a USDC part of a redeem, that is valid for longer than the maximum. */
export function tooLong(what: 'permit' | 'usdc', seconds: bigint): InspectionSentence {
  return sentence(seconds > century ? `${what}.endless` : `${what}.long`, {
    left: { type: 'duration', seconds: seconds + 59n }, // rounds up, so that the shown duration exceeds the maximum
    most: { type: 'duration', seconds: permitMaximumSeconds },
  })
}

/** In seconds. An expiry further away is shown as no expiry. */
export const century = 3_153_600_000n

/** Untrusted text must already be quoted. */
export const textValue = (text: string): InspectionValue => ({ type: 'text', text })

export const kindValue = (kind: InspectionKind): InspectionValue => ({ type: 'kind', kind })

export const findingSentence = ({ code, message }: Finding): InspectionSentence =>
  sentence('finding', { finding: { type: 'finding', code, message } })

/** The first sentence is the title, the others are lines. */
export function refusal(sentences: readonly InspectionSentence[]): {
  title: InspectionSentence
  lines: InspectionLine[]
} {
  const [title = sentence('plain'), ...others] = sentences
  return { title, lines: others.map((other) => line('problem', sentenceValue(other))) }
}

export const dangersOf = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'danger')

/** Dangers replace the request's own sentence. */
export function titleOf(findings: readonly Finding[], own: InspectionSentence) {
  const dangers = dangersOf(findings)
  return refusal(dangers.length > 0 ? dangers.map(findingSentence) : [own])
}

/** `2026-11-20 12:00:00 UTC` */
export const utcText = (seconds: bigint) =>
  new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')

/** Unix seconds of the latest time that can be shown as a date. */
export const latestDate = 253_402_300_799n

/** The price of a purchase and how it is paid. Amounts are raw units of a 6-decimal dollar token. */
export function purchaseLines({
  amount,
  usdcAmount,
  fee,
}: {
  amount: bigint
  usdcAmount: bigint
  fee: bigint
}): InspectionLine[] {
  const credits = amount - usdcAmount
  return [
    line('price', dollarValue(amount)),
    ...(credits === 0n ? [] : [line('credits', dollarValue(credits))]),
    ...(usdcAmount === 0n ? [] : [line('usdc', dollarValue(usdcAmount))]),
    line('fee', dollarValue(fee)),
  ]
}
