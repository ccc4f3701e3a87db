import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type CardStage, type OpenPage, optionsOf, startCardStage } from './cardStage.ts'
import { findBrowser } from './findBrowser.ts'
import { beforeAllInBrowser } from './openChromium.ts'
import { gate } from './serviceProxy.ts'

let stage: CardStage
let shop: OpenPage

beforeAllInBrowser(async () => {
  // A private window of the whole Chromium blocks third-party storage; one of the headless shell does not.
  stage = await startCardStage(findBrowser)
})
afterAll(() => stage?.stop())
afterEach(() => shop?.context.close())

const usd = (cents: number) => ({ subtotal: { cents, currency: 'USD' as const } })

/** Holds the first request to a URL until it is released. */
async function hold(pattern: string) {
  const { open: letGo, opened } = gate()
  const { open: hear, opened: came } = gate()
  let held = 0
  await shop.context.route(pattern, async (route) => {
    hear()
    if (++held === 1) await opened
    // The client may have disconnected.
    await route.continue().catch(() => {})
  })
  return { letGo, came, count: () => held }
}

describe('the shown price is the paid price', () => {
  test('a late price is not shown for the next purchase', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    const totals = await hold('**/api/checkout/totals/**')
    await shop.mount(optionsOf(stage, sessionKey, { order: usd(100) }))
    await totals.came
    await shop.update(optionsOf(stage, sessionKey, { purchaseId: 'order 2', order: usd(4200) }))
    await shop.form.getByRole('button', { name: 'Pay $42.00' }).waitFor()
    const answered = shop.page.waitForResponse((one) => one.url().includes('/totals/'))
    totals.letGo()
    await answered
    await shop.fill('approved')
    expect(await shop.form.getByRole('button', { name: /^Pay/ }).textContent()).toBe('Pay $42.00')
    expect(await shop.form.locator('#lines').textContent()).toContain('$42.00')
    await shop.pay()
    await shop.waitFor('success')
    await shop.heading('Paid $42.00').waitFor()
    expect(await stage.paymentsOf(userId)).toMatchObject([{ status: 'settled', total: 4200 }])
  })

  test('a payment under an id is not shown for another price', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey, { purchaseId: 'order 1', order: usd(100) }))
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    await shop.page.reload()
    await shop.mount(optionsOf(stage, sessionKey, { purchaseId: 'order 1', order: usd(4200) }))
    expect(await shop.waitFor('error')).toMatchObject({ code: 'AMBIGUOUS_INTENT' })
    await shop.heading('Payment is not available right now').waitFor()
    await shop.form
      .locator('#outcome-text', { hasText: 'Check your purchases before you pay again.' })
      .waitFor()
    expect(await shop.reported()).not.toContainEqual(expect.objectContaining({ type: 'success' }))
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })
})

test('a challenge for another price is not resumed under the same id', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  const of = (cents: number) => optionsOf(stage, sessionKey, { purchaseId: 'order 1', order: usd(cents) })
  // On the service's own site, because browsers partition the storage of foreign frames.
  shop = await stage.open({ host: '127.0.0.1' })
  await shop.mount(of(100))
  await shop.fill('challenge')
  await shop.pay()
  await shop.challengePage().getByRole('button', { name: 'Approve' }).waitFor()
  await shop.page.reload()
  await shop.mount(of(4200))
  const pay = shop.form.getByRole('button', { name: 'Pay $42.00' })
  await pay.or(shop.form.locator('#challenge')).first().waitFor()
  expect(await pay.isVisible()).toBe(true)
  await shop.fill('approved')
  await shop.pay()
  await shop.waitFor('success')
  expect((await stage.paymentsOf(userId)).filter(({ status }) => status === 'settled')).toMatchObject([
    { total: 4200 },
  ])
})

