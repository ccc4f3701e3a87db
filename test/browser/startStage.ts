import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { createPublicClient, erc20Abi, getAbiItem, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Order } from '../../examples/pay-button-page/page.ts'
import { servePage } from '../../examples/pay-button-page/servePage.ts'
import { type ServiceKind, startSandbox } from '../../src/sandbox/index.ts'
import { bundleProcess } from '../service/bundleProcess.ts'
import { lentChain, readCredits } from '../service/sandboxClient.ts'
import { openChromium } from './openChromium.ts'
import { type ServiceProxy, startServiceProxy } from './serviceProxy.ts'
import { createTestWallet, type TestWallet, walletScript } from './testWallet.ts'

export type Stage = {
  proxy: ServiceProxy
  service: ServiceProcess
  newCustomer: (options?: { order?: Partial<Order>; creditCents?: number }) => Promise<Customer>
  stop: () => Promise<void>
}

export type Customer = {
  wallet: TestWallet
  context: BrowserContext
  order: Order
  openTab: () => Promise<Page>
  /** The wallet's redeems, their payments to the shop, and the spent credits. */
  onChain: () => Promise<{ redeems: number; paid: bigint; creditsSpent: bigint }>
}

const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

export async function startStage(kind: ServiceKind): Promise<Stage> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const opening = openChromium()
    opening.catch(() => {}) // awaited below
    // Provides the chain; the service runs in its own process, because tests kill it.
    const lender = await startSandbox({ bridge: false, service: kind })
    closers.push(lender.stop)
    const { base } = lender.chains as Required<typeof lender.chains> // the sandbox starts it by default
    const browser = await opening
    closers.push(() => browser.close())
    const service = await startServiceProcess({
      service: kind,
      merchants: [{ merchantId: lender.merchantId, apiKey: 'the key' }],
      chains: [lentChain(lender)],
    })
    closers.push(service.stop)
    const proxy = await startServiceProxy(() => service.url)
    closers.push(proxy.close)
    const orders = new Map<string, Order>()
    const site = await servePage({ findOrder: (id) => orders.get(id) })
    closers.push(site.close)

    const client = createPublicClient({ transport: http(base.rpcUrl) })
    const creditsOf = (wallet: Hex) => readCredits(base, lender.creditSeed, wallet)

    async function newCustomer({
      order: changes = {},
      creditCents = 5000,
    }: Parameters<Stage['newCustomer']>[0] = {}): Promise<Customer> {
      const account = privateKeyToAccount(generatePrivateKey())
      const id = `${1000 + orders.size}`
      const order: Order = {
        id,
        title: `Order ${id}`,
        cents: 1000,
        shop: lender.accounts.bob.address,
        merchantId: lender.merchantId,
        blockchain: 'base',
        environment: 'sandbox',
        chainId: base.chainId,
        baseUrl: proxy.url,
        rpcUrl: base.rpcUrl,
        pinned: base.pinned,
        timeoutMs: 2_000,
        ...changes,
      }
      orders.set(id, order)
      await lender.mintCredits({ wallet: account.address, cents: creditCents })
      if (order.usdcCents !== undefined)
        await lender.mintUsdc({ wallet: account.address, cents: order.usdcCents })
      const before = await creditsOf(account.address)
      const wallet = createTestWallet(account, base)
      const context = await browser.newContext()
      await context.exposeFunction('askTestWallet', wallet.answer)
      await context.addInitScript(walletScript)
      return {
        wallet,
        context,
        order,
        openTab: async () => {
          const page = await context.newPage()
          await page.goto(`${site.url}/${id}/`)
          await connect(page)
          return page
        },
        onChain: async () => {
          // Both kinds of contracts pay in USDC, with transactions that carry the permit.
          const paid = await client.getLogs({
            address: base.usdc,
            event: transferEvent,
            args: { from: base.creditsContract, to: order.shop },
            fromBlock: 0n,
          })
          const sent = await Promise.all(
            paid.map(({ transactionHash }) => client.getTransaction({ hash: transactionHash })),
          )
          const own = paid.filter((_, index) =>
            sent[index]?.input.includes(account.address.slice(2).toLowerCase()),
          )
          return {
            redeems: own.length,
            paid: own.reduce((total, { args }) => total + (args.value ?? 0n), 0n),
            creditsSpent: before - (await creditsOf(account.address)),
          }
        },
      }
    }
    return { proxy, service, newCustomer, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The wallet may still be connected from another tab or before a reload: then the button may disappear at any moment. */
export async function connect(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Connect' })
  const pay = page.locator('#pay:enabled')
  await button.or(pay).first().waitFor()
  await button.evaluateAll((buttons) => buttons.map((one) => (one as HTMLElement).click()))
  await pay.waitFor()
}

type ServiceProcess = {
  /** Different after each start. */
  url: string
  /** `crashAt` is the step at which the relayer kills its own process: `journalled` or `broadcast`. */
  restart: (options?: { crashAt?: string }) => Promise<void>
  isAlive: () => boolean
  gone: () => Promise<void>
  stop: () => Promise<void>
}

/** `settings` are options of `createSandbox` as JSON, without `dataDir`. */
async function startServiceProcess(settings: object): Promise<ServiceProcess> {
  const file = fileURLToPath(
    new URL(`../../node_modules/.cache/redeemkit/browserService-${process.pid}.mjs`, import.meta.url),
  )
  const [dataDir] = await Promise.all([
    mkdtemp(join(tmpdir(), 'redeemkit-browser-')),
    bundleProcess(new URL('../service/crashChild.ts', import.meta.url), file),
  ])
  /** Loads the modules of the next process in advance. */
  const load = () => spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  let spare = load()
  let child: ChildProcess | undefined
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  async function gone(): Promise<void> {
    if (child !== undefined && isAlive()) await once(child, 'exit')
  }
  async function kill(): Promise<void> {
    child?.kill('SIGKILL')
    await gone()
  }
  async function restart(options: { crashAt?: string } = {}): Promise<void> {
    await kill()
    const started = spare
    child = started
    spare = load()
    started.stdin.write(`${JSON.stringify({ ...settings, ...options, dataDir })}\n`)
    const [chunk] = await Promise.race([
      once(started.stdout, 'data'),
      once(started, 'exit').then(() =>
        Promise.reject(new Error('The service exited before it was listening.')),
      ),
    ])
    service.url = JSON.parse(String(chunk)).url
  }
  const service: ServiceProcess = {
    url: '',
    restart,
    isAlive,
    gone,
    stop: async () => {
      await kill()
      spare.kill('SIGKILL')
      await Promise.all([rm(file, { force: true }), rm(dataDir, { recursive: true, force: true })])
    },
  }
  await restart()
  return service
}
