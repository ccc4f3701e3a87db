import { findingCatalogue } from '../../src/redeemkit/core/finding/findingCatalogue.ts'
import { ruleCatalogue } from '../../src/sandbox/simulation/rules/ruleCatalogue.ts'

const fixes = new Map<string, string>(ruleCatalogue.map(({ code, fix }) => [code, fix]))

/** The page of all findings of `inspect`, `prepareRedeem`, the dry run and the rules for contracts. */
export function findingsPage(): string {
  const rows = Object.entries(findingCatalogue).map(([code, { severities, meaning }]) => {
    const fix = fixes.get(code)
    return `## ${code}\n\n${meaning}\n\n**Severity:** ${severities.join(' or ')}.${fix === undefined ? '' : ` **In the contract:** ${fix}`}\n`
  })
  return `${head}\n${rows.join('\n')}`
}

const head = `# Findings

A finding is one fact about a request, a redeem or a contract: \`{ code, severity, message, field?, fix? }\`. The code is stable, the message contains the offending
value. \`inspect\` derives its verdict from the findings: any \`danger\` means \`refuse\`, any \`warning\` means \`caution\`, otherwise the verdict is \`ok\`.
`
