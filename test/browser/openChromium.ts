import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from './findBrowser.ts'

/**
 * Starts the browser that `findBrowser` finds.
 *
 * @param more further flags
 * @throws Error when it finds no browser
 */
export async function openChromium(more: readonly string[] = []): Promise<Browser> {
  const browser = findBrowser()
  if ('missing' in browser) throw new Error(browser.missing)
  const { executablePath, env } = browser
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
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
