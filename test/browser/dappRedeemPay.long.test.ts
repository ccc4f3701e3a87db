import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { disclosedIntentOf } from '../../src/redeemkit/evm/creditPermit/disclosedIntent.ts'
import { inspect } from '../../src/redeemkit/evm/inspect/inspect.ts'
import { gate } from './serviceProxy.ts'
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
  split,
  usdc,
} from './shop/shopPage.ts'
import { refuse } from './testWallet.ts'

const at = atBill()
const { cents } = bill

describe('the request is rejected', () => {
  test('at the first prompt: nothing is paid, and a click prompts again', async () => {
    const page = await at.bill()
    at.visitor.wallet.beforeSigning = refuse
    await click(page, bill.pay)
    await expectTrouble(page, 'You rejected the request in your wallet. You have not been charged.')
    await expectNothingPaid(at.visitor)
    at.visitor.wallet.beforeSigning = async () => {}
    await click(page, bill.pay)
    await seesReceipt(page)
    expect(at.visitor.wallet.prompts).toEqual([permit, permit])
    await expectPaidOnce(at.visitor, { cents })
  })

  test('at the second prompt: nothing is paid, and a click repeats only the second prompt', async () => {
    const page = await at.bill()
    await split(page, '2')
    at.visitor.wallet.beforeSigning = () =>
      at.visitor.wallet.prompts.at(-1) === usdc ? refuse() : Promise.resolve()
    await click(page, bill.pay)
    await expectTrouble(page, 'You rejected the second request in your wallet. You have not been charged.')
    await expectNothingPaid(at.visitor)
    at.visitor.wallet.beforeSigning = async () => {}
    await click(page, bill.pay)
    await seesReceipt(page)
    expect(at.visitor.wallet.prompts).toEqual([permit, usdc, usdc])
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })
})

describe('the purchase', () => {
  test('is passed to a wallet that accepts it, with both the permit and the USDC authorization', async () => {
    const page = await at.bill({ takesIntent: true })
    await split(page, '2')
    await click(page, bill.pay)
    await seesReceipt(page)
    const { wallet, address } = at.visitor
    const { config, url } = at.stage.shop
    const context = { origin: new URL(url).origin, address, chainId: config.chainId }
    const [intent, ...more] = wallet.requests.map(disclosedIntentOf)
    if (intent === undefined) throw new Error('The wallet received no purchase.')
    expect(more).toEqual([intent])
    // A bill is paid to an address.
    const { destination } = intent.request.transactionData as { destination: Hex }
    const shop = {
      ...config.pinned,
      chainId: config.chainId,
      merchantId: intent.merchantId,
      receivers: [destination],
      origins: [context.origin],
    }
    const signedPermits = wallet.requests.slice(0, 1).map(({ params: [, typedData] }) => {
      const { nonce } = JSON.parse(String(typedData)).message
      return { nonce }
    })
    const verdicts = wallet.requests.map((request) =>
      inspect(request, { ...context, intent, pinned: [shop], signedPermits }),
    )
    expect(verdicts.map(({ kind, verdict }) => [kind, verdict])).toEqual([
      ['creditPermit', 'ok'],
      ['usdcAuthorization', 'ok'],
    ])
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })

  test('is not passed to any other wallet', async () => {
    const page = await at.bill()
    await split(page, '2')
    await click(page, bill.pay)
    await seesReceipt(page)
    expect(at.visitor.wallet.requests.map(({ params }) => params.length)).toEqual([2, 2])
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })
})

