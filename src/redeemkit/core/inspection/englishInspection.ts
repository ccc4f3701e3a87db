import { commonEnglish } from './commonEnglish.ts'
import type { InspectionTexts } from './inspectionTexts.ts'
import { solanaSentences } from './solanaSentences.ts'
import { stellarSentences } from './stellarSentences.ts'
import { tempoSentences } from './tempoSentences.ts'

/** All English texts of inspections, for `formatInspection`, which has those of its chain itself. A model for other languages. */
export const englishInspection: InspectionTexts = {
  ...commonEnglish,
  sentences: { ...commonEnglish.sentences, ...solanaSentences, ...stellarSentences, ...tempoSentences },
}
