import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import { holdsKey } from './callRequest.ts'
import { type CallPolicy, calls } from './calls.ts'
import { createMerchantClient, type MerchantClient } from './createMerchantClient.ts'
import { apiKey, type Sent, service } from './merchant.fixture.ts'

const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const onBase = { wallet, blockchain: 'base' } as const
const subtotal = { cents: 1000 }
const card = { subtotal, card: { cardToken: 'tok_0123456789' } }
const session = { sessionKey: 'session-key-0123456789' }
const paid = { paymentId: 'pay_1', status: 'settled' }

describe('the client', () => {
  test('has a method for each call of the table, and no other', () => {
    const { client } = service({})
    const methods = Object.entries(client).flatMap(([name, value]) =>
      typeof value === 'function' ? name : [],
    )
    expect(methods.sort()).toEqual([...endpoints.map(({ id }) => id), 'request'].sort())
  })

  test('may retry every call with GET', () => {
    const once = endpoints.filter(({ id, method }) => method === 'GET' && calls[id].repeatable !== true)
    expect(once).toEqual([])
  })

  test('is frozen', () => {
    expect(Object.isFrozen(service({}).client)).toBe(true)
  })

  test.each([
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'two\nlines' }],
    ['apiKey', { apiKey: undefined }],
    ['apiKey', { apiKey: 7 }],
    ['baseUrl', { baseUrl: 'http://service.example' }],
    ['headerPrefix', { headerPrefix: 'X' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['sessionKey', { sessionKey: 'x' }],
  ])('cannot be created with an invalid %s', (field, wrong) => {
    const options = { baseUrl: 'https://service.example', apiKey, merchantId: 'shop', ...wrong }
    expect(() => createMerchantClient(options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field }),
    )
  })

  test.each([
    ['', 'is empty'],
    ['shop\u200b', 'U+200B'],
    [' shop', 'white space'],
    ['cafe\u0301', 'NFC'],
  ])('cannot be created for the merchant %j, nor make a call for it', async (merchantId, reason) => {
    const refused = expect.objectContaining({
      name: 'InvalidOrderIdError',
      field: 'merchantId',
      shortMessage: expect.stringContaining(reason),
    })
    expect(() => createMerchantClient({ baseUrl: 'https://service.example', apiKey, merchantId })).toThrow(
      refused,
    )
    const { client, sent } = service({})
    await expect(client.getPurchases({ sessionKey: 'key', merchantId })).rejects.toThrow(refused)
    expect(sent).toEqual([])
  })

  test.each([
    ['order\u00ad1', 'U+00AD'],
    ['order ', 'white space'],
  ])('requests no checkout JWT for the order %j', async (purchaseId, reason) => {
    const { client, sent } = service({})
    await expect(client.createCheckoutJwt({ body: { purchaseId } })).rejects.toThrow(
      expect.objectContaining({
        name: 'InvalidRecordError',
        field: 'body.purchaseId',
        shortMessage: expect.stringContaining(reason),
      }),
    )
    expect(sent).toEqual([])
  })
})

