import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { bill, click, connectPocket, seesReceipt, split } from '../shop/shopPage.ts'
import { beforeAllWithExtension } from './openWallet.ts'
import { openWalletAtShop, type WalletAtShop } from './openWalletAtShop.ts'

/** The wallet of `examples/wallet-extension` at the shop of `examples/dapp-redeem`, in one Chromium. */

let stage: WalletAtShop
let page: Page
beforeAllWithExtension(async () => {
  stage = await openWalletAtShop()
})
afterAll(() => stage?.stop())

test('the shop connects the wallet after a click in its window', async () => {
  page = await stage.openTab(bill.hash)
  const connected = connectPocket(page)
  const window = await stage.approval()
  expect(await window.getByRole('alertdialog').textContent()).toContain(new URL(stage.shop.url).host)
  expect(await stage.ask('sites', {})).toEqual([])
  await stage.decide('Connect')
  await connected
  expect(await stage.ask('sites', {})).toMatchObject([{ origin: stage.shop.url, accounts: [stage.address] }])
})

test('a rejected payment pays nothing, and the next click pays: the window knows what is bought', async () => {
  await click(page, bill.pay)
  const window = await stage.approval()
  expect(await stage.ask('approvals', {})).toMatchObject([
    { hasIntent: true, pinNames: ['Lampfall'], inspection: { kind: 'creditPermit', verdict: 'ok' } },
  ])
  expect(await window.getByRole('alertdialog').textContent()).toContain('$4.50')
  await stage.decide('Reject')
  await page.getByText('You rejected the request in your wallet.').first().waitFor()
  expect(await stage.ask('redeems', {})).toEqual([])
  await page.locator('section.card > button.button-wide').click()
  await stage.decide('Sign')
  await seesReceipt(page)
  await stage.ask('refreshRedeems', {})
  expect(await stage.ask('redeems', {})).toMatchObject([
    { outcome: 'redeemed', asker: { kind: 'site', origin: stage.shop.url }, usdc: 0n },
  ])
})

test('a moth is paid with credits and USDC, in two requests', async () => {
  await page.goto(`${stage.shop.url}/#/moth/moon-ferry`)
  await page.getByRole('button', { name: 'Pay $24.50' }).waitFor()
  await split(page, '10')
  await click(page, 'Pay $24.50')
  await stage.approval()
  await stage.decide('Sign')
  await expect
    .poll(async () => (await stage.ask('approvals', {}))[0])
    .toMatchObject({ inspection: { kind: 'usdcAuthorization' } })
  await stage.decide('Sign')
  await seesReceipt(page, 'It is yours')
  expect((await stage.ask('redeems', {}))[0]).toMatchObject({ usdc: 10_000_000n })
})

test('the wallet pays a link by itself', async () => {
  const { base, shop, address } = stage
  const link = `web+redeem:pay?merchant=${shop.sandbox.merchantId}&chain=${base.chainId}&to=${shop.config.keeper}&cents=1000&usdcCents=400&order=inv-7`
  expect(await stage.ask('readPaymentLink', { link })).toMatchObject({
    pinName: 'Lampfall',
    isNewReceiver: false,
  })
  await stage.ask('payLink', { link, account: address })
  const [approval] = await stage.ask('approvals', {})
  expect(approval).toMatchObject({
    method: 'payLink',
    inspection: { verdict: 'ok' },
    also: { verdict: 'ok' },
  })
  await stage.decide('Pay')
  await expect
    .poll(async () => {
      await stage.ask('refreshRedeems', {})
      return (await stage.ask('redeems', {}))[0]
    })
    .toMatchObject({ purchaseId: 'inv-7', outcome: 'redeemed', usdc: 4_000_000n })
})
