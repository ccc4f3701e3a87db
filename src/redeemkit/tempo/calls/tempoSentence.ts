import type { InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import type { CommonSentenceKey } from '../../core/inspection/inspectionTexts.ts'
import { tempoSentences } from '../../core/inspection/tempoSentences.ts'

/** A sentence of Tempo, with its English text unless all chains have it. */
export function tempoSentence(
  key: keyof typeof tempoSentences | CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence {
  const texts: Readonly<Partial<Record<string, string>>> = tempoSentences
  return { key, values, english: texts[key] }
}

/** A sentence, or a part of one, as a value of another. */
export const partValue = (...part: Parameters<typeof tempoSentence>): InspectionValue => ({
  type: 'sentence',
  sentence: tempoSentence(...part),
})
