import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The cheapest bill of the shop: shape `token`, and one order for ever. */
export const bill = { hash: '#/bill/2047', cents: 450, pay: 'Pay $4.50', paid: 'Paid, thank you' }

/** Connects the visitor's own wallet by the shop's window. */
export async function connectPocket(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: /^Pocket/ }).click()
  await page.getByRole('button', { name: /^Wallet 0x/ }).waitFor()
}

/** Presses a button of the shop when it can be pressed. */
export async function press(page: Page, name: string): Promise<void> {
  await page.locator(`button:not([aria-disabled="true"])`, { hasText: name }).click()
}

/** Pays so many dollars of the price in USDC. */
export async function split(page: Page, dollars: string): Promise<void> {
  const shown = page.locator('.sums').getByText('From your USDC')
  // The form is replaced when the order arrives: what was typed in that moment is typed again.
  const fill = async () => {
    await page.getByLabel('In USDC', { exact: true }).fill(dollars)
    await shown.waitFor({ timeout: 3_000 })
  }
  await fill().catch(fill)
}

/** Waits until it is paid, in the page's words. */
export async function seesReceipt(page: Page, title = bill.paid): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor({ timeout: 30_000 })
  await page.locator('.receipt .sums').waitFor({ timeout: 30_000 })
}

/** Waits until the page says what went wrong, or is in between. */
export async function expectTrouble(page: Page, words: string | RegExp): Promise<void> {
  await expect
    .poll(() => page.getByRole('alert').allTextContents(), { timeout: 30_000 })
    .toContainEqual(typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words))
}
