import type { FindingCode, Severity } from 'redeemkit'
import { formatInspection } from 'redeemkit/evm'
import { ptBrInspection } from 'redeemkit/languages'
import type { SignApproval } from '../messages.ts'
import type { TextKey } from './texts/english.ts'
import { useText } from './useText.tsx'

/** This wallet's texts of findings, for users. The texts of the toolkit are for developers. */
const own = {
  FEE_TOO_HIGH: 'finding.fee',
  NOT_COMPARED: 'finding.notCompared',
  UNPINNED_CONTRACT: 'finding.contract',
  UNPINNED_CREDIT_SEED: 'finding.balance',
  UNPINNED_MERCHANT: 'finding.merchant',
  UNPINNED_ORIGIN: 'finding.origin',
  UNPINNED_RECEIVER: 'finding.receiver',
  WRONG_PURCHASE: 'finding.purchase',
} as const satisfies Partial<Record<FindingCode, TextKey>>

type Words = Omit<formatInspection.ReturnType, 'findings'> & {
  findings: { severity: Severity; message: string }[]
}

/** Returns an inspection as text in the current language. Findings do not repeat the title. */
export function useWords(inspection: SignApproval['inspection']): Words {
  const { language, text } = useText()
  const words = formatInspection(inspection, language === 'pt-BR' ? { texts: ptBrInspection } : {})
  const findings = words.findings.map(({ severity, message }, at) => {
    const key = Object.entries(own).find(([code]) => code === inspection.findings[at]?.code)?.[1]
    return { severity, message: key === undefined ? message : text(key) }
  })
  const first = (one: (typeof findings)[number], at: number) =>
    one.message !== words.title && findings.findIndex(({ message }) => message === one.message) === at
  return { ...words, findings: findings.filter(first) }
}
