import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { startSandbox } from '@redeemkit/sandbox'
import { orderKey } from 'redeemkit/merchant'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

/* Each quickstart program runs when it is loaded, and must print the output that its page shows. */

let printed: unknown[]
beforeEach(() => {
  printed = []
  const log = vi.spyOn(console, 'log').mockImplementation((value: unknown) => printed.push(value))
  onTestFinished(() => log.mockRestore())
})

test('the wallet quickstart prints what its page shows', async () => {
  await import('./first-inspection.ts')
  const page = readFileSync(new URL('../docs/pages/start/quickstart-wallet.md', import.meta.url), 'utf8')
  expect(page).toContain(`\`\`\`text\n${printed.join('\n')}\n\`\`\``)
})

const webhookSecret = 'whsec_of_this_test'
/** The output of `npx redeemkit sandbox --env`, which is the same on every machine. */
const settings = {
  REDEEMKIT_MERCHANT_ID: 'sandbox-shop',
  REDEEMKIT_CREDIT_SEED: 'sandbox-shop',
  REDEEMKIT_BASE_CHAIN_ID: '84532',
  REDEEMKIT_BASE_CREDITS_CONTRACT: '0xaeFe2d281E200A64cE33030aa3CfC3c79B1Dc1d9',
  REDEEMKIT_BOB_ADDRESS: '0x5e376587B63a5d43154d7F34170f76BD48CB3ea7',
}

/** Starts the server of the merchant quickstart, and returns its address. */
async function startServer(): Promise<string> {
  vi.resetModules()
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  vi.stubEnv('WEBHOOK_SECRET', webhookSecret)
  vi.stubEnv('PORT', '0')
  const { server } = await import('./first-order.ts')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.close()
  })
  await vi.waitFor(() => expect(printed).toHaveLength(1))
  const [url = ''] = String(printed.pop()).match(/http:\S+/) ?? []
  return url
}

test('the server of the merchant quickstart fulfils a payment of the dApp quickstart, once', async () => {
  const sandbox = await startSandbox({ webhookUrl: await startServer(), webhookSecret })
  onTestFinished(() => sandbox.stop())
  const { fetch } = globalThis
  // The program calls the command's default port.
  const toSandbox: typeof fetch = (input, init) =>
    fetch(String(input).replace('http://127.0.0.1:4242', sandbox.url), init)
  vi.stubGlobal('fetch', toSandbox)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const pay = async () => {
    vi.resetModules()
    await import('./first-redeem.ts')
  }

  await pay()
  await vi.waitFor(() => expect(printed).toContain('order 1 is paid: deliver it'), 10_000)
  const receipt = printed.find((value) => typeof value === 'object')
  expect(receipt).toMatchObject({ kind: 'token', amount: 10_000_000n, charged: 10_010_000n })
  printed = []
  await pay()
  expect(printed).toEqual([receipt])
})

test('the server fulfils no order for a different payment', async () => {
  const url = await startServer()
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
  const send = async (data: object, secret = webhookSecret) => {
    const event = { id: 'evt_1', type: 'redeem.redeemed', createdAt: new Date().toISOString(), data }
    const body = JSON.stringify(event)
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
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
  expect(printed).toEqual([])
  expect([await send(paid), await send(paid)]).toEqual([204, 204])
  expect(printed).toEqual(['order 1 is paid: deliver it'])
})

test('the program of the dApp quickstart pays once, however often it runs', async () => {
  const sandbox = await startSandbox({ bridge: false })
  onTestFinished(() => sandbox.stop())
  // The same program with this sandbox's port. It is written beside the examples because it imports redeemkit.
  const copy = new URL(`./run/${process.pid}.tmp.ts`, import.meta.url)
  const source = readFileSync(new URL('./first-redeem.ts', import.meta.url), 'utf8')
  writeFileSync(copy, source.replace('http://127.0.0.1:4242', sandbox.url))
  onTestFinished(() => rmSync(copy))
  const run = async () =>
    (await promisify(execFile)(process.execPath, ['--import', 'tsx', copy.pathname], { timeout: 60_000 }))
      .stdout
  const receipt = await run()
  expect(receipt).toMatch(/hash: '0x[0-9a-f]{64}'/)
  expect(receipt).toContain('amount: 10000000n')
  expect(await run()).toBe(receipt) // The second run reports the first payment.
})
