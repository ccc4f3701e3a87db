import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { anvil } from '../service/sandboxClient.ts'
import { gate, passOn } from './serviceProxy.ts'
import type { VisitorOptions } from './shop/newVisitor.ts'
import {
  atBill,
  bill,
  click,
  expectGood,
  expectTrouble,
  lookedAt,
  looks,
  seesReceipt,
  split,
} from './shop/shopPage.ts'
import { refuse } from './testWallet.ts'

/** Takes a screenshot of each state, in every look. */

const at = atBill()

describe.each(looks)('$colorScheme, $width wide', (look) => {
  const { context, named } = lookedAt(look)
  const draw = (page: Page, state: string) => expectGood(page, named(`live-${state}`))
  const openBill = (options: VisitorOptions = {}) => at.bill({ context, ...options })

  test('a payment from another network to its receipt, with a rejected request', async () => {
    const page = await openBill({ chainId: 11_155_111 })
    const { wallet } = at.visitor
    await page.getByRole('button', { name: 'Switch to Base Sepolia' }).waitFor()
    await draw(page, 'wrong-network')
    const switched = gate()
    wallet.instead.wallet_switchEthereumChain = (honest) => switched.opened.then(honest)
    await click(page, 'Switch to Base Sepolia')
    await page.getByText('Your wallet asks you to switch to Base Sepolia.').first().waitFor()
    await draw(page, 'switching')
    switched.open()
    await split(page, '2')
    await page.getByRole('button', { name: bill.pay }).waitFor()
    await draw(page, 'ready')
    wallet.beforeSigning = refuse
    await click(page, bill.pay)
    await expectTrouble(page, 'You rejected the request in your wallet. You have not been charged.')
    await draw(page, 'refused')

    const [first, second] = [gate(), gate()]
    wallet.beforeSigning = () => (wallet.prompts.length === 2 ? first : second).opened
    await click(page, bill.pay)
    await page.getByText('Open your wallet and sign for your credits (1 of 2).').first().waitFor()
    await draw(page, 'signing-first')
    first.open()
    await page.getByText('Open your wallet and sign for the part in USDC (2 of 2).').first().waitFor()
    await draw(page, 'signing-second')

    const [arrived, lost, looked] = [gate(), gate(), gate()]
    at.stage.proxy.onSubmit = async ({ cut }) => {
      arrived.open()
      await lost.opened
      cut()
    }
    second.open()
    await arrived.opened
    await page.getByText('Signed. Sending your payment.').first().waitFor()
    await draw(page, 'submitting')
    await page.route(at.stage.shop.config.rpcUrl, (route) => looked.opened.then(() => route.continue()))
    lost.open()
    await page
      .getByText(
        'We are checking the chain for your payment. You don’t need to do anything. Please don’t pay again.',
      )
      .first()
      .waitFor()
    await draw(page, 'looking-up')

    const { rpc } = anvil(at.stage.shop.config.rpcUrl)
    await rpc('evm_setAutomine', [false])
    at.stage.proxy.onSubmit = passOn
    looked.open()
    await page.getByText('Sent. Waiting for confirmation.').first().waitFor()
    await draw(page, 'confirming')
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine', [])
    await seesReceipt(page)
    await draw(page, 'done')
    expect(wallet.prompts).toHaveLength(3)
  })

  test('too few credits', async () => {
    const page = await openBill({ creditCents: 300 })
    await expectTrouble(page, 'You have $3.00 in credits')
    await draw(page, 'too-few-credits')
  })

  test('a verification that is required first', async () => {
    await at.stage.fault({ path: '/api/redeem/*', kind: 'status', status: 451 })
    const page = await openBill()
    await expectTrouble(page, 'You need to verify your identity')
    await draw(page, 'verify-first')
  })

  test('offline', async () => {
    const page = await openBill()
    await page.getByRole('button', { name: bill.pay }).waitFor()
    await at.visitor.context.setOffline(true)
    await expectTrouble(page, 'Nothing is lost.')
    await draw(page, 'offline')
  })

  test('a wallet that claims to have switched networks but has not', async () => {
    const page = await openBill({ chainId: 11_155_111 })
    at.visitor.wallet.instead.wallet_switchEthereumChain = () => null
    await click(page, 'Switch to Base Sepolia')
    await expectTrouble(page, 'Your wallet is on a different network.')
    await draw(page, 'not-switched')
  })

  test('a payment pending after a reload: on its own page and above another one', async () => {
    const page = await openBill()
    const submitted = gate()
    at.stage.proxy.onSubmit = async () => submitted.open()
    await click(page, bill.pay)
    await submitted.opened
    await page.reload()
    await expectTrouble(
      page,
      'You have already signed this payment, and it may be on its way. Resuming it will not charge you twice.',
    )
    await draw(page, 'open')
    await page.goto(`${at.stage.shop.url}/#/`)
    await page.getByRole('link', { name: 'Resume it' }).waitFor()
    await draw(page, 'open-above')
  })

  test('paid earlier, and being paid in another tab', async () => {
    const page = await openBill()
    const other = await at.visitor.openTab(bill.hash)
    const { open, opened } = gate()
    at.visitor.wallet.beforeSigning = () => opened
    await click(page, bill.pay)
    await page.getByText('Open your wallet and sign').first().waitFor()
    await click(other, bill.pay)
    await other.getByText('You are paying in another tab.').first().waitFor()
    await draw(other, 'in-another-tab')
    open()
    await seesReceipt(other)
    await page.reload()
    await seesReceipt(page)
    await draw(page, 'paid-before')
  })
})
