import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type CardStage, listed, type OpenPage, optionsOf, startCardStage } from './cardStage.ts'
import { findBrowser } from './findBrowser.ts'
import { beforeAllInBrowser, findViolations } from './openChromium.ts'
import { gate } from './serviceProxy.ts'

let stage: CardStage
let shop: OpenPage

beforeAllInBrowser(async () => {
  // A private window of the whole Chromium blocks third-party storage; one of the headless shell does not.
  stage = await startCardStage(findBrowser)
})
afterAll(() => stage?.stop())
afterEach(() => shop?.context.close())

test('a declined card is reported with what to do, and another card pays', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  await shop.mount(optionsOf(stage, sessionKey))
  await shop.fill('insufficientFunds')
  await shop.pay()
  expect(await shop.waitFor('error')).toMatchObject({
    name: 'CardRefusedError',
    code: 'CARD_DECLINED',
    reason: 'insufficientFunds',
    message: 'Your card payment was declined. You have not been charged.',
  })
  expect(await shop.form.getByRole('alert').textContent()).toContain('This card has insufficient funds')
  await shop.fill('approved')
  await shop.pay()
  await shop.waitFor('success')
  expect((await stage.paymentsOf(userId)).map(({ status }) => status).sort()).toEqual(['failed', 'settled'])
})

test('the values pinned by a JWT are shown and paid; a page with another price pays nothing', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  const checkoutJwtToken = await stage.jwt({
    subtotal: { cents: 4200, currency: 'USD' },
    email: 'pinned@example.org',
  })
  const { order: _, ...options } = optionsOf(stage, sessionKey, { checkoutJwtToken })
  shop = await stage.open()
  await shop.mount({ ...options, order: { subtotal: { cents: 1, currency: 'USD' } } })
  expect(await shop.waitFor('error')).toMatchObject({ code: 'FORBIDDEN' })
  await shop.heading('Payment is not available right now').waitFor()
  await shop.update(options)
  await shop.waitFor('ready')
  expect(await shop.form.locator('#lines').textContent()).toMatch(/Total\s*\$42\.00/)
  await shop.fill('approved')
  await shop.pay()
  await shop.waitFor('success')
  expect(await stage.paymentsOf(userId)).toMatchObject([
    { status: 'settled', total: 4200, email: 'pinned@example.org' },
  ])
})

test('after a lost response, the request is repeated and the card is charged once', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  let lost = 0
  await shop.context.route('**/api/checkout/card/**', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await shop.mount(optionsOf(stage, sessionKey))
  await shop.fill('approved')
  await shop.pay()
  await shop.waitFor('success')
  expect(lost).toBe(2)
  expect(await stage.paymentsOf(userId)).toHaveLength(1)
})

test('a reload shows the payment and does not pay again', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  const options = optionsOf(stage, sessionKey, { purchaseId: 'order 7' })
  shop = await stage.open()
  await shop.mount(options)
  await shop.fill('approved')
  await shop.pay()
  const { paymentId } = await shop.waitFor('success')
  await shop.page.reload()
  await shop.mount(options)
  expect(await shop.waitFor('success')).toMatchObject({ paymentId })
  expect(await shop.form.getByRole('button', { name: /^Pay / }).isVisible()).toBe(false)
  expect(await stage.paymentsOf(userId)).toHaveLength(1)
})

