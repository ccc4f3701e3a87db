import { beforeAll, beforeEach } from 'vitest'
import { findPageBrowser } from './findBrowser.ts'

/**
 * Runs `setUp` before the tests, like `beforeAll`. If no browser is available, skips the tests with the reason; with
 * `REQUIRE_PROGRAMS`, fails them.
 */
export function beforeAllInBrowser(setUp: () => Promise<void>): void {
  const browser = findPageBrowser()
  if ('missing' in browser && process.env.REQUIRE_PROGRAMS === undefined)
    beforeEach((context) => context.skip(browser.missing))
  else beforeAll(setUp)
}
