import type { InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import type { CommonSentenceKey } from '../../core/inspection/inspectionTexts.ts'
import { stellarSentences } from '../../core/inspection/stellarSentences.ts'

/** A sentence of Stellar, with its English text unless all chains have it. */
export function stellarSentence(
  key: keyof typeof stellarSentences | CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence {
  const texts: Readonly<Partial<Record<string, string>>> = stellarSentences
  return { key, values, english: texts[key] }
}
