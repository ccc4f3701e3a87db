import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createPaymentsClient } from '../../../src/redeemkit/api/createPaymentsClient.ts'
import { verifyAuth } from '../../../src/redeemkit/api/endpoints/auth.ts'
import { cardCheckout } from '../../../src/redeemkit/api/endpoints/cards.ts'
import { pixCheckout, wireTokenCheckout } from '../../../src/redeemkit/api/endpoints/checkout.ts'
import { getBalances } from '../../../src/redeemkit/api/endpoints/customer.ts'
import {
  creditsAuthMsg,
  getContractAddress,
  sendGaslessTx,
  usdcAuthorizationMessage,
} from '../../../src/redeemkit/api/endpoints/redeem.ts'
import { getPlans } from '../../../src/redeemkit/api/endpoints/subscription.ts'
import type { PaymentsClient } from '../../../src/redeemkit/api/paymentsClient.ts'
import { login } from '../../../src/redeemkit/auth/login.ts'
import {
  evmAdapter,
  parseCreditPermitMessage,
  parseUsdcAuthorizationMessage,
  signCreditPermit,
} from '../../../src/redeemkit/evm/index.ts'
import {
  cardCheckoutBody,
  cardCheckoutResponse,
  emptyAnswer,
  loose,
  mobileAppBody,
  mobileAppResponse,
  parseRecord,
  pixBody,
  pixResponse,
  subscriptionPlan,
  wireTokenBody,
  wireTokenResponse,
} from '../../../src/redeemkit/schema/index.ts'
import { describedService } from './describedService.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const wallet = account.address
const terms: creditsAuthMsg.Body = {
  subtotal: { cents: 100 },
  transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
}

function open(
  serviceOptions: describedService.Options = {},
  clientOptions: Partial<createPaymentsClient.Options> = { wallet },
) {
  const service = describedService(serviceOptions)
  const client = createPaymentsClient({
    baseUrl: 'https://service.example/api',
    merchantId: 'shop',
    blockchain: 'base',
    environment: 'sandbox',
    fetch: service.app.request,
    sleep: async () => {},
    ...clientOptions,
  })
  return { service, client }
}

async function submitted(client: PaymentsClient, asked: creditsAuthMsg.ReturnType) {
  const { domain, permit } = parseCreditPermitMessage(asked.message)
  const { validBefore, nonce, creditsRawAmount } = asked
  const permitCredits = await signCreditPermit(account, { domain, permit })
  return sendGaslessTx(client, {
    ...terms,
    signedMessages: { permitCredits },
    validBefore,
    nonce,
    creditsRawAmount,
  })
}

describe('signing in', () => {
  test.each([200, 204] as const)('succeeds on an empty %i', async (verifyStatus) => {
    const { service, client } = open({ verifyStatus }, {})
    const adapter = evmAdapter({ signer: account, blockchain: 'base', environment: 'sandbox' })
    expect(await login(client, { adapter })).toMatchObject({ wallet, blockchain: 'base' })
    await getBalances(client)
    expect(service.requests.at(-1)?.headers).toHaveProperty('x-svc-auth-signed-message')
  })

  test("returns 401 for another account's signature", async () => {
    const { client } = open()
    const other = privateKeyToAccount(`0x${'02'.repeat(32)}`)
    const signedMessage = await other.signMessage({ message: 'something else' })
    await expect(verifyAuth(client, { signedMessage })).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      message: expect.stringContaining('Missing authentication'),
    })
  })
})

