import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { beforeAllInBrowser } from './openChromium.ts'
import { gate, passOn, type Submit } from './serviceProxy.ts'
import { type Customer, connect, type Stage, startStage } from './startStage.ts'
import { refuse } from './testWallet.ts'

let stage: Stage
let customer: Customer

const click = (page: Page) => page.locator('#pay').click()
const clickTwice = (page: Page) =>
  page.locator('#pay').evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
const seesReceipt = (page: Page) => page.locator('#receipt').waitFor({ timeout: 20_000 })
const isDone = (page: Page) => page.waitForFunction(() => !document.querySelector('#pay[aria-busy]'))
async function reload(page: Page): Promise<void> {
  await page.reload()
  await connect(page)
}
async function problem(page: Page): Promise<string> {
  await page.locator('#problem').waitFor({ timeout: 20_000 })
  return (await page.locator('#problem').textContent()) ?? ''
}

/** One redeem of 10.00, and no credits spent except for it and its gas. */
async function expectPaidOnce({ usdcCents = 0 } = {}): Promise<void> {
  const { redeems, paid, creditsSpent } = await customer.onChain()
  expect(redeems).toBe(1)
  expect(paid).toBe(10_000_000n)
  const gasFee = creditsSpent - (10_000_000n - BigInt(usdcCents) * 10_000n)
  expect(gasFee).toBeGreaterThan(0n)
  expect(gasFee).toBeLessThan(1_000_000n)
}
async function expectNothingPaid(): Promise<void> {
  expect(await customer.onChain()).toMatchObject({ redeems: 0, creditsSpent: 0n })
}

afterEach(() => customer?.context.close())

const isLong = inject('isLong')
// In `npm test`, the tests of the shop cover intent-bound nonces.
const kinds: readonly Kind[] = isLong ? ['intentBound', 'randomNonce'] : ['randomNonce']
describe.each(kinds)('with a service of %s permits', (kind) => {
  beforeAllInBrowser(async () => {
    stage = await startStage(kind)
  })
  afterAll(() => stage?.stop())
  beforeEach(async () => {
    // A failed test may have left the service dead.
    if (!stage.service.isAlive()) await stage.service.restart()
    stage.proxy.onSubmit = passOn
    stage.proxy.submits = 0
    stage.proxy.isDown = false
  })

  if (!isLong || kind === 'intentBound') mainCases(kind)
  if (isLong) variations(kind)
})

type Kind = 'intentBound' | 'randomNonce'

