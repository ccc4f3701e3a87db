import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { bill, click, connectPocket, seesReceipt, split } from '../shop/shopPage.ts'
import { beforeAllWithExtension, request } from './openWallet.ts'
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

test('a request that was tampered with has no sign button, and one without the purchase shows a caution', async () => {
  await click(page, bill.pay)
  await stage.approval()
  const [honest] = await stage.ask('approvals', {})
  if (honest?.kind !== 'sign') throw new Error('There is nothing to sign.')
  await stage.decide('Reject')
  const { params } = JSON.parse(honest.raw)
  const [account, typedData, { redeemIntent }] = params
  const judge = async (message: object, intent: object | undefined) => {
    const changed = JSON.stringify({ ...typedData, message: { ...typedData.message, ...message } })
    const asked = request(page, 'eth_signTypedData_v4', [
      account,
      changed,
      ...(intent === undefined ? [] : [{ redeemIntent: intent }]),
    ])
    const window = await stage.approval()
    await window.getByRole('button', { name: 'Reject', exact: true }).waitFor()
    const [approval] = await stage.ask('approvals', {})
    const hasButton = await window.getByRole('button', { name: 'Sign', exact: true }).isVisible()
    await stage.decide('Reject')
    expect(await asked).toMatchObject({ error: { code: 4001 } })
    return { verdict: approval?.kind === 'sign' && approval.inspection.verdict, hasButton }
  }
  const refused = { verdict: 'refuse', hasButton: false }
  const { subtotal, transactionData } = redeemIntent.request
  const withRequest = (change: object) => ({
    ...redeemIntent,
    request: { ...redeemIntent.request, ...change },
  })
  expect(await judge({}, redeemIntent)).toEqual({ verdict: 'ok', hasButton: true })
  expect(await judge({}, undefined)).toEqual({ verdict: 'caution', hasButton: true })
  expect(await judge({ amount: '90000000' }, redeemIntent)).toEqual(refused)
  expect(await judge({ nonce: `0x${'ab'.repeat(32)}` }, redeemIntent)).toEqual(refused)
  expect(await judge({ customerWallet: transactionData.destination }, redeemIntent)).toEqual(refused)
  const destination = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect(await judge({}, withRequest({ transactionData: { ...transactionData, destination } }))).toEqual(
    refused,
  )
  expect(await judge({}, withRequest({ subtotal: { ...subtotal, cents: 100 } }))).toEqual(refused)
  expect(await judge({}, { ...redeemIntent, salt: `0x${'00'.repeat(32)}` })).toEqual(refused)
  // A purchase with another version is treated as absent.
  expect(await judge({}, { ...redeemIntent, version: 2 })).toEqual({ verdict: 'caution', hasButton: true })
  await page.reload()
})

test('a rejected payment pays nothing, and the next click pays: the window shows the purchase', async () => {
  await click(page, bill.pay)
  const window = await stage.approval()
  expect(await stage.ask('approvals', {})).toMatchObject([
    { pinNames: ['Lampfall'], inspection: { kind: 'creditPermit', verdict: 'ok' } },
  ])
  expect(await window.getByRole('alertdialog').textContent()).toContain('$4.50')
  await stage.decide('Reject')
  await page.getByText('You rejected the request in your wallet.').first().waitFor()
  expect(await stage.ask('redeems', {})).toEqual([])
  await page.locator('section.card button.button-wide').click()
  await stage.decide('Sign')
  await seesReceipt(page)
  await stage.ask('refreshRedeems', {})
  expect(await stage.ask('redeems', {})).toMatchObject([
    { outcome: 'redeemed', asker: { kind: 'site', origin: stage.shop.url } },
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
})

test('the wallet pays a link without a page', async () => {
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
    .toMatchObject({ asker: { kind: 'wallet' }, outcome: 'redeemed' })
})
