import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findSerious } from '../findSerious.ts'
import { picturePath } from '../picturePath.ts'

/** What the shop is looked at in: colours, and the width of the window. */
export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 320 },
] as const

/** A window with one of {@link looks}, and the name of what is drawn in it. */
export function lookedAt({ colorScheme, width }: (typeof looks)[number]) {
  return {
    context: { viewport: { width, height: 900 }, colorScheme },
    named: (name: string) => `${name}-${colorScheme}-${width}`,
  }
}

/** Nothing serious for axe, nothing that is wider than the window, and a picture to look at. */
export async function expectGood(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: await picturePath(`${name}.png`), fullPage: true })
  expect(await findSerious(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
}
