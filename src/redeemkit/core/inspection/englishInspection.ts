import { commonEnglish } from './commonEnglish.ts'
import type { InspectionTexts } from './inspectionTexts.ts'
import { solanaSentences } from './solanaSentences.ts'
import { stellarSentences } from './stellarSentences.ts'
import { tempoSentences } from './tempoSentences.ts'

/** All English texts of inspections: a template for other languages. `formatInspection` already has those of its chain. */
export const englishInspection: InspectionTexts = {
  ...commonEnglish,
  sentences: { ...commonEnglish.sentences, ...solanaSentences, ...stellarSentences, ...tempoSentences },
}
