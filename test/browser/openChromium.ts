import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser } from './findBrowser.ts'

export async function openChromium(more: readonly string[] = []): Promise<Browser> {
  const browser = findBrowser()
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

export async function picturePath(name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, name)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function findSerious(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(), // defined by the line before
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    )
}
