import { type Address, encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anvil } from '../../service/sandboxClient.ts'
import { hrefOfOffer, openSale, saleNames } from '../shop/openSale.ts'
import { bill, click, connectPocket, seesReceipt, split } from '../shop/shopPage.ts'
import { beforeAllWithExtension, request } from './openWallet.ts'
import { openWalletAtShop, type WalletAtShop } from './openWalletAtShop.ts'

/** Each transaction type with the wallet of `examples/wallet-extension`, and the wallet's own transactions. */

let stage: WalletAtShop
beforeAllWithExtension(async () => {
  stage = await openWalletAtShop({ offers: true })
  const page = await stage.openTab()
  const connected = connectPocket(page)
  await stage.decide('Connect')
  await connected
  await page.close()
})
afterAll(() => stage?.stop())
// Requests of a failed test are closed with their pages.
afterEach(async () => {
  for (const page of stage.context.pages()) if (page.url().startsWith(stage.shop.url)) await page.close()
})

/** Signs the oldest request, and returns its verdict. */
async function sign(name = 'Sign'): Promise<string> {
  await expect.poll(async () => (await stage.ask('approvals', {})).length, { timeout: 15_000 }).toBe(1)
  const [approval] = await stage.ask('approvals', {})
  if (approval?.kind !== 'sign') throw new Error('There is nothing to sign.')
  await stage.decide(name)
  return approval.inspection.verdict
}

test.each(
  saleNames.flatMap((name) => [[name, 'credits', 0] as const, [name, 'credits and USDC', 400] as const]),
)('%s, paid with %s', async (name, _, usdcCents) => {
  const { transactionData, expectDelivered } = await openSale(stage.shop, name)
  const page = await stage.openTab(hrefOfOffer({ id: `${name} ${usdcCents}`, cents: 1000, transactionData }))
  if (usdcCents > 0) await split(page, `${usdcCents / 100}`)
  await click(page, 'Pay $10.00')
  // None of these receivers is in the pinned values that the wallet has for the shop.
  expect(await sign()).toBe('caution')
  if (usdcCents > 0) expect(await sign()).not.toBe('refuse')
  await seesReceipt(page)
  await expectDelivered(stage.address)
  await stage.ask('refreshRedeems', {})
  expect((await stage.ask('redeems', {}))[0]).toMatchObject({ outcome: 'redeemed' })
})

test('the customer signs in at the shop', async () => {
  const page = await stage.openTab('#/society')
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await sign()
  await page.getByRole('button', { name: 'Join Lamp Society' }).waitFor()
})

describe('with coins for gas,', () => {
  beforeEach(async () => {
    await anvil(stage.base.rpcUrl).rpc('anvil_setBalance', [stage.address, '0xde0b6b3a7640000'])
  })

  test('a transaction is shown with its fee, signed and sent', async () => {
    const page = await stage.openTab()
    const to = stage.shop.sandbox.accounts.bob.address
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1_000_000n] })
    const sent = request(page, 'eth_sendTransaction', [{ from: stage.address, to: stage.base.usdc, data }])
    await expect
      .poll(async () => (await stage.ask('approvals', {}))[0], { timeout: 15_000 })
      .toMatchObject({
        transaction: { state: 'ready' },
        inspection: { moves: [{ direction: 'out', amount: 1_000_000n }] },
      })
    await sign('Sign and send')
    const { result } = Object(await sent)
    const { client } = anvil(stage.base.rpcUrl)
    expect(await client.waitForTransactionReceipt({ hash: result as Hex })).toMatchObject({
      status: 'success',
    })
  })

  test('a batch of calls is shown call by call, sent after one click, and confirmed', async () => {
    const page = await stage.openTab()
    const [alice, bob] = [stage.shop.sandbox.accounts.alice.address, stage.shop.sandbox.accounts.bob.address]
    const spend = (functionName: 'approve' | 'transfer', to: Address) => ({
      to: stage.base.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, 1_000_000n] }),
    })
    const chainId = toHex(stage.base.chainId)
    const calls = [spend('approve', alice), spend('transfer', bob)]
    const sent = request(page, 'wallet_sendCalls', [
      { version: '2.0.0', from: stage.address, chainId, atomicRequired: false, calls },
    ])
    await expect
      .poll(async () => (await stage.ask('approvals', {}))[0], { timeout: 15_000 })
      .toMatchObject({ transaction: { state: 'ready' }, inspection: { kind: 'calls' } })
    expect(await sign('Sign and send')).toBe('caution')
    const { id } = Object(Object(await sent).result)
    await expect
      .poll(() => request(page, 'wallet_getCallsStatus', [id]), { timeout: 15_000 })
      .toMatchObject({
        result: { status: 200, atomic: false, receipts: [{ status: '0x1' }, { status: '0x1' }] },
      })
  })

  test('a permit that the shop never used is cancelled', async () => {
    const page = await stage.openTab(bill.hash)
    await click(page, bill.pay)
    await page.route('**/sendGaslessTx', (route) => route.abort())
    await sign()
    await expect.poll(async () => (await stage.ask('redeems', {}))[0]).toMatchObject({ outcome: 'open' })
    const [open] = await stage.ask('redeems', {})
    await stage.ask('cancelPermit', { redeemId: open?.id ?? '' })
    await expect
      .poll(async () => (await stage.ask('approvals', {}))[0], { timeout: 15_000 })
      .toMatchObject({ method: 'cancelPermit', transaction: { state: 'ready' } })
    await sign('Cancel the permit')
    await expect
      .poll(async () => {
        await stage.ask('refreshRedeems', {})
        return (await stage.ask('redeems', {}))[0]?.outcome
      })
      .toBe('cancelled')
  })
})
