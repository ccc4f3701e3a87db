import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { orderKey } from 'redeemkit/merchant'
import { expect, onTestFinished, test, vi } from 'vitest'

/* The programs of the quickstarts run when they are loaded, and print what their pages show. */

function recordLog() {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return () => log.mock.calls.map(([line]) => String(line))
}

test('the wallet quickstart prints what its page shows', async () => {
  const lines = recordLog()
  await import('./first-inspection/index.ts')
  const page = readFileSync(new URL('../docs/pages/start/quickstart-wallet.md', import.meta.url), 'utf8')
  expect(page).toContain(`\`\`\`text\n${lines().join('\n')}\n\`\`\``)
})

test("the merchant quickstart's server fulfils a paid order once, and no other", async () => {
  const secret = 'whsec_of_this_test'
  const settings = {
    REDEEMKIT_MERCHANT_ID: 'sandbox-shop',
    REDEEMKIT_CREDIT_SEED: 'sandbox-shop',
    REDEEMKIT_BASE_CHAIN_ID: '84532',
    REDEEMKIT_BASE_CREDITS_CONTRACT: '0xaeFe2d281E200A64cE33030aa3CfC3c79B1Dc1d9',
    REDEEMKIT_BOB_ADDRESS: '0x5e376587B63a5d43154d7F34170f76BD48CB3ea7',
    WEBHOOK_SECRET: secret,
    PORT: '0',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const lines = recordLog()
  const { server } = await import('./first-order/index.ts')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.close()
  })
  await vi.waitFor(() => expect(lines()).toHaveLength(1))
  const [url = ''] = lines()[0]?.match(/http:\S+/) ?? []

  const paid = {
    merchantId: 'sandbox-shop',
    wallet: '0x556B62CD6010aF05a45c546c5C8374E4998798BE',
    blockchain: 'base',
    nonce: `0x${'11'.repeat(32)}`,
    orderKey: orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 1' }),
    hash: `0x${'22'.repeat(32)}`,
    chainId: 84_532,
    creditsContract: settings.REDEEMKIT_BASE_CREDITS_CONTRACT,
    creditSeed: 'sandbox-shop',
    kind: 'token',
    receiver: settings.REDEEMKIT_BOB_ADDRESS,
    amount: '10000000',
    refunded: '0',
    logIndex: 0,
  }
  const send = async (data: object, key = secret) => {
    const event = { id: 'evt_1', type: 'redeem.redeemed', createdAt: new Date().toISOString(), data }
    const body = JSON.stringify(event)
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-svc-signature': `t=${time},v1=${signature}` }
    return (await fetch(url, { method: 'POST', headers, body })).status
  }

  const others = [
    { orderKey: orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 2' }) },
    { chainId: 1 },
    { creditsContract: paid.receiver },
    { creditSeed: 'other' },
    { kind: 'normal' },
    { receiver: paid.wallet },
    { amount: '1' },
    { refunded: '1' },
  ]
  for (const change of others) expect(await send({ ...paid, ...change })).toBe(204)
  expect(await send(paid, 'whsec_of_another')).toBe(400)
  expect(lines()).toHaveLength(1)
  expect([await send(paid), await send(paid)]).toEqual([204, 204])
  expect(lines().slice(1)).toEqual(['order 1 is paid: deliver it'])
})
