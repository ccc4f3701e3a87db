import { commonEnglish } from './commonEnglish.ts'
import type { InspectionTexts } from './inspectionTexts.ts'
import { solanaSentences } from './solanaSentences.ts'
import { stellarSentences } from './stellarSentences.ts'
import { tempoSentences } from './tempoSentences.ts'

/** All English texts of inspections, as a template for other languages. `formatInspection` does not need them for English. */
export const englishInspection: InspectionTexts = {
  ...commonEnglish,
  sentences: { ...commonEnglish.sentences, ...solanaSentences, ...stellarSentences, ...tempoSentences },
}
