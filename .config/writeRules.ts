import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findingCatalogue } from '../src/redeemkit/core/finding/findingCatalogue.ts'
import { ruleCatalogue } from '../src/sandbox/simulation/rules/ruleCatalogue.ts'

/*
 * Writes the catalogue of rules for merchant contracts into the documentation (`contracts/generate.mjs` writes it into Solidity).
 * With `--check` it only compares, and fails if a text differs.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const judges = { economic: 'Foundry, Vitest, command line', trace: 'Vitest, command line' }

const texts = {
  'docs/pages/contract/rules.md': (page: string) => {
    const rows = ruleCatalogue.map(
      ({ code, judgedBy, fix }) =>
        `| \`${code}\` | ${judges[judgedBy]} | ${findingCatalogue[code].meaning} | ${fix} |`,
    )
    const table = ['| Code | Checked by | Problem | Fix |', '|---|---|---|---|', ...rows].join('\n')
    const generated = /(<!-- Generated .*-->\n)[\s\S]*?(<!-- End of the generated table\. -->)/
    if (!generated.test(page)) throw new Error('rules.md lacks the two comments around the generated table.')
    return page.replace(generated, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`)
  },
}

for (const [path, written] of Object.entries(texts)) {
  const now = readFileSync(join(root, path), 'utf8')
  const then = written(now)
  if (now === then) continue
  if (process.argv.includes('--check')) {
    process.stderr.write(`${path} does not match the rule catalogue. Run: npx tsx .config/writeRules.ts\n`)
    process.exitCode = 1
  } else writeFileSync(join(root, path), then)
}