describe('a page that moves on to another purchase', () => {
  test('while an earlier payment settles shows the other purchase afterwards', async () => {
    const { sessionKey } = await stage.newCustomer()
    const { alice } = stage.sandbox.accounts
    const slow = optionsOf(stage, sessionKey, {
      purchaseId: 'slow',
      wallet: alice.address,
      blockchain: 'base',
      order: { ...usd(300), settlementType: 'Credits' },
    })
    shop = await stage.open()
    // The outcome is unknown at first, as for a slow payment.
    let isSettled = false
    await shop.context.route('**/card/*/purchase', async (route) => {
      const answer = await route.fetch()
      const { payment } = await answer.json()
      const body = payment && !isSettled ? { payment: { ...payment, status: 'authorized' } } : { payment }
      await route.fulfill({ response: answer, json: body })
    })
    await shop.mount(slow)
    await shop.fill('approved')
    await shop.pay()
    await shop.heading('Almost done').waitFor()
    await shop.page.reload()
    await shop.mount(slow)
    await shop.heading('Almost done').waitFor()
    await shop.update(optionsOf(stage, sessionKey, { purchaseId: 'order 2', order: usd(4200) }))
    isSettled = true
    await shop.waitFor('success')
    await shop.form.getByRole('button', { name: 'Pay $42.00' }).waitFor()
  })

  test('stays with the first until its outcome is known', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    let isDown = true
    await shop.context.route('**/api/checkout/card/**', async (route) => {
      if (!isDown) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await shop.mount(optionsOf(stage, sessionKey, { order: usd(100) }))
    await shop.fill('approved')
    await shop.pay()
    await shop.heading('We’re still confirming your payment').waitFor()
    await shop.update(optionsOf(stage, sessionKey, { purchaseId: 'order 2', order: usd(4200) }))
    isDown = false
    await shop.form.getByRole('button', { name: 'Check again' }).click()
    await shop.waitFor('success')
    await shop.form.getByRole('button', { name: 'Pay $42.00' }).waitFor()
    expect(await stage.paymentsOf(userId)).toMatchObject([{ status: 'settled', total: 100 }])
  })
})

describe('the bank’s challenge on a slow line', () => {
  test('continues when it is passed during the status check', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('challenge')
    let calls = 0
    const { open: letGo, opened } = gate()
    await shop.context.route('**/api/checkout/card/**', async (route) => {
      calls++
      if (calls !== 2) return route.continue()
      // The earlier state arrives after the challenge is passed.
      const answer = await route.fetch()
      await opened
      await route.fulfill({ response: answer })
    })
    await shop.pay()
    await shop.challengePage().getByRole('button', { name: 'Approve' }).click()
    await shop.challengePage().getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
    letGo()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toMatchObject([{ status: 'settled' }])
  })

  test('left during the status check, it does not return, and another card pays', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('challenge')
    let calls = 0
    const { open: letGo, opened } = gate()
    await shop.context.route('**/api/checkout/card/**', async (route) => {
      calls++
      if (calls === 2) await opened
      await route.continue()
    })
    await shop.pay()
    await shop.form.getByRole('button', { name: 'Use another card' }).click()
    const answered = shop.page.waitForResponse((one) => one.url().includes('/api/checkout/card/'))
    letGo()
    await (await answered).finished()
    await shop.fill('approved')
    expect(await shop.form.locator('#challenge').isVisible()).toBe(false)
    await shop.pay()
    await shop.waitFor('success')
    expect((await stage.paymentsOf(userId)).map(({ status }) => status).sort()).toEqual([
      'created',
      'settled',
    ])
  })
})

describe('statements about money are true', () => {
  test.each([
    ['an unauthenticated', 401, 'UNAUTHENTICATED'],
    ['a forbidden', 403, 'FORBIDDEN'],
    ['an invalid', 400, 'INVALID_REQUEST'],
  ])('after a lost response and %s second request, the outcome is unknown', async (_, status, code) => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    let isDown = true
    let calls = 0
    await shop.context.route('**/api/checkout/card/**', async (route) => {
      if (!isDown) return route.continue()
      if (calls++ > 0) return route.fulfill({ status, json: { code, message: 'not now' } })
      await route.fetch()
      await route.abort()
    })
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('approved')
    await shop.pay()
    await shop.heading('We’re still confirming your payment').waitFor()
    const isUnknown = {
      name: 'PaymentOutcomeUnknownError',
      message: expect.stringContaining("don't pay again"),
    }
    expect(await shop.waitFor('error')).toMatchObject(isUnknown)
    // The second request does not know the outcome either.
    await shop.form.getByRole('button', { name: 'Check again' }).click()
    await shop.heading('We’re still confirming your payment').waitFor()
    isDown = false
    await shop.form.getByRole('button', { name: 'Check again' }).click()
    await shop.waitFor('success')
    expect((await shop.reported()).filter(({ type }) => type === 'error')).toMatchObject([
      isUnknown,
      isUnknown,
    ])
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })

  test('a form that cannot start does not mention an earlier payment', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    const of = (cents: number) => optionsOf(stage, sessionKey, { purchaseId: 'order 1', order: usd(cents) })
    await shop.mount(of(100))
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    await shop.page.reload()
    await shop.mount(of(4200))
    const { message, ...error } = await shop.waitFor('error')
    expect(error).toMatchObject({ name: 'CardFormError', code: 'AMBIGUOUS_INTENT' })
    expect(message).not.toMatch(/Nothing was paid|not been charged/)
  })
})

