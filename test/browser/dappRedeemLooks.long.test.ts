import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { beforeAllInBrowser } from './openChromium.ts'
import type { Visitor } from './shop/newVisitor.ts'
import { type OpenShop, openShop } from './shop/openShop.ts'
import { connectPocket, expectGood, lookedAt, looks } from './shop/shopPage.ts'

let stage: OpenShop
let visitor: Visitor
beforeAllInBrowser(async () => {
  stage = await openShop({ states: true })
})
afterAll(() => stage?.stop())
afterEach(() => visitor?.context.close())

const pages = ['#/', '#/moth/ember-widow', '#/bills', '#/bill/2041', '#/nothing'] as const

describe.each(looks)('$colorScheme, $width wide', (look) => {
  const { context, named } = lookedAt(look)

  test('every state of a payment', async () => {
    visitor = await stage.newVisitor({ context })
    const page = await visitor.context.newPage()
    await page.goto(`${stage.shop.url}/states.html`)
    await page.getByRole('heading', { name: 'Every state of a payment' }).waitFor()
    await expectGood(page, named('states'))
  })

  test.each(pages)('%s without a wallet', async (hash) => {
    visitor = await stage.newVisitor({ context })
    await expectGood(await visitor.openTab(hash), named(`page${hash.replace(/\W+/g, '-')}`))
  })

  test('the wallet dialogs, the empty cabinet, and a member’s pages', async () => {
    visitor = await stage.newVisitor({ context })
    const page = await visitor.openTab('#/cabinet')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: /^Pocket/ }).waitFor()
    await expectGood(page, named('wallets'))
    await page.keyboard.press('Escape')
    await connectPocket(page)
    await page.getByText('You have no moths yet.').waitFor()
    await expectGood(page, named('cabinet'))
    await page.getByRole('button', { name: /^Wallet 0x/ }).click()
    await page.getByRole('button', { name: 'Sign in with your wallet' }).waitFor()
    await expectGood(page, named('wallet'))
    await page.getByRole('button', { name: 'Sign in with your wallet' }).click()
    await page.getByText('Signed in').waitFor()
    await page.getByRole('link', { name: 'Buy credits' }).click()
    await page.frameLocator('iframe').getByLabel('Card number').waitFor()
    await expectGood(page, named('credits'))
    const linesOfTestCards = await page
      .locator('.pay-note .code')
      .evaluateAll((cards) => cards.map((card) => card.getClientRects().length))
    expect(linesOfTestCards).toEqual([1, 1])
    await page.getByRole('link', { name: 'Society' }).click()
    await page.getByRole('heading', { name: 'Window seat' }).waitFor()
    await expectGood(page, named('society'))
    await page.getByRole('button', { name: 'Join Window seat' }).click()
    await page.frameLocator('iframe').getByLabel('Card number').waitFor()
    await expectGood(page, named('join'))
    const dialog = await page.locator('dialog[open]').boundingBox()
    // The element is vertically centred: the distances from the top and the bottom are equal.
    expect(dialog?.y).toBeCloseTo(context.viewport.height - (dialog ? dialog.y + dialog.height : 0), 0)
  })
})

test('nothing is animated for a visitor who prefers reduced motion', async () => {
  visitor = await stage.newVisitor({ context: { reducedMotion: 'reduce' } })
  const page = await visitor.context.newPage()
  await page.goto(`${stage.shop.url}/states.html`)
  await page.locator('.steps .now .step-mark').first().waitFor()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})
