import type { InspectionKind } from '../finding/finding.ts'
import type { FindingCode } from '../finding/findingCatalogue.ts'
import { commonEnglish } from './commonEnglish.ts'
import { solanaSentences } from './solanaSentences.ts'
import { stellarSentences } from './stellarSentences.ts'
import { tempoSentences } from './tempoSentences.ts'

/** The key of a sentence that several chains share. */
export type CommonSentenceKey = keyof typeof commonEnglish.sentences
export type SentenceKey =
  | CommonSentenceKey
  | keyof typeof solanaSentences
  | keyof typeof stellarSentences
  | keyof typeof tempoSentences
export type LabelKey = keyof typeof commonEnglish.labels

/** All texts of a language, with the same placeholders as the English texts, and the locale (BCP 47). */
export type InspectionTexts = {
  locale: string
  sentences: Record<SentenceKey, string>
  labels: Record<LabelKey, string>
  words: Record<keyof typeof commonEnglish.words, string>
  kinds: Record<InspectionKind, string>
  /** Translated messages of findings. Findings without a translation stay in English. */
  findings: Partial<Record<FindingCode, string>>
}

/** All English texts of inspections, as a template for other languages. `formatInspection` does not need them for English. */
export const englishInspection: InspectionTexts = {
  ...commonEnglish,
  sentences: { ...commonEnglish.sentences, ...solanaSentences, ...stellarSentences, ...tempoSentences },
}
