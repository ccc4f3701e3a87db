import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type CardStage, listed, type OpenPage, optionsOf, startCardStage } from './cardStage.ts'
import { beforeAllInBrowser } from './openChromium.ts'

let stage: CardStage
let shop: OpenPage

beforeAllInBrowser(async () => {
  stage = await startCardStage()
})
afterAll(() => stage?.stop())
afterEach(() => shop?.context.close())

test('a payment by card as in the example: the JWT’s values are shown first, success is reported once it has settled', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  const checkoutJwtToken = await stage.jwt({ subtotal: { cents: 4200, currency: 'USD' } })
  shop = await stage.open()
  const said: string[] = []
  shop.page.on('console', (message) => said.push(message.text()))
  const order = { id: 'order 1', checkoutJwtToken }
  await shop.mountExample({ baseUrl: stage.sandbox.url, sessionKey, order })
  await shop.fill('approved')
  expect(await shop.form.locator('#lines').textContent()).toBe('Total$42.00')
  await shop.pay()
  const { paymentId } = await shop.waitFor('success')
  await shop.heading('Paid $42.00').waitFor()
  expect(await stage.paymentsOf(userId)).toEqual([
    { paymentId, status: 'settled', total: 4200, email: 'alice@example.org' },
  ])
  // The key appears in no URL and nowhere in the page, and there were no console errors.
  expect(await shop.page.content()).not.toContain(sessionKey)
  expect(said).toEqual([])
})

test('a checkout JWT for each page load pays its order once: two tabs and two devices at the same time, and a reload', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  const load = async () => {
    const { order: _, purchaseId: __, ...options } = optionsOf(stage, sessionKey)
    return { ...options, checkoutJwtToken: await stage.newJwt('order 7') }
  }
  shop = await stage.open()
  const others = [await stage.open({ context: shop.context }), await stage.open()]
  try {
    const pages = [shop, ...others]
    for (const page of pages) {
      await page.mount(await load())
      await page.fill('approved')
    }
    await Promise.all(pages.map((page) => page.pay()))
    const paid = await Promise.all(pages.map((page) => page.waitFor('success')))
    await shop.page.reload()
    await shop.mount(await load())
    paid.push(await shop.waitFor('success'))
    const [{ paymentId } = { paymentId: undefined }, ...more] = await stage.paymentsOf(userId)
    expect(more).toEqual([])
    expect(paid.map((reported) => reported.paymentId)).toEqual([paymentId, paymentId, paymentId, paymentId])
  } finally {
    for (const page of others) await page.context.close()
  }
})

test('a double click pays once', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  await shop.mount(optionsOf(stage, sessionKey))
  await shop.fill('approved')
  await shop.form.getByRole('button', { name: /^Pay / }).dblclick()
  await shop.waitFor('success')
  expect(await stage.paymentsOf(userId)).toHaveLength(1)
})