describe('a slow payment', () => {
  test('credits: success is reported when they are minted, not when the bank approves', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    const { alice } = stage.sandbox.accounts
    await shop.mount(
      optionsOf(stage, sessionKey, {
        wallet: alice.address,
        blockchain: 'base',
        order: { subtotal: { cents: 700, currency: 'USD' }, settlementType: 'Credits' },
      }),
    )
    const answers: string[] = []
    shop.page.on('response', async (response) => {
      if (response.url().includes('/api/checkout/card/')) answers.push((await response.json()).status)
    })
    await shop.fill('approved')
    await shop.pay()
    const { paymentId, hash } = await shop.waitFor('success')
    expect(answers).toEqual(['authorized'])
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await stage.paymentsOf(userId)).toMatchObject([{ paymentId, status: 'settled' }])
  })

  test('authorized only: reported as such, and never as success', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(
      optionsOf(stage, sessionKey, { order: { subtotal: { cents: 900, currency: 'USD' }, authOnly: true } }),
    )
    await shop.form.getByRole('button', { name: 'Authorize $9.00' }).waitFor()
    await shop.form.getByLabel('Email').fill('alice@example.org')
    await shop.form.getByLabel('Card number').fill('4000009900000012')
    await shop.form.getByLabel('Expiry date').fill('12/30')
    await shop.form.getByLabel('Security code').fill('123')
    await shop.form.getByLabel('Name on card').fill('Alice Example')
    await shop.form.getByRole('button', { name: 'Authorize $9.00' }).click()
    const { paymentId } = await shop.waitFor('authorized')
    expect((await shop.reported()).map(({ type }) => type)).toEqual(['ready', 'authorized'])
    expect(await stage.paymentsOf(userId)).toMatchObject([{ paymentId, status: 'authorized' }])
  })

  test('a service that stops after the click: the outcome is unknown, and checking again pays once', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    let isDown = true
    await shop.context.route('**/api/checkout/card/**', async (route) => {
      if (!isDown) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('approved')
    await shop.pay()
    expect(await shop.waitFor('error')).toMatchObject({
      name: 'PaymentOutcomeUnknownError',
      message: expect.stringContaining("don't pay again"),
    })
    isDown = false
    await shop.form.getByRole('button', { name: 'Check again' }).click()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })

  test('a reload right after the click: the next click returns the first payment', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    const options = optionsOf(stage, sessionKey)
    shop = await stage.open()
    const left = new Promise<void>((resolve) => {
      shop.context
        .route('**/api/checkout/card/**', async (route) => {
          await route.fetch()
          resolve()
          await route.abort()
        })
        .catch(() => {})
    })
    await shop.mount(options)
    await shop.fill('approved')
    await shop.pay()
    await left
    await shop.page.reload()
    await shop.context.unroute('**/api/checkout/card/**')
    await shop.mount(options)
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })

  test('two tabs that click at the same time pay once', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    const options = optionsOf(stage, sessionKey, { purchaseId: 'order 9' })
    shop = await stage.open()
    const other = await stage.open()
    try {
      for (const tab of [shop, other]) {
        await tab.mount(options)
        await tab.fill('approved')
      }
      await Promise.all([shop.pay(), other.pay()])
      const [one, two] = await Promise.all([shop.waitFor('success'), other.waitFor('success')])
      expect(one.paymentId).toBe(two.paymentId)
      expect(await stage.paymentsOf(userId)).toHaveLength(1)
    } finally {
      await other.context.close()
    }
  })
})

