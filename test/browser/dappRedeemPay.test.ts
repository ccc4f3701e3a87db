import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gate } from './gate.ts'
import { expectNothingPaid, expectPaidOnce } from './shop/expectPaid.ts'
import type { Visitor, VisitorOptions } from './shop/newVisitor.ts'
import { type OpenShop, openShop } from './shop/openShop.ts'
import { bill, expectTrouble, press, seesReceipt, split } from './shop/shopPage.ts'
import { smartAccounts } from './shop/smartAccounts.ts'
import { refuse } from './testWallet.ts'

let stage: OpenShop
let visitor: Visitor
beforeAll(async () => {
  stage = await openShop()
})
afterAll(() => stage?.stop())
beforeEach(() => stage.mend())
afterEach(async () => {
  const { pageErrors, context } = visitor
  await context.close()
  expect(pageErrors).toEqual([])
})

/** A visitor whose wallet has let the shop in, before a bill of $4.50. */
async function atBill(options: VisitorOptions = {}): Promise<Page> {
  visitor = await stage.newVisitor({ isConnected: true, ...options })
  return visitor.openTab(bill.hash)
}
const { cents } = bill
const permit = 'CreditsAuthorization'
const usdc = 'ReceiveWithAuthorization'

describe('a person says no', () => {
  test('to the first prompt: nothing is paid, and a press asks again', async () => {
    const page = await atBill()
    visitor.wallet.beforeSigning = refuse
    await press(page, bill.pay)
    await expectTrouble(page, 'You said no in your wallet. Nothing was paid.')
    await expectNothingPaid(visitor)
    visitor.wallet.beforeSigning = async () => {}
    await press(page, bill.pay)
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit, permit])
    await expectPaidOnce(visitor, { cents })
  })

  test('to the second prompt: nothing is paid, and a press asks for that one alone', async () => {
    const page = await atBill()
    await split(page, '2')
    visitor.wallet.beforeSigning = () =>
      visitor.wallet.prompts.at(-1) === usdc ? refuse() : Promise.resolve()
    await press(page, bill.pay)
    await expectTrouble(page, 'You said no in your wallet. Nothing was paid.')
    await expectNothingPaid(visitor)
    visitor.wallet.beforeSigning = async () => {}
    await press(page, bill.pay)
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit, usdc, usdc])
    await expectPaidOnce(visitor, { cents, usdcCents: 200 })
  })
})

describe('a wallet on another network', () => {
  const elsewhere = 11_155_111
  const toSwitch = 'Switch to Base Sepolia'
  const wrong = 'Your wallet is on another network. Switch it to Base Sepolia, then try again.'
  const switching = 'wallet_switchEthereumChain'

  test('is switched before it is asked to sign', async () => {
    const page = await atBill({ chainId: elsewhere })
    await press(page, toSwitch)
    await press(page, bill.pay)
    await seesReceipt(page)
    const { asked } = visitor.wallet
    expect(asked.indexOf('eth_signTypedData_v4')).toBeGreaterThan(asked.indexOf(switching))
    await expectPaidOnce(visitor, { cents })
  })

  test('that says that it has switched, and has not: nothing is signed, and the page says so', async () => {
    const page = await atBill({ chainId: elsewhere })
    visitor.wallet.instead[switching] = () => null
    await press(page, toSwitch)
    await expectTrouble(page, wrong)
    await press(page, toSwitch)
    await expectTrouble(page, wrong)
    expect(visitor.wallet.prompts).toEqual([])
    visitor.wallet.instead = {}
    await press(page, toSwitch)
    await press(page, bill.pay)
    await seesReceipt(page)
    await expectPaidOnce(visitor, { cents })
  })

  test('that tells of a switch, and stands elsewhere when it is to sign: nothing is signed', async () => {
    const page = await atBill({ chainId: elsewhere })
    await page.getByRole('button', { name: toSwitch }).waitFor()
    visitor.wallet.instead = { [switching]: () => null, eth_chainId: () => '0x14a34' }
    await press(page, toSwitch)
    await page.getByRole('button', { name: bill.pay }).waitFor()
    visitor.wallet.instead = {}
    await press(page, bill.pay)
    await expectTrouble(page, wrong)
    expect(visitor.wallet.prompts).toEqual([])
    await expectNothingPaid(visitor)
  })
})

