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

/** The effect of one instruction or operation, and its problems. */
export type Effect = {
  sentence: InspectionSentence
  lines: InspectionLine[]
  moves: Move[]
  grants: Grant[]
  /** Whether the grants concern another account's assets. */
  isForeign?: boolean
  /** Whether anyone may have issued the asset that it moves, so that the amount means nothing. */
  isUnknown?: boolean
  findings: Finding[]
  /**
   * The rank of the effect for the title: 3 is the purpose of the transaction, 2 an effect, 1 a preparation, 0 an execution setting.
   */
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

/**
 * Returns the title of a transaction, and lines for further problems. The title is the first dangerous effect, otherwise the first other
 * danger. Without dangers, it is the purpose of the transaction.
 */
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
 * Returns the purpose of a transaction. Mentions further effects, so that a harmless effect cannot hide a large one. Always names what takes
 * most of a known asset and of an unknown one, because anyone can create an asset, and a call whose effect is unknown.
 */
function purposeOf(effects: readonly Effect[]): InspectionSentence {
  const [first, ...rest] = [...effects].sort((one, other) => rankOf(other) - rankOf(one))
  if (first === undefined) return sentence('empty')
  // preparations count only if the transaction has no other effects
  const others = first.weight === 0 ? [] : rest.filter((one) => one.weight >= Math.min(first.weight, 2))
  const takers = [first, ...others].filter((one) => outOf(one).length > 0)
  // Programs with a name come first, so the last call is the least familiar one. A swap must not hide it.
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

/** Returns whether the effect of a call is unknown. */
const isUnread = ({ findings }: Effect) =>
  findings.some(({ code }) => code === 'UNKNOWN_INSTRUCTION' || code === 'UNKNOWN_OPERATION')

/** Returns whether an effect takes only assets with a known issuer and known decimals, so that their amounts mean something. */
const isKnown = (one: Effect) => !one.isUnknown && outOf(one).every(({ decimals }) => decimals !== undefined)

/** Returns the assets that an effect takes out or lets others take. A transfer to the same account takes nothing. */
const outOf = ({ moves, grants, isForeign }: Effect) => [
  ...moves.filter(({ direction, from, to }) => direction === 'out' && from !== to),
  ...(isForeign ? [] : grants),
]

/**
 * Ranks an effect. Of two effects with the same weight, the one that takes more out comes first, so that the other cannot hide it.
 * Amounts of different assets cannot be compared, but a tiny one ranks low. Any amount of an unknown asset, or of a token with unknown
 * decimals, ranks like one whole token, so that neither a made-up token nor a tiny amount of another asset can hide the other.
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

/** Returns the title of a transaction that differs from the expectation, and a line for each difference. */
export function unexpectedTitle(
  effects: readonly Effect[],
  dangers: readonly Finding[],
): { title: InspectionSentence; lines: InspectionLine[] } {
  const wrong = dangers.map(findingSentence)
  // without effects, the findings alone determine the title and lines
  if (effects.length === 0) return refusal(wrong)
  const does = sentenceValue(purposeOf(effects))
  return refusal([sentence('effect.unexpected', { effect: does }), ...wrong])
}

/** Returns lines with the facts of each effect. If there are several effects, each effect's sentence comes first. */
export function effectLines(effects: readonly Effect[]): InspectionLine[] {
  const shown = effects.filter(({ weight, lines }) => weight > 0 || lines.length > 0)
  return shown.flatMap((one) => [
    ...(shown.length > 1 ? [line('call', sentenceValue(one.sentence))] : []),
    ...one.lines,
  ])
}