describe('required options of a call', () => {
  const refused = async (ask: (client: MerchantClient) => Promise<unknown>) => {
    const { client, sent } = service({})
    const error = await ask(client).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    expect(sent).toEqual([])
    return error
  }

  /** A valid value for each header. */
  const good: Record<string, string> = {
    ...onBase,
    ...session,
    userId: 'alice',
    signedMessage: '0x01',
    clientIp: '1.2.3.4',
    deviceId: 'd',
  }
  const rules = endpoints.flatMap(({ id, headers }) =>
    headers.required
      .filter((key) => key !== 'authorization' && key !== 'merchantId')
      .map((key) => [id, key, headers.required] as const),
  )

  test.each(rules)('%s needs %s', async (id, missing, required) => {
    const { [missing]: _, ...rest } = Object.fromEntries(required.map((key) => [key, good[key]]))
    const { authorization: __, merchantId: ___, ...options } = rest
    expect(await refused((client) => client[id](options as never))).toMatchObject({
      name: 'InvalidOptionError',
      field: missing,
      shortMessage: expect.stringContaining(`${id} needs ${missing}`),
    })
  })

  test.each([
    ['userId', {}],
    ['blockchain', { wallet }],
    ['wallet', { userId: 'alice', blockchain: 'base' }],
  ])('getSessionKey needs a customer: %s', async (field, options) => {
    expect(await refused((client) => client.getSessionKey(options as never))).toMatchObject({ field })
  })

  test('include the blockchain of a wallet, even if both are optional', async () => {
    expect(
      await refused((client) => client.cardCheckout({ ...session, wallet, body: card } as never)),
    ).toMatchObject({ field: 'blockchain' })
  })

  test.each([
    ['no path parameter', 'paymentId', {}],
    ['a path parameter that changes the path', 'paymentId', { paymentId: '../..' }],
    ['an empty path parameter', 'paymentId', { paymentId: '' }],
    ['a header that the call does not list', 'wallet', { paymentId: 'p', wallet }],
    ['the API key', 'authorization', { paymentId: 'p', authorization: 'key' }],
    ['a misspelled name', 'payment', { paymentId: 'p', payment: 'p' }],
  ])('are rejected with %s', async (_, field, options) => {
    expect(await refused((client) => client.getPayment(options as never))).toMatchObject({
      name: 'InvalidOptionError',
      field,
    })
  })

  test.each([
    ['body.subtotal', { body: { card: card.card } }],
    ['body.color', { body: { ...card, color: 'red' } }],
    ['body.subtotal', {}],
  ])('include a valid body: %s', async (field, options) => {
    expect(await refused((client) => client.cardCheckout({ ...session, ...options } as never))).toMatchObject(
      { name: 'InvalidRecordError', field },
    )
  })

  test.each<[string, (client: MerchantClient) => Promise<unknown>, string]>([
    ['a path parameter', (client) => client.getPayment({} as never), 'getPayment needs paymentId.'],
    [
      'a session key',
      (client) => client.getCustomerSubscriptions({ ...onBase } as never),
      'needs sessionKey',
    ],
  ])('are named in the error if missing: %s', async (_, ask, says) => {
    expect(await refused(ask)).toMatchObject({ shortMessage: expect.stringContaining(says) })
  })

  test.each([
    ['blockchain', { wallet, blockchain: 'mars' }],
    ['wallet', { wallet: '0x12', blockchain: 'base' }],
  ])('are rejected with an invalid %s', async (field, customer) => {
    expect(await refused((client) => client.getBalances(customer as never))).toMatchObject({
      name: 'InvalidOptionError',
      field,
    })
  })

  test('are shown in the error about a body without private data', async () => {
    const body = { ...onBase, amount: { cents: 'ten' } }
    expect(await refused((client) => client.mintCredits({ body } as never))).toMatchObject({
      field: 'body.amount.cents',
      message: expect.stringContaining('ten'),
    })
  })

  test('include a valid query', async () => {
    expect(
      await refused((client) => client.getPurchases({ ...session, query: { limit: '101' } })),
    ).toMatchObject({ name: 'InvalidRecordError', field: 'query.limit' })
    await expect(
      service({}).client.getPurchases({ ...session, query: { limit: 5 } } as never),
    ).rejects.toThrow('query.limit is 5: expected text: a number from 1 to 100')
  })
})

