import { afterAll, afterEach, expect, test } from 'vitest'
import { formatUsd } from '../../src/redeemkit/index.ts'
import { beforeAllInBrowser } from './openChromium.ts'
import type { Visitor } from './shop/newVisitor.ts'
import { hrefOfOffer, openSale, saleNames } from './shop/openSale.ts'
import { type OpenShop, openShop } from './shop/openShop.ts'
import { click, expectPaidOnce, seesReceipt, split } from './shop/shopPage.ts'

/** Buys each transaction type with the shop's own components: with credits only, and with USDC. */

let stage: OpenShop
let visitor: Visitor
beforeAllInBrowser(async () => {
  stage = await openShop({ offers: true })
})
afterAll(() => stage?.stop())
afterEach(async () => {
  const { pageErrors, context } = visitor
  await context.close()
  expect(pageErrors).toEqual([])
})

const cents = 1000
const price = 10_000_000n

test.each(
  saleNames.flatMap((name) => [[name, 'credits', 0] as const, [name, 'credits and USDC', 400] as const]),
)('%s, paid with %s', async (name, _, usdcCents) => {
  const { transactionData, expectDelivered, taken } = await openSale(stage.shop, name)
  visitor = await stage.newVisitor({ isConnected: true })
  const page = await visitor.openTab(hrefOfOffer({ id: 'offer', cents, transactionData }))
  if (usdcCents > 0) await split(page, `${usdcCents / 100}`)
  await click(page, 'Pay $10.00')
  await seesReceipt(page)
  expect(visitor.wallet.prompts).toEqual([
    'CreditsAuthorization',
    ...(usdcCents > 0 ? ['ReceiveWithAuthorization'] : []),
  ])
  await expectPaidOnce(visitor, { cents, usdcCents, taken })
  await expectDelivered(visitor.address)
  const receipt = await page.locator('.receipt').textContent()
  const { creditsSpent, usdcSpent } = await visitor.onChain()
  expect(receipt).toContain(`You paid${formatUsd(creditsSpent + usdcSpent)}`)
  if (taken !== undefined) expect(receipt).toContain(`Back to your credits${formatUsd(taken - price)}`)
})