describe('a session key without a wallet', () => {
  test.each<[string, (client: PaymentsClient) => Promise<unknown>]>([
    ['verify', (client) => verifyAuth(client)],
    ['balances', (client) => getBalances(client)],
    ['plans', (client) => plans(client)],
    ['creditsAuthMsg', (client) => creditsAuthMsg(client, terms)],
    ['usdc-authorization', (client) => usdcAuthorizationMessage(client, { amount: { cents: 1 } })],
    ['wire', (client) => wire(client)],
    ['pix', (client) => pix(client)],
    ['mobile app', (client) => mobile(client)],
    ['card', (client) => card(client)],
  ])('is sufficient for %s', async (_, call) => {
    const { service, client } = open({}, {})
    const sessionKey = service.sessionKeyFor({ wallet, blockchain: 'base' })
    await call(client.with({ sessionKey }))
    expect(service.requests[0]?.headers).not.toHaveProperty('x-svc-auth-wallet')
  })

  test('of a user ID is sufficient for balances', async () => {
    const { service, client } = open({}, {})
    expect(
      await getBalances(client.with({ sessionKey: service.sessionKeyFor({ userId: 'u-1' }) })),
    ).toHaveProperty('credits')
  })

  test('that is invalid returns 401, and the client requests a new one', async () => {
    const { service, client } = open({}, {})
    const keys = ['session.wrong', service.sessionKeyFor({ userId: 'u-1' })]
    await getBalances(client.with({ sessionKey: () => keys.shift() ?? 'none' }))
    expect(keys).toEqual([])
  })
})

describe('redeem calls', () => {
  test('the prepare call returns four fields, and the client reads the permit from them', async () => {
    const { service, client } = open()
    const asked = await creditsAuthMsg(client, terms)
    expect(Object.keys(asked).sort()).toEqual(['creditsRawAmount', 'message', 'nonce', 'validBefore'])
    expect(asked.creditsRawAmount).toBe(1_030_000)
    expect(parseCreditPermitMessage(asked.message)).toMatchObject({
      domain: service.domain,
      permit: { customerWallet: wallet, amount: 1_030_000n, nonce: asked.nonce },
    })
  })

  test('send the documented fields and headers, also under another header prefix', async () => {
    const headerPrefix = 'x-other-'
    const { service, client } = open({ headerPrefix }, { wallet, headerPrefix })
    await creditsAuthMsg(client, { ...terms, usdcAmount: { cents: 40 } })
    expect(service.requests[0]).toMatchObject({
      path: '/api/redeem/evm/creditsAuthMsg',
      headers: { 'x-other-auth-wallet': wallet, 'x-other-auth-blockchain': 'base' },
      body: { merchantId: 'shop', ...terms, usdcAmount: { cents: 40 } },
    })
  })

  test('nonces may have any bit set', async () => {
    const { client } = open()
    const nonces = await Promise.all(Array.from({ length: 64 }, () => creditsAuthMsg(client, terms)))
    const highest = new Set(nonces.map(({ nonce }) => BigInt(nonce) >> 255n))
    expect(highest).toEqual(new Set([0n, 1n]))
  })

  test('a signed permit is submitted and returns the service’s hash', async () => {
    const hash = `0x${'77'.repeat(32)}` as const
    const taken: unknown[] = []
    const { client } = open({
      hashOf: (redeem) => {
        taken.push(redeem.permit.amount)
        return hash
      },
    })
    expect(await submitted(client, await creditsAuthMsg(client, terms))).toEqual({ hash })
    expect(taken).toEqual([1_030_000])
  })

  test('a higher fee is reported as EXCEEDS_AUTHORIZED with both amounts', async () => {
    const { service, client } = open()
    const asked = await creditsAuthMsg(client, terms)
    service.redeem.state.gasFee = 40_000
    await expect(submitted(client, asked)).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      cause: {
        code: 'EXCEEDS_AUTHORIZED',
        message: expect.stringContaining('Total 1.04 exceeds max credits authorized 1.03'),
      },
    })
  })

  test('too few credits are reported as INSUFFICIENT_CREDITS, and the redeem can be retried', async () => {
    const { service, client } = open()
    service.redeem.state.credits = 1_000_000
    await expect(creditsAuthMsg(client, terms)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    expect(service.requests).toHaveLength(3)
  })

  test('a wrong signature is refused with the service’s message', async () => {
    const { client } = open()
    const { validBefore, nonce, creditsRawAmount } = await creditsAuthMsg(client, terms)
    await expect(
      sendGaslessTx(client, {
        ...terms,
        signedMessages: { permitCredits: await account.signMessage({ message: 'x' }) },
        validBefore,
        nonce,
        creditsRawAmount,
      }),
    ).rejects.toMatchObject({ cause: { code: 'INVALID_REQUEST', message: /Invalid signature/ } })
  })
})

