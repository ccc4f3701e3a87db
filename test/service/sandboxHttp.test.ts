import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import {
  type Answer,
  type Caller,
  caller,
  creditsAuthMsgPath,
  customer,
  overHttp,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

let sandbox: RunningSandbox
let service: Caller
let base: SandboxChain
let wallet: `0x${string}`
const apiKey = 'sk_test_only_0123456789abcdef'

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false, apiKey })
  service = caller(sandbox.app)
  ;({ base } = sandbox.chains as Required<typeof sandbox.chains>) // the sandbox starts it by default
  wallet = sandbox.accounts.alice.address
})
afterAll(() => sandbox?.stop())

/** Every error must have exactly the fields of the record, and reveal no internals. */
function expectProblem(answer: Answer, status: number, code: string, ...issues: string[]) {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status, body: { code } })
  const { name, message, details, issues: found, requestId, ...rest } = answer.body
  expect(rest).toEqual({ code })
  expect(name).toMatch(/^[A-Z]\w+Error$/)
  expect(message).toMatch(/\S/)
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('x-request-id')).toBe(requestId)
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:|\bat .*\(|sk_test_only/)
  expect(details === undefined || typeof details === 'object').toBe(true)
  for (const issue of issues) expect(found).toContain(issue)
}

const redeem = (changes: object = {}) => ({
  merchantId: sandbox.merchantId,
  subtotal: { cents: 100 },
  transactionData: { type: 'token', destination: sandbox.accounts.bob.address },
  ...changes,
})
const prepare = (body: unknown, headers: Record<string, string> = customer(wallet)) =>
  service.post(creditsAuthMsgPath, body, headers)

describe('HTTP', () => {
  test('unknown paths and methods are reported', async () => {
    expectProblem(await service.get('/nowhere'), 404, 'NOT_FOUND')
    expectProblem(await service.get('/api/auth/'), 404, 'NOT_FOUND')
    const wrong = await service.get(creditsAuthMsgPath)
    expectProblem(wrong, 405, 'METHOD_NOT_ALLOWED')
    expect(wrong.headers.get('allow')).toBe('POST')
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await sandbox.app.request('/api/auth', { method })
      expect(response.status).toBe(405)
      expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    }
  })

  test('a content type with a charset counts as JSON', async () => {
    const headers = { ...customer(wallet), 'content-type': 'application/json; charset=utf-8' }
    expect((await prepare(redeem(), headers)).status).toBe(200)
  })

  test.each([
    ['empty', ''],
    ['not JSON', '{'],
    ['HTML', '<html></html>'],
    ['null', 'null'],
    ['a list', '[]'],
    ['text', '"x"'],
    ['nested too deeply to parse', '['.repeat(50_000)],
  ])('refuses the body: %s', async (_, body) => {
    expectProblem(await prepare(body), 400, 'INVALID_REQUEST')
  })

  test('a body that is too large is refused, with or without a content length', async () => {
    const large = JSON.stringify(redeem({ merchantId: 'x'.repeat(300_000) }))
    expectProblem(await prepare(large), 413, 'PAYLOAD_TOO_LARGE')
    const stream = new Blob([large]).stream()
    const response = await sandbox.app.request(creditsAuthMsgPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...customer(wallet) },
      body: stream,
      duplex: 'half',
    } as RequestInit) // The type lacks `duplex`.
    expect(response.status).toBe(413)
    // The unread body stays on the connection, so the connection must not be reused.
    expect(response.headers.get('connection')).toBe('close')
  })

  test('a truncated body is refused over a real socket', async () => {
    const { hostname, port } = new URL(sandbox.url)
    const ended = new Promise<string>((resolve) => {
      const call = httpRequest({
        hostname,
        port,
        method: 'POST',
        path: creditsAuthMsgPath,
        headers: { 'content-type': 'application/json', 'content-length': 1000, ...customer(wallet) },
      })
      call.on('error', () => resolve('cut'))
      call.on('response', (response) => resolve(String(response.statusCode)))
      call.write('{"merchantId":', () => call.destroy())
    })
    expect(['cut', '400']).toContain(await ended)
    // The service keeps working.
    const socket = caller(overHttp(sandbox.url))
    expect((await socket.get('/health')).body).toMatchObject({ status: 'ok', chains: [{ chainId: 84532 }] })
    expectProblem(
      await socket.post(creditsAuthMsgPath, '{"cents":9007199254740993}', customer(wallet)),
      400,
      'INVALID_REQUEST',
    )
  })

  test('a page at another port of this machine may call', async () => {
    const response = await sandbox.app.request(creditsAuthMsgPath, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-svc-auth-wallet',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(response.headers.get('access-control-allow-headers')).toContain('x-svc-auth-wallet')
  })
})

