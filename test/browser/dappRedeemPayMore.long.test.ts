import { describe, expect, test } from 'vitest'
import { gate } from './gate.ts'
import {
  atBill,
  bill,
  click,
  expectNothingPaid,
  expectPaidOnce,
  expectTrouble,
  paysFromSmartAccount,
  permit,
  seesReceipt,
} from './shop/shopPage.ts'

const at = atBill()
const { cents } = bill

describe('a wallet on another network', () => {
  const elsewhere = 11_155_111
  const toSwitch = 'Switch to Base Sepolia'
  const wrong = 'Your wallet is on a different network. Switch to Base Sepolia and try again.'
  const switching = 'wallet_switchEthereumChain'

  test('is switched before it is asked to sign', async () => {
    const page = await at.bill({ chainId: elsewhere })
    await click(page, toSwitch)
    await click(page, bill.pay)
    await seesReceipt(page)
    const { asked } = at.visitor.wallet
    expect(asked.indexOf('eth_signTypedData_v4')).toBeGreaterThan(asked.indexOf(switching))
    await expectPaidOnce(at.visitor, { cents })
  })

  test('that reports a switch but is on another network at signing: nothing is signed', async () => {
    const page = await at.bill({ chainId: elsewhere })
    await page.getByRole('button', { name: toSwitch }).waitFor()
    at.visitor.wallet.instead = { [switching]: () => null, eth_chainId: () => '0x14a34' }
    await click(page, toSwitch)
    await page.getByRole('button', { name: bill.pay }).waitFor()
    at.visitor.wallet.instead = {}
    await click(page, bill.pay)
    await expectTrouble(page, wrong)
    expect(at.visitor.wallet.prompts).toEqual([])
    await expectNothingPaid(at.visitor)
  })
})

test('reloaded before the click: nothing is lost', async () => {
  const page = await at.bill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await page.reload()
  await click(page, bill.pay)
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit])
  await expectPaidOnce(at.visitor, { cents })
})

test('a service that requires a verification (451): the wallet is not prompted, and the page links to it', async () => {
  await at.stage.fault({ path: '/api/redeem/*', kind: 'status', status: 451 })
  const page = await at.bill()
  await expectTrouble(page, 'You need to verify your identity before you continue. Follow the link to do so.')
  const link = page.getByRole('alert').getByRole('link', { name: /^Get verified at 127\.0\.0\.1:\d+$/ })
  expect(await link.getAttribute('href')).toMatch(/\/health$/)
  expect(at.visitor.wallet.prompts).toEqual([])
  await expectNothingPaid(at.visitor)
  await at.stage.mend()
  await click(page, 'Check again')
  await click(page, bill.pay)
  await seesReceipt(page)
})

test('too few credits: the page shows the balance, the price, and where to get more', async () => {
  const page = await at.bill({ creditCents: 300 })
  await expectTrouble(
    page,
    /You have \$3\.00 in credits, and this costs up to \$4\.\d\d\. Add credits or choose another way to pay\./,
  )
  await page.getByRole('alert').getByRole('link', { name: 'Buy credits' }).waitFor()
  expect(at.visitor.wallet.prompts).toEqual([])
  await expectNothingPaid(at.visitor)
})

test('the fee rises after it was shown: the wallet is prompted again for the same payment, which is paid once', async () => {
  const page = await at.bill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await at.stage.raiseFee()
  await click(page, bill.pay)
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit, permit])
  await expectPaidOnce(at.visitor, { cents })
})

test('the back button, during the wallet request and after payment: nothing is paid twice', async () => {
  const page = await at.bill()
  await page.goto(`${at.stage.shop.url}/#/bills`)
  await page.goto(`${at.stage.shop.url}/${bill.hash}`)
  const { open, opened } = gate()
  at.visitor.wallet.beforeSigning = () => opened
  await click(page, bill.pay)
  await expect.poll(() => at.visitor.wallet.prompts).toHaveLength(1)
  await page.goBack()
  await page.getByRole('heading', { name: 'Your bills' }).waitFor()
  open()
  await expectNothingPaid(at.visitor)
  await page.goForward()
  await click(page, bill.pay)
  await seesReceipt(page)
  await page.goBack()
  await page.goForward()
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit, permit])
  await expectPaidOnce(at.visitor, { cents })
})

test('offline and online again: no wallet request meanwhile, and the page continues', async () => {
  const page = await at.bill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await at.visitor.context.setOffline(true)
  await expectTrouble(page, 'Nothing is lost. This page continues when you are back online.')
  // Offline, a signed redeem could not be submitted.
  await page.getByRole('button', { name: 'Waiting for your connection' }).click({ force: true })
  await at.visitor.context.setOffline(false)
  await click(page, bill.pay)
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit])
  await expectPaidOnce(at.visitor, { cents })
})

describe('a locked wallet', () => {
  const fails = (code: number, message: string) => () => {
    throw Object.assign(new Error(message), { code })
  }
  const notConnected = 'Your wallet is not connected to this page. Connect it and try again.'
  test.each([
    ['that does not know the page', 'eth_signTypedData_v4', fails(4100, 'Unauthorized.'), notConnected],
    [
      'that still shows another request',
      'eth_signTypedData_v4',
      fails(-32002, 'Request of type eth_requestAccounts already pending.'),
      'A request is already waiting in your wallet. Open your wallet to continue.',
    ],
    ['that shows no account', 'eth_accounts', () => [], notConnected],
  ])('%s: nothing is paid, and a click pays when it is open', async (_, method, answer, message) => {
    const page = await at.bill()
    await page.getByRole('button', { name: bill.pay }).waitFor()
    at.visitor.wallet.instead[method] = answer
    await click(page, bill.pay)
    await expectTrouble(page, message)
    await expectNothingPaid(at.visitor)
    at.visitor.wallet.instead = {}
    await click(page, bill.pay)
    await seesReceipt(page)
    await expectPaidOnce(at.visitor, { cents })
  })
})

describe('a smart account pays with credits and USDC', () => {
  test.each([
    ['deployed (ERC-1271)', 'deployed'],
    ['a key that is delegated to code (EIP-7702)', 'delegated'],
  ] as const)('%s', (_, kind) => paysFromSmartAccount(at, kind))
})