test('the USDC authorization is a TransferWithAuthorization of the chain’s USDC, with times as strings', async () => {
  const { client } = open()
  const asked = await usdcAuthorizationMessage(client, { amount: { cents: 200 } })
  expect(asked.messageData).toMatchObject({ from: wallet, value: '2000000', validAfter: '0' })
  expect(parseUsdcAuthorizationMessage(asked.message)).toMatchObject({
    type: 'TransferWithAuthorization',
    authorization: { from: wallet, value: 2_000_000n },
  })
})

test('the contract address requires neither wallet nor session key', async () => {
  const { service, client } = open({}, {})
  expect(await getContractAddress(client)).toEqual({ address: service.domain.verifyingContract })
})

test('balances are in cents', async () => {
  const { service, client } = open()
  service.redeem.state.credits = 5_000_000
  expect(await getBalances(client)).toEqual({ credits: { cents: 500 }, usdc: { cents: 250 } })
})

test('plans have the required fields', async () => {
  const [plan] = await plans(open().client)
  expect(plan).toMatchObject({ code: 'gold', amount: { cents: 999, currency: 'USD' } })
})

describe('checkouts', () => {
  test("a wire returns the receiver's account", async () => {
    expect(await wire(open().client)).toMatchObject({ account_number: '000123456789' })
  })

  test('a Pix code comes with its quote', async () => {
    expect(await pix(open().client)).toMatchObject({ brCode: '00020126', quote: { currency: 'USD' } })
  })

  test('the mobile app’s link keeps its field name', async () => {
    expect(await mobile(open().client)).toMatchObject({
      paymentId: 'payment-app',
      mobileappLink: 'https://app.example/pay/1',
    })
  })

  test('the response to a card payment has no status', async () => {
    expect(await card(open().client)).toMatchObject({ paymentId: 'payment-card' })
  })

  test('webhookInfo can be any object', async () => {
    const { service, client } = open()
    await pix(client, { order: { id: 7 }, tags: ['a'] })
    expect(service.requests[0]?.body).toMatchObject({ webhookInfo: { order: { id: 7 }, tags: ['a'] } })
  })
})

describe('the functions of a page', () => {
  const opened = () => {
    const { service, client } = open()
    const sessionKey = service.sessionKeyFor({ userId: 'u-1' })
    return { service, client: client.with({ wallet, sessionKey, userId: 'u-1' }) }
  }
  const paid = { subtotal: { cents: 1_000 }, card: { cardToken: 'tok_a1b2c3d4e5f6' } }

  test('match the described service', async () => {
    const { client } = opened()
    expect(await cardCheckout(client, paid)).toMatchObject({ paymentId: 'payment-card' })
    expect(await getPlans(client)).toMatchObject([{ code: 'gold' }])
    const order = { subtotal: paid.subtotal }
    expect(await wireTokenCheckout(client, { ...order, token: 'account' })).toMatchObject({
      account_number: '000123456789',
    })
    expect(await pixCheckout(client, { ...order, email: 'a@b.example' })).toMatchObject({
      brCode: '00020126',
    })
  })

  test('distinguish a declined card from an invalid body, as publicly described', async () => {
    const { service, client } = opened()
    const no = { msg: 'Do not honor', protection: false, paymentId: 'p-1', code: '05', title: 'Declined' }
    service.answerNext('/api/checkout/card/shop', () => Response.json(no, { status: 400 }))
    await expect(cardCheckout(client, paid)).rejects.toMatchObject({
      code: 'CARD_DECLINED',
      paymentId: 'p-1',
    })
    const wrong = {
      message: 'Validation Failed',
      details: { 'body.card.cardToken': { message: 'unknown token', value: paid.card.cardToken } },
    }
    service.answerNext('/api/checkout/card/shop', () => Response.json(wrong, { status: 422 }))
    const error = await cardCheckout(client, paid).catch((error) => error)
    expect(error).toMatchObject({ status: 422, field: 'body.card.cardToken' })
    expect(JSON.stringify(error)).not.toContain('a1b2c3d4')
  })
})

