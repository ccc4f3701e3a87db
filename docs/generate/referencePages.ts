import type { Command } from 'commander'
import { findingCatalogue } from '../../src/redeemkit/core/finding/findingCatalogue.ts'
import { createCommand } from '../../src/sandbox/cli/createCommand.ts'
import { ruleCatalogue } from '../../src/sandbox/simulation/rules/ruleCatalogue.ts'
import figures from '../figures.json' with { type: 'json' }

/** The page of the command `redeemkit`: what it prints as its own help. */
export function cliPage(): string {
  const root = createCommand()
  const sections = root.commands.map((command) => `## ${command.name()}\n\n${help(command)}\n`)
  return `# Commands\n\n\`npm install --save-dev @redeemkit/sandbox\` installs the command \`redeemkit\`.\n\n${help(root)}\n\n${sections.join('\n')}`
}

/** The help of a command and of its own subcommands. */
function help(command: Command): string {
  let text = ''
  const writeOut = (part: string) => {
    text += part
  }
  command.configureOutput({ writeOut, getOutHelpWidth: () => 100, getOutHasColors: () => false }).outputHelp()
  const own = command.parent === null ? [] : command.commands.map(help)
  return [`\`\`\`text\n${text.trimEnd()}\n\`\`\``, ...own].join('\n\n')
}

const fixes = new Map<string, string>(ruleCatalogue.map(({ code, fix }) => [code, fix]))

/** The page of all findings of `inspect`, `prepareRedeem`, the dry run and the rules for contracts. */
export function findingsPage(): string {
  const rows = Object.entries(findingCatalogue).map(([code, { severities, meaning }]) => {
    const fix = fixes.get(code)
    return `## ${code}\n\n${meaning}\n\n**Severity:** ${severities.join(' or ')}.${fix === undefined ? '' : ` **In the contract:** ${fix}`}\n`
  })
  return `${head}\n${rows.join('\n')}`
}

const judges = { economic: 'Foundry, Vitest, command line', trace: 'Vitest, command line' }

/** Writes the table of rules into the page about rules for contracts. */
export function withRules(page: string): string {
  const marker = /^<!-- Table of rules: .*-->$/m
  if (!marker.test(page)) throw new Error('rules.md has no place for the table of rules.')
  const rows = ruleCatalogue.map(
    ({ code, judgedBy, fix }) =>
      `| \`${code}\` | ${judges[judgedBy]} | ${findingCatalogue[code].meaning} | ${fix} |`,
  )
  return page.replace(marker, () =>
    ['| Code | Checked by | Problem | Fix |', '|---|---|---|---|', ...rows].join('\n'),
  )
}

const head = `# Findings

A finding is one fact about a request, a redeem or a contract: \`{ code, severity, message, field?, fix? }\`. The code is stable, the message contains the offending
value. \`inspect\` derives its verdict from the findings: any \`danger\` means \`refuse\`, any \`warning\` means \`caution\`, otherwise the verdict is \`ok\`.
`

type Row = { figure: string; value: number; unit: string; noise?: number; goal?: string }

/** The page of the figures that `npm run bench` measured. */
export function figuresPage(): string {
  const { date, machine, version } = figures
  const rows: readonly Row[] = figures.rows
  const lines = rows.map(({ figure, value, unit, noise, goal = '' }) => {
    const text = noise === undefined ? `${value} ${unit}` : `${value} ${unit} ± ${noise} %`
    return `| ${figure} | ${text.trim()} | ${goal} |`
  })
  return `# Figures

Measured on ${date} by \`npm run bench\`, with version ${version}, on ${machine}. "± 5 %" means that half of the rounds lie within 5 % of the value. The table
also shows the goals that are not met.

- × compares two sides that were measured alternately in one run: the speed for \`inspection\` and \`redeems\` (0.5 × is half as fast), the time for \`fixture\` and
  \`simulation\`, and the gas, against a bare transfer of the issuer's own USDC, for \`gas\` (2 × is twice as much).
- \`redeems\`: "Anvil alone" mines signed transactions without checking or storing them. The service, its Anvil and its clients share the 2,000 ms of CPU that two
  cores have in a second. Their CPU time for a redeem therefore limits the rate.
- Sizes are of minified and gzipped files.
- \`shop\` compares pages that pay 10.00 in Chromium: with the hooks, with the functions, by hand with viem and without any check, with x402's fetch, and with
  Base's pay button. Only the size of this button is measured, because its wallet is on the internet.

Repeat the measurements with \`npm run bench\`, or one of them with \`npm run bench -- --only NAME\`, such as \`shop\`.

| Figure | Value | Goal |
|---|---|---|
${lines.join('\n')}
`
}