describe('headers of a customer', () => {
  test.each([
    ['no wallet', { 'x-svc-auth-blockchain': 'base' }, 'x-svc-auth-wallet'],
    ['no blockchain', { 'x-svc-auth-wallet': '0x00' }, 'x-svc-auth-blockchain'],
    ['unknown blockchain', customer('0x00', 'dogecoin'), 'x-svc-auth-blockchain'],
    ['blockchain in upper case', customer('0x00', 'BASE'), 'x-svc-auth-blockchain'],
    ['the zero address as wallet', customer(`0x${'00'.repeat(20)}`), 'x-svc-auth-wallet'],
    ['a short address', customer('0x1234'), 'x-svc-auth-wallet'],
    ['a wrong checksum', customer('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'), 'x-svc-auth-wallet'],
    ['a Solana address', customer('7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'), 'x-svc-auth-wallet'],
  ])('are refused: %s', async (_, headers, issue) => {
    expectProblem(await prepare(redeem(), headers), 400, 'INVALID_REQUEST', issue)
  })

  test.each(['user', 'solana', 'stellar', 'eth', 'tempo', 'arbitrum'])(
    'there are no credits on %s',
    async (blockchain) => {
      const address = blockchain === 'solana' ? '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' : wallet
      expectProblem(await prepare(redeem(), customer(address, blockchain)), 400, 'INVALID_REQUEST')
    },
  )

  test('a wallet in lower case is the same wallet', async () => {
    expect((await prepare(redeem(), customer(wallet.toLowerCase()))).status).toBe(200)
  })
})

describe('bodies of creditsAuthMsg', () => {
  const to = '0x00000000000000000000000000000000000000aa'
  test.each([
    ['no merchant', { merchantId: undefined }, 'INVALID_REQUEST', 'merchantId'],
    ['an unknown field', { subtotal: { cents: 1, tip: 1 } }, 'INVALID_REQUEST', 'subtotal.tip'],
    ['a subtotal of zero', { subtotal: { cents: 0 } }, 'INVALID_REQUEST', 'subtotal'],
    [
      'a price in euros',
      { subtotal: { cents: 1, currency: 'EUR' } },
      'UNSUPPORTED_SUBTOTAL',
      'subtotal.currency',
    ],
    [
      'no selector',
      { transactionData: { transaction: { to, data: '0x123456' } } },
      'INVALID_REQUEST',
      'transactionData.transaction.data',
    ],
    [
      'no bridge',
      {
        transactionData: {
          type: 'decent',
          dstChainId: 10,
          dstToken: to,
          contractAddress: to,
          contractData: '0x12345678',
          cost: { isNative: false, amount: '1' },
        },
      },
      'INVALID_REQUEST',
      'transactionData.dstChainId',
    ],
  ])('are refused: %s', async (_, change, code, issue) => {
    expectProblem(await prepare(redeem(change)), 400, code, issue)
  })

  test('integers that JSON would round are refused everywhere', async () => {
    const text = JSON.stringify(redeem()).replace('100', '9007199254740993')
    expectProblem(await prepare(text), 400, 'INVALID_REQUEST', 'body')
  })

  test('an unknown merchant is refused', async () => {
    for (const merchantId of ['a\0b', '\ud800', 'nobody '])
      expectProblem(await prepare(redeem({ merchantId })), 400, 'INVALID_REQUEST', 'merchantId')
    expectProblem(await prepare(redeem({ merchantId: 'nobody' })), 404, 'NOT_FOUND')
  })
})