describe('a checkout JWT that was made for each page load', () => {
  const load = async (sessionKey: string, purchaseId = 'order 7') => {
    const { order: _, purchaseId: __, ...options } = optionsOf(stage, sessionKey)
    return { ...options, checkoutJwtToken: await stage.newJwt(purchaseId) }
  }

  test.each(['tab', 'device'] as const)('is shown as paid on another %s', async (where) => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    const other = await stage.open(where === 'tab' ? { context: shop.context } : {})
    try {
      for (const page of [shop, other]) {
        await page.mount(await load(sessionKey))
        await page.fill('approved')
      }
      await shop.pay()
      const { paymentId } = await shop.waitFor('success')
      await other.pay()
      expect(await other.waitFor('success')).toMatchObject({ paymentId })
      await other.page.reload()
      await other.mount(await load(sessionKey))
      expect(await other.waitFor('success')).toMatchObject({ paymentId })
      await other.heading('Paid $12.50').waitFor()
      expect(await stage.paymentsOf(userId)).toHaveLength(1)
    } finally {
      await other.context.close()
    }
  })

  test('a reload after a lost response shows the first payment', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.context.route('**/api/checkout/card/**', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await shop.mount(await load(sessionKey))
    await shop.fill('approved')
    await shop.pay()
    await shop.heading('We’re still confirming your payment').waitFor()
    await shop.page.reload()
    await shop.context.unroute('**/api/checkout/card/**')
    await shop.mount(await load(sessionKey))
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })

  test('a reload in the middle of a challenge resumes it', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    // On the service's own site, because browsers partition the storage of foreign frames.
    shop = await stage.open({ host: '127.0.0.1' })
    await shop.mount(await load(sessionKey))
    await shop.fill('challenge')
    await shop.pay()
    await shop.waitFor('challenge')
    await shop.page.reload()
    await shop.mount(await load(sessionKey))
    await shop.challengePage().getByRole('button', { name: 'Approve' }).click()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toMatchObject([{ status: 'settled' }])
  })

  test('two orders are two payments', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    for (const order of ['order 7', 'order 8']) {
      await shop.page.reload()
      await shop.mount(await load(sessionKey, order))
      await shop.fill('approved')
      await shop.pay()
      await shop.waitFor('success')
    }
    expect(await stage.paymentsOf(userId)).toHaveLength(2)
  })

  test('contradicts the page’s own id: an error says so, and no form is shown', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    const options = await load(sessionKey)
    await expect(shop.mount({ ...options, purchaseId: 'order 8' })).rejects.toThrow(
      'purchaseId is "order 8", but the checkout JWT is for the order "order 7".',
    )
    await expect(shop.mount(optionsOf(stage, sessionKey, { purchaseId: undefined }))).rejects.toThrow(
      'The order has no id',
    )
    expect(await shop.page.locator('#pay').innerHTML()).toBe('')
  })
})

describe('the bank’s challenge', () => {
  test('a reload in the middle resumes it', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    const options = optionsOf(stage, sessionKey)
    // On the service's own site, because browsers partition the storage of foreign frames.
    shop = await stage.open({ host: '127.0.0.1' })
    await shop.mount(options)
    await shop.fill('challenge')
    await shop.pay()
    await shop.waitFor('challenge')
    await shop.page.reload()
    await shop.mount(options)
    await shop.challengePage().getByRole('button', { name: 'Approve' }).click()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toMatchObject([{ status: 'settled' }])
  })

  test('a reload without third-party storage shows the form and pays once', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    const options = optionsOf(stage, sessionKey)
    shop = await stage.open()
    await shop.mount(options)
    await shop.fill('challenge')
    await shop.pay()
    await shop.waitFor('challenge')
    await shop.page.reload()
    await shop.mount(options)
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    expect((await stage.paymentsOf(userId)).map(({ status }) => status).sort()).toEqual([
      'created',
      'settled',
    ])
  })

  test('failed, it pays nothing, and another card can pay', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('challenge')
    await shop.pay()
    await shop.challengePage().getByRole('button', { name: 'Fail the challenge' }).click()
    expect(await shop.waitFor('error')).toMatchObject({ reason: 'challengeFailed' })
    await shop.form.getByRole('alert').getByText('did not confirm').waitFor()
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    expect((await stage.paymentsOf(userId)).map(({ status }) => status).sort()).toEqual(['failed', 'settled'])
  })

  test('abandoned for another card and passed later elsewhere, it pays nothing more', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('challenge')
    await shop.pay()
    await shop.waitFor('challenge')
    const address = (await shop.form.locator('#challenge-page').getAttribute('src')) ?? ''
    await shop.form.getByRole('button', { name: 'Use another card' }).click()
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    await stage.service.post(new URL(address).pathname, { answer: 'approve' })
    expect((await stage.paymentsOf(userId)).map(({ status }) => status).sort()).toEqual([
      'created',
      'settled',
    ])
  })
})

