import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { erc20Abi, getAbiItem, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import type { RunningShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import { cabinetAbi } from '../../../examples/dapp-redeem/src/catalogue.ts'
import type { SmartAccount } from '../../../src/sandbox/testing/wallet/honestWallet.ts'
import { anvil } from '../../service/sandboxClient.ts'
import { createTestWallet, type TestWallet } from '../testWallet.ts'
import { announcedWalletScript } from './announcedWallet.ts'

/** Somebody with a wallet, money and a browser profile of their own. */
export type Visitor = {
  wallet: TestWallet
  address: Hex
  context: BrowserContext
  /** What the shop's pages have thrown and nobody caught. */
  pageErrors: readonly string[]
  /** What the shop's pages have told of what goes on and what went wrong, in order. */
  said: readonly string[]
  /** Opens a page of the shop, as `#/moth/moon-ferry`, in a new tab. */
  openTab: (hash?: string) => Promise<Page>
  /** Sends an event of the wallet to every open tab. */
  emit: (event: string, value: unknown) => Promise<void>
  /** What the chain holds of an account. Default: the visitor's. */
  onChain: (account?: Hex) => Promise<OnChain>
}

type OnChain = {
  /** How many redeems there were, and what they paid out, in raw units of USDC. */
  redeems: number
  paid: bigint
  moths: readonly bigint[]
  creditsSpent: bigint
  usdcSpent: bigint
}

export type VisitorOptions = {
  creditCents?: number
  usdcCents?: number
  /** Where the wallet stands. Default: the shop's chain. */
  chainId?: number
  /** Whether the wallet is there as an extension would be. Default true. */
  announcesWallet?: boolean
  /** Whether the wallet has let the shop in before: then the shop finds it by itself. Default false. */
  isConnected?: boolean
  /** The account is a contract. Default: that of a key. */
  smartAccount?: (owner: LocalAccount) => Promise<SmartAccount>
  /** Colours, size and the like. */
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
        ([name, told]) => (window as unknown as EmittingWindow).emitFromTestWallet?.(name, told),
        [event, value] as const,
      )
  }
  const wallet = createTestWallet(account, {
    chainId: options.chainId ?? config.chainId,
    connected: isConnected,
    client,
    smartAccount: await options.smartAccount?.(account),
    // A page that is left in this moment hears nothing.
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
      const { usdc } = sandbox.chains.base as NonNullable<typeof sandbox.chains.base> // the shop's
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

/** A page in which `announcedWalletScript` has run; it has not in one that is still empty. */
type EmittingWindow = { emitFromTestWallet?: (event: string, value: unknown) => void }

/** Runs in the page, before its own scripts: notes what is told to everybody, a screen reader among them. */
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
