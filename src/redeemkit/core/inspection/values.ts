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

/** Makes the sentences of a chain. Those that only this chain has carry their English text. */
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

export const line = (key: LabelKey, value: InspectionValue): InspectionLine => ({ key, value })

/** Dollars of credits or of a price. */
export const dollarValue = (amount: bigint): InspectionValue => ({
  type: 'amount',
  amount,
  decimals: usdcDecimals,
  symbol: 'USD',
})

/** An amount of USDC, or of a token whose decimals may be unknown. */
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

/** A chain of EIP-155; `undefined` for a request that leaves it to the wallet. */
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

/** States how long a permit, or the USDC part of a redeem, is valid, and the maximum. */
export function tooLong(what: 'permit' | 'usdc', seconds: bigint): InspectionSentence {
  return sentence(seconds > century ? `${what}.endless` : `${what}.long`, {
    left: { type: 'duration', seconds: seconds + 59n }, // rounded up: it is more than the maximum
    most: { type: 'duration', seconds: permitMaximumSeconds },
  })
}

/** Expiries further away than this, in seconds, are shown as no expiry. */
export const century = 3_153_600_000n

/** Text that is ready to show. */
export const textValue = (text: string): InspectionValue => ({ type: 'text', text })

export const kindValue = (kind: InspectionKind): InspectionValue => ({ type: 'kind', kind })

export const findingSentence = ({ code, message }: Finding): InspectionSentence =>
  sentence('finding', { finding: { type: 'finding', code, message } })

/** The title of a refused request, and its lines: the first of the sentences is the title, each other one a line. */
export function refusal(sentences: readonly InspectionSentence[]): {
  title: InspectionSentence
  lines: InspectionLine[]
} {
  const [title = sentence('plain'), ...others] = sentences
  return { title, lines: others.map((other) => line('problem', sentenceValue(other))) }
}

export const dangersOf = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'danger')

/** Title and lines of a request: its dangers, or its own sentence. */
export function titleOf(findings: readonly Finding[], own: InspectionSentence) {
  const dangers = dangersOf(findings)
  return refusal(dangers.length > 0 ? dangers.map(findingSentence) : [own])
}

/** The latest time that a date can be written for, in unix seconds. */
export const latestDate = 253_402_300_799n