describe('hostile', () => {
  const mark = { svc: 'card-form', version: 1 }

  test.each([
    ['another key, price and customer before the page’s own', { type: 'start' }],
    ['a session key without a request', { type: 'sessionKey', sessionKey: 'forged' }],
  ])('%s: a message from a window that the page opened has no effect', async (_, message) => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.waitFor('ready')
    const forged = { ...mark, sessionKey: 'forged', order: usd(1), look: {}, ...message }
    const [opened] = await Promise.all([
      shop.context.waitForEvent('page'),
      // On the page's own origin, which can reach its opener's frames.
      shop.page.evaluate(() => void window.open('/')),
    ])
    await opened.evaluate((sent) => window.opener.frames[0].postMessage(sent, '*'), forged)
    await opened.close()
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toMatchObject([{ total: 1250 }])
  })

  test('payloads of the page’s own scripts break neither the form nor its look', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.waitFor('ready')
    await shop.page.evaluate((base) => {
      const form = document.querySelector<HTMLIFrameElement>('#pay iframe')?.contentWindow
      const say = (message: unknown) => form?.postMessage(message, '*')
      const polluted = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
      for (const message of [
        null,
        42,
        'start',
        [base],
        new Map(),
        { ...base, type: '__proto__' },
        { ...base, type: 'start' },
        { ...base, type: 'start', sessionKey: 7, order: polluted },
        { ...base, type: 'start', sessionKey: 'x'.repeat(9_000), order: {} },
        { ...base, type: 'start', sessionKey: 'k', order: { note: 'x'.repeat(200_000) } },
        { ...base, type: 'look', look: { ...polluted, variables: polluted, language: 'x'.repeat(99) } },
        { ...base, type: 'look', look: { language: '<img src=x onerror=alert(1)>', colorScheme: 'blink' } },
        {
          ...base,
          type: 'look',
          look: {
            variables: {
              '--purchase-accent': 'red;} body{display:none',
              '--purchase-background': 'url(https://evil.example/a.png)',
              '--purchase-field': 'rgb(var(--purchase-text))',
              '--purchase-radius': 'calc(1px * 9999)',
              '--purchase-font': 'a; background: url(//evil.example)',
              '--purchase-font-size': '1e9px',
              background: 'red',
            },
          },
        },
      ])
        say(message)
    }, mark)
    await shop.update(optionsOf(stage, sessionKey, { theme: { colorScheme: 'dark' } }))
    await shop.form.locator('html[data-scheme="dark"]').waitFor()
    const state = await shop.form.locator('html').evaluate((root) => ({
      style: root.getAttribute('style') ?? '',
      polluted: 'polluted' in {},
      images: document.querySelectorAll('img').length,
    }))
    expect(state).toEqual({ style: '', polluted: false, images: 0 })
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toMatchObject([{ status: 'settled', total: 1250 }])
  })

  test('neither the challenge’s page nor a redirected form frame can report success', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('challenge')
    await shop.pay()
    await shop.challengePage().getByRole('button', { name: 'Approve' }).waitFor()
    const success = { ...mark, type: 'success', paymentId: 'pay_forged' }
    const bank = shop.page.frames().find((frame) => frame.url().includes('/sandbox/3ds/'))
    await bank?.evaluate((message) => {
      window.top?.postMessage(message, '*')
      window.parent.postMessage(message, '*')
    }, success)
    const evil = `http://evil.example:${new URL(stage.pageUrl()).port}/`
    await shop.page.evaluate((src) => {
      const frame = document.querySelector<HTMLIFrameElement>('#pay iframe')
      if (frame) frame.src = src
    }, evil)
    await shop.waitFor('error')
    const led = shop.page.frames().find((frame) => frame.url().startsWith(evil))
    await led?.evaluate((message) => window.parent.postMessage(message, '*'), success)
    expect((await shop.reported()).map(({ type }) => type)).toEqual(['ready', 'challenge', 'error'])
    // The repeated request is for the same purchase.
    await shop.page.getByRole('button', { name: 'Try again' }).click()
    await shop.fill('approved')
    await shop.pay()
    const { paymentId } = await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toContainEqual(
      expect.objectContaining({ paymentId, status: 'settled' }),
    )
  })

  test('a page without an origin gets neither a form nor a message', async () => {
    shop = await stage.open()
    const heard = await shop.page.evaluate(async (src) => {
      const outer = document.createElement('iframe')
      outer.setAttribute('sandbox', 'allow-scripts')
      outer.srcdoc = `<iframe src="${src}"></iframe>`
      let count = 0
      addEventListener('message', () => count++)
      document.body.append(outer)
      await new Promise((resolve) => outer.addEventListener('load', resolve))
      return count
    }, `${stage.sandbox.url}/card/${stage.sandbox.merchantId}?parent=null`)
    expect(heard).toBe(0)
    for (const frame of shop.page.frames().slice(1)) expect(await frame.locator('form').count()).toBe(0)
  })
})

