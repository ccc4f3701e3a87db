import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page that is serious or worse: the rule, and the elements. */
export async function findSerious(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(), // as the line before made it
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    )
}
