import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults, Result, RunOptions } from 'axe-core'
import { type Browser, chromium, type Frame, type Page } from 'playwright-core'
import { beforeAll, beforeEach } from 'vitest'
import { findPageBrowser } from './findBrowser.ts'

/**
 * Starts a browser.
 *
 * @param more further flags
 * @throws Error when it finds no browser
 */
export async function openChromium(more: readonly string[] = [], find = findPageBrowser): Promise<Browser> {
  const browser = find()
  if ('missing' in browser) throw new Error(browser.missing)
  const { executablePath, env } = browser
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [...chromiumFlags, ...more],
  })
}

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const folder = fileURLToPath(new URL('../../node_modules/.cache/redeemkit/pictures/', import.meta.url))

/** Returns the path for a page's picture. */
export async function picturePath(name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, name)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Lists axe's serious and critical findings: the rule, and the elements. */
export const findSerious = (page: Page) =>
  findViolations(page, ({ impact }) => impact === 'serious' || impact === 'critical')

/** Lists axe's findings in a page or a frame. */
export async function findViolations(page: Page | Frame, counts = (_: Result) => true): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } } // evaluated above
    return axe.run({ iframes: false, resultTypes: ['violations'] })
  })
  return violations
    .filter(counts)
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    )
}

/** Like `beforeAll`. Without a browser, skips the tests with the reason or, with `REQUIRE_PROGRAMS`, fails them. */
export function beforeAllInBrowser(setUp: () => Promise<void>): void {
  const browser = findPageBrowser()
  if ('missing' in browser && process.env.REQUIRE_PROGRAMS === undefined)
    beforeEach((context) => context.skip(browser.missing))
  else beforeAll(setUp)
}