describe('documented errors', () => {
  const cardPath = '/api/checkout/card/shop'
  const refused = async (status: number, body: unknown) => {
    const { service, client } = open()
    service.answerNext(cardPath, () => Response.json(body, { status }))
    return card(client).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )
  }

  test('412 is reported with ChallengeFields', async () => {
    const fields = { transactionId: 't-1', url: 'https://acs.example/3ds', creq: 'eyJhIjoxfQ' }
    expect(await refused(412, fields)).toMatchObject({ code: 'CHALLENGE_REQUIRED', challenge: fields })
  })

  test('423 is reported without a described body', async () => {
    expect(await refused(423, {})).toMatchObject({ code: 'CUSTOMER_BLOCKED' })
  })

  test('451 is reported with a verification', async () => {
    const body = {
      verification: { reference: 'r', status: 'pending', vendor: 'v' },
      verificationLink: 'https://verify.example/1',
    }
    expect(await refused(451, body)).toMatchObject({
      code: 'VERIFICATION_REQUIRED',
      verificationLink: body.verificationLink,
    })
  })

  test('410 is reported with RevalidateCVVFields', async () => {
    expect(await refused(410, { message: 'Card expired', reason: 'CVV too old' })).toMatchObject({
      name: 'CardValidationExpiredError',
      code: 'CARD_VALIDATION_EXPIRED',
      message: expect.stringContaining('Card expired: CVV too old'),
    })
  })

  test('an ApiError is reported without its stack', async () => {
    const error = await refused(500, {
      name: 'Error',
      message: 'boom',
      stack: 'Error: boom\n at /srv/a.js:1:1',
    })
    expect(error).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('boom') })
    expect(JSON.stringify({ ...Object(error), text: String(error) })).not.toContain('a.js')
  })

  test('an invalid body names the field', async () => {
    const { client } = open()
    const badly = client.request({
      method: 'POST',
      path: '/api/checkout/pix',
      body: { subtotal: { cents: 1 }, merchantId: 'shop' },
      answer: loose(pixResponse),
      repeatable: false,
    })
    await expect(badly).rejects.toMatchObject({ status: 422, field: 'body.email' })
  })

  test('a void without the merchant’s key returns 401', async () => {
    const { client } = open()
    const voided = client.request({
      method: 'POST',
      path: '/api/checkout/void',
      body: { paymentId: 'payment-card' },
      answer: loose(emptyAnswer),
      repeatable: false,
    })
    await expect(voided).rejects.toMatchObject({ name: 'UnauthenticatedError' })
  })
})

function plans(client: PaymentsClient) {
  return client.request({
    method: 'GET',
    path: '/api/subscription/shop/plans',
    answer: loose(z.array(subscriptionPlan)),
    repeatable: true,
  })
}

function post<answer>(
  client: PaymentsClient,
  path: string,
  body: unknown,
  answer: z.ZodMiniType<answer>,
): Promise<answer> {
  return client.request({ method: 'POST', path, body, answer, repeatable: false })
}

const subtotal = { cents: 1_000 }

function wire(client: PaymentsClient) {
  const body = parseRecord(wireTokenBody, { subtotal, merchantId: 'shop', token: 'account' })
  return post(client, '/api/checkout/wire/token', body, loose(wireTokenResponse))
}

function pix(client: PaymentsClient, webhookInfo: Record<string, unknown> = {}) {
  const body = parseRecord(pixBody, { subtotal, merchantId: 'shop', email: 'a@b.example', webhookInfo })
  return post(client, '/api/checkout/pix', body, loose(pixResponse))
}

function mobile(client: PaymentsClient) {
  const body = parseRecord(mobileAppBody, { subtotal })
  return post(client, '/api/checkout/mobileapp/shop', body, loose(mobileAppResponse))
}

function card(client: PaymentsClient) {
  const body = parseRecord(cardCheckoutBody, { subtotal, card: { cardToken: 'token' } })
  return post(client, '/api/checkout/card/shop', body, loose(cardCheckoutResponse))
}