describe('bodies of sendGaslessTx', () => {
  const signed = () =>
    signedBody(service, {
      request: {
        merchantId: sandbox.merchantId,
        subtotal: { cents: 100 },
        transactionData: { type: 'token', destination: sandbox.accounts.bob.address },
        usdcAmount: { cents: 40 },
      },
      wallet,
      key: sandbox.accounts.alice.account,
    })
  const send = (body: unknown) => service.post(sendGaslessTxPath, body, customer(wallet))

  test('every documented field is required', async () => {
    const body = await signed()
    const { usdcAmount: _, ...required } = body
    for (const field of Object.keys(required))
      expectProblem(await send({ ...body, [field]: undefined }), 400, 'INVALID_REQUEST', field)
    expectProblem(await send({ ...body, usdcAmount: { cents: 0 } }), 400, 'INVALID_REQUEST', 'usdcAmount')
  })

  test('any JSON gets a documented response, never a 500', async () => {
    const body = await signed()
    const paths = leaves(body)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
        const answer = await send(replaced(body, path, value))
        // Some random inputs are valid: a different spelling of the same value.
        expect([200, 400, 403, 404, 409, 412]).toContain(answer.status)
        if (answer.status !== 200) expectProblem(answer, answer.status, answer.body.code)
      }),
      { numRuns: 300 },
    )
  })
})

/** Returns the paths of all values in a record. */
function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return [[...path], ...Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))]
}

function replaced(record: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const inner = record as Record<string, unknown> // `leaves` walked this path.
  return { ...inner, [key]: replaced(inner[key], rest, value) }
}