function mainCases(kind: Kind): void {
  test('clicked once: paid once, and the receipt says what moved', async () => {
    customer = await stage.newCustomer({ order: { usdcCents: 400 } })
    const page = await customer.openTab()
    await click(page)
    await seesReceipt(page)
    const receipt = await page.locator('#receipt').textContent()
    expect(receipt).toMatch(kind === 'intentBound' ? /Order10\.00.+In USDC4\.00/ : /In USDC4\.00.*Paid10\.00/)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization', 'ReceiveWithAuthorization'])
    await expectPaidOnce({ usdcCents: 400 })
  })

  test('clicked twice at the same time: one prompt, one redeem', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    await clickTwice(page)
    await seesReceipt(page)
    await isDone(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('clicked in two tabs at the same time: one prompt, one redeem, and both show it', async () => {
    customer = await stage.newCustomer()
    const tabs = [await customer.openTab(), await customer.openTab()]
    await Promise.all(tabs.map(click))
    await Promise.all(tabs.map(seesReceipt))
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('reloaded after the signature, before the submit is sent: no second prompt, one redeem', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    const submitted = gate()
    // Held back: neither the service nor the page receives the submit.
    stage.proxy.onSubmit = async () => submitted.open()
    await click(page)
    await submitted.opened
    await reload(page)
    stage.proxy.onSubmit = passOn
    await click(page)
    await seesReceipt(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('the connection breaks after the service accepted it: the chain is read, one redeem', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    stage.proxy.onSubmit = async ({ forward, cut }) => {
      await forward()
      cut()
    }
    await click(page)
    await seesReceipt(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('a rejected request: nothing is paid, and the next click prompts again', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    customer.wallet.beforeSigning = refuse
    await click(page)
    expect(await problem(page)).toContain('You rejected the request')
    await expectNothingPaid()
    customer.wallet.beforeSigning = async () => {}
    await click(page)
    await seesReceipt(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization', 'CreditsAuthorization'])
    await expectPaidOnce()
  })
}

function variations(kind: Kind): void {
  test('clicked again during the wallet request: one prompt, one redeem', async () => {
    customer = await stage.newCustomer()
    const { open, opened } = gate()
    customer.wallet.beforeSigning = () => opened
    const page = await customer.openTab()
    await click(page)
    await expect.poll(() => customer.wallet.prompts).toHaveLength(1)
    await click(page)
    open()
    await seesReceipt(page)
    await isDone(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('clicked in two tabs, and the first is closed during its wallet request: the other continues, one redeem', async () => {
    customer = await stage.newCustomer()
    const { open, opened } = gate()
    customer.wallet.beforeSigning = () => opened
    const [first, second] = [await customer.openTab(), await customer.openTab()]
    await click(first)
    await expect.poll(() => customer.wallet.prompts, { timeout: 15_000 }).toHaveLength(1)
    await click(second)
    await second.getByText('in another tab').waitFor()
    await first.close()
    open()
    await seesReceipt(second)
    await expectPaidOnce()
  })

  // With random nonces, two tabs without a lock could both pay.
  if (kind === 'randomNonce')
    test('clicked in a browser without Web Locks: no prompt, nothing sent, and the page says so', async () => {
      customer = await stage.newCustomer()
      await customer.context.addInitScript('delete Navigator.prototype.locks')
      const page = await customer.openTab()
      await click(page)
      expect(await problem(page)).toContain('Web Locks')
      expect([customer.wallet.prompts.length, stage.proxy.submits]).toEqual([0, 0])
      await expectNothingPaid()
    })
  else {
    test('clicked twice in a browser without Web Locks: one prompt, one redeem', async () => {
      customer = await stage.newCustomer()
      await customer.context.addInitScript('delete Navigator.prototype.locks')
      const page = await customer.openTab()
      await clickTwice(page)
      await seesReceipt(page)
      await isDone(page)
      expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
      await expectPaidOnce()
    })

    test('clicked in two tabs at the same time in a browser without Web Locks: one redeem, and both show it', async () => {
      customer = await stage.newCustomer()
      await customer.context.addInitScript('delete Navigator.prototype.locks')
      const tabs = [await customer.openTab(), await customer.openTab()]
      await Promise.all(tabs.map(click))
      await Promise.all(tabs.map(isDone))
      for (const tab of tabs) {
        // Two pages that write at the same moment may both ask for another click.
        if (await tab.locator('#receipt').isHidden()) await click(tab)
        await seesReceipt(tab)
      }
      await expectPaidOnce()
    })
  }

  test('reloaded during the wallet request, and clicked again: one redeem', async () => {
    customer = await stage.newCustomer()
    const { open, opened } = gate()
    customer.wallet.beforeSigning = () => opened
    const page = await customer.openTab()
    await click(page)
    await expect.poll(() => customer.wallet.prompts).toHaveLength(1)
    await reload(page)
    open()
    await click(page)
    await seesReceipt(page)
    await expectPaidOnce()
  })

  test('reloaded between the two prompts, and clicked again: one redeem', async () => {
    customer = await stage.newCustomer({ order: { usdcCents: 400 } })
    const { open, opened } = gate()
    customer.wallet.beforeSigning = () => (customer.wallet.prompts.length === 2 ? opened : Promise.resolve())
    const page = await customer.openTab()
    await click(page)
    await expect.poll(() => customer.wallet.prompts).toHaveLength(2)
    await reload(page)
    open()
    await click(page)
    await seesReceipt(page)
    await expectPaidOnce({ usdcCents: 400 })
  })

  test('reloaded before the submit arrives, which arrives after the second click: one redeem', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    const held: Submit[] = []
    stage.proxy.onSubmit = async (submit) => void held.push(submit)
    await click(page)
    await expect.poll(() => held, { timeout: 15_000 }).toHaveLength(1)
    await reload(page)
    stage.proxy.onSubmit = passOn
    await click(page)
    await seesReceipt(page)
    await held[0]?.forward()
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('reloaded after the submit, before its response: no second prompt, one redeem', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    const taken = gate()
    stage.proxy.onSubmit = async ({ forward }) => {
      await forward()
      taken.open()
    }
    await click(page)
    await taken.opened
    await reload(page)
    stage.proxy.onSubmit = passOn
    await click(page)
    await seesReceipt(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('the service accepts it and reports a failure: the chain is read, one redeem', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    stage.proxy.onSubmit = async ({ forward, answer }) => {
      await forward()
      answer({
        status: 400,
        body: { name: 'InvalidRequestError', code: 'INVALID_REQUEST', message: 'Nothing was sent.' },
      })
    }
    await click(page)
    await seesReceipt(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('the service is killed before it sends anything: the page says that the outcome is unknown, and clicking again pays once', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    await stage.service.restart({ crashAt: 'journalled' })
    await click(page)
    await stage.service.gone()
    const said = await problem(page)
    expect(said).toContain('still confirming')
    expect(said).toContain('Click the button again')
    expect(said).not.toMatch(/nothing was (sent|paid|signed)/i)
    await isDone(page)
    await stage.service.restart()
    await click(page)
    await seesReceipt(page)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('the service is killed right after it sent the redeem: paid once, even after a reload and another click', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    await stage.service.restart({ crashAt: 'broadcast' })
    await click(page)
    await stage.service.gone()
    await reload(page)
    await click(page)
    await seesReceipt(page)
    await stage.service.restart()
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('a service that is down before anything was signed: no prompt, and clicking again pays', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    stage.proxy.isDown = true
    await click(page)
    expect(await problem(page)).not.toContain('still confirming')
    expect(customer.wallet.prompts).toEqual([])
    stage.proxy.isDown = false
    await click(page)
    await seesReceipt(page)
    await expectPaidOnce()
  })

  test('clicked after it was paid, in a new tab: no prompt, nothing sent, the same receipt', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    await click(page)
    await seesReceipt(page)
    const receipt = await page.locator('#receipt').textContent()
    const { submits } = stage.proxy
    const tab = await customer.openTab()
    await click(tab)
    await seesReceipt(tab)
    expect(await tab.locator('#receipt').textContent()).toBe(receipt)
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    expect(stage.proxy.submits).toBe(submits)
    await expectPaidOnce()
  })

  // With random nonces, only the storage prevents a second payment.
  if (kind === 'intentBound')
    test('clicked after it was paid, with the storage cleared: no prompt, nothing sent, the same receipt', async () => {
      customer = await stage.newCustomer()
      const page = await customer.openTab()
      await click(page)
      await seesReceipt(page)
      const { submits } = stage.proxy
      await page.evaluate('localStorage.clear()')
      await reload(page)
      await click(page)
      await seesReceipt(page)
      expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
      expect(stage.proxy.submits).toBe(submits)
      await expectPaidOnce()
    })

  test('another price for an order that was paid: no prompt, nothing sent, and the page says so', async () => {
    customer = await stage.newCustomer()
    const page = await customer.openTab()
    await click(page)
    await seesReceipt(page)
    customer.order.cents = 1200
    await reload(page)
    await click(page)
    // With random nonces, this browser's record shows which order was paid, but the chain does not.
    expect(await problem(page)).toContain(
      kind === 'intentBound' ? 'used for another payment' : customer.order.id,
    )
    expect(customer.wallet.prompts).toEqual(['CreditsAuthorization'])
    await expectPaidOnce()
  })

  test('too few credits: no prompt, and the page shows the balance and the price', async () => {
    customer = await stage.newCustomer({ creditCents: 700 })
    const page = await customer.openTab()
    await click(page)
    const said = await problem(page)
    expect(customer.wallet.prompts).toEqual([])
    expect(said).toMatch(/You have 7\.00, but need 10\.0\d/)
    await expectNothingPaid()
  })
}
