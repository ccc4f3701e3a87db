import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createPublicClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { buildPage, type RunningShop, startShop } from '../../examples/dapp-redeem/server/startShop.ts'
import { cabinetAbi } from '../../examples/dapp-redeem/src/catalogue/cabinet.ts'
import { announcedWalletScript } from './announcedWallet.ts'
import { openChromium } from './openChromium.ts'
import { type ServiceProxy, startServiceProxy } from './serviceProxy.ts'
import { createTestWallet, type TestWallet } from './testWallet.ts'

/** The shop of `examples/dapp-redeem` as it is built, its payments service, and a browser. */
export type OpenShop = {
  shop: RunningShop
  /** Stands between the page and the service. */
  proxy: ServiceProxy
  browser: Browser
  /** A visitor with a wallet, money and a browser profile of their own. */
  newVisitor: (options?: VisitorOptions) => Promise<Visitor>
  stop: () => Promise<void>
}

type VisitorOptions = {
  creditCents?: number
  usdcCents?: number
  /** Where the wallet stands. Default: the shop's chain. */
  chainId?: number
  /** Whether the wallet is there as an extension would be. Default true. */
  announcesWallet?: boolean
  /** Colours, size and the like. */
  context?: BrowserContextOptions
}

export type Visitor = {
  wallet: TestWallet
  address: Hex
  context: BrowserContext
  /** What the shop's pages have thrown and nobody caught. */
  pageErrors: readonly string[]
  /** Opens a page of the shop, as `#/moth/moon-ferry`, in a new tab. */
  openTab: (hash?: string) => Promise<Page>
  /** Sends an event of the wallet to every open tab, as when its owner switches the account. */
  emit: (event: 'accountsChanged' | 'chainChanged' | 'disconnect', value: unknown) => Promise<void>
  /** What the chain holds. */
  onChain: () => Promise<{ moths: readonly bigint[]; creditsSpent: bigint }>
}

/** @param options.states also builds the page that draws every state of a payment, `/states.html` */
export async function openShop({ states = false }: { states?: boolean } = {}): Promise<OpenShop> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const builtPage = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
    closers.push(() => rm(builtPage, { recursive: true, force: true }))
    await buildPage(builtPage, { states })
    let serviceUrl = ''
    const proxy = await startServiceProxy(() => serviceUrl)
    closers.push(proxy.close)
    const shop = await startShop({
      builtPage,
      changeConfig: (config) => {
        serviceUrl = config.baseUrl
        return { ...config, baseUrl: proxy.url }
      },
    })
    closers.push(shop.stop)
    const browser = await openChromium()
    closers.push(() => browser.close())
    return { shop, proxy, browser, stop, newVisitor: (options) => newVisitor({ shop, browser }, options) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function newVisitor(
  { shop, browser }: Pick<OpenShop, 'shop' | 'browser'>,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { creditCents = 10_000, usdcCents = 10_000, announcesWallet = true } = options
  const { sandbox, config } = shop
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  if (creditCents > 0) await sandbox.mintCredits({ wallet: address, cents: creditCents })
  if (usdcCents > 0) await sandbox.mintUsdc({ wallet: address, cents: usdcCents })
  const client = createPublicClient({ transport: http(config.rpcUrl) })
  const { creditsContract, creditSeed } = config.pinned
  const creditsOf = () =>
    client.readContract({
      address: creditsContract,
      abi: creditsAbi,
      functionName: 'creditsOf',
      args: [creditSeed, address],
    })
  const before = await creditsOf()
  const pageErrors: string[] = []
  const wallet = createTestWallet(account, { chainId: options.chainId ?? config.chainId })
  const context = await browser.newContext(options.context)
  await context.exposeFunction('askTestWallet', wallet.answer)
  if (announcesWallet) await context.addInitScript(announcedWalletScript)
  return {
    wallet,
    address,
    context,
    pageErrors,
    openTab: async (hash = '#/') => {
      const page = await context.newPage()
      page.on('pageerror', (error) => pageErrors.push(String(error.stack ?? error)))
      await page.goto(`${shop.url}/${hash}`)
      await page.locator('main h1').waitFor()
      return page
    },
    emit: async (event, value) => {
      for (const page of context.pages())
        await page.evaluate(
          ([name, told]) => (window as unknown as EmittingWindow).emitFromTestWallet(name, told),
          [event, value] as const,
        )
    },
    onChain: async () => ({
      moths: await client.readContract({
        address: config.cabinet,
        abi: cabinetAbi,
        functionName: 'specimensOf',
        args: [address],
      }),
      creditsSpent: before - (await creditsOf()),
    }),
  }
}

/** A page in which `announcedWalletScript` has run. */
type EmittingWindow = { emitFromTestWallet: (event: string, value: unknown) => void }

/** Connects the visitor's own wallet by the shop's window. */
export async function connectPocket(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: /^Pocket/ }).click()
  await page.getByRole('button', { name: /^Wallet 0x/ }).waitFor()
}
