import { expect, test } from 'vitest'
import { atBill, bill, click, connectPocket, expectTrouble, seesReceipt, split } from './shop/shopPage.ts'
import { refuse } from './testWallet.ts'

const at = atBill()

test.each([440, 390, 320])(
  'at %i px the header keeps its height when a wallet is connected',
  async (width) => {
    at.visitor = await at.stage.newVisitor({ context: { viewport: { width, height: 800 } } })
    const page = await at.visitor.openTab()
    const height = () => page.locator('.header').evaluate((header) => header.clientHeight)
    const before = await height()
    await connectPocket(page)
    await page.getByText('USDC $100.00').waitFor()
    expect(await height()).toBe(before)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  },
)

test.each([1280, 390])('at %i px a moth fills the lamp of the empty cabinet', async (width) => {
  at.visitor = await at.stage.newVisitor({ context: { viewport: { width, height: 900 } } })
  const page = await at.visitor.openTab('#/cabinet')
  const widthOf = (part: string) => page.locator(part).evaluate((element) => element.clientWidth)
  expect((await widthOf('.empty .moth')) / (await widthOf('.empty .plate'))).toBeGreaterThan(0.8)
})

test('the header shows credits and USDC separately', async () => {
  const page = await at.bill({ creditCents: 300, usdcCents: 1200 })
  await page.getByRole('button', { name: /^Wallet 0x.* Credits \$3\.00 USDC \$12\.00$/ }).waitFor()
})

test('an invalid amount shows the reason and blocks the button', async () => {
  const page = await at.bill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  const amount = page.getByLabel('In USDC', { exact: true })
  for (const [text, reason] of [
    ['4.501', 'Enter dollars and cents, such as 4.50.'],
    ['5', 'The price is $4.50. Enter that or less.'],
  ] as const) {
    await amount.fill(text)
    await amount.blur()
    expect(await amount.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.field-problem').textContent()).toBe(reason)
    await page.getByRole('button', { name: 'Check the amount' }).dispatchEvent('click')
  }
  expect(at.visitor.wallet.prompts).toEqual([])
  await split(page, '2')
  await page.getByRole('button', { name: bill.pay }).waitFor()
  expect(await page.locator('.field-problem').textContent()).toBe('')
})

test('after a rejection, the message is in view and the button has the focus', async () => {
  const page = await at.bill({ context: { viewport: { width: 390, height: 500 } } })
  at.visitor.wallet.beforeSigning = async () => {
    // A wallet's window takes the focus.
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      window.scrollTo(0, 0)
    })
    return refuse()
  }
  await click(page, bill.pay)
  await expectTrouble(page, 'You rejected the request in your wallet. You have not been charged.')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(bill.pay)
  const box = await page.getByRole('alert').boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect(box && box.y + box.height).toBeLessThanOrEqual(500)
})

test('a page that shows a fee does not claim that the payment costs no gas', async () => {
  const page = await at.bill()
  await page.getByText('Maximum network fee, from your credits').waitFor()
  expect(await page.locator('body').textContent()).not.toMatch(/no gas|no coin/i)
})

test("a bill is shown as paid before the shop's server knows about the payment", async () => {
  const page = await at.bill()
  await page.route(/\/orders(\/|$)/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), state: 'open' } })
  })
  await click(page, bill.pay)
  await seesReceipt(page)
  await page.locator('.facts').getByText('Paid', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'All bills' }).first().click()
  await page.getByRole('link', { name: 'Receipt: bill 2047' }).waitFor()
  expect(await page.locator('.bill .tag').allTextContents()).toEqual(['Paid'])
})

test('the page reads the stock again after a purchase, and the amounts on the receipt add up', async () => {
  await at.bill()
  const page = await at.visitor.openTab('#/moth/paper-ghost')
  const left = async () =>
    Number(/(\d+) of 900 left/.exec((await page.locator('.facts').textContent()) ?? '')?.[1])
  await page.getByText(/900 left/).waitFor()
  const before = await left()
  await split(page, '2')
  await click(page, 'Pay $5.00')
  await seesReceipt(page, 'It is yours')
  await expect.poll(left).toBe(before - 1)
  const sums = await page.locator('.receipt .sums').textContent()
  const dollars = [...(sums ?? '').matchAll(/\$([\d.]+)/g)].map(([, text]) => Math.round(Number(text) * 1e6))
  expect(sums).toMatch(/^From your USDC\$2\.00From your credits\$3\.00Network fee.*You paid\$5\.\d+$/)
  expect(dollars.slice(0, -1).reduce((all, one) => all + one)).toBe(dollars.at(-1))
})