test('mounted twice and unmounted once during payment, as in React’s strict mode, it pays once', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  const checkout = await hold('**/api/checkout/card/**')
  const options = optionsOf(stage, sessionKey)
  await shop.mount(options)
  await shop.fill('approved')
  await shop.pay()
  await checkout.came
  await shop.unmount()
  await shop.mount(options)
  checkout.letGo()
  // The browser may send or drop requests of a removed frame.
  const button = shop.form.getByRole('button', { name: /^Pay / })
  await button.or(shop.heading('Paid $12.50')).waitFor()
  if (await button.isVisible()) {
    await shop.fill('approved')
    await shop.pay()
  }
  await shop.waitFor('success')
  expect((await stage.paymentsOf(userId)).filter(({ status }) => status === 'settled')).toHaveLength(1)
})

test('two forms for one purchase on one page pay once', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  await shop.mount(optionsOf(stage, sessionKey))
  await shop.mount(optionsOf(stage, sessionKey))
  const forms = [
    shop.page.frameLocator('#pay iframe >> nth=0'),
    shop.page.frameLocator('#pay iframe >> nth=1'),
  ]
  for (const form of forms) {
    for (const [label, value] of [
      ['Email', 'alice@example.org'],
      ['Card number', '4000009900000012'],
      ['Expiry date', '12/30'],
      ['Security code', '123'],
      ['Name on card', 'Alice Example'],
    ] as const)
      await form.getByLabel(label).fill(value)
  }
  await Promise.all(forms.map((form) => form.getByRole('button', { name: /^Pay / }).click()))
  for (const form of forms) await form.getByRole('heading', { name: 'Paid $12.50' }).waitFor()
  expect(await stage.paymentsOf(userId)).toHaveLength(1)
})

test('a session key that stays expired while a payment settles is requested at intervals', async () => {
  const { sessionKey } = await stage.newCustomer()
  const { alice } = stage.sandbox.accounts
  shop = await stage.open()
  const lookedAt: number[] = []
  await shop.context.route('**/card/*/purchase', async (route) => {
    const isFirst = (await shop.reported()).length === 0
    if (isFirst) return route.continue()
    lookedAt.push(performance.now())
    await route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'expired' } })
  })
  await shop.mount(
    optionsOf(stage, sessionKey, {
      wallet: alice.address,
      blockchain: 'base',
      order: { ...usd(300), settlementType: 'Credits' },
    }),
  )
  await shop.fill('approved')
  await shop.pay()
  await shop.heading('Almost done').waitFor()
  await expect.poll(() => lookedAt.length, { timeout: 20_000 }).toBe(3)
  const [, second = 0, third = 0] = lookedAt
  expect(third - second).toBeGreaterThan(2_500)
  await shop.context.unroute('**/card/*/purchase')
  await shop.waitFor('success')
})
