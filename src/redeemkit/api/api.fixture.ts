import { Hono } from 'hono'
import { createPaymentsClient } from './createPaymentsClient.ts'
import type { creditsAuthMsg, sendGaslessTx } from './endpoints/redeem.ts'

export const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cfffB92266'
export const bytes32 = `0x${'ab'.repeat(32)}` as const
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export const askBody: creditsAuthMsg.Body = {
  subtotal: { cents: 1000 },
  transactionData: { type: 'token', destination: address },
  salt: bytes32,
  orderKey: `0x${'ab'.repeat(12)}`,
}

export const submitBody: sendGaslessTx.Body = {
  subtotal: { cents: 1000 },
  transactionData: { type: 'token', destination: address },
  signedMessages: { permitCredits: `0x${'12'.repeat(65)}` },
  validBefore: '1800000000',
  nonce: bytes32,
  creditsRawAmount: 10_030_000,
}

export const goodAnswers = {
  '/api/auth': { message: 'sign me' },
  '/api/auth/verify': {},
  '/api/redeem/evm/creditsAuthMsg': {
    message: '{}',
    validBefore: '1800000000',
    nonce: bytes32,
    creditsRawAmount: 10_030_000,
    salt: bytes32,
    usdcAuthorization: {
      message: '{}',
      messageData: {
        from: address,
        to: address,
        value: '1',
        validAfter: '0',
        validBefore: '1',
        nonce: bytes32,
      },
    },
  },
  '/api/redeem/evm/sendGaslessTx': { hash: bytes32 },
  '/api/checkout/evm/usdc-authorization': {
    message: '{}',
    messageData: { from: address, to: address, value: '1', validAfter: 0, validBefore: 1, nonce: bytes32 },
  },
  '/api/utils/contract-address': { address },
  '/api/customer/balances/shop': { credits: { cents: 1 }, usdc: { cents: 2 } },
}

/** Records its requests. Returns `answers` first, one per request, then valid responses. */
export function fakeService(...answers: (() => Response | Promise<Response>)[]) {
  const app = new Hono()
  const requests: {
    method: string
    path: string
    query: string
    headers: Record<string, string>
    body: string
  }[] = []
  app.all('*', async (context) => {
    const { req } = context
    const url = new URL(req.url)
    requests.push({
      method: req.method,
      path: url.pathname,
      query: url.search,
      headers: req.header(),
      body: await req.text(),
    })
    const answer = answers.shift()
    if (answer) return answer()
    const found = Object.entries(goodAnswers).find(([path]) => path === url.pathname)
    return found ? Response.json(found[1]) : Response.json({ code: 'NOT_FOUND' }, { status: 404 })
  })
  return { app, requests }
}

/** Records each wait in `waits` instead of waiting. */
export function fakeClient(service: { app: Hono }, options: Partial<createPaymentsClient.Options> = {}) {
  const waits: number[] = []
  const client = createPaymentsClient({
    baseUrl: 'https://service.example',
    merchantId: 'shop',
    blockchain: 'base',
    wallet,
    fetch: service.app.request,
    sleep: async (ms) => {
      waits.push(ms)
    },
    retry: { random: () => 0 },
    ...options,
  })
  return { client, waits }
}

export const errorAnswer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })
