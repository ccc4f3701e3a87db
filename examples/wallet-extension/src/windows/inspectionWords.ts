import { formatInspection } from 'redeemkit/evm'
import { ptBrInspection } from 'redeemkit/languages'
import type { SignApproval } from '../messages.ts'
import { useText } from './useText.tsx'

/** Returns an inspection as text in the current language. What the title says already is not repeated among the findings. */
export function useWords(inspection: SignApproval['inspection']): formatInspection.ReturnType {
  const { language } = useText()
  const words = formatInspection(inspection, language === 'pt-BR' ? { texts: ptBrInspection } : {})
  return { ...words, findings: words.findings.filter(({ message }) => message !== words.title) }
}
