// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost:4000"}
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mountPurchase } from './mountPurchase.ts'
import type { FormOptions } from './purchaseOptions.ts'

const service = 'http://127.0.0.1:9'

// Replaces the iframe, because happy-dom reports each frame that it does not load.
const create = document.createElement.bind(document)
vi.spyOn(document, 'createElement').mockImplementation((name: string) =>
  create(name === 'iframe' ? 'x-frame' : name),
)

const price = (cents: number) => ({ subtotal: { cents, currency: 'USD' as const } })
const options: mountPurchase.Options = {
  baseUrl: service,
  merchantId: 'shop',
  sessionKey: 'the key',
  purchaseId: 'order 1',
  order: price(1000),
}
/** Creates a checkout JWT. One second later, a JWT for the same order has a different signature. */
const jwt = (checkout: object, iat: number): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part({ iat, exp: iat + 9, checkout })}.signature-${iat}`
}

let place: HTMLElement
const mounted: mountPurchase.ReturnType[] = []
beforeEach(() => {
  place = document.body.appendChild(document.createElement('div'))
})
afterEach(() => {
  for (const { unmount } of mounted.splice(0)) unmount()
  vi.useRealTimers()
})

/** Mounts the form, and acts as the service's page in its frame. */
function mount(more: Partial<FormOptions> = {}) {
  // The order is in the options of each test, or in its JWT.
  const form = mountPurchase(place, { ...options, ...more } as mountPurchase.Options)
  mounted.push(form)
  const frame = [...place.querySelectorAll<HTMLIFrameElement>('x-frame')].at(-1)
  if (frame === undefined) throw new Error('There is no frame.')
  const source = { postMessage: vi.fn() }
  Object.defineProperty(frame, 'contentWindow', { value: source, configurable: true })
  const post = (data: unknown, from: { source?: object | null; origin?: string } = {}) =>
    window.dispatchEvent(
      // Represents the frame's window; only its identity is used.
      Object.assign(new MessageEvent('message', { data, origin: from.origin ?? service }), {
        source: from.source === undefined ? source : from.source,
      }),
    )
  const tell = (type: string, facts: object = {}) => post({ svc: 'card-form', version: 1, type, ...facts })
  const sent = (): Record<string, unknown>[] => source.postMessage.mock.calls.map(([one]) => one)
  const started = () => sent().filter(({ type }) => type === 'start')
  /** Announces that the form is listening, and returns the request that it then receives. */
  const hello = async () => {
    const before = started().length
    tell('hello')
    await vi.waitFor(() => expect(started().length).toBe(before + 1))
    return idOf(started().at(-1))
  }
  return { ...form, frame, post, tell, hello, sent, started }
}

const idOf = (start: Record<string, unknown> | undefined) => String(start?.purchaseId)

describe('the outcome of a purchase is reported', () => {
  test('to the callbacks of that purchase, even if the page now shows another purchase', async () => {
    const [first, firstError, second] = [vi.fn(), vi.fn(), vi.fn()]
    const { update, tell, hello, started } = mount({ purchaseId: 'order 1', onSuccess: vi.fn() })
    await hello()
    update({ ...options, purchaseId: 'order 1', onSuccess: first, onError: firstError })
    update({ ...options, purchaseId: 'order 2', onSuccess: second, onError: second })
    await vi.waitFor(() => expect(started()).toHaveLength(2))
    tell('error', { code: 'CARD_DECLINED', outcome: 'nothingPaid', purchaseId: 'order 1' })
    tell('success', { paymentId: 'pay_1', purchaseId: 'order 1' })
    expect(first.mock.calls).toEqual([['pay_1', { hash: undefined }]])
    expect(firstError).toHaveBeenCalledTimes(1)
    expect(second).not.toHaveBeenCalled()
    tell('success', { paymentId: 'pay_2', purchaseId: 'order 2' })
    expect(second.mock.calls).toEqual([['pay_2', { hash: undefined }]])
  })

  test('once for each payment, however often the form reports it', async () => {
    const onSuccess = vi.fn()
    const { tell, hello } = mount({ onSuccess })
    const purchaseId = await hello()
    tell('success', { paymentId: 'pay_1', purchaseId })
    await hello()
    tell('success', { paymentId: 'pay_1', purchaseId })
    tell('success', { paymentId: 'pay_2', purchaseId })
    expect(onSuccess.mock.calls.map(([id]) => id)).toEqual(['pay_1', 'pay_2'])
  })

  test("by the current options, if the service's message names no purchase", async () => {
    const onSuccess = vi.fn()
    const { tell, hello } = mount({ onSuccess })
    await hello()
    tell('success', { paymentId: 'pay_1' })
    expect(onSuccess).toHaveBeenCalledTimes(1)
  })
})

describe('the order id', () => {
  const fromJwt = (purchaseId: unknown, iat = 1) => ({
    order: undefined,
    purchaseId: undefined,
    checkoutJwtToken: jwt({ ...price(500), purchaseId }, iat),
  })

  test("is the page's id in every mount, even if other options change", async () => {
    const { hello, unmount, update, started } = mount({ purchaseId: 'order 7' })
    expect(await hello()).toBe('order 7')
    update({ ...options, purchaseId: 'order 7', email: 'alice@example.org' })
    await vi.waitFor(() => expect(started()).toHaveLength(2))
    expect(idOf(started()[1])).toBe('order 7')
    unmount()
    expect(await mount({ purchaseId: 'order 7', order: price(1) }).hello()).toBe('order 7')
  })

  test("is the checkout JWT's id, whenever the JWT was made", async () => {
    expect(await mount(fromJwt('order № 7', 1)).hello()).toBe('order № 7')
    expect(await mount(fromJwt('order № 7', 2)).hello()).toBe('order № 7')
    expect(await mount(fromJwt('order № 8', 3)).hello()).toBe('order № 8')
  })

  test('may be in both the options and the JWT', async () => {
    expect(await mount({ ...fromJwt('order 7'), purchaseId: 'order 7' }).hello()).toBe('order 7')
  })

  test("is the page's id if the JWT has no id, or cannot be read", async () => {
    expect(await mount({ ...fromJwt(undefined), purchaseId: 'order 7' }).hello()).toBe('order 7')
    expect(await mount({ checkoutJwtToken: 'a.b.c', purchaseId: 'order 7' }).hello()).toBe('order 7')
  })

  test('is not stored by the page', async () => {
    await mount(fromJwt('order 7')).hello()
    expect([sessionStorage.length, localStorage.length]).toEqual([0, 0])
  })
})

test('an unmounted form does not return, even if it receives messages', () => {
  const { update, unmount } = mount()
  unmount()
  update({ ...options, baseUrl: 'http://127.0.0.1:10' })
  expect(place.querySelector('x-frame')).toBeNull()
})

describe('a frame that navigated away from the form', () => {
  test('is reported, and reloads the form on a click', async () => {
    vi.useFakeTimers()
    const onError = vi.fn()
    const { frame, tell } = mount({ onError })
    tell('hello')
    frame.dispatchEvent(new Event('load'))
    tell('shown')
    tell('ready')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onError).not.toHaveBeenCalled()
    frame.dispatchEvent(new Event('load'))
    await vi.advanceTimersByTimeAsync(1_500)
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ name: 'CardFormError' })]])
    expect(place.textContent).toContain('The card form could not be loaded.')
    place.querySelector('button')?.click()
    expect(place.textContent).toContain('Loading the card form')
  })

  test('is not reported if it only reloaded the form', async () => {
    vi.useFakeTimers()
    const onError = vi.fn()
    const { frame, tell } = mount({ onError })
    for (const _ of ['at first', 'again']) {
      tell('hello')
      await vi.advanceTimersByTimeAsync(0)
      frame.dispatchEvent(new Event('load'))
      tell('shown')
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onError).not.toHaveBeenCalled()
  })
})

describe('the session key', () => {
  test('that never arrives is a failure, and the customer can try again', async () => {
    vi.useFakeTimers()
    const onError = vi.fn()
    const sessionKey = vi.fn(() => new Promise<string>(() => {}))
    const { tell } = mount({ onError, sessionKey })
    tell('hello')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ name: 'CardFormError' })]])
    place.querySelector('button')?.click()
    tell('hello')
    expect(sessionKey).toHaveBeenCalledTimes(2)
  })

  /** Creates a session key function whose key a test provides later. */
  const late = () => {
    let give = (_key: string) => {}
    const key = new Promise<string>((resolve) => {
      give = resolve
    })
    return { sessionKey: () => key, give }
  }

  test('that arrives after the form was unmounted is not reported', async () => {
    const { sessionKey, give } = late()
    const { tell, started, unmount } = mount({ sessionKey })
    tell('hello')
    unmount()
    give('the key')
    await new Promise((resolve) => setTimeout(resolve))
    expect(started()).toEqual([])
  })

  test('that arrives while another service is loading is sent to neither', async () => {
    const { sessionKey, give } = late()
    const { tell, started, update } = mount({ sessionKey })
    tell('hello')
    update({ ...options, sessionKey, baseUrl: 'http://127.0.0.1:8' })
    give('the key')
    await new Promise((resolve) => setTimeout(resolve))
    expect(started()).toEqual([])
  })

  test('that a form requests again is not sent to another service', async () => {
    const { sessionKey, give } = late()
    const next = 'http://127.0.0.1:8'
    const keyOfNext = () => 'the key of the next service'
    const { tell, hello, post, sent, update } = mount({ sessionKey: 'first' })
    await hello()
    update({ ...options, sessionKey })
    tell('sessionKey')
    update({ ...options, sessionKey: keyOfNext, baseUrl: next })
    post({ svc: 'card-form', version: 1, type: 'hello' }, { origin: next })
    const ofNext = expect.objectContaining({ type: 'start', sessionKey: keyOfNext() })
    await vi.waitFor(() => expect(sent()).toContainEqual(ofNext))
    give('the key')
    await new Promise((resolve) => setTimeout(resolve))
    expect(sent().map((message) => message.sessionKey)).not.toContain('the key')
  })

  test('can be requested again', async () => {
    const keys = ['first', 'second', 'third']
    const sessionKey = vi.fn(async () => keys.shift() ?? 'none')
    const { tell, hello, sent } = mount({ sessionKey })
    await hello()
    expect(sent().at(-1)).toMatchObject({ type: 'start', sessionKey: 'first' })
    tell('sessionKey')
    await vi.waitFor(() => expect(sent().at(-1)).toMatchObject({ type: 'sessionKey', sessionKey: 'second' }))
    expect(sessionKey).toHaveBeenCalledTimes(2)
  })

  test('that fails removes a form that is not shown yet, and keeps a form that is shown', async () => {
    const onError = vi.fn()
    const keys = [() => 'first']
    const sessionKey = async () => {
      const give = keys.shift()
      if (give === undefined) throw new Error('The shop is closed.')
      return give()
    }
    const { tell, hello } = mount({ sessionKey, onError })
    await hello()
    tell('shown')
    tell('ready')
    tell('sessionKey')
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1))
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ name: 'SessionKeyError' })
    expect(place.querySelector('[role=alert]')).toBeNull()
    mount({ sessionKey, onError }).tell('hello')
    await vi.waitFor(() => expect(place.querySelector('[role=alert]')).not.toBeNull())
  })
})

describe('the form on the page', () => {
  test('reports ready once, even if its page repeats it', async () => {
    const onReady = vi.fn()
    const { tell, hello } = mount({ onReady })
    await hello()
    tell('ready')
    tell('ready')
    expect(onReady).toHaveBeenCalledTimes(1)
  })

  test('has no height and takes no focus before it is shown', () => {
    const { tell, frame } = mount()
    tell('hello')
    tell('height', { height: 700 })
    expect([frame.style.height, frame.style.visibility]).toEqual(['0px', 'hidden'])
    tell('shown')
    tell('height', { height: 700 })
    expect([frame.style.height, frame.style.visibility]).toEqual(['700px', 'visible'])
  })

  test('follows the system’s color scheme while it is mounted', async () => {
    const scheme = new EventTarget() as MediaQueryList // only its events are used
    const asked = vi.spyOn(window, 'matchMedia').mockReturnValue(scheme)
    const { hello, sent, unmount } = mount()
    asked.mockRestore()
    await hello()
    place.style.setProperty('--purchase-accent', 'red')
    scheme.dispatchEvent(new Event('change'))
    expect(sent().at(-1)).toMatchObject({ type: 'look' })
    unmount()
    const before = sent().length
    place.style.setProperty('--purchase-accent', 'blue')
    scheme.dispatchEvent(new Event('change'))
    expect(sent()).toHaveLength(before)
  })

  test("of another customer never starts with the first customer's session key", async () => {
    let give: (key: string) => void = () => {}
    const slow = () =>
      new Promise<string>((resolve) => {
        give = resolve
      })
    const { tell, update, started } = mount({ userId: 'alice', sessionKey: slow })
    tell('hello')
    update({ ...options, userId: 'bob', sessionKey: async () => 'the key of bob' })
    give('the key of alice')
    await vi.waitFor(() => expect(started().at(-1)).toMatchObject({ userId: 'bob' }))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(started().map(({ userId, sessionKey }) => [userId, sessionKey])).toEqual([
      ['bob', 'the key of bob'],
    ])
  })

  test('calls the same function again for another customer, and for another service', async () => {
    let customer = 'alice'
    const sessionKey = async () => `the key of ${customer}`
    const { tell, hello, update, started } = mount({ userId: 'alice', sessionKey })
    await hello()
    customer = 'bob'
    update({ ...options, userId: 'bob', sessionKey })
    await vi.waitFor(() => expect(started()).toHaveLength(2))
    customer = 'carol'
    update({ ...options, userId: 'carol', merchantId: 'shop 2', sessionKey })
    tell('hello')
    await vi.waitFor(() => expect(started()).toHaveLength(3))
    expect(started().map((start) => start.sessionKey)).toEqual([
      'the key of alice',
      'the key of bob',
      'the key of carol',
    ])
  })

  test('reports nothing after it is unmounted', async () => {
    vi.useFakeTimers()
    const onError = vi.fn()
    mount({ onError }).unmount()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onError).not.toHaveBeenCalled()
  })

  test('reports a payment as failed only if the form says so', async () => {
    const onError = vi.fn()
    const { tell, hello } = mount({ onError })
    await hello()
    tell('error', { code: 'OUTCOME_UNKNOWN', outcome: 'unknown', sentAt: 7 })
    tell('error', { code: 'CARD_DECLINED', outcome: 'nothingPaid', reason: 'insufficientFunds' })
    tell('error', { code: 'AMBIGUOUS_INTENT', outcome: 'notBegun' })
    tell('error', { code: 'CARD_DECLINED' })
    tell('error', { code: 'CARD_DECLINED', outcome: 'ofALaterVersion' })
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ name: 'PaymentOutcomeUnknownError', sentAt: 7 })],
      [expect.objectContaining({ name: 'CardRefusedError', code: 'CARD_DECLINED' })],
      [expect.objectContaining({ name: 'CardFormError', code: 'AMBIGUOUS_INTENT' })],
      [expect.objectContaining({ name: 'PaymentOutcomeUnknownError' })],
      [expect.objectContaining({ name: 'PaymentOutcomeUnknownError' })],
    ])
  })

  test.each([
    [{ open: true }, true],
    [{ open: false }, false],
    [{ open: 'yes' }, false],
    [{}, false],
  ])('reports the challenge message %j as %s', async (facts, reported) => {
    const onChallenge = vi.fn()
    const { tell, hello } = mount({ onChallenge })
    await hello()
    tell('challenge', facts)
    expect(onChallenge.mock.calls).toEqual([[reported]])
  })

  test('reads only colors, sizes and fonts from CSS', async () => {
    place.style.setProperty('--purchase-accent', 'url(https://evil.example)')
    place.style.setProperty('--purchase-text', 'rebeccapurple')
    const { hello, started } = mount()
    await hello()
    expect(started()[0]).toMatchObject({ look: { variables: { '--purchase-text': 'rebeccapurple' } } })
    expect(JSON.stringify(started())).not.toContain('evil')
  })
})

test('a page without an origin gets an error', () => {
  const origin = vi.spyOn(window.location, 'origin', 'get').mockReturnValue('null')
  try {
    expect(() => mount()).toThrow('This page has no origin')
  } finally {
    origin.mockRestore()
  }
})

describe('foreign messages', () => {
  const success = { svc: 'card-form', version: 1, type: 'success', paymentId: 'pay_forged' }

  test.each([
    ['another origin', success, { origin: 'http://evil.example' }],
    ['an origin with the same beginning', success, { origin: `${service}9` }],
    ['a page without an origin', success, { origin: 'null' }],
    ['another window of the service', success, { source: { postMessage: () => {} } }],
    ['no window', success, { source: null }],
    ['a form of another version', { ...success, version: 2 }, {}],
    ['another sender', { ...success, svc: 'checkout' }, {}],
    ['no payment', { ...success, paymentId: '' }, {}],
    ['a payment id that is not text', { ...success, paymentId: { toString: () => 'pay_1' } }, {}],
    ['nothing', null, {}],
    ['a text', 'success', {}],
    ['a list', [success], {}],
    ['a type that is the name of a property of every object', { ...success, type: 'constructor' }, {}],
    ['the type `__proto__`', JSON.parse('{"svc":"card-form","version":1,"type":"__proto__"}'), {}],
  ])('from %s are ignored', async (_, data, from) => {
    const reported = vi.fn()
    const on = {
      onSuccess: reported,
      onAuthorized: reported,
      onError: reported,
      onChallenge: reported,
      onReady: reported,
    }
    const { post, hello } = mount(on)
    await hello()
    post(data, from)
    expect(reported).not.toHaveBeenCalled()
    expect(Object.prototype).not.toHaveProperty('svc')
  })

  test('without a source are ignored, even if the frame has no window', async () => {
    const onSuccess = vi.fn()
    const { post, hello, frame } = mount({ onSuccess })
    await hello()
    Object.defineProperty(frame, 'contentWindow', { value: null })
    post(success, { source: null })
    expect(onSuccess).not.toHaveBeenCalled()
  })

  test('a success before the first request is ignored', () => {
    const onSuccess = vi.fn()
    mount({ onSuccess }).post(success)
    expect(onSuccess).not.toHaveBeenCalled()
  })

  test("forms of the same page do not receive each other's messages", async () => {
    const [onFirst, onSecond] = [vi.fn(), vi.fn()]
    const first = mount({ purchaseId: 'order 1', onSuccess: onFirst })
    const second = mount({ purchaseId: 'order 2', onSuccess: onSecond })
    await first.hello()
    await second.hello()
    first.tell('success', { paymentId: 'pay_1', purchaseId: 'order 2' })
    expect(onSecond).not.toHaveBeenCalled()
  })

  test('long texts are truncated', async () => {
    const onError = vi.fn()
    const { tell, hello } = mount({ onError })
    await hello()
    const texts = { code: 'x'.repeat(9_000), message: 'y'.repeat(9_000), reason: 'z'.repeat(9_000) }
    tell('error', { ...texts, outcome: 'nothingPaid' })
    const [error] = onError.mock.calls[0] ?? []
    expect([error.code.length, error.shortMessage.length, error.reason.length]).toEqual([40, 500, 64])
  })
})
