import { copyFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { beforeAllInBrowser, findSerious, picturePath } from './openChromium.ts'
import type { Visitor } from './shop/newVisitor.ts'
import { type OpenShop, openShop } from './shop/openShop.ts'
import { bill, click, connectPocket, seesReceipt } from './shop/shopPage.ts'

let stage: OpenShop
let visitor: Visitor
beforeAllInBrowser(async () => {
  stage = await openShop()
})
afterAll(() => stage?.stop())
afterEach(() => visitor?.context.close())

test('a visitor connects, buys a moth with credits and USDC, sees what moved, and still has it after a reload', async () => {
  visitor = await stage.newVisitor()
  const page = await visitor.openTab('#/moth/moon-ferry')
  await connectPocket(page)
  await page.getByLabel('In USDC', { exact: true }).fill('10')
  await page.getByText('From your USDC: $10.00').waitFor()
  await page.getByRole('button', { name: 'Pay $24.50' }).click()
  await page.getByRole('heading', { name: 'It is yours' }).waitFor()
  expect(visitor.wallet.prompts).toEqual(['CreditsAuthorization', 'ReceiveWithAuthorization'])
  const receipt = await page.getByRole('region', { name: 'It is yours' }).textContent()
  expect(receipt).toMatch(
    /^.*From your USDC\$10\.00From your credits\$14\.50Network fee.*\$0\.\d+You paid\$24\.5\d+/,
  )
  const { moths, creditsSpent } = await visitor.onChain()
  expect(moths).toEqual([2001n])
  expect(creditsSpent).toBeGreaterThan(14_500_000n)
  expect(creditsSpent).toBeLessThan(15_500_000n)

  // The shop's server has received the webhook.
  await page.getByText('Lampfall has confirmed your order.').waitFor()

  await page.reload()
  await page.getByRole('heading', { name: 'It is yours' }).waitFor()
  const order = new URL(page.url()).hash
  await page.getByRole('link', { name: 'See my cabinet' }).click()
  await page.getByRole('img', { name: 'Moon Ferry, number 1' }).waitFor()
  expect(visitor.wallet.prompts).toHaveLength(2)

  // Another visitor with the order's URL cannot pay a second time.
  const other = await stage.newVisitor({ isConnected: true })
  const theirs = await other.openTab(order)
  await theirs.getByRole('heading', { name: 'This order is already paid' }).waitFor()
  await theirs.getByRole('link', { name: 'Buy another' }).click()
  await theirs.getByRole('button', { name: 'Pay $24.50' }).waitFor()
  expect(new URL(theirs.url()).hash).not.toBe(order)
  await other.context.close()
})

test('an order ID that the page invented is not paid, because the server assigns a different one', async () => {
  visitor = await stage.newVisitor({ isConnected: true })
  const page = await visitor.openTab(`#/moth/moon-ferry/${'00'.repeat(16)}`)
  await page.getByRole('button', { name: 'Pay $24.50' }).waitFor()
  expect(new URL(page.url()).hash).toMatch(/^#\/moth\/moon-ferry\/(?!0{32})[0-9a-f]{32}$/)
})

test('a bill is one order on two devices, and both list it as paid', async () => {
  visitor = await stage.newVisitor({ isConnected: true })
  const page = await visitor.openTab(bill.hash)
  await click(page, bill.pay)
  await seesReceipt(page)
  await page.getByText('Lampfall has confirmed your order.').waitFor()
  await page.evaluate(() => localStorage.clear())
  // A second device has the same wallet, but no stored data.
  const device = await visitor.openTab(bill.hash)
  await device.getByRole('heading', { name: /^(Paid, thank you|This order is already paid)$/ }).waitFor()
  await device.getByRole('link', { name: 'All bills' }).first().click()
  await device.getByText('Paid', { exact: true }).waitFor()
  expect((await visitor.onChain()).redeems).toBe(1)
})

test('a visitor without a wallet pays with the test wallet, using only the keyboard', async () => {
  visitor = await stage.newVisitor({ announcesWallet: false })
  const page = await visitor.openTab('#/moth/paper-ghost')
  const click = async (name: string | RegExp) => {
    const button = page.getByRole('button', { name })
    await button.waitFor()
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  await click('Connect a wallet to pay')
  await click(/^Test wallet/)
  await page.getByRole('heading', { name: 'Connect to Lampfall?' }).waitFor()
  // The dialog moves the focus to its confirm button.
  await page.keyboard.press('Enter')
  await click('Pay $5.00')
  await page.getByRole('heading', { name: 'Sign this?' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'It is yours' }).waitFor()
  // The receipt gets the focus, for screen readers.
  expect(await focused(page)).toBe('It is yours')
})

test('a member signs in, buys credits by card, and joins with the saved card', async () => {
  visitor = await stage.newVisitor({ creditCents: 0, usdcCents: 0 })
  const page = await visitor.openTab('#/credits')
  await connectPocket(page)
  await page.getByRole('button', { name: 'Sign in with your wallet' }).click()
  await fillCard(page)
  await page.frameLocator('iframe').getByRole('button', { name: 'Pay $25.00' }).click()
  await page.getByRole('heading', { name: '$25.00 in your wallet' }).waitFor()
  // The form, which had the focus, is gone.
  expect(await focused(page)).toBe('$25.00 in your wallet')
  await page.getByRole('button', { name: /^Wallet 0x.* Credits \$25\.00/ }).waitFor()
  expect((await visitor.onChain()).creditsSpent).toBe(-25_000_000n)
  await page.getByRole('link', { name: 'Society' }).click()
  await page.getByRole('button', { name: 'Join Window seat' }).click()
  await page.getByText('Your card that ends in 0012 is charged $4.00 now, and $4.00 a month').waitFor()
  await page.getByRole('button', { name: 'Pay $4.00 and join' }).click()
  await page.getByText('You are in').waitFor()
})

test('a member joins with a new card, is asked before the card is charged, and cancels', async () => {
  visitor = await stage.newVisitor()
  const page = await visitor.openTab('#/society')
  await connectPocket(page)
  await page.getByRole('button', { name: 'Sign in with your wallet' }).click()
  await page.getByRole('button', { name: 'Join Lamp Society' }).click()
  const authorize = page.frameLocator('iframe').getByRole('button', { name: 'Authorize $1.00' })
  await fillCard(page, { isSaved: false })
  await authorize.click()
  await page.getByText('Your card was not saved.').waitFor()
  await fillCard(page)
  await authorize.click()
  await page.getByText('Your card that ends in 0012 is charged $11.00 now, and $11.00 a month').waitFor()
  // The card checks are released, and nothing else was charged.
  const check = { cents: 100, status: 'voided' }
  await expect.poll(() => paymentsOf(visitor)).toEqual([check, check])
  await page.getByRole('button', { name: 'Pay $11.00 and join' }).click()
  await page.getByText('You are in').waitFor()
  await page.getByText('Next payment on').waitFor()
  const cancel = (id: string) =>
    fetch(`/subscriptions/${id}`, { method: 'DELETE' }).then(({ status }) => status)
  expect(await page.evaluate(cancel, 'of-another-member')).toBe(404)
  await page.getByRole('button', { name: 'Cancel membership' }).click()
  await page.getByRole('button', { name: 'Stay a member' }).click()
  await page.getByRole('button', { name: 'Cancel membership' }).click()
  await page.getByRole('button', { name: 'Cancel my membership' }).click()
  await page.getByRole('button', { name: 'Join Lamp Society' }).waitFor()
  expect(await paymentsOf(visitor)).toEqual([{ cents: 1100, status: 'settled' }, check, check])
})

async function fillCard(page: Page, { isSaved = true } = {}): Promise<void> {
  const form = page.frameLocator('iframe')
  await form.getByLabel('Email').fill('visitor@example.com')
  await form.getByLabel('Card number').fill('4000009900000012')
  await form.getByLabel('Expiry date').fill('12/39')
  await form.getByLabel('Security code').fill('123')
  await form.getByLabel('Name on card').fill('A Visitor')
  await form.getByLabel('Save this card for my next purchase').setChecked(isSaved)
}

/** Returns the visitor's card payments at the service, newest first. */
async function paymentsOf({ address }: Visitor): Promise<{ cents: number; status: string }[]> {
  const { url, apiKey } = stage.shop.sandbox
  const answer = await fetch(`${url}/sandbox/payments?limit=100`, { headers: { authorization: apiKey } })
  const { payments } = await answer.json()
  return payments
    .filter(({ wallet }: { wallet?: string }) => wallet?.toLowerCase() === address.toLowerCase())
    .map((one: { subtotal: { cents: number }; status: string }) => ({
      cents: one.subtotal.cents,
      status: one.status,
    }))
}

test.each(['light', 'dark'] as const)(
  'the front page in %s has no serious axe violation and matches its screenshot',
  async (colorScheme) => {
    visitor = await stage.newVisitor({ context: { viewport: { width: 1280, height: 1180 }, colorScheme } })
    const page = await visitor.openTab()
    expect(await findSerious(page)).toEqual([])
    const picture = await picturePath(`shop-${colorScheme}.png`)
    await page.screenshot({ path: picture })
    // The screenshot for the README. It is written only on request, because fonts differ between machines.
    if (colorScheme === 'light' && process.env.WRITE_PICTURES === '1')
      await copyFile(picture, fileURLToPath(new URL('../../examples/dapp-redeem/shop.png', import.meta.url)))
  },
)

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

/** Presses Tab until a button with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let clicks = 0; clicks < 60; clicks++) {
    const text = (await focused(page))?.trim() ?? ''
    const isButton = await page.evaluate(() => document.activeElement?.tagName === 'BUTTON')
    if (isButton && (typeof name === 'string' ? text === name : name.test(text))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${name}.`)
}
