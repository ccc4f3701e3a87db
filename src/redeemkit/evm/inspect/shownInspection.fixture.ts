import { formatInspection } from '../../core/inspection/formatInspection.ts'
import type { InspectContext } from '../creditPermit/inspectOptions.ts'
import { inspect } from './inspect.ts'

export function shownInspection(request: inspect.Request, context: InspectContext) {
  const inspection = inspect(request, context)
  const { title, lines } = formatInspection(inspection)
  return {
    ...inspection,
    title,
    lines: lines.map(({ label, value }) => `${label}: ${value}`),
    codes: inspection.findings.map(({ code }) => code),
  }
}

/** Parses the members of an EIP-712 struct from text: `address to,uint256 value`. */
export const members = (text: string) =>
  text
    .split(',')
    .filter(Boolean)
    .map((one) => {
      const [type = '', name = ''] = one.split(' ')
      return { type, name }
    })