describe('reloaded', () => {
  test('before the press: nothing is lost', async () => {
    const page = await atBill()
    await page.getByRole('button', { name: bill.pay }).waitFor()
    await page.reload()
    await press(page, bill.pay)
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit])
    await expectPaidOnce(visitor, { cents })
  })

  test('after one signature of two: the other one is asked for alone', async () => {
    const page = await atBill()
    await split(page, '2')
    const { open, opened } = gate()
    visitor.wallet.beforeSigning = () => (visitor.wallet.prompts.length === 2 ? opened : Promise.resolve())
    await press(page, bill.pay)
    await expect.poll(() => visitor.wallet.prompts).toHaveLength(2)
    await page.reload()
    open()
    await press(page, bill.pay)
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit, usdc, usdc])
    await expectPaidOnce(visitor, { cents, usdcCents: 200 })
  })

  test('after both signatures, before they left: the page goes on with them', async () => {
    const page = await atBill()
    await split(page, '2')
    const submitted = gate()
    // It stays here: neither the service nor the page hears of it.
    stage.proxy.onSubmit = async () => submitted.open()
    await press(page, bill.pay)
    await submitted.opened
    await page.reload()
    await expectTrouble(page, 'Going on finds it or sends it, and you pay once.')
    await stage.mend()
    await press(page, 'Go on with this payment')
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit, usdc])
    await expectPaidOnce(visitor, { cents, usdcCents: 200 })
  })

  test('after the submit, before its answer: the page finds it', async () => {
    const page = await atBill()
    const taken = gate()
    stage.proxy.onSubmit = async ({ forward }) => {
      await forward()
      taken.open()
    }
    await press(page, bill.pay)
    await taken.opened
    await page.reload()
    await press(page, 'Go on with this payment')
    await seesReceipt(page)
    expect([visitor.wallet.prompts, stage.proxy.submits]).toEqual([[permit], 1])
    await expectPaidOnce(visitor, { cents })
  })
})

describe('pressed more than once', () => {
  test('twice in one moment: one prompt, one redeem', async () => {
    const page = await atBill()
    await page.getByRole('button', { name: bill.pay }).evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })
    await seesReceipt(page)
    expect([visitor.wallet.prompts, stage.proxy.submits]).toEqual([[permit], 1])
    await expectPaidOnce(visitor, { cents })
  })

  test('in two tabs: one prompt, one redeem, and both show it', async () => {
    const tabs = [await atBill(), await visitor.openTab(bill.hash)] as const
    const { open, opened } = gate()
    visitor.wallet.beforeSigning = () => opened
    await press(tabs[0], bill.pay)
    await expect.poll(() => visitor.wallet.prompts).toHaveLength(1)
    await press(tabs[1], bill.pay)
    await tabs[1].getByText('This is being paid in another tab.').first().waitFor()
    open()
    await Promise.all(tabs.map((tab) => seesReceipt(tab)))
    expect([visitor.wallet.prompts, stage.proxy.submits]).toEqual([[permit], 1])
    await expectPaidOnce(visitor, { cents })
  })
})

test('the account is switched while the wallet asks: nothing is paid, and the other account pays its own', async () => {
  const page = await atBill()
  const other = privateKeyToAccount(generatePrivateKey())
  await stage.shop.sandbox.mintCredits({ wallet: other.address, cents: 1_000 })
  const { open, opened } = gate()
  visitor.wallet.beforeSigning = () => opened
  await press(page, bill.pay)
  await expect.poll(() => visitor.wallet.prompts).toHaveLength(1)
  await visitor.wallet.choose(other)
  await page.getByRole('button', { name: bill.pay }).waitFor()
  // The prompt that was open is answered late.
  open()
  await press(page, bill.pay)
  await seesReceipt(page)
  await expectNothingPaid(visitor)
  expect((await visitor.onChain(other.address)).redeems).toBe(1)
})

describe('a service that fails', () => {
  test('after all was signed: the page says not to pay again, and goes on when it is back', async () => {
    const page = await atBill()
    visitor.wallet.beforeSigning = async () => {
      stage.proxy.isDown = true
    }
    await press(page, bill.pay)
    await page.getByText('No clear answer came.', { exact: false }).first().waitFor()
    await expectNothingPaid(visitor)
    await page.reload()
    await expectTrouble(page, 'Going on finds it or sends it, and you pay once.')
    await stage.mend()
    await press(page, 'Go on with this payment')
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit])
    await expectPaidOnce(visitor, { cents })
  })

  test('by asking for a verification first (451): nothing is asked of the wallet, and the page leads there', async () => {
    await stage.fault({ path: '/api/redeem/*', kind: 'status', status: 451 })
    const page = await atBill()
    await expectTrouble(page, 'You have to be verified before you can go on. Follow the link to do that.')
    const link = page.getByRole('alert').getByRole('link', { name: /^Get verified at 127\.0\.0\.1:\d+$/ })
    expect(await link.getAttribute('href')).toMatch(/\/health$/)
    expect(visitor.wallet.prompts).toEqual([])
    await expectNothingPaid(visitor)
    await stage.mend()
    await press(page, 'Check again')
    await press(page, bill.pay)
    await seesReceipt(page)
  })
})

