import type { Finding, Grant, Move } from '../finding/finding.ts'
import type { InspectionLine, InspectionSentence } from './inspection.ts'
import {
  dangersOf,
  findingSentence,
  joinSentences,
  line,
  refusal,
  sentence,
  sentenceValue,
  textValue,
} from './values.ts'

export type Effect = {
  sentence: InspectionSentence
  lines: InspectionLine[]
  moves: Move[]
  grants: Grant[]
  /** The grants concern another account's assets. */
  isForeign?: boolean
  /** Anyone may have issued the asset, so the amount means nothing. */
  isUnknown?: boolean
  findings: Finding[]
  /** 3 is the purpose of the transaction, 2 an effect, 1 a preparation, 0 an execution setting. */
  weight: 0 | 1 | 2 | 3
}

export const effect = (said: InspectionSentence, more: Partial<Omit<Effect, 'sentence'>> = {}): Effect => ({
  sentence: said,
  lines: [],
  moves: [],
  grants: [],
  findings: [],
  weight: 2,
  ...more,
})

/** The title is the first dangerous effect, otherwise the first other danger, otherwise the purpose of the transaction. */
export function effectTitle(
  effects: readonly Effect[],
  others: readonly Finding[],
): { title: InspectionSentence; lines: InspectionLine[] } {
  // an effect's sentence is more specific than its finding
  const bad = effects.filter((one) => dangersOf(one.findings).length > 0).map((one) => one.sentence)
  const wrong = [...bad, ...dangersOf(others).map(findingSentence)]
  return refusal(wrong.length > 0 ? wrong : [purposeOf(effects)])
}

/**
 * Mentions further effects, so that a harmless effect cannot hide a large one: always the largest outflow of a known asset and of an
 * unknown one (anyone can create an asset), and a call whose effect is unknown.
 */
function purposeOf(effects: readonly Effect[]): InspectionSentence {
  const [first, ...rest] = [...effects].sort((one, other) => rankOf(other) - rankOf(one))
  if (first === undefined) return sentence('empty')
  // Preparations count only if there are no other effects.
  const others = first.weight === 0 ? [] : rest.filter((one) => one.weight >= Math.min(first.weight, 2))
  const takers = [first, ...others].filter((one) => outOf(one).length > 0)
  // Named programs come first, so the last call is the least familiar one. A swap must not hide it.
  const unread = others.filter(isUnread).at(-1)
  const named = new Set([first, takers.find(isKnown), takers.find((one) => !isKnown(one)), unread])
  const [, ...also] = [...named].flatMap((one) => one?.sentence ?? [])
  const purpose = joinSentences(first.sentence, also)
  const count = others.length - also.length
  if (count === 0) return purpose
  return sentence(count === 1 ? 'effect.andOne' : 'effect.andMore', {
    effect: sentenceValue(purpose),
    count: textValue(`${count}`),
  })
}

const isUnread = ({ findings }: Effect) =>
  findings.some(({ code }) => code === 'UNKNOWN_INSTRUCTION' || code === 'UNKNOWN_OPERATION')

/** Without a known issuer and known decimals, an amount means nothing. */
const isKnown = (one: Effect) => !one.isUnknown && outOf(one).every(({ decimals }) => decimals !== undefined)

/** A transfer to the same account takes nothing. */
const outOf = ({ moves, grants, isForeign }: Effect) => [
  ...moves.filter(({ direction, from, to }) => direction === 'out' && from !== to),
  ...(isForeign ? [] : grants),
]

/**
 * Ranks by weight, then by outflow, so that a small outflow cannot hide a large one. An unknown asset, or a token with unknown decimals,
 * ranks like one whole token, so that neither a made-up token nor a tiny amount of another asset can hide the other.
 */
function rankOf(effect: Effect): number {
  const { weight, isUnknown } = effect
  const out = outOf(effect)
  const most = Math.max(
    0,
    ...out.map(({ amount, decimals }) =>
      amount === 'unlimited'
        ? Number.POSITIVE_INFINITY
        : decimals === undefined || isUnknown
          ? Math.min(1, Number(amount))
          : Number(amount) / 10 ** decimals,
    ),
  )
  return out.length === 0 ? weight : weight + 0.9 - 0.4 / (1 + most)
}

export function unexpectedTitle(
  effects: readonly Effect[],
  dangers: readonly Finding[],
): { title: InspectionSentence; lines: InspectionLine[] } {
  const wrong = dangers.map(findingSentence)
  if (effects.length === 0) return refusal(wrong)
  const does = sentenceValue(purposeOf(effects))
  return refusal([sentence('effect.unexpected', { effect: does }), ...wrong])
}

export function effectLines(effects: readonly Effect[]): InspectionLine[] {
  const shown = effects.filter(({ weight, lines }) => weight > 0 || lines.length > 0)
  return shown.flatMap((one) => [
    ...(shown.length > 1 ? [line('call', sentenceValue(one.sentence))] : []),
    ...one.lines,
  ])
}