test('the bank’s challenge is shown inside, and the payment continues when it is passed', async () => {
  const { userId, sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  await shop.mount(optionsOf(stage, sessionKey))
  await shop.fill('challenge')
  await shop.pay()
  await shop.waitFor('challenge')
  expect(await shop.reported()).not.toContainEqual(expect.objectContaining({ type: 'success' }))
  await shop.form.frameLocator('#challenge-page').getByRole('button', { name: 'Approve' }).click()
  const { paymentId } = await shop.waitFor('success')
  expect(await stage.paymentsOf(userId)).toMatchObject([{ paymentId, status: 'settled' }])
  expect((await shop.reported()).filter(({ type }) => type === 'challenge')).toEqual([
    { type: 'challenge', isOpen: true },
    { type: 'challenge', isOpen: false },
  ])
})

test('fields side by side are level when one label needs two lines', async () => {
  const { sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  await shop.page.setViewportSize({ width: 320, height: 800 })
  await shop.mount(optionsOf(stage, sessionKey, { language: 'pt-BR' }))
  await shop.waitFor('ready')
  const expiry = await shop.form.getByLabel('Validade').boundingBox()
  const code = await shop.form.getByLabel('Código de segurança').boundingBox()
  expect(code?.x).toBeGreaterThan(expiry?.x ?? 0)
  expect(code?.y).toBe(expiry?.y)
})

test('the form works by keyboard only, and shows an error beside its field', async () => {
  const { sessionKey } = await stage.newCustomer()
  shop = await stage.open()
  await shop.mount(optionsOf(stage, sessionKey, { email: 'alice@example.org' }))
  await shop.waitFor('ready')
  const { keyboard } = shop.page
  await shop.form.getByLabel('Card number').focus()
  await keyboard.type('4000009900000013')
  await keyboard.press('Enter')
  const number = shop.form.getByLabel('Card number')
  expect(await number.inputValue()).toBe('4000 0099 0000 0013')
  expect(await number.getAttribute('aria-invalid')).toBe('true')
  expect(await shop.form.locator('#number-wrong').textContent()).toContain('Check the card number')
  expect(await shop.form.locator('#expiry-wrong').textContent()).toBe('Enter the expiry date.')
  expect(await shop.form.locator('input:focus').getAttribute('id')).toBe('number')
  await keyboard.press('Backspace')
  await keyboard.type('2')
  await keyboard.press('Tab')
  await keyboard.type('12/30')
  await keyboard.press('Tab')
  await keyboard.type('123')
  await keyboard.press('Tab')
  await keyboard.type('Alice Example')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await shop.waitFor('success')
})

describe('messages from other windows', () => {
  const success = { svc: 'card-form', version: 1, type: 'success', paymentId: 'pay_forged' }

  test.each([
    ['a frame of another origin', 'http://evil.example'],
    ['a frame of the page’s own origin', 'http://localhost'],
  ])('%s tells the page nothing, and the form nothing', async (_, origin) => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.waitFor('ready')
    const address = `${origin}:${new URL(stage.pageUrl()).port}`
    await shop.page.evaluate(async (src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
      await new Promise((resolve) => frame.addEventListener('load', resolve))
    }, address)
    const hostile = shop.page.frames().find((frame) => frame.url().startsWith(address) && frame.parentFrame())
    const form = { ...success, type: 'start', sessionKey, order: { subtotal: { cents: 1 } }, look: {} }
    await hostile?.evaluate(
      ([toPage, toForm]) => {
        parent.postMessage(toPage, '*')
        parent.frames[0]?.postMessage(toForm, '*')
        parent.frames[0]?.postMessage({ ...toForm, type: 'look', look: { language: 'pt' } }, '*')
      },
      [success, form] as const,
    )
    // A valid message, after ignored ones.
    await shop.update(optionsOf(stage, sessionKey, { language: 'pt-BR' }))
    await shop.form.getByText('Número do cartão').waitFor()
    expect(await shop.form.locator('#lines').textContent()).toContain('12,50')
    expect(await shop.reported()).toEqual([{ type: 'ready' }])
  })

  test('the form’s messages are ignored when sent by the page itself or a window it opened', async () => {
    const { sessionKey } = await stage.newCustomer()
    shop = await stage.open()
    await shop.mount(optionsOf(stage, sessionKey))
    await shop.waitFor('ready')
    await shop.page.evaluate((message) => window.postMessage(message, '*'), success)
    const [opened] = await Promise.all([
      shop.context.waitForEvent('page'),
      shop.page.evaluate((url) => void window.open(url), `${stage.sandbox.url}/reference`),
    ])
    // From the form's origin, but not from the form.
    await opened.evaluate((message) => window.opener.postMessage(message, '*'), success)
    await shop.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    expect(await shop.reported()).toEqual([{ type: 'ready' }])
  })
})

describe('who may show the form', () => {
  test('a page whose origin the merchant lists can show the form', async () => {
    const sessionKey = await stage.sessionKey('listed', listed)
    shop = await stage.open({ host: 'shop.example' })
    await shop.mount({ ...optionsOf(stage, sessionKey), merchantId: listed })
    await shop.waitFor('ready')
  })

  test('a page of another site is refused with an error', async () => {
    shop = await stage.open({ host: 'evil.example' })
    await shop.mount(optionsOf(stage, 'key'))
    expect(await shop.waitFor('error')).toMatchObject({ name: 'CardFormError' })
    await shop.page.getByRole('alert').getByText('could not be loaded').waitFor()
    expect(await shop.page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true)
    expect(await shop.page.locator('#pay iframe').isVisible()).toBe(false)
  })

  test('a page that claims to be another one is shown no form', async () => {
    shop = await stage.open({ host: 'evil.example' })
    const isShown = await shop.page.evaluate(
      async (src) => {
        const frame = document.createElement('iframe')
        frame.src = src
        let heard = 0
        addEventListener('message', () => heard++)
        document.body.append(frame)
        await new Promise((resolve) => frame.addEventListener('load', resolve))
        await new Promise((resolve) => setTimeout(resolve, 300))
        return heard
      },
      `${stage.sandbox.url}/card/${listed}?parent=${encodeURIComponent(stage.pageUrl('shop.example'))}`,
    )
    expect(isShown).toBe(0)
    const [, frame] = shop.page.frames()
    expect(await frame?.locator('form').count()).toBe(0)
  })
})