test('too few credits: the page says what there is and what it takes, and where to get more', async () => {
  const page = await atBill({ creditCents: 300 })
  await expectTrouble(
    page,
    /You have \$3\.00 in credits, and this takes up to \$4\.\d\d\. Add some, or pay in another way\./,
  )
  await page.getByRole('alert').getByRole('link', { name: 'Buy credits' }).waitFor()
  expect(visitor.wallet.prompts).toEqual([])
  await expectNothingPaid(visitor)
})

test('the fee moves after it was shown: the wallet is asked again for the same payment, and it is paid once', async () => {
  const page = await atBill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await stage.raiseFee()
  await press(page, bill.pay)
  await seesReceipt(page)
  expect(visitor.wallet.prompts).toEqual([permit, permit])
  await expectPaidOnce(visitor, { cents })
})

test('the back button, while the wallet asks and after it was paid: nothing twice', async () => {
  const page = await atBill()
  await page.goto(`${stage.shop.url}/#/bills`)
  await page.goto(`${stage.shop.url}/${bill.hash}`)
  const { open, opened } = gate()
  visitor.wallet.beforeSigning = () => opened
  await press(page, bill.pay)
  await expect.poll(() => visitor.wallet.prompts).toHaveLength(1)
  await page.goBack()
  await page.getByRole('heading', { name: 'Bills of the house' }).waitFor()
  open()
  await expectNothingPaid(visitor)
  await page.goForward()
  await press(page, bill.pay)
  await seesReceipt(page)
  await page.goBack()
  await page.goForward()
  await seesReceipt(page)
  expect(visitor.wallet.prompts).toEqual([permit, permit])
  await expectPaidOnce(visitor, { cents })
})

test('offline and online again: nothing is asked of the wallet meanwhile, and the page goes on', async () => {
  const page = await atBill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await visitor.context.setOffline(true)
  await expectTrouble(page, 'Nothing is lost. This page goes on when you are back.')
  // What was signed now could not be sent.
  await page.getByRole('button', { name: 'Waiting for your connection' }).click({ force: true })
  await visitor.context.setOffline(false)
  await press(page, bill.pay)
  await seesReceipt(page)
  expect(visitor.wallet.prompts).toEqual([permit])
  await expectPaidOnce(visitor, { cents })
})

describe('a locked wallet', () => {
  const fails = (code: number, message: string) => () => {
    throw Object.assign(new Error(message), { code })
  }
  const notConnected = 'Your wallet is not connected to this page. Connect it, then try again.'
  test.each([
    ['that does not know the page', 'eth_signTypedData_v4', fails(4100, 'Unauthorized.'), notConnected],
    [
      'that still shows another request',
      'eth_signTypedData_v4',
      fails(-32002, 'Request of type eth_requestAccounts already pending.'),
      'Your wallet is still waiting for your answer. Open it to go on.',
    ],
    ['that shows no account', 'eth_accounts', () => [], notConnected],
  ])('%s: nothing is paid, and a press pays when it is open', async (_, method, answer, words) => {
    const page = await atBill()
    await page.getByRole('button', { name: bill.pay }).waitFor()
    visitor.wallet.instead[method] = answer
    await press(page, bill.pay)
    await expectTrouble(page, words)
    await expectNothingPaid(visitor)
    visitor.wallet.instead = {}
    await press(page, bill.pay)
    await seesReceipt(page)
    await expectPaidOnce(visitor, { cents })
  })
})

describe('a smart account pays with credits and USDC', () => {
  test.each([
    ['deployed (ERC-1271)', 'deployed'],
    ['a key that is delegated to code (EIP-7702)', 'delegated'],
    ['not deployed yet (ERC-6492)', 'counterfactual'],
  ] as const)('%s', async (_, kind) => {
    const page = await atBill({ smartAccount: smartAccounts(stage.shop)[kind] })
    await split(page, '2')
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('sendGaslessTx')) sent.push(request.postDataJSON())
    })
    await press(page, bill.pay)
    await seesReceipt(page)
    expect(visitor.wallet.prompts).toEqual([permit, usdc])
    // V1 splits the signature of a key, which a contract's is not.
    expect(JSON.stringify(sent)).toMatch(/customerUsdcAuthDataV2/)
    await expectPaidOnce(visitor, { cents, usdcCents: 200 })
  })
})
