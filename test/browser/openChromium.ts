import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Starts Chromium. Fails without one, because skipping would hide untested behavior.
 *
 * @param more further flags
 */
export async function openChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place))
  if (executablePath === undefined || !existsSync(executablePath))
    throw new Error(
      `There is no Chromium at ${executablePath ?? places.join(', ')}. Install it: apt-get update && apt-get install -y chromium. Or name one: CHROMIUM_PATH=…`,
    )
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

const folder = fileURLToPath(new URL('../../node_modules/.cache/redeemkit/pictures/', import.meta.url))

/** Returns the path for a page's picture. */
export async function picturePath(name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, name)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Lists axe's serious and critical findings: the rule, and the elements. */
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