describe('the other endpoints', () => {
  const key = { authorization: apiKey }

  test('contract-address returns the contract', async () => {
    const { body } = await service.get('/api/utils/contract-address?blockchain=base')
    expect(body).toEqual({ address: base.creditsContract })
    for (const query of [
      '',
      '?blockchain=',
      '?blockchain=moon',
      '?blockchain=solana',
      '?blockchain=eth',
      '?chain=base',
      '?blockchain=base&x=1',
    ])
      expectProblem(await service.get(`/api/utils/contract-address${query}`), 400, 'INVALID_REQUEST')
  })

  test('balances are returned by merchant and by seed', async () => {
    const bob = customer(sandbox.accounts.bob.address)
    const path = '/api/customer/balances'
    for (const id of [sandbox.merchantId, sandbox.creditSeed])
      expect((await service.get(`${path}/${id}`, customer(sandbox.accounts.carol.address))).body).toEqual({
        credits: { cents: 100_000 },
        usdc: { cents: 100_000 },
      })
    expectProblem(await service.get(`${path}/nobody`, bob), 404, 'NOT_FOUND')
    expectProblem(await service.get(`${path}/${sandbox.merchantId}`), 400, 'INVALID_REQUEST')
    expectProblem(await service.get(`${path}/%00'%20or%201=1`, bob), 404, 'NOT_FOUND')
  })

  test('usdc-authorization returns the typed data', async () => {
    const path = '/api/checkout/evm/usdc-authorization'
    const nonce = `0x${'8f'.repeat(32)}`
    const asked = { amount: { cents: 250 }, paymentId: 'p', nonce }
    const { body } = await service.post(path, asked, customer(wallet))
    expect(body.messageData).toMatchObject({
      from: wallet,
      to: base.paymentSettlement,
      value: '2500000',
      validAfter: '0',
      nonce,
    })
    const typed = JSON.parse(body.message)
    expect(typed).toMatchObject({
      primaryType: 'ReceiveWithAuthorization',
      domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: base.usdc },
      message: body.messageData,
    })
    for (const amount of [{ cents: 0 }, { cents: -1 }, { cents: 1.5 }, { cents: 2 ** 53 }, 5, undefined])
      expectProblem(await service.post(path, { amount, nonce }, customer(wallet)), 400, 'INVALID_REQUEST')
  })

  test('a mint and its job succeed', async () => {
    const path = '/api/merchant/credits/mint'
    const to = '0x00000000000000000000000000000000000000bb'
    const mint = { wallet: to, blockchain: 'base', amount: { cents: 500 } }
    const { status, body } = await service.post(path, mint, key)
    expect({ status, body }).toEqual({ status: 200, body: { jobId: expect.any(String) } })
    const job = async () => (await service.get(`/api/merchant/credits/status/${body.jobId}`, key)).body
    await expect
      .poll(job, { timeout: 10_000 })
      .toEqual({ status: 'completed', value: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    const { credits } = (await service.get(`/api/customer/balances/${sandbox.merchantId}`, customer(to))).body
    expect(credits).toEqual({ cents: 500 })

    expectProblem(await service.post(path, mint), 401, 'UNAUTHENTICATED')
    expectProblem(await service.post(path, mint, { authorization: 'wrong' }), 401, 'UNAUTHENTICATED')
    expectProblem(await service.get(`/api/merchant/credits/status/${body.jobId}`), 401, 'UNAUTHENTICATED')
    expectProblem(await service.get('/api/merchant/credits/status/none', key), 404, 'NOT_FOUND')
    for (const change of [
      { amount: { cents: 0 } },
      { blockchain: 'stellar' },
      { wallet: '0x1' },
      { extra: 1 },
    ])
      expectProblem(await service.post(path, { ...mint, ...change }, key), 400, 'INVALID_REQUEST')
    // 400 comes before 401.
    expectProblem(await service.post(path, { ...mint, extra: 1 }), 400, 'INVALID_REQUEST')
  })

  test('a mint that the operator cannot back fails with the token’s reason', async () => {
    const mint = { wallet, blockchain: 'base', amount: { cents: 9007199254740991 } }
    const { body } = await service.post('/api/merchant/credits/mint', mint, key)
    await expect
      .poll(async () => (await service.get(`/api/merchant/credits/status/${body.jobId}`, key)).body, {
        timeout: 10_000,
      })
      .toEqual({ status: 'failed', error: expect.stringContaining('ERC20: transfer amount exceeds balance') })
  })

  test('a whitelist request waits for its approval', async () => {
    // The CREATE2 deployer, which every local chain has.
    const programId = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
    const request = { blockchain: 'base', programId, selector: '0x12345678' }
    expect(await service.post('/api/merchant/program', request, key)).toMatchObject({ status: 200, body: {} })
    const list = async () => (await service.get('/sandbox/programs', key)).body.programs
    expect(await list()).toEqual([{ ...request, status: 'pending' }])
    const decide = (approved: boolean) => service.post('/sandbox/program', { ...request, approved }, key)
    expect((await decide(false)).status).toBe(200)
    expect(await list()).toEqual([{ ...request, status: 'rejected' }])
    await service.post('/api/merchant/program', request, key)
    expect(await list()).toEqual([{ ...request, status: 'pending' }])
    expect(await decide(true)).toMatchObject({ status: 200, body: { hash: expect.any(String) } })
    expect(await list()).toEqual([{ ...request, minimumGas: 100_000, status: 'approved' }])
    const named = { blockchain: 'base', programId, selector: '0xcce7ec13', approved: true }
    const signature = 'buy(address to, uint256)'
    await service.post('/sandbox/program', { ...named, signature, minimumGas: 120_000 }, key)
    const [newest] = await list()
    expect(newest).toMatchObject({ signature: 'buy(address,uint256)', minimumGas: 120_000 })
    for (const other of ['buy(uint256)', '0xcce7ec13', 'buy('])
      expectProblem(
        await service.post('/sandbox/program', { ...named, signature: other }, key),
        400,
        'INVALID_REQUEST',
      )
    expectProblem(await service.post('/api/merchant/program', request), 401, 'UNAUTHENTICATED')
    expectProblem(
      await service.post('/sandbox/program', { ...request, approved: true }),
      401,
      'UNAUTHENTICATED',
    )
    expectProblem(
      await service.post('/api/merchant/program', { ...request, selector: '0x12' }, key),
      400,
      'INVALID_REQUEST',
    )
  })
})
