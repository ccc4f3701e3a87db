import { usdcDecimals } from '../amount/centsToAmount.ts'
import { evmNetworks } from '../evmNetworks.ts'
import type { Finding, InspectionKind } from '../finding/finding.ts'
import { permitMaximumSeconds } from '../limits.ts'
import type { InspectionLine, InspectionSentence, InspectionValue } from './inspection.ts'
import type { CommonSentenceKey, LabelKey, SentenceKey } from './inspectionTexts.ts'

export const sentence = (
  key: CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence => ({ key, values })

/** Returns a function that creates sentences for a chain. A sentence that only this chain has includes its English text. */
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

/** Joins sentences into one: `{first} {next}`. */
export const joinSentences = (
  first: InspectionSentence,
  others: Iterable<InspectionSentence>,
): InspectionSentence =>
  [...others].reduce(
    (effect, also) => sentence('effect.and', { effect: sentenceValue(effect), also: sentenceValue(also) }),
    first,
  )

export const line = (key: LabelKey, value: InspectionValue): InspectionLine => ({ key, value })

/** Returns an amount of credits or a price in dollars as a value of a sentence. */
export const dollarValue = (amount: bigint): InspectionValue => ({
  type: 'amount',
  amount,
  decimals: usdcDecimals,
  symbol: 'USD',
})

/** Returns an amount of USDC, or of a token whose decimals may be unknown, as a value of a sentence. */
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

/** Returns a chain by its chain id as a value of a sentence; `undefined` for a request that leaves the chain to the wallet. */
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

/** Returns the sentence for a permit, or a USDC part of a redeem, that is valid for longer than the maximum. */
export function tooLong(what: 'permit' | 'usdc', seconds: bigint): InspectionSentence {
  return sentence(seconds > century ? `${what}.endless` : `${what}.long`, {
    left: { type: 'duration', seconds: seconds + 59n }, // rounds up, so that the shown duration is longer than the maximum
    most: { type: 'duration', seconds: permitMaximumSeconds },
  })
}

/** An expiry that is more seconds away than this is shown as no expiry. */
export const century = 3_153_600_000n

/** Returns text as a value of a sentence. Untrusted text must already be quoted. */
export const textValue = (text: string): InspectionValue => ({ type: 'text', text })

export const kindValue = (kind: InspectionKind): InspectionValue => ({ type: 'kind', kind })

export const findingSentence = ({ code, message }: Finding): InspectionSentence =>
  sentence('finding', { finding: { type: 'finding', code, message } })

/** Returns the title and lines of a refused request: the first sentence is the title, the others are lines. */
export function refusal(sentences: readonly InspectionSentence[]): {
  title: InspectionSentence
  lines: InspectionLine[]
} {
  const [title = sentence('plain'), ...others] = sentences
  return { title, lines: others.map((other) => line('problem', sentenceValue(other))) }
}

export const dangersOf = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'danger')

/** Returns the title and lines of a request: its dangers, or its own sentence if there are no dangers. */
export function titleOf(findings: readonly Finding[], own: InspectionSentence) {
  const dangers = dangersOf(findings)
  return refusal(dangers.length > 0 ? dangers.map(findingSentence) : [own])
}

/** Formats unix seconds as a date: `2026-11-20 12:00:00 UTC`. */
export const utcText = (seconds: bigint) =>
  new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')

/** Unix seconds of the latest time that can be shown as a date. */
export const latestDate = 253_402_300_799n
