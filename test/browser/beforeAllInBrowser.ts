import { beforeAll, beforeEach } from 'vitest'
import { findPageBrowser } from './findBrowser.ts'

/** Like `beforeAll`. Without a browser, skips the tests with the reason or, with `REQUIRE_PROGRAMS`, fails them. */
export function beforeAllInBrowser(setUp: () => Promise<void>): void {
  const browser = findPageBrowser()
  if ('missing' in browser && process.env.REQUIRE_PROGRAMS === undefined)
    beforeEach((context) => context.skip(browser.missing))
  else beforeAll(setUp)
}
