// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { headerNames } from '../../../../redeemkit/core/headerNames.ts'
import * as languages from '../../../../redeemkit/languages/index.ts'
import { cardPage } from '../cardPage.ts'
import type { Start } from './channel.ts'
import { textsOf } from './messages.ts'
import { challengeLoaded, openPurchase, pay } from './purchase.ts'
import { createPurchase } from './purchaseState.ts'
import { inputOf, part, setTexts } from './view.ts'

type Answer = { status: number; body: object }
type Body = Record<string, unknown>

const settings = {
  merchantId: 'shop',
  parent: 'http://localhost:4000',
  environment: 'sandbox' as const,
  headers: headerNames(),
}
const order = { subtotal: { cents: 1250, currency: 'USD' } }
const calls = { token: '/token', look: '/purchase', checkout: '/api/checkout/card/' } as const
/** The device id header of each request. */
let devices: (string | null)[]
let answers: Record<keyof typeof calls, (body: Body) => Answer>

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  devices = []
  // Replaces the iframe, because happy-dom does not load iframes.
  const page = cardPage(settings).replaceAll('iframe', 'x-frame')
  document.body.innerHTML = page.slice(page.indexOf('<main'), page.indexOf('</body>'))
  answers = {
    token: () => ({ status: 200, body: { token: 'card token' } }),
    look: () => ({ status: 200, body: {} }),
    checkout: () => ({ status: 200, body: { paymentId: 'pay_1', status: 'settled' } }),
  }
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit & { body: string }) => {
    devices.push(new Headers(headers).get('x-device-id'))
    const name = (['token', 'look', 'checkout'] as const).find((one) => path.includes(calls[one]))
    if (name === undefined) return Response.json({ card: { ...order, total: order.subtotal } })
    const answer = answers[name](JSON.parse(body))
    return Response.json(answer.body, { status: answer.status })
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Opens the form for a purchase, and waits until the form's page has loaded. */
async function open(more: Partial<Start> = {}) {
  const tell = vi.fn<(type: string, facts?: Body) => void>()
  const look = { language: 'en', colorScheme: undefined, variables: {} }
  const none = { jwtToken: undefined, wallet: undefined, blockchain: undefined, userId: undefined }
  const run = createPurchase({
    settings,
    start: {
      ...none,
      sessionKey: 'the key',
      order,
      purchaseId: 'order 1',
      deviceId: undefined,
      email: 'alice@example.org',
      environment: undefined,
      offersSaving: false,
      look,
      ...more,
    },
    channel: { tell, askSessionKey: async () => undefined },
    texts: () => textsOf('en'),
    isCurrent: () => true,
    act: (what) => void what(run),
  })
  await openPurchase(run)
  const press = () => {
    const fields = { number: '4000009900000012', expiry: '12 / 99', cvv: '123', name: 'Alice Example' }
    for (const name of ['number', 'expiry', 'cvv', 'name'] as const) inputOf(name).value = fields[name]
    return pay(run)
  }
  const reported = (type: string) => tell.mock.calls.filter(([one]) => one === type).map(([, facts]) => facts)
  return { run, press, reported }
}

test('stops if another tab paid a different price, without saying that nothing was charged', async () => {
  const { run, press, reported } = await open()
  answers.checkout = () => ({
    status: 409,
    body: { code: 'AMBIGUOUS_INTENT', message: 'Something else.', details: { paymentId: 'pay_0' } },
  })
  await press()
  expect(reported('error')).toMatchObject([{ code: 'AMBIGUOUS_INTENT', outcome: 'notBegun' }])
  expect(part('outcome-title').textContent).toBe(textsOf('en').stoppedTitle)
  expect(part('form').hidden).toBe(true)
  expect(run.attempt).toEqual({})
  expect(run.isBusy).toBe(false)
})

test("sends the page's device id or, without one, an id that the form stores in this browser", async () => {
  await (await open({ deviceId: 'of the page' })).press()
  expect([...new Set(devices)]).toEqual(['of the page'])
  devices = []
  await (await open()).press()
  await open()
  expect(new Set(devices).size).toBe(1)
  expect(devices[0]).toMatch(/^[\d-]{7,}$/)
})

test('reports success for the payment that was charged', async () => {
  const { press, reported } = await open()
  answers.checkout = () => ({ status: 200, body: { paymentId: 'pay_1', status: 'authorized' } })
  answers.look = () => ({ status: 200, body: { payment: { paymentId: 'pay_2', status: 'settled' } } })
  await press()
  expect(reported('success')).toMatchObject([{ paymentId: 'pay_2' }])
  expect(part('reference').textContent).toContain('pay_2')
})

test.each([
  ['a missing session key', { status: 401, body: { code: 'UNAUTHENTICATED' } }],
  ['a service failure', { status: 503, body: {} }],
])(
  'after a reload that lost a response, a token rejected for %s is not reported as unpaid',
  async (_, no) => {
    const body = { card: { cardToken: 'the first' } }
    const { run } = await open()
    run.attempts.write({ body, sentAt: 7 })
    const { press, reported } = await open()
    answers.token = () => no
    const sent = vi.fn((_body: Body) => ({ status: 200, body: { paymentId: 'pay_1', status: 'settled' } }))
    answers.checkout = sent
    await press()
    expect(reported('error')).toMatchObject([{ code: 'OUTCOME_UNKNOWN', outcome: 'unknown', sentAt: 7 }])
    expect(sent).not.toHaveBeenCalled()
    part('again').click()
    await vi.waitFor(() => expect(reported('success')).toMatchObject([{ paymentId: 'pay_1' }]))
    expect(sent.mock.calls).toEqual([[{ ...order, ...body }]])
  },
)

test('reports a rejected token as unpaid if no earlier response was lost', async () => {
  const { press, reported } = await open()
  answers.checkout = () => ({
    status: 402,
    body: { code: 'CARD_DECLINED', details: { paymentId: 'pay_1', reason: 'declined' } },
  })
  await press()
  answers.token = () => ({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  await press()
  expect(reported('error')).toMatchObject([
    { code: 'CARD_DECLINED', outcome: 'nothingPaid' },
    { code: 'UNAUTHENTICATED', outcome: 'nothingPaid' },
  ])
})

test.each([
  ['a second later', { iat: 2 }, true],
  ['for another price', { checkout: { subtotal: { cents: 1, currency: 'USD' } } }, false],
])(
  'with a checkout JWT issued %s, resumes a checkout after a reload: %o %s',
  async (_, changes, isResumed) => {
    const jwtOf = (claims: object) =>
      [
        'e30',
        Buffer.from(JSON.stringify({ checkout: order, iat: 1, ...claims })).toString('base64url'),
        's',
      ].join('.')
    const before = await open({ order: {}, jwtToken: jwtOf({}) })
    before.run.attempts.write({ body: { card: { cardToken: 'the first' } }, sentAt: 7 })
    const jwtToken = jwtOf(changes)
    const { run, press } = await open({ order: {}, jwtToken })
    expect(run.isLost).toBe(isResumed)
    const sent = vi.fn((_body: Body) => ({ status: 200, body: { paymentId: 'pay_1', status: 'settled' } }))
    answers.checkout = sent
    answers.token = () => ({ status: 503, body: {} })
    await press()
    if (!isResumed) return
    part('again').click()
    // The form uses the newest JWT, because the first one may have expired.
    await vi.waitFor(() => expect(sent).toHaveBeenCalledWith(expect.objectContaining({ jwtToken })))
  },
)

test('checks the order before asking for a card', async () => {
  const looked: Body[] = []
  answers.look = (body) => {
    looked.push(body)
    return { status: 200, body: { payment: { paymentId: 'pay_1', status: 'settled' } } }
  }
  const { reported } = await open()
  expect(looked).toEqual([{ purchaseId: 'order 1', order }])
  expect(reported('success')).toMatchObject([{ paymentId: 'pay_1', purchaseId: 'order 1' }])
})

test('does not say that nothing was charged while the response after a challenge is missing', async () => {
  const { run, press, reported } = await open()
  const details = { transactionId: 't', url: 'https://acs.example', creq: 'e30' }
  answers.checkout = () => ({ status: 412, body: { code: 'CHALLENGE_REQUIRED', details } })
  await press()
  expect(part('challenge').hidden).toBe(false)
  let shown = ''
  answers.checkout = () => {
    if (shown !== '') return { status: 200, body: { paymentId: 'pay_1', status: 'settled' } }
    // The service executes this request, but its response is lost.
    for (const language of ['en', 'pt']) {
      setTexts(textsOf(language), language)
      shown += part('challenge').textContent
    }
    throw new TypeError('Failed to fetch')
  }
  await challengeLoaded(run)
  expect(reported('success')).toMatchObject([{ paymentId: 'pay_1' }])
  expect(shown).not.toMatch(/not been charged|nada foi cobrado|não houve cobrança/i)
})

test('shows the example date in the form’s language', () => {
  for (const [language, example] of Object.entries({ en: 'MM / YY', 'pt-BR': 'MM / AA' })) {
    setTexts(textsOf(language), language)
    expect(inputOf('expiry').placeholder).toBe(example)
  }
})

test('supports every language of `redeemkit/languages`', () => {
  for (const language of Object.values(languages))
    if ('button.ready' in language) expect(textsOf(language.locale).sentences).toBe(language)
})
