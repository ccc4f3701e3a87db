import type { Page } from 'playwright-core'
import { encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import {
  smartWalletAbi,
  smartWalletBytecode,
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../../contracts/generated/smartWallets.ts'
import type { RunningShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import type { SmartAccount } from '../../../src/sandbox/testing/wallet/honestWallet.ts'
import { anvil } from '../../service/sandboxClient.ts'
import { beforeAllInBrowser, findSerious, picturePath } from '../openChromium.ts'
import type { Visitor, VisitorOptions } from './newVisitor.ts'
import { type OpenShop, openShop } from './openShop.ts'

/** The cheapest bill: transaction type `token`, and always the same order. */
export const bill = { hash: '#/bill/2047', cents: 450, pay: 'Pay $4.50', paid: 'Paid, thank you' }

export async function connectPocket(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: /^Pocket/ }).click()
  await page.getByRole('button', { name: /^Wallet 0x/ }).waitFor()
}

export async function click(page: Page, name: string): Promise<void> {
  await page.locator(`button:not([aria-disabled="true"])`, { hasText: name }).click()
}

/** In dollars. */
export async function split(page: Page, dollars: string): Promise<void> {
  const shown = page.locator('.sums').getByText('From your USDC')
  // The form is replaced when the order arrives, so the amount may have to be entered again.
  const fill = async () => {
    await page.getByLabel('In USDC', { exact: true }).fill(dollars)
    await shown.waitFor({ timeout: 3_000 })
  }
  await fill().catch(fill)
}

export async function seesReceipt(page: Page, title = bill.paid): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor({ timeout: 30_000 })
  await page.locator('.receipt .sums').waitFor({ timeout: 30_000 })
}

export async function expectTrouble(page: Page, message: string | RegExp): Promise<void> {
  await expect
    .poll(() => page.getByRole('alert').allTextContents(), { timeout: 30_000 })
    .toContainEqual(
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    )
}

export const permit = 'CreditsAuthorization'
export const usdc = 'ReceiveWithAuthorization'

export type AtBill = {
  stage: OpenShop
  visitor: Visitor
  bill: (options?: VisitorOptions) => Promise<Page>
}

/** Starts the shop before the tests of a file, and removes its faults between them. Fails a test whose page threw an error. */
export function atBill(): AtBill {
  const at = {
    bill: async (options: VisitorOptions = {}) => {
      at.visitor = await at.stage.newVisitor({ isConnected: true, ...options })
      return at.visitor.openTab(bill.hash)
    },
  } as AtBill // set before each test
  beforeAllInBrowser(async () => {
    at.stage = await openShop()
  })
  afterAll(() => at.stage?.stop())
  beforeEach(() => at.stage.mend())
  afterEach(async () => {
    const { pageErrors, context } = at.visitor
    await context.close()
    expect(pageErrors).toEqual([])
  })
  return at
}

export async function paysFromSmartAccount(at: AtBill, kind: keyof ReturnType<typeof smartAccounts>) {
  const page = await at.bill({ smartAccount: smartAccounts(at.stage.shop)[kind] })
  await split(page, '2')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('sendGaslessTx')) sent.push(request.postDataJSON())
  })
  await click(page, bill.pay)
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit, usdc])
  // V1 carries only a key's signature.
  expect(JSON.stringify(sent)).toMatch(/customerUsdcAuthDataV2/)
  await expectPaidOnce(at.visitor, { cents: bill.cents, usdcCents: 200 })
}

export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 320 },
] as const

/** Context options of one of {@link looks}, and names for its pictures. */
export function lookedAt({ colorScheme, width }: (typeof looks)[number]) {
  return {
    context: { viewport: { width, height: 900 }, colorScheme },
    named: (name: string) => `${name}-${colorScheme}-${width}`,
  }
}

export async function expectGood(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: await picturePath(`${name}.png`), fullPage: true, animations: 'disabled' })
  expect(await findSerious(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
}

/**
 * One redeem and one payment, and the visitor spent only the price and the fee. `taken` is in raw units of USDC; the rest of the price was
 * returned as credits.
 */
export async function expectPaidOnce(
  visitor: Pick<Visitor, 'onChain'>,
  options: { cents: number; usdcCents?: number; taken?: bigint | undefined },
): Promise<void> {
  const { cents, usdcCents = 0, taken = BigInt(cents) * 10_000n } = options
  const { redeems, paid, usdcSpent, creditsSpent } = await visitor.onChain()
  const inUsdc = BigInt(usdcCents) * 10_000n
  expect({ redeems, paid, usdcSpent }).toEqual({ redeems: 1, paid: taken, usdcSpent: inUsdc })
  const fee = creditsSpent - (taken - inUsdc)
  expect(fee).toBeGreaterThan(0n)
  expect(fee).toBeLessThan(1_000_000n)
}

export async function expectNothingPaid(visitor: Pick<Visitor, 'onChain'>): Promise<void> {
  expect(await visitor.onChain()).toEqual({
    redeems: 0,
    paid: 0n,
    moths: [],
    creditsSpent: 0n,
    usdcSpent: 0n,
  })
}

function smartAccounts({ sandbox, config }: RunningShop) {
  const { client, rpc } = anvil(config.rpcUrl)
  const deployWallet = (owner: LocalAccount) =>
    sandbox.deploy({ abi: smartWalletAbi, bytecode: smartWalletBytecode, args: [owner.address] })
  return {
    deployed: async (owner: LocalAccount): Promise<SmartAccount> => ({
      kind: 'erc1271',
      address: await deployWallet(owner),
    }),
    delegated: async (owner: LocalAccount): Promise<SmartAccount> => {
      const code: Hex = `0xef0100${(await deployWallet(owner)).slice(2)}`
      await rpc('anvil_setCode', [owner.address, code])
      return { kind: 'eip7702' }
    },
    /** Its signatures contain the deployment (ERC-6492), by a factory that client and service know. */
    counterfactual: async (owner: LocalAccount): Promise<SmartAccount> => {
      const deployed = await sandbox.deploy({
        abi: smartWalletFactoryAbi,
        bytecode: smartWalletFactoryBytecode,
      })
      const factory = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'
      await rpc('anvil_setCode', [factory, await client.getCode({ address: deployed })])
      const call = { abi: smartWalletFactoryAbi, args: [owner.address, 7n] } as const
      return {
        kind: 'erc6492',
        address: await client.readContract({ ...call, address: factory, functionName: 'walletOf' }),
        factory,
        factoryData: encodeFunctionData({ ...call, functionName: 'createWallet' }),
      }
    },
  }
}