describe('a wallet on another network', () => {
  const elsewhere = 11_155_111
  const toSwitch = 'Switch to Base Sepolia'
  const wrong = 'Your wallet is on a different network. Switch to Base Sepolia and try again.'
  const switching = 'wallet_switchEthereumChain'

  test('is switched before the page requests a signature', async () => {
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

  test('that claims to have switched but has not: nothing is signed, and the page says so', async () => {
    const page = await at.bill({ chainId: elsewhere })
    at.visitor.wallet.instead[switching] = () => null
    await click(page, toSwitch)
    await expectTrouble(page, wrong)
    await click(page, toSwitch)
    await expectTrouble(page, wrong)
    expect(at.visitor.wallet.prompts).toEqual([])
    at.visitor.wallet.instead = {}
    await click(page, toSwitch)
    await click(page, bill.pay)
    await seesReceipt(page)
    await expectPaidOnce(at.visitor, { cents })
  })
})

describe('reloaded', () => {
  test('after one of two signatures: only the missing one is requested', async () => {
    const page = await at.bill()
    await split(page, '2')
    const { open, opened } = gate()
    at.visitor.wallet.beforeSigning = () =>
      at.visitor.wallet.prompts.length === 2 ? opened : Promise.resolve()
    await click(page, bill.pay)
    await expect.poll(() => at.visitor.wallet.prompts).toHaveLength(2)
    await page.reload()
    open()
    await click(page, bill.pay)
    await seesReceipt(page)
    expect(at.visitor.wallet.prompts).toEqual([permit, usdc, usdc])
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })

  test('after both signatures, before the submit: the page continues with them', async () => {
    const page = await at.bill()
    await split(page, '2')
    const submitted = gate()
    // The submit is held back, so neither the service nor the page receives it.
    at.stage.proxy.onSubmit = async () => submitted.open()
    await click(page, bill.pay)
    await submitted.opened
    await page.reload()
    await expectTrouble(page, 'Resuming it will not charge you twice.')
    await at.stage.mend()
    await click(page, 'Resume this payment')
    await seesReceipt(page)
    expect(at.visitor.wallet.prompts).toEqual([permit, usdc])
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })

  test('after the submit, before its response: the page finds the payment', async () => {
    const page = await at.bill()
    const taken = gate()
    at.stage.proxy.onSubmit = async ({ forward }) => {
      await forward()
      taken.open()
    }
    await click(page, bill.pay)
    await taken.opened
    await expect.poll(() => at.visitor.onChain()).toMatchObject({ redeems: 1 })
    await page.reload()
    await seesReceipt(page)
    expect([at.visitor.wallet.prompts, at.stage.proxy.submits]).toEqual([[permit], 1])
    await expectPaidOnce(at.visitor, { cents })
  })
})

describe('clicked more than once', () => {
  test('twice at the same time: one prompt, one redeem', async () => {
    const page = await at.bill()
    await page.getByRole('button', { name: bill.pay }).evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })
    await seesReceipt(page)
    expect([at.visitor.wallet.prompts, at.stage.proxy.submits]).toEqual([[permit], 1])
    await expectPaidOnce(at.visitor, { cents })
  })

  test('in two tabs: one prompt, one redeem, and both show it', async () => {
    const tabs = [await at.bill(), await at.visitor.openTab(bill.hash)] as const
    const { open, opened } = gate()
    at.visitor.wallet.beforeSigning = () => opened
    await click(tabs[0], bill.pay)
    await expect.poll(() => at.visitor.wallet.prompts).toHaveLength(1)
    await click(tabs[1], bill.pay)
    await tabs[1].getByText('You are paying in another tab.').first().waitFor()
    open()
    await Promise.all(tabs.map((tab) => seesReceipt(tab)))
    expect([at.visitor.wallet.prompts, at.stage.proxy.submits]).toEqual([[permit], 1])
    await expectPaidOnce(at.visitor, { cents })
  })
})

test('the account is switched during the wallet request: nothing is paid, and the other account pays for itself', async () => {
  const page = await at.bill()
  const other = privateKeyToAccount(generatePrivateKey())
  await at.stage.shop.sandbox.mintCredits({ wallet: other.address, cents: 1_000 })
  const { open, opened } = gate()
  at.visitor.wallet.beforeSigning = () => opened
  await click(page, bill.pay)
  await expect.poll(() => at.visitor.wallet.prompts).toHaveLength(1)
  await at.visitor.wallet.choose(other)
  await page.getByRole('button', { name: bill.pay }).waitFor()
  // The wallet answers the open prompt late.
  open()
  await click(page, bill.pay)
  await seesReceipt(page)
  await expectNothingPaid(at.visitor)
  expect((await at.visitor.onChain(other.address)).redeems).toBe(1)
})

describe('a service that fails', () => {
  test('after everything was signed: the page says not to pay again, and resumes when the service is available again', async () => {
    const page = await at.bill()
    at.visitor.wallet.beforeSigning = async () => {
      at.stage.proxy.isDown = true
    }
    await click(page, bill.pay)
    await page
      .getByText(
        'We are checking the chain for your payment. You don’t need to do anything. Please don’t pay again.',
      )
      .first()
      .waitFor()
    await expectNothingPaid(at.visitor)
    await page.reload()
    await expectTrouble(page, 'Resuming it will not charge you twice.')
    await at.stage.mend()
    await click(page, 'Resume this payment')
    await seesReceipt(page)
    expect(at.visitor.wallet.prompts).toEqual([permit])
    await expectPaidOnce(at.visitor, { cents })
  })
})

test('a smart account that is not deployed yet (ERC-6492) pays with credits and USDC', () =>
  paysFromSmartAccount(at, 'counterfactual'))

test('reloaded before the click: nothing is lost', async () => {
  const page = await at.bill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await page.reload()
  await click(page, bill.pay)
  await seesReceipt(page)
  expect(at.visitor.wallet.prompts).toEqual([permit])
  await expectPaidOnce(at.visitor, { cents })
})

test('a service that requires verification (451): the wallet is not prompted, and the page links to the verification', async () => {
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
    /You have \$3\.00 in credits, but this costs up to \$4\.\d\d\. Add credits or choose another way to pay\./,
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

test('offline and online again: the wallet gets no request while offline, and the page continues afterwards', async () => {
  const page = await at.bill()
  await page.getByRole('button', { name: bill.pay }).waitFor()
  await at.visitor.context.setOffline(true)
  await expectTrouble(page, 'Nothing is lost. This page continues when you are back online.')
  // Offline, the page could not submit a signed redeem.
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
  ])(
    '%s: nothing is paid, and a click pays once the wallet is unlocked',
    async (_, method, answer, message) => {
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
    },
  )
})

describe('a smart account pays with credits and USDC', () => {
  test.each([
    ['deployed (ERC-1271)', 'deployed'],
    ['a key account that is delegated to code (EIP-7702)', 'delegated'],
  ] as const)('%s', (_, kind) => paysFromSmartAccount(at, kind))
})
