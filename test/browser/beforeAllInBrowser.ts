import { beforeAll, beforeEach } from 'vitest'
import { findBrowser } from './findBrowser.ts'

/**
 * Runs `setUp` before the tests, as `beforeAll` does. Without a browser, it skips the tests with the reason instead; with
 * `REQUIRE_PROGRAMS` they fail.
 */
export function beforeAllInBrowser(setUp: () => Promise<void>): void {
  const browser = findBrowser()
  if ('missing' in browser && process.env.REQUIRE_PROGRAMS === undefined)
    beforeEach((context) => context.skip(browser.missing))
  else beforeAll(setUp)
}