describe('a request has', () => {
  const send = async (answer: unknown, ask: (client: MerchantClient) => Promise<unknown>): Promise<Sent> => {
    const { client, sent } = service({ answers: [answer] })
    await ask(client)
    expect(sent).toHaveLength(1)
    return sent[0] as Sent // the line above checks that it exists
  }

  test('the API key if the call needs it', async () => {
    const { headers } = await send(paid, (client) => client.getPayment({ paymentId: 'pay_1' }))
    expect(headers.authorization).toBe(apiKey)
  })

  test('no API key otherwise', async () => {
    const { headers } = await send(paid, (client) => client.cardCheckout({ ...session, body: card }))
    expect(headers).not.toHaveProperty('authorization')
    expect(headers['x-svc-auth-session-key']).toBe(session.sessionKey)
  })

  test('every header under its name', async () => {
    const link = { expiresAt: '2026-01-01T00:00:00Z', appLink: 'app://', paymentId: 'p' }
    const { url, headers } = await send(link, (client) =>
      client.mobileAppCheckout({
        ...session,
        ...onBase,
        userId: 'alice',
        deviceId: 'device',
        clientIp: '203.0.113.7',
        body: { subtotal },
      }),
    )
    expect(url).toBe('https://service.example/api/checkout/mobileapp/shop')
    expect(headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: apiKey,
      'x-svc-auth-session-key': session.sessionKey,
      'x-svc-auth-wallet': wallet,
      'x-svc-auth-blockchain': 'base',
      'x-svc-auth-user-id': 'alice',
      'x-device-id': 'device',
      'x-svc-client-ip': '203.0.113.7',
    })
  })

  test('its path and query with each part escaped', async () => {
    const { url } = await send({ purchases: [] }, (client) =>
      client.getPurchases({ ...session, merchantId: 'a/b?', query: { limit: '5', after: 'x&y' } }),
    )
    expect(url).toBe('https://service.example/api/customer/purchases/a%2Fb%3F?limit=5&after=x%26y')
  })

  test('no undefined query, body or header', async () => {
    const { url, headers, body } = await send({ purchases: [] }, (client) =>
      client.getPurchases({ ...session, merchantId: undefined, query: { limit: undefined } } as never),
    )
    expect(url).toBe('https://service.example/api/customer/purchases/shop')
    expect(body).toBeUndefined()
    expect(headers).toEqual({
      accept: 'application/json',
      'x-svc-auth-session-key': session.sessionKey,
    })
  })

  test('the merchant that its body names', async () => {
    const { body } = await send({ qrCode: 'q', expiresAt: '2026-01-01T00:00:00Z' }, (client) =>
      client
        .pixCheckout({
          ...session,
          ...onBase,
          userId: 'a',
          body: { subtotal, email: 'a@b.example', merchantId: 'other' },
        })
        .catch(() => undefined),
    )
    expect(body).toMatchObject({ merchantId: 'other' })
  })

  test('the client’s merchant in the path of getBalances by default', async () => {
    const { url } = await send({ credits: { cents: 1 }, usdc: { cents: 1 } }, (client) =>
      client.getBalances(onBase),
    )
    expect(url).toBe('https://service.example/api/customer/balances/shop')
  })

  test('a job’s number in its path, as some services number jobs', async () => {
    const { url } = await send({ status: 'pending' }, (client) => client.getJobStatus({ jobId: 7 }))
    expect(url).toBe('https://service.example/api/merchant/credits/status/7')
  })

  test.each([
    ['wireTokenCheckout', { ...session, ...onBase, body: { subtotal, token: 'tok' } }],
    ['pixCheckout', { ...session, ...onBase, userId: 'a', body: { subtotal, email: 'a@b.example' } }],
    [
      'registerBusiness',
      { ...session, ...onBase, userId: 'a', body: { country: 'US', email: 'a@b.example' } },
    ],
    [
      'creditsAuthMsg',
      { ...onBase, body: { subtotal, transactionData: { type: 'token', destination: wallet } } },
    ],
  ] as const)('the client’s merchant in the body of %s', async (id, options) => {
    const { client, sent } = service({ answers: [{ status: 400, body: {} }] })
    await client[id](options as never).catch(() => {})
    expect(sent[0]?.body).toMatchObject({ merchantId: 'shop' })
  })

  test('its headers under the configured prefix', async () => {
    const { client, sent } = service({ answers: [{ key: 'k' }], headerPrefix: 'x-their-' })
    await client.getSessionKey({ userId: 'alice' })
    expect(sent[0]?.headers).toMatchObject({ authorization: apiKey, 'x-their-auth-user-id': 'alice' })
  })

  test('the merchant id in a header of createIban', async () => {
    const { headers, body } = await send('iban_1', (client) =>
      client.createIban({
        ...session,
        ...onBase,
        userId: 'alice',
        body: { number: 'DE89370400440532013000' },
      }),
    )
    expect(headers).toMatchObject({
      authorization: apiKey,
      'x-svc-auth-merchant-id': 'shop',
      'x-svc-auth-user-id': 'alice',
      'x-svc-auth-session-key': session.sessionKey,
    })
    expect(body).toEqual({ number: 'DE89370400440532013000' })
  })
})

