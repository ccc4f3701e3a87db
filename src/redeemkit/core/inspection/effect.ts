import type { Finding, Grant, Move } from '../finding/finding.ts'
import type { InspectionLine, InspectionSentence } from './inspection.ts'
import { dangersOf, findingSentence, line, refusal, sentence, sentenceValue, textValue } from './values.ts'

/** The effect of one instruction or operation, and its problems. */
export type Effect = {
  sentence: InspectionSentence
  lines: InspectionLine[]
  moves: Move[]
  grants: Grant[]
  findings: Finding[]
  /**
   * Its rank for the title: 3 is the purpose of the transaction, 2 an effect, 1 a preparation, 0 a setting of its execution.
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
 * Returns the title of a transaction, and lines for further problems: dangerous effects first, then other dangers. Without
 * dangers, the title is the purpose of the transaction.
 */
export function effectTitle(
  effects: readonly Effect[],
  others: readonly Finding[],
): { title: InspectionSentence; lines: InspectionLine[] } {
  // the sentence of an effect is more specific than its finding
  const bad = effects.filter((one) => dangersOf(one.findings).length > 0).map((one) => one.sentence)
  const wrong = [...bad, ...dangersOf(others).map(findingSentence)]
  return refusal(wrong.length > 0 ? wrong : [purposeOf(effects)])
}

/** Returns the purpose of a transaction. It mentions further effects, so that a small one cannot hide a large one. */
function purposeOf(effects: readonly Effect[]): InspectionSentence {
  const [first] = [...effects].sort((one, other) => rankOf(other) - rankOf(one))
  if (first === undefined) return sentence('empty')
  // preparations count only if there are no other effects
  const others = effects.filter((one) => one !== first && one.weight >= Math.min(first.weight, 2)).length
  if (first.weight === 0 || others === 0) return first.sentence
  return sentence(others === 1 ? 'effect.andOne' : 'effect.andMore', {
    effect: sentenceValue(first.sentence),
    count: textValue(`${others}`),
  })
}

/** Of two effects of the same weight, the one that takes something out comes first, so that the other cannot hide it. */
const rankOf = ({ weight, moves }: Effect) =>
  weight + (moves.some(({ direction }) => direction === 'out') ? 0.5 : 0)

/** Returns the title of a transaction that is not the expected one, and a line for each difference. */
export function unexpectedTitle(
  effects: readonly Effect[],
  dangers: readonly Finding[],
): { title: InspectionSentence; lines: InspectionLine[] } {
  const wrong = dangers.map(findingSentence)
  // for a caller that reads the findings alone
  if (effects.length === 0) return refusal(wrong)
  const does = sentenceValue(purposeOf(effects))
  return refusal([sentence('effect.unexpected', { effect: does }), ...wrong])
}

/** The facts of each effect. If there are several effects, each one's sentence comes first. */
export function effectLines(effects: readonly Effect[]): InspectionLine[] {
  const shown = effects.filter(({ weight, lines }) => weight > 0 || lines.length > 0)
  return shown.flatMap((one) => [
    ...(shown.length > 1 ? [line('call', sentenceValue(one.sentence))] : []),
    ...one.lines,
  ])
}
