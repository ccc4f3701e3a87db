import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { FaultBody } from '../../src/sandbox/service/controls/sandboxControls.ts'
import { anvil } from '../service/sandboxClient.ts'
import { gate, passOn, type Submit } from './serviceProxy.ts'
import {
  atBill,
  bill,
  click,
  expectNothingPaid,
  expectPaidOnce,
  permit,
  split,
  usdc,
} from './shop/shopPage.ts'

/**
 * Triggers every fault at every step of a payment in the shop, followed by the visitor's next click. The order must always be paid exactly
 * once, with as few prompts as possible.
 */

const at = atBill()
const { cents } = bill
/** Texts that are allowed only while nothing can have been paid, or only after something may have been paid. */
const nothingPaid = /Nothing was paid|You have not been charged/
const mayBePaid = /don['’]t pay again|before you pay again|will not charge you twice|it is not finished/

async function openBill(): Promise<Page> {
  at.visitor = await at.stage.newVisitor({ isConnected: true })
  const page = await at.visitor.openTab('#/bills')
  await page.goto(`${at.stage.shop.url}/${bill.hash}`)
  return page
}

/** Opens a bill of $4.50, with $2.00 in USDC: two prompts. */
async function atSplitBill(): Promise<Page> {
  const page = await openBill()
  await split(page, '2')
  return page
}

/** Clicks the buttons that the page offers until the bill is paid. */
async function payOut(page: Page): Promise<void> {
  const button = page.locator('main button:not([aria-disabled="true"])', {
    hasText: /^(Pay \$|Resume|Check again|Switch to|Sign for|Read it again)/,
  })
  const receipt = page.locator('.receipt .sums')
  for (let clicks = 0; clicks < 6; clicks++) {
    await button.or(receipt).first().waitFor({ timeout: 60_000 })
    if (await receipt.isVisible()) return
    // The button may have disappeared, because some steps need no click.
    await button.evaluateAll(([first]) => (first as HTMLButtonElement | undefined)?.click())
  }
  await receipt.waitFor({ timeout: 60_000 })
}

/** A visitor's reaction to a fault. */
const afterwards = {
  'stays on the page': async (page: Page) => page,
  'reloads it': async (page: Page) => {
    await page.reload()
    return page
  },
  'opens another tab': async (_: Page) => at.visitor.openTab(bill.hash),
} as const
const whatFollows = Object.keys(afterwards) as (keyof typeof afterwards)[]

type Fault = Omit<FaultBody, 'path'>
const refusals: Record<string, Fault> = {
  'too many requests (429)': { kind: 'status', status: 429 },
  'verify first (451)': { kind: 'status', status: 451 },
  'an internal error (500)': { kind: 'status', status: 500 },
  'a bad gateway (502)': { kind: 'status', status: 502 },
  'a service under maintenance (503)': { kind: 'status', status: 503 },
  'a gateway timeout (504)': { kind: 'status', status: 504 },
}
const faults: Record<string, Fault> = {
  'a slow response': { kind: 'slow', delayMs: 1_500 },
  'a lost response': { kind: 'lost', executes: false },
  ...refusals,
}

describe.each(Object.keys(faults))('before the click: %s', (name) => {
  test.each(whatFollows)('the visitor %s', async (next) => {
    await at.stage.fault({ path: '/api/redeem/*', ...(faults[name] as Fault) }) // `name` is one of the keys of `faults`.
    const page = await openBill()
    const button = page.getByRole('button', { name: /^(Check again|Pay \$4.50)$/ })
    await button.waitFor()
    expect(at.visitor.wallet.prompts).toEqual([])
    await expectNothingPaid(at.visitor)
    await at.stage.mend()
    await payOut(await afterwards[next](page))
    expect(at.visitor.wallet.prompts).toEqual([permit])
    expect(at.visitor.said.filter((text) => mayBePaid.test(text))).toEqual([])
    await expectPaidOnce(at.visitor, { cents })
  })
})

describe.each([
  ...Object.keys(faults).map((name) => ({ name, executes: false })),
  ...['a lost response', ...Object.keys(refusals)].map((name) => ({ name, executes: true })),
])('a fault at the submit: $name, executed: $executes', ({ name, executes }) => {
  test.each(whatFollows)('the visitor %s', async (next) => {
    const page = await openBill()
    await page.getByRole('button', { name: bill.pay }).waitFor()
    const fault = faults[name] as Fault // by its own name
    await at.stage.fault({
      path: '/api/redeem/evm/sendGaslessTx',
      ...fault,
      ...(fault.kind !== 'slow' && { executes }),
    })
    const answered = gate()
    at.stage.proxy.onSubmit = async (submit) => {
      await passOn(submit).finally(answered.open)
    }
    await click(page, bill.pay)
    await answered.opened
    await at.stage.mend()
    await payOut(await afterwards[next](page))
    expect(at.visitor.wallet.prompts).toEqual([permit])
    expect(at.visitor.said.filter((text) => nothingPaid.test(text))).toEqual([])
    await expectPaidOnce(at.visitor, { cents })
  })
})

test('while the service is down, the page never claims to have submitted a payment', async () => {
  const page = await openBill()
  // The fault is an HTTP response, because browsers retry broken connections.
  await at.stage.fault({ path: '/api/redeem/evm/sendGaslessTx', kind: 'status', status: 502 })
  await click(page, bill.pay)
  await expect.poll(() => at.stage.proxy.submits, { timeout: 60_000 }).toBe(3)
  // The page checks the chain repeatedly.
  for (let looks = 0; looks < 6; looks++)
    await page.waitForRequest((request) => request.url() === at.stage.shop.config.rpcUrl)
  // After 5 seconds, it also says that it is still waiting.
  expect(at.visitor.said).toContain(
    'We are checking the chain for your payment. You don’t need to do anything. Please don’t pay again.',
  )
  expect(
    at.visitor.said.filter((text) => /Sent\.|Nothing was paid|You have not been charged/.test(text)),
  ).toEqual([])
  await at.stage.mend()
  await page.reload()
  await payOut(page)
  expect(at.visitor.wallet.prompts).toEqual([permit])
  await expectPaidOnce(at.visitor, { cents })
})

const fails = (code: number, message: string) => () => {
  throw Object.assign(new Error(message), { code })
}
/** A wallet's answer to a prompt, and the page's message for it. At the second prompt, the first signature is already stored. */
type WalletFault = {
  title?: string
  answer: (honest: () => Promise<unknown>) => unknown
  message: string
  secondMessage?: string
}
const failed = "Your wallet couldn't complete the request. Make sure it is open and unlocked, then try again."
const unverified = "We couldn't verify your wallet's response. Try again or use another wallet."
const walletFaults: Record<string, WalletFault> = {
  'a rejection': {
    title: 'Payment not completed.',
    answer: fails(4001, 'User rejected the request.'),
    message: 'You rejected the request in your wallet. You have not been charged.',
    secondMessage: 'You rejected the second request in your wallet. You have not been charged.',
  },
  'an account that is locked': {
    answer: fails(4100, 'Unauthorized.'),
    message: 'Your wallet is not connected to this page. Connect it and try again.',
  },
  'another pending request': {
    answer: fails(-32002, 'Request already pending.'),
    message: 'A request is already waiting in your wallet. Open your wallet to continue.',
  },
  'an error of its own': {
    answer: fails(-32603, 'Internal error'),
    message: failed,
    secondMessage: 'Your wallet did not finish signing. You have not been charged.',
  },
  'a blocked window': {
    answer: fails(-32603, 'Pop up window failed to open'),
    message: "Your browser blocked your wallet's window. Allow pop-ups for this site and try again.",
  },
  null: { answer: () => null, message: unverified },
  'no bytes': { answer: () => '0x', message: unverified },
  'a signature of another account': {
    answer: async () => privateKeyToAccount(generatePrivateKey()).signMessage({ message: 'another' }),
    message: unverified,
  },
}

describe.each(Object.keys(walletFaults))('the wallet returns %s', (name) => {
  const {
    title = 'Something went wrong.',
    answer,
    message,
    secondMessage = message,
  } = walletFaults[name] as WalletFault // by its own name
  test.each(
    [1, 2].flatMap((prompt) =>
      (['stays on the page', 'reloads it'] as const).map((next) => ({ prompt, next })),
    ),
  )('to prompt $prompt, and the visitor $next', async ({ prompt, next }) => {
    const page = await atSplitBill()
    at.visitor.wallet.instead.eth_signTypedData_v4 = (honest) =>
      at.visitor.wallet.prompts.length === prompt ? answer(honest) : honest()
    await click(page, bill.pay)
    await expect
      .poll(() => at.visitor.said.at(-1), { timeout: 15_000 })
      .toBe(title + (prompt === 1 ? message : secondMessage))
    await expectNothingPaid(at.visitor)
    at.visitor.wallet.instead = {}
    await payOut(await afterwards[next](page))
    // The first signature is stored, so the page requests it again only if it was missing.
    expect(at.visitor.wallet.prompts).toEqual(prompt === 1 ? [permit, permit, usdc] : [permit, usdc, usdc])
    expect(at.visitor.said.filter((text) => mayBePaid.test(text))).toEqual([])
    expect(at.stage.proxy.submits).toBe(1)
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })
})

/** Ways to leave the page and return to the bill. */
const ways: Record<string, (page: Page) => Promise<Page>> = {
  'a reload': afterwards['reloads it'],
  'the back button': async (page) => {
    await page.goBack()
    await page.getByRole('heading', { name: 'Your bills' }).waitFor()
    await page.goForward()
    return page
  },
  'another page of the shop': async (page) => {
    await page.getByRole('link', { name: 'Cabinet' }).first().click()
    await page.getByRole('heading', { name: 'My cabinet' }).waitFor()
    const resume = page.getByRole('link', { name: 'Resume it' })
    if (await resume.isVisible()) await resume.click()
    else await page.goto(`${at.stage.shop.url}/${bill.hash}`)
    return page
  },
  'a closed tab': async (page) => {
    await page.close()
    return at.visitor.openTab(bill.hash)
  },
}

/** The step of a payment at which the page is left. Each entry returns a function that completes the step after the visitor's return. */
const moments: Record<string, { until: (page: Page) => Promise<() => unknown>; prompts: readonly string[] }> =
  {
    'when it is prepared': {
      until: async (page) => {
        await page.getByRole('button', { name: bill.pay }).waitFor()
        return () => {}
      },
      prompts: [permit, usdc],
    },
    'while the wallet shows the first prompt': {
      until: (page) => untilPrompt(page, 1),
      prompts: [permit, permit, usdc],
    },
    'while the wallet shows the second prompt': {
      until: (page) => untilPrompt(page, 2),
      prompts: [permit, usdc, usdc],
    },
    'when it was signed, before the service has it': {
      until: (page) => untilSubmit(page, async () => {}),
      prompts: [permit, usdc],
    },
    'when the service has it, before it has answered': {
      until: (page) => untilSubmit(page, ({ forward }) => forward()),
      prompts: [permit, usdc],
    },
    'when it was sent, before a block has it': {
      until: async (page) => {
        const { rpc } = anvil(at.stage.shop.config.rpcUrl)
        await rpc('evm_setAutomine', [false])
        await click(page, bill.pay)
        await page.getByText('Sent. Waiting for confirmation.').first().waitFor()
        return async () => {
          await rpc('evm_setAutomine', [true])
          await rpc('evm_mine', [])
        }
      },
      prompts: [permit, usdc],
    },
  }

async function untilPrompt(page: Page, prompt: number): Promise<() => void> {
  const { open, opened } = gate()
  at.visitor.wallet.beforeSigning = () =>
    at.visitor.wallet.prompts.length === prompt ? opened : Promise.resolve()
  await click(page, bill.pay)
  await expect.poll(() => at.visitor.wallet.prompts, { timeout: 15_000 }).toHaveLength(prompt)
  // The wallet answers the closed page's prompt late.
  return open
}

async function untilSubmit(
  page: Page,
  take: (submit: Submit) => Promise<void>,
): Promise<() => Promise<void>> {
  const { open, opened } = gate()
  let held: Submit | undefined
  at.stage.proxy.onSubmit = async (submit) => {
    held = submit
    await take(submit)
    open()
  }
  await click(page, bill.pay)
  await opened
  return async () => {
    await at.stage.mend()
    held?.cut()
  }
}

describe.each(Object.keys(moments))('left %s', (moment) => {
  const { until, prompts } = moments[moment] as (typeof moments)[string] // by its own name
  test.each(Object.keys(ways))('by %s', async (way) => {
    const page = await atSplitBill()
    const goesOn = await until(page)
    const back = (await ways[way]?.(page)) ?? page
    await goesOn()
    await payOut(back)
    expect(at.visitor.wallet.prompts).toEqual(prompts)
    await expectPaidOnce(at.visitor, { cents, usdcCents: 200 })
  })
})