describe('a service that does not respond', () => {
  test('when the page is opened: a message, and a retry that works', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.context.route(`${stage.sandbox.url}/**`, (route) => route.abort())
    await shop.mount(optionsOf(stage, sessionKey))
    expect(await shop.waitFor('error')).toMatchObject({ name: 'CardFormError' })
    await shop.context.unroute(`${stage.sandbox.url}/**`)
    await shop.page.getByRole('button', { name: 'Try again' }).click()
    await shop.waitFor('ready')
    expect(await shop.page.getByRole('alert').count()).toBe(0)
  })

  test('when the price is requested: a message, and a retry that works', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.context.route('**/api/checkout/totals/**', (route) => route.abort())
    await shop.mount(optionsOf(stage, sessionKey))
    expect(await shop.waitFor('error')).toMatchObject({ code: 'UNAVAILABLE' })
    await shop.context.unroute('**/api/checkout/totals/**')
    await shop.form.getByRole('button', { name: 'Try again' }).click()
    await shop.waitFor('ready')
  })

  test('when the card is sent: the form keeps the entered values', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.context.route('**/card/*/token', (route) => route.abort())
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.fill('approved')
    await shop.pay()
    expect(await shop.waitFor('error')).toMatchObject({ code: 'UNAVAILABLE' })
    expect(await shop.form.getByLabel('Card number').inputValue()).toBe('4000 0099 0000 0012')
    expect(await stage.paymentsOf(userId)).toEqual([])
  })
})

test('a page of this machine that the merchant does not list may not show the form', async () => {
  shop = await stage.open()
  await shop.mount({ ...optionsOf(stage, 'key'), merchantId: listed })
  expect(await shop.waitFor('error')).toMatchObject({ name: 'CardFormError' })
})

describe('credentials and options', () => {
  test('an expired session key is replaced by the page’s next one', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount({ ...optionsOf(stage, sessionKey), sessionKeys: ['expired', sessionKey] })
    await shop.fill('approved')
    await shop.pay()
    await shop.waitFor('success')
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })

  test('a key that stays invalid shows a message', async () => {
    shop = await stage.open()
    await shop.mount(optionsOf(stage, 'expired'))
    expect(await shop.waitFor('error')).toMatchObject({ code: 'UNAUTHENTICATED' })
    await shop.form.locator('#outcome-text', { hasText: 'You are signed out' }).waitFor()
  })

  test('another order under a paid purchase id is refused', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey, { purchaseId: 'order 1' }))
    await shop.fill('approved')
    // When the other tab opens the form, nothing has been paid yet.
    const other = await stage.open()
    try {
      await other.mount(
        optionsOf(stage, sessionKey, {
          purchaseId: 'order 1',
          order: { subtotal: { cents: 1, currency: 'USD' } },
        }),
      )
      await other.fill('approved')
      await shop.pay()
      await shop.waitFor('success')
      await other.pay()
      const reported = await other.waitFor('error')
      expect(reported).toMatchObject({ name: 'CardFormError', code: 'AMBIGUOUS_INTENT' })
      expect(reported.message).not.toMatch(/Nothing was paid|not been charged/)
      await other.heading('Payment is not available right now').waitFor()
    } finally {
      await other.context.close()
    }
    expect(await stage.paymentsOf(userId)).toHaveLength(1)
  })

  test('a card that the customer agrees to save is saved', async () => {
    const { userId, sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey, { offersSaving: true }))
    await shop.fill('approved')
    await shop.form.getByLabel('Save this card').check()
    await shop.pay()
    await shop.waitFor('success')
    const { body } = await stage.service.get(`/api/customer/cards/${stage.sandbox.merchantId}`, {
      'x-svc-auth-session-key': sessionKey,
      'x-svc-auth-user-id': userId,
    })
    expect(body).toMatchObject([{ lastFour: '0012' }])
  })

  test('colours of the page’s own CSS reach the form, and nothing of the form reaches the page', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.page.evaluate(() => {
      document.documentElement.style.setProperty('--purchase-accent', 'rgb(120, 10, 90)')
      document.documentElement.style.setProperty('--purchase-radius', 'url(https://evil.example)')
    })
    const before = await shop.page.evaluate(() => document.styleSheets.length)
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.waitFor('ready')
    const button = shop.form.getByRole('button', { name: /^Pay / })
    const look = await button.evaluate((element) => {
      const { backgroundColor, borderTopLeftRadius } = getComputedStyle(element)
      return { backgroundColor, borderTopLeftRadius }
    })
    expect(look).toEqual({ backgroundColor: 'rgb(120, 10, 90)', borderTopLeftRadius: '8px' })
    expect(await shop.page.evaluate(() => document.styleSheets.length)).toBe(before)
  })

  test('nothing remains after unmounting', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.waitFor('ready')
    await shop.unmount()
    expect(await shop.page.locator('#pay').innerHTML()).toBe('')
  })
})