describe('responses', () => {
  test('unknown fields are kept', async () => {
    const { client } = service({ answers: [{ ...paid, theirs: { deep: 1 } }] })
    expect(await client.getPayment({ paymentId: 'pay_1' })).toEqual({ ...paid, theirs: { deep: 1 } })
  })

  const person = { userId: 'alice', body: { firstName: 'Ada', lastName: 'Lovelace' } }

  test.each([{ error: 'insufficient balance' }, { success: false }, { errors: ['closed'] }])(
    'a 200 with %j does not show that a refund was made',
    async (body) => {
      const { client } = service({ answers: [body] })
      await expect(client.refundPayment({ paymentId: 'p' })).rejects.toMatchObject({
        name: 'CallOutcomeUnknownError',
        failure: { name: 'InvalidAnswerError' },
      })
    },
  )

  test('a refund that failed is returned', async () => {
    const failed = { status: 'failed', error: 'the card is closed' }
    expect(await service({ answers: [failed] }).client.refundPayment({ paymentId: 'p' })).toEqual(failed)
  })

  test('a card token of another service may have the token alone', async () => {
    const { client } = service({ answers: [{ token: 'tok_1', error: null }] })
    const body = { number: '4000009900000012', cvv: '123', expMonth: '12', expYear: '39' }
    expect(await client.tokenizeCard({ body })).toEqual({ token: 'tok_1' })
  })

  test.each([{ status: 'completed' }, { status: 'failed' }, { status: 'failed', error: null }])(
    'the status of a job at another service may be %j',
    async (body) => {
      const { client } = service({ answers: [body] })
      expect(await client.getJobStatus({ jobId: 7 })).toMatchObject({ status: body.status })
    },
  )

  test('a KYC comparison is returned', async () => {
    const { client } = service({ answers: [{ valid: false, invalidFields: ['lastName'] }] })
    expect(await client.validateKyc(person)).toEqual({ valid: false, invalidFields: ['lastName'] })
  })

  test('a missing KYC record is null', async () => {
    const { client } = service({ answers: [{ status: 404, body: { message: 'no record' } }] })
    expect(await client.validateKyc(person)).toBeNull()
    const { client: refused } = service({ answers: [{ status: 403, body: { message: 'not yours' } }] })
    await expect(refused.validateKyc(person)).rejects.toMatchObject({ name: 'ForbiddenError' })
  })

  test('a 404 of any other call is an error', async () => {
    const { client } = service({ answers: [{ status: 404, body: {} }] })
    await expect(client.getPayment({ paymentId: 'p' })).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  const business = { ...session, ...onBase, userId: 'a', body: { country: 'US', email: 'a@b.example' } }

  test('a 451 has both links', async () => {
    const details = {
      verificationLink: 'https://verify.example/1',
      redirectLink: 'https://shop.example/back',
    }
    const body = { ...business.body, redirectLink: details.redirectLink }
    const { client } = service({
      answers: [{ status: 451, body: { code: 'VERIFICATION_REQUIRED', details } }],
    })
    await expect(client.registerBusiness({ ...business, body })).rejects.toMatchObject({
      name: 'VerificationRequiredError',
      ...details,
    })
  })

  test.each([
    ['PAYMENT_METHOD_IN_USE', 'PaymentMethodInUseError'],
    ['CUSTOMER_BLOCKED', 'CustomerBlockedError'],
  ])('a 423 keeps its code: %s', async (code, name) => {
    const { client } = service({ answers: [{ status: 423, body: { code, message: 'no' } }] })
    await expect(
      client.createIban({ ...session, ...onBase, userId: 'a', body: { number: 'DE89370400440532013000' } }),
    ).rejects.toMatchObject({ code, name })
  })
})

describe('a retry', () => {
  const lost = new TypeError('connection reset')
  const mint = { ...onBase, amount: { cents: 1 } }

  test('is made for a read after a broken connection and after a 5xx', async () => {
    const { client, sent } = service({ answers: [lost, { status: 503, body: {} }, paid] })
    await client.getPayment({ paymentId: 'pay_1' })
    expect(sent).toHaveLength(3)
  })

  test.each([
    ['mintCredits', { body: { ...mint, idempotencyKey: 'one' } }, { jobId: 'j' }],
    ['burnCredits', { body: { ...mint, idempotencyKey: 'one' } }, { jobId: 'j' }],
    ['refundPayment', { paymentId: 'p', body: { idempotencyKey: 'one' } }, { jobId: 'j' }],
  ] as const)('is made for %s with an idempotency key', async (id, options, answer) => {
    const { client, sent } = service({ answers: [lost, answer] })
    await client[id](options as never)
    expect(sent).toHaveLength(2)
    expect(sent[0]?.body).toEqual(sent[1]?.body)
  })

  test.each([
    ['no response', lost],
    ['a 500', { status: 500, body: {} }],
    ['an invalid response', new Response('<html>')],
  ])('of a mint leaves the outcome unknown if each attempt gets %s', async (_, answer) => {
    const { client } = service({ answers: [answer, answer, answer] })
    await expect(client.mintCredits({ body: { ...mint, idempotencyKey: 'one' } })).rejects.toMatchObject({
      name: 'CallOutcomeUnknownError',
      fix: expect.stringContaining('with the same idempotencyKey'),
    })
  })

  test.each([400, 401, 403, 404, 409, 412, 423])(
    'of a refund leaves the outcome unknown if an attempt got no response and the next one a %i',
    async (status) => {
      const { client, sent } = service({ answers: [lost, { status, body: { message: 'in progress' } }] })
      const refund = client.refundPayment({ paymentId: 'p', body: { idempotencyKey: 'one' } })
      await expect(refund).rejects.toMatchObject({
        name: 'CallOutcomeUnknownError',
        shortMessage: expect.stringMatching(/: an earlier attempt may have succeeded\..* "in progress"/),
        failure: { status },
      })
      expect(sent).toHaveLength(2)
    },
  )

  test('leaves the outcome unknown after a 409 without a known code: the first request may be in progress', async () => {
    const busy = { status: 409, body: { message: 'A request with this idempotency key is in progress' } }
    const refund = (idempotencyKey?: string) =>
      service({ answers: [busy] }).client.refundPayment({ paymentId: 'p', body: { idempotencyKey } })
    await expect(refund('one')).rejects.toMatchObject({
      name: 'CallOutcomeUnknownError',
      fix: expect.stringContaining('with the same idempotencyKey'),
    })
    await expect(refund()).rejects.toMatchObject({ name: 'UnknownServiceError' })
    const known = service({ answers: [{ status: 409, body: { code: 'AMBIGUOUS_INTENT' } }] }).client
    await expect(
      known.refundPayment({ paymentId: 'p', body: { idempotencyKey: 'one' } }),
    ).rejects.toMatchObject({ name: 'AmbiguousIntentError' })
  })

  const money = {
    cardCheckout: { ...session, body: card },
    savedCardCheckout: { ...session, body: { subtotal, token: 'tok_1' } },
    cardOnFileCheckout: { userId: 'alice', body: { subtotal, originalPaymentId: 'p' } },
    zeroAuthorization: { ...session, body: { card: card.card } },
    mintCredits: { body: mint },
    burnCredits: { body: mint },
    refundPayment: { paymentId: 'p' },
    withdrawUsdc: { body: { destination: wallet, amount: { cents: 1 } } },
    voidPayment: { body: { paymentId: 'p' } },
    merchantInitiatedTransaction: { body: { subscriptionId: 's' } },
    purchaseSubscription: { ...session, ...onBase, body: { planCode: 'gold', token: 'tok_1' } },
    respondToChargeback: { paymentId: 'p', body: { response: 'it was delivered' } },
  }
  const outcomes = [
    ['no response', lost, 'ServiceUnreachableError'],
    ['a 500', { status: 500, body: {} }, 'ServiceFailureError'],
    ['an invalid response', new Response('<html>'), 'InvalidAnswerError'],
  ] as const

  describe.each(outcomes)(
    'after %s is not made for a call that moves money or creates something',
    (_, answer, cause) => {
      test.each(Object.entries(money))('%s', async (id, options) => {
        const first = answer instanceof Response ? answer.clone() : answer
        const { client, sent } = service({ answers: [first, paid] })
        // the options belong to this call
        const error = await client[id as 'cardCheckout'](options as never).catch((one: unknown) => one)
        expect(error).toMatchObject({
          name: expect.stringMatching(/^(?:Call|Payment)OutcomeUnknownError$/),
          remedy: 'lookUp',
          failure: { name: cause },
        })
        // a cause would advise making the call again
        expect(Object(error).cause).toBeUndefined()
        expect(sent).toHaveLength(1)
      })
    },
  )

  test.each(['cardCheckout', 'mintCredits'] as const)(
    'is not made for %s after an abort, which leaves the outcome unknown',
    async (id) => {
      const abort = new AbortController()
      const { client } = service({ onRequest: () => queueMicrotask(() => abort.abort()) })
      const call = client[id]({ ...money[id], signal: abort.signal } as never)
      await expect(call).rejects.toMatchObject({ remedy: 'lookUp', failure: { name: 'RequestAbortedError' } })
    },
  )

  test('is not made for a withdrawal; the error names the code of the network failure', async () => {
    const refused = new TypeError('fetch failed', {
      cause: Object.assign(new Error(), { code: 'ENOTFOUND' }),
    })
    const { client } = service({ answers: [refused] })
    await expect(client.withdrawUsdc(money.withdrawUsdc)).rejects.toThrow(
      'No response from https://service.example (ENOTFOUND).',
    )
  })

  test('is not made for a card payment, whose error is the same as in a browser', async () => {
    const { client } = service({ answers: [lost] })
    await expect(client.savedCardCheckout(money.savedCardCheckout)).rejects.toMatchObject({
      name: 'PaymentOutcomeUnknownError',
      lookUp: 'getPurchases',
    })
  })

  test('is not made for most calls that change something; each of them names the call that shows the outcome', () => {
    const silent = endpoints.filter(({ id }) => {
      const policy: CallPolicy = calls[id]
      return policy.repeatable !== true && policy.lookUp === undefined && policy.payment === undefined
    })
    expect(silent.map(({ id }) => id)).toEqual(['creditsAuthMsg', 'sendGaslessTx'])
  })

  test('is not made for a payment during which the clock fails, and the outcome is unknown', async () => {
    let readings = 0
    const now = () => {
      readings += 1
      // three readings: when the client is created, when the attempt starts, and when the request is sent
      if (readings > 3) throw new Error('no clock')
      return 1_000
    }
    const { client, sent } = service({ answers: [{}], now })
    const body = { destination: wallet, amount: subtotal }
    const error = await client.withdrawUsdc({ body }).catch((cause: unknown) => cause)
    expect(sent).toHaveLength(1)
    expect(error).toMatchObject({ name: 'CallOutcomeUnknownError', remedy: 'lookUp' })
  })

  test('is not made after a refusal, which the call throws', async () => {
    const { client } = service({ answers: [{ status: 402, body: { code: 'CARD_DECLINED', message: 'no' } }] })
    await expect(client.cardCheckout({ ...session, body: card })).rejects.toMatchObject({
      name: 'CardDeclinedError',
    })
  })

  test('is made for a mint after a 429', async () => {
    const { client, sent } = service({ answers: [{ status: 429, body: {} }, { jobId: 'j' }] })
    await client.mintCredits({ body: mint })
    expect(sent).toHaveLength(2)
  })

  test('is not made for a payment after a 429', async () => {
    for (const id of ['cardCheckout', 'withdrawUsdc', 'merchantInitiatedTransaction'] as const) {
      const { client, sent } = service({ answers: [{ status: 429, body: {} }, paid] })
      await expect(client[id](money[id] as never)).rejects.toMatchObject({ name: 'RateLimitedError' })
      expect(sent).toHaveLength(1)
    }
  })

  test('is made once after a 401 with a new session key', async () => {
    const { client, sent } = service({ answers: [{ status: 401, body: {} }, []] })
    let asked = 0
    await client.getSavedCards({ sessionKey: () => `session-key-${++asked}` })
    expect(sent.map(({ headers }) => headers['x-svc-auth-session-key'])).toEqual([
      'session-key-1',
      'session-key-2',
    ])
  })

  test('is not made after a 401 with the same session key', async () => {
    const { client, sent } = service({ answers: [{ status: 401, body: {} }, []] })
    await expect(client.getSavedCards(session)).rejects.toMatchObject({ name: 'UnauthenticatedError' })
    expect(sent).toHaveLength(1)
  })

  const redeem = {
    ...onBase,
    body: {
      subtotal,
      transactionData: { type: 'token', destination: wallet },
      signedMessages: { permitCredits: `0x${'ab'.repeat(65)}` },
      validBefore: '1800000000',
      nonce: `0x${'11'.repeat(32)}`,
      creditsRawAmount: 1,
    },
  } as const

  test.each(outcomes)(
    'is not made for a redeem after %s, and the error has its nonce',
    async (_, answer, cause) => {
      const first = answer instanceof Response ? answer.clone() : answer
      const { client, sent } = service({ answers: [first, { hash: `0x${'22'.repeat(32)}` }] })
      await expect(client.sendGaslessTx(redeem)).rejects.toMatchObject({
        name: 'OutcomeUnknownError',
        nonce: redeem.body.nonce,
        cause: { name: cause },
      })
      expect(sent).toHaveLength(1)
    },
  )

  test('is not made for an aborted redeem, which may execute if the request was sent', async () => {
    const { client, sent } = service({ answers: [{}] })
    await expect(client.sendGaslessTx({ ...redeem, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
    expect(sent).toEqual([])
    const abort = new AbortController()
    const silent = createMerchantClient({
      baseUrl: 'https://service.example',
      apiKey,
      merchantId: 'shop',
      fetch: () => {
        abort.abort()
        return new Promise(() => {})
      },
    })
    await expect(silent.sendGaslessTx({ ...redeem, signal: abort.signal })).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'lookUp',
    })
  })

  test('is not made for a refused redeem, which may execute', async () => {
    const { client } = service({ answers: [{ status: 412, body: { code: 'PERMIT_EXPIRED' } }] })
    await expect(client.sendGaslessTx(redeem)).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
  })
})

describe('the API key', () => {
  const secretParts = [apiKey, apiKey.slice(8), apiKey.slice(0, 20)]
  const shown = (value: unknown) =>
    [
      inspect(value, { depth: 20, showHidden: true }),
      JSON.stringify(value),
      String(value),
      value instanceof Error ? `${value.stack}${inspect(value.cause, { depth: 20 })}` : '',
    ].join('\n')
  const expectNoKey = (value: unknown) => {
    for (const part of secretParts) expect(shown(value)).not.toContain(part)
  }

  test('is not shown by the client', () => {
    expectNoKey(service({}).client)
  })

  test('is in no hook and in no URL', async () => {
    const reported: unknown[] = []
    const { client, sent } = service({
      answers: [paid],
      onRequest: (request) => reported.push(request),
      onResponse: (response) => reported.push(response),
    })
    await client.getPayment({ paymentId: 'pay_1' })
    expect(reported).toHaveLength(2)
    expectNoKey(reported)
    expectNoKey(sent.map(({ url }) => url))
  })

  const says = (text: string) => ({
    message: text,
    details: { header: text, list: [text, { [text]: text }] },
  })

  test.each([
    ['a refusal that repeats it', { status: 403, body: says(`Key ${apiKey} may not do this`) }],
    ['a refusal that repeats half of it', { status: 400, body: says(`No such key: ${apiKey.slice(6)}`) }],
    ['a failure', { status: 500, body: says(`authorization: ${apiKey}`) }],
    ['a page', new Response(`<html>${apiKey}</html>`, { status: 502 })],
    ['a response with a different record', { paymentId: { [apiKey]: apiKey } }],
    [
      'a network error',
      new Error(`connect with ${apiKey}`, { cause: { headers: { authorization: apiKey } } }),
    ],
    ['a request id', new Response('{}', { status: 400, headers: { 'x-request-id': apiKey } })],
  ])('is not in the error of %s', async (_, answer) => {
    for (const call of ['getPayment', 'refundPayment'] as const) {
      const one = answer instanceof Response ? answer.clone() : answer
      const { client } = service({ answers: [one, one, one], retry: false })
      const error = await client[call]({ paymentId: 'pay_1' }).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(Error)
      expectNoKey(error)
    }
  })

  test('is not in the error of a call that does not send it', async () => {
    const { client } = service({ answers: [{ status: 402, body: says(`merchant ${apiKey}`) }] })
    expectNoKey(await client.cardCheckout({ ...session, body: card }).catch((cause: unknown) => cause))
  })

  test('is not in an error about options', () => {
    for (const wrong of [
      { apiKey: `${apiKey}\n` },
      { baseUrl: `https://${apiKey}@x.example` },
      { merchantId: apiKey },
      { headerPrefix: apiKey },
    ])
      try {
        createMerchantClient({ baseUrl: 'https://x.example', merchantId: 's', apiKey, ...wrong } as never)
        expect.unreachable()
      } catch (error) {
        expectNoKey(error)
      }
  })

  test.each<[string, (client: MerchantClient) => Promise<unknown>]>([
    ['an id in a path', (client) => client.getPayment({ paymentId: apiKey })],
    ['a user id, which hooks receive', (client) => client.getSessionKey({ userId: apiKey })],
    [
      'a value in a checkout JWT, which customers can read',
      (client) =>
        client.createCheckoutJwt({ body: { purchaseId: 'order 1', webhookInfo: { of: { shop: apiKey } } } }),
    ],
  ])('is not sent in place of %s', async (_, call) => {
    const { client, sent } = service({})
    const error = await call(client).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidOptionError' })
    expectNoKey(error)
    expect(sent).toEqual([])
  })
})

test.each(['Bearer ', 'bearer  '])(
  'an API key configured with the prefix %j is not sent in a body, even without the prefix',
  async (prefix) => {
    const { client, sent } = service({ apiKey: `${prefix}${apiKey}` })
    const body = { ...card, webhookInfo: { of: `the key ${apiKey}` } }
    const error = await client.cardCheckout({ ...session, body }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidOptionError', field: 'apiKey' })
    expect(inspect(error, { depth: 10 })).not.toContain(apiKey)
    expect(sent).toEqual([])
  },
)

test.each([
  ['the key', 'x abcd1234 y', 'abcd1234', true],
  ['the key of a Bearer header', 'xabcd1234y', 'Bearer  abcd1234', true],
  ['the key in JSON', JSON.stringify({ is: 'x ab"d1234 y' }), 'ab"d1234', true],
  ['a key that contains the word Bearer', 'x abcbearer 1234 y', 'abcbearer 1234', true],
  ['a part of the key', 'x abcd123 y', 'abcd1234', false],
  ['a key that is too short to search for', 'x abcd123 y', 'abcd123', false],
])('whether a text contains the API key: %s', (_, text, own, contains) => {
  expect(holdsKey(text, own)).toBe(contains)
})

test('secrets of a checkout are removed from the errors of the service, at any depth', async () => {
  const secrets = {
    routing: '021000021',
    cryptogram: 'AgAAAAAAuqbD0Wv7kL2pXr9T',
    receiverAccount: 'GB33BUKB20201555555555',
    signature: `0x${'9e1b7a04'.repeat(16)}`,
  }
  const { client } = service({
    answers: [{ status: 400, body: { message: Object.values(secrets).join(' ') } }],
  })
  const authorization = { from: wallet, to: wallet, value: '1', validAfter: 0, validBefore: 1 } as const
  const body = {
    ...card,
    card: { cardToken: 'tok_0123456789', additionalVendorData: { network: [secrets.cryptogram] } },
    accountFundingTransaction: { recipient: { account: secrets.receiverAccount } },
    customerUsdcTransferDataV2: {
      ...authorization,
      nonce: `0x${'11'.repeat(32)}` as const,
      signature: secrets.signature as `0x${string}`,
    },
  }
  const wire = { subtotal, token: 'tok_0123456789', wireRoutingNumber: secrets.routing }
  for (const [call, hidden] of [
    [
      client.cardCheckout({ ...session, body }),
      [secrets.cryptogram, secrets.receiverAccount, secrets.signature],
    ],
    [client.wireTokenCheckout({ ...session, ...onBase, body: wire }), [secrets.routing]],
  ] as const) {
    const error = await call.catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidRequestError' })
    for (const secret of hidden) expect(inspect(error, { depth: 10 })).not.toContain(secret)
  }
})

describe('a payment without a response ends after the timeout', () => {
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['of the call', { timeoutMs: 60_000 }, { timeoutMs: 5_000 }],
    ['of the client', { timeoutMs: 5_000 }, {}],
  ])('%s', async (_, options, callOptions) => {
    vi.useFakeTimers()
    const client = createMerchantClient({
      baseUrl: 'https://service.example',
      apiKey,
      merchantId: 'shop',
      ...options,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    let outcome: unknown
    const call = client.cardCheckout({ ...session, body: card, ...callOptions }).catch((error: unknown) => {
      outcome = error
    })
    await vi.advanceTimersByTimeAsync(4_999)
    expect(outcome).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await call
    expect(outcome).toMatchObject({
      name: 'PaymentOutcomeUnknownError',
      failure: { name: 'ServiceTimeoutError' },
    })
  })
})

describe('an invalid API key', () => {
  test.each(['', ' ', 'undefined', 'null', 'Bearer ', 'Bearer undefined', ' bearer   null '])(
    '%j',
    (missing) => {
      expect(() => service({ apiKey: missing })).toThrow('missing or empty')
    },
  )
})

describe('data of cards, accounts and people', () => {
  const number = '4000009900000012'
  const showAll = (error: unknown) => inspect(error, { depth: 10 })

  test.each([
    ['a card number as a number', { number: 4000009900000012, cvv: '123', expMonth: '12', expYear: '39' }],
    ['a card number in an unknown field', { number, cvv: 123, expMonth: '12', expYear: '39', pan: number }],
  ])('are not in an error about the body: %s', async (_, body) => {
    const { client } = service({})
    const error = await client.tokenizeCard({ body } as never).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidRecordError' })
    expect(showAll(error)).not.toMatch(/4000009900000012|123/)
  })

  test("are removed from the service's messages", async () => {
    const body = { number, cvv: '123', expMonth: '12', expYear: '39' }
    const { client } = service({ answers: [{ status: 400, body: { message: `${number} is no card` } }] })
    const error = await client.tokenizeCard({ body }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidRequestError' })
    expect(showAll(error)).not.toContain(number)
  })

  test.each([
    ['cardNumber', number],
    ['iban', 'DE02120300000000202051'],
  ])('are removed from the errors of `request`: %s', async (name, value) => {
    const { client } = service({ answers: [{ status: 400, body: { message: `${value} is wrong` } }] })
    const error = await client
      .request('POST', '/api/other', { body: { [name]: value } })
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidRequestError' })
    expect(showAll(error)).not.toContain(value)
  })

  test('are not sent in place of a token', async () => {
    const { client, sent } = service({})
    const body = { subtotal, card: { cardToken: number } }
    const error = await client.cardCheckout({ ...session, body }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidRecordError', field: 'body.card.cardToken' })
    expect(showAll(error)).not.toContain(number)
    expect(sent).toEqual([])
  })

  test('are not in an error about a body of validateKyc', async () => {
    const { client } = service({})
    const body = { firstName: 'Ada', lastName: 'Lovelace', dob: '10.12.1815' }
    const error = await client.validateKyc({ userId: 'a', body }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidRecordError', field: 'body.dob' })
    expect(showAll(error)).not.toMatch(/1815|Lovelace/)
  })
})
