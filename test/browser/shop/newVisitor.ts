import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { erc20Abi, getAbiItem, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import type { RunningShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import { cabinetAbi } from '../../../examples/dapp-redeem/src/catalogue.ts'
import type { SmartAccount } from '../../../src/sandbox/testing/wallet/honestWallet.ts'
import { anvil } from '../../service/sandboxClient.ts'
import { createTestWallet, type TestWallet } from '../testWallet.ts'

export type Visitor = {
  wallet: TestWallet
  address: Hex
  context: BrowserContext
  /** Uncaught errors of the shop's pages. */
  pageErrors: readonly string[]
  /** Status texts and alerts, in order. */
  said: readonly string[]
  /** Opens a page of the shop, such as `#/moth/moon-ferry`, in a new tab. */
  openTab: (hash?: string) => Promise<Page>
  emit: (event: string, value: unknown) => Promise<void>
  /** Default: the visitor's account. */
  onChain: (account?: Hex) => Promise<OnChain>
}

type OnChain = {
  /** Number of redeems, and their payments in raw units of USDC. */
  redeems: number
  paid: bigint
  moths: readonly bigint[]
  creditsSpent: bigint
  usdcSpent: bigint
}

export type VisitorOptions = {
  creditCents?: number
  usdcCents?: number
  /** Default: the shop's. */
  chainId?: number
  /** Whether the wallet is installed. Default true. */
  announcesWallet?: boolean
  /** Whether the wallet was connected before, so that the shop reconnects. Default false. */
  isConnected?: boolean
  /** Uses a contract account. Default: a key's account. */
  smartAccount?: (owner: LocalAccount) => Promise<SmartAccount>
  /** Whether the wallet announces that it accepts the purchase with a request. Default false: it rejects a third parameter. */
  takesIntent?: boolean
  context?: BrowserContextOptions
}

export async function newVisitor(
  { shop, browser }: { shop: RunningShop; browser: Browser },
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { creditCents = 10_000, usdcCents = 10_000, announcesWallet = true, isConnected = false } = options
  const { sandbox, config } = shop
  const { client } = anvil(config.rpcUrl)
  const account = privateKeyToAccount(generatePrivateKey())
  const context = await browser.newContext(options.context)
  const emit: Visitor['emit'] = async (event, value) => {
    for (const page of context.pages())
      await page.evaluate(
        ([name, reported]) => (window as unknown as EmittingWindow).emitFromTestWallet?.(name, reported),
        [event, value] as const,
      )
  }
  const wallet = createTestWallet(account, {
    chainId: options.chainId ?? config.chainId,
    connected: isConnected,
    client,
    takesIntent: options.takesIntent,
    smartAccount: await options.smartAccount?.(account),
    // A page that is closing receives nothing.
    onEvent: (event, value) => void emit(event, value).catch(() => {}),
  })
  const { address } = wallet
  if (creditCents > 0) await sandbox.mintCredits({ wallet: address, cents: creditCents })
  if (usdcCents > 0) await sandbox.mintUsdc({ wallet: address, cents: usdcCents })
  const held = { credits: BigInt(creditCents) * 10_000n, usdc: BigInt(usdcCents) * 10_000n }
  const pageErrors: string[] = []
  const said: string[] = []
  await context.exposeFunction('askTestWallet', wallet.answer)
  await context.exposeFunction('noteSaid', (text: string) => said.push(text))
  await context.addInitScript(noteScript)
  if (announcesWallet) await context.addInitScript(announcedWalletScript)
  return {
    wallet,
    address,
    context,
    pageErrors,
    said,
    openTab: async (hash = '#/') => {
      const page = await context.newPage()
      page.on('pageerror', (error) => pageErrors.push(String(error.stack ?? error)))
      await page.goto(`${shop.url}/${hash}`)
      await page.locator('main h1').waitFor()
      return page
    },
    emit,
    onChain: async (holder = address) => {
      const { creditsContract, creditSeed } = config.pinned
      const { usdc } = sandbox.chains.base as NonNullable<typeof sandbox.chains.base> // the shop's chain
      const [redeemed, payments, moths, credits, dollars] = await Promise.all([
        client.getLogs({
          address: creditsContract,
          event: getAbiItem({ abi: creditsAbi, name: 'Redeemed' }),
          args: { customerWallet: holder },
          fromBlock: 0n,
        }),
        client.getLogs({
          address: usdc,
          event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
          args: { from: creditsContract },
          fromBlock: 0n,
        }),
        client.readContract({
          address: config.cabinet,
          abi: cabinetAbi,
          functionName: 'specimensOf',
          args: [holder],
        }),
        client.readContract({
          address: creditsContract,
          abi: creditsAbi,
          functionName: 'creditsOf',
          args: [creditSeed, holder],
        }),
        client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
      ])
      const own = new Set(redeemed.map(({ transactionHash }) => transactionHash))
      return {
        redeems: redeemed.length,
        paid: payments
          .filter(({ transactionHash }) => own.has(transactionHash))
          .reduce((total, { args }) => total + (args.value ?? 0n), 0n),
        moths,
        creditsSpent: held.credits - credits,
        usdcSpent: held.usdc - dollars,
      }
    },
  }
}

/** Pages in which `announcedWalletScript` ran. Empty pages lack the function. */
type EmittingWindow = { emitFromTestWallet?: (event: string, value: unknown) => void }

/** Runs before the page's own scripts: records live-region texts, as a screen reader would read them. */
const noteScript = `
  const told = new WeakMap()
  new MutationObserver(() => {
    for (const element of document.querySelectorAll('[role=alert], [role=status]')) {
      const text = element.textContent
      if (text && told.get(element) !== text) window.noteSaid(text)
      told.set(element, text)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
`

/** Runs before the page's own scripts: announces the wallet as an extension does (EIP-6963), with the events of EIP-1193. */
const announcedWalletScript = `
  const listeners = new Map()
  const provider = {
    request: async (request) => {
      const { result, error } = JSON.parse(await window.askTestWallet(JSON.stringify(request)))
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  window.emitFromTestWallet = (event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" rx="2" fill="%23357"/%3E%3C/svg%3E'
  const info = { uuid: '3f0c8f0e-2f4d-4a57-9c55-0f4f4ef6f001', name: 'Pocket', icon, rdns: 'com.example.pocket' }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
`