describe('axe finds no violation, and the form fits,', () => {
  const looks = [
    ['light wide', { colorScheme: 'light', viewport: { width: 900, height: 1100 } }],
    ['dark wide', { colorScheme: 'dark', viewport: { width: 900, height: 1100 } }],
    ['light narrow', { colorScheme: 'light', viewport: { width: 320, height: 1000 } }],
    ['dark narrow', { colorScheme: 'dark', viewport: { width: 320, height: 1000 } }],
  ] as const

  test.each(looks)('%s', async (name, look) => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open(look)
    const seen = async (state: string) => {
      // All animations have ended. The browser's own page in a hidden frame is skipped.
      await shop.page.waitForTimeout(200)
      for (const frame of shop.page.frames().filter((one) => one.url().startsWith('http'))) {
        expect(await findViolations(frame), `${name} ${state} ${frame.url()}`).toEqual([])
        const overflow = await frame.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${name} ${state} does not overflow its frame`).toBe(0)
      }
      if (process.env.SCREENSHOTS !== undefined)
        await shop.page.screenshot({
          path: `${process.env.SCREENSHOTS}/purchase-${state}-${name.replace(' ', '-')}.png`,
          fullPage: true,
        })
    }
    let held = gate()
    // An open gate lets requests pass. Removing its route could leave a request unanswered that the browser has just paused.
    const hold = async (pattern: string) => {
      held = gate()
      const { opened } = held
      await shop.context.route(pattern, async (route) => {
        await opened
        await route.continue()
      })
    }

    await hold('**/card/*/form.js')
    await shop.mount(
      optionsOf(stage, sessionKey, {
        order: { subtotal: { cents: 12_345, currency: 'USD' }, feePercentage: 3, fixedFee: { cents: 30 } },
        offersSaving: true,
      }),
    )
    await seen('1-loading')
    held.open()
    await shop.waitFor('ready')
    await seen('2-form')
    await shop.form.getByRole('button', { name: /^Pay / }).click()
    await seen('3-wrong-fields')
    await shop.fill('declined')
    await shop.pay()
    await shop.form.getByRole('alert').getByText('declined').waitFor()
    await seen('4-declined')
    await hold('**/api/checkout/card/**')
    await shop.fill('challenge')
    await shop.pay()
    await shop.form.getByText('Paying…').first().waitFor()
    await seen('5-paying')
    held.open()
    await shop.challengePage().getByRole('button', { name: 'Approve' }).waitFor()
    await seen('6-challenge')
    await shop.context.route('**/api/checkout/card/**', (route) => route.abort())
    await shop.challengePage().getByRole('button', { name: 'Approve' }).click()
    await shop.heading('We’re still confirming your payment').waitFor()
    await seen('7-unknown')
    await shop.context.unroute('**/api/checkout/card/**')
    await shop.form.getByRole('button', { name: 'Check again' }).click()
    await shop.heading(/^Paid/).waitFor()
    await seen('8-paid')

    await shop.unmount()
    await shop.context.route('**/api/checkout/totals/**', (route) => route.abort())
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.heading('Payment is not available right now').waitFor()
    await seen('9-stopped')
    await shop.unmount()
    await shop.context.route(`${stage.sandbox.url}/**`, (route) => route.abort())
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.page.getByRole('button', { name: 'Try again' }).waitFor()
    await seen('10-no-service')
  })
})
