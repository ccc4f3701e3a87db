import type { InspectionSentence, InspectionValue } from '../../core/inspection/inspection.ts'
import type { CommonSentenceKey } from '../../core/inspection/inspectionTexts.ts'
import { solanaSentences } from '../../core/inspection/solanaSentences.ts'

/** A sentence of Solana, with its English text unless all chains have it. */
export function solanaSentence(
  key: keyof typeof solanaSentences | CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence {
  const texts: Readonly<Partial<Record<string, string>>> = solanaSentences
  return { key, values, english: texts[key] }
}
