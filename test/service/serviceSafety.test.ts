import { connect } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type RunningSandbox, type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { listen } from '../../src/sandbox/servers/listen.ts'
import { openStore, type Store } from '../../src/sandbox/store/openStore.ts'
import {
  type Caller,
  caller,
  customer,
  lentChain,
  overHttp,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'
import { searchDatabase, searchThings } from './secretSearch.ts'

let lender: RunningSandbox
let sandbox: Sandbox
let store: Store
let url: string
let close: () => Promise<void>
let service: Caller
/** Everything that the service has logged. */
const reported: unknown[] = []
const apiKey = 'sk_test_only_0123456789abcdef'
const jwtSecret = 'a secret that signs the JWTs of the shop'

beforeAll(async () => {
  lender = await startSandbox({ bridge: false, apiKeys: [{ key: 'key from here', ips: ['127.0.0.1'] }] })
  store = await openStore()
  sandbox = createSandbox({
    store: async () => store,
    merchants: [
      { merchantId: lender.merchantId, apiKey, jwtSecret },
      {
        merchantId: 'other',
        apiKey: 'key from elsewhere',
        apiKeys: [{ key: 'key from here', ips: ['127.0.0.1'] }],
      },
    ],
    chains: [lentChain(lender)],
    onLog: (entry) => reported.push(entry),
    onError: (...args) => reported.push(args),
  })
  await sandbox.start()
  ;({ url, close } = await listen({ fetch: sandbox.app.fetch, port: 0 }))
  service = caller(overHttp(url))
})
afterAll(async () => {
  await close?.()
  await sandbox?.stop()
  await lender?.stop()
})

/** Sends raw bytes on a socket, as no client would, and returns the first line of the response. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes, 'latin1'))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
const get = (headers: string) =>
  send(`GET /api/utils/contract-address?blockchain=base HTTP/1.1\r\n${headers}connection: close\r\n\r\n`)
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

describe('on a real socket', () => {
  test('another host name that resolves here is refused', async () => {
    expect(statusOf(await get('host: localhost:1\r\n'))).toBe(200)
    const rebound = await get('host: evil.example\r\n')
    expect(statusOf(rebound)).toBe(403)
    expect(rebound).toContain('"issues":["host"]')
    expect(statusOf(await get('host: evil.example:4242\r\norigin: http://evil.example:4242\r\n'))).toBe(403)
  })

  test('an absolute request target with another host does not bypass the host check', async () => {
    const answer = await send(
      'GET http://evil.example/api/auth HTTP/1.1\r\nhost: localhost\r\nx-svc-auth-blockchain: base\r\n' +
        `x-svc-auth-wallet: ${lender.accounts.alice.address}\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).not.toContain('evil.example wants you')
    expect([200, 400, 403]).toContain(statusOf(answer))
  })

  test.each([
    ['no host', ''],
    ['an empty host', 'host: \r\n'],
    ['an invalid host', 'host: a b\r\n'],
    ['a host with a path', 'host: localhost/x\r\n'],
    ['two hosts', 'host: localhost\r\nhost: evil.example\r\n'],
    ['bytes that are not UTF-8', 'host: localhost\r\norigin: \xff\xfe\r\n'],
    ['an API key of binary bytes', 'host: localhost\r\nauthorization: \xff\xfe\xc3\x28\r\n'],
    ['an unknown port', 'host: localhost:99999\r\n'],
    ['a name without a value', 'host: localhost\r\nx-svc-auth-wallet\r\n'],
    ['a space in a header name', 'host: localhost\r\nx svc: 1\r\n'],
    ['a folded header line', 'host: localhost\r\nx-a: 1\r\n 2\r\n'],
    ['a NUL', 'host: localhost\r\nx-a: \0\r\n'],
    ['a negative length', 'host: localhost\r\ncontent-length: -1\r\n'],
    ['two lengths', 'host: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n'],
    ['too many headers', `host: localhost\r\n${'x-a: 1\r\n'.repeat(1500)}`],
    ['a header without end', `host: localhost\r\nx-a: ${'a'.repeat(70_000)}\r\n`],
  ])('%s does not cause an internal error', async (_, headers) => {
    const status = statusOf(await get(headers))
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
  })

  test.each([
    ['of the app', () => url],
    ['of startSandbox', () => lender.url],
  ])('a key works from its IP addresses, at the address %s', async (_, address) => {
    const authorization = 'key from here'
    const path = '/api/merchant/credits/status/none'
    expect((await caller(overHttp(address())).get(path, { authorization })).status).toBe(404)
  })

  test('a lost response breaks the connection', async () => {
    await service.post('/sandbox/fault', { path: '/api/utils/*', kind: 'lost', times: 1 })
    await expect(service.get('/api/utils/contract-address?blockchain=base')).rejects.toThrow()
    expect((await service.get('/api/utils/contract-address?blockchain=base')).status).toBe(200)
  })
})

describe('secrets', () => {
  test('are neither in the log nor in the database, after successes and failures', async () => {
    const { alice, bob } = lender.accounts
    const { merchantId } = lender
    const wallet = customer(alice.address)
    const { body: message } = await service.get('/api/auth', wallet)
    const signedMessage = await alice.account.signMessage({ message: message.message })
    const signed = { ...wallet, 'x-svc-auth-signed-message': signedMessage }
    expect((await service.get('/api/auth/verify', signed)).status).toBe(200)
    const key = { authorization: apiKey }
    const user = { 'x-svc-auth-user-id': 'u-1' }
    const sessionKey = (await service.get('/api/auth/session-key', { ...key, ...user })).body.key
    const { checkoutJwtToken } = (
      await service.post('/api/checkout/jwt-token', { subtotal: { cents: 5 } }, key)
    ).body
    const request = {
      merchantId,
      subtotal: { cents: 100 },
      usdcAmount: { cents: 40 },
      transactionData: { type: 'token' as const, destination: bob.address },
    }
    const body = await signedBody(service, {
      request,
      key: alice.account,
      payment: 'V2',
    })
    const headers = { ...signed, 'x-svc-auth-session-key': sessionKey }
    expect((await service.post(sendGaslessTxPath, body, headers)).status).toBe(200)
    // Sends it again, with a different mistake each time.
    const spoilt = { ...body, subtotal: { cents: 101 } }
    expect((await service.post(sendGaslessTxPath, spoilt, headers)).status).toBe(409)
    expect((await service.post(sendGaslessTxPath, { ...body, extra: 1 }, headers)).status).toBe(400)
    expect((await service.get(`/nowhere/${sessionKey}?key=${apiKey}`, { ...headers, ...key })).status).toBe(
      404,
    )
    // A failing database quotes every parameter in its error.
    await store.database.execute(
      sql`alter table transactions add constraint takes_none check (false) not valid`,
    )
    const other = await signedBody(service, {
      request,
      key: alice.account,
      payment: 'V2',
    })
    const failed = await service.post(sendGaslessTxPath, other, headers)
    expect(failed.status).toBe(500)
    await store.database.execute(sql`alter table transactions drop constraint takes_none`)

    const { permitCredits, customerUsdcAuthDataV2 } = body.signedMessages
    const permitSignature = other.signedMessages.permitCredits
    const secrets = {
      'API key': apiKey,
      'session key': sessionKey,
      'signed message': signedMessage,
      'permit signature': permitCredits,
      'rejected permit signature': permitSignature,
      'USDC signature': customerUsdcAuthDataV2?.signature ?? '',
      'checkout JWT': checkoutJwtToken,
    }
    expect(searchThings([...reported, failed.body], { ...secrets, 'JWT secret': jwtSecret })).toEqual([])
    // Values that were sent to the chain are public.
    expect(await searchDatabase(store.database, secrets, { except: ['transactions.raw'] })).toEqual([])
    expect(reported.length).toBeGreaterThan(8)
  })

  test('are found by the search, in every encoding', async () => {
    const secrets = { key: 'sk_0123456789', card: '4242424242424242' }
    const base64 = Buffer.from('sk_0123456789').toString('base64')
    const things = [
      'a SK_0123456789 b',
      base64,
      new Error('x', { cause: { deep: ['sk_0123456789'] } }),
      '4242 4242-4242 4242',
    ]
    expect(searchThings(things, secrets).map((find) => find.replace(/.* in /, ''))).toEqual(
      expect.arrayContaining(['log[0]', 'log[1]', 'log[2]', 'log[3]']),
    )
    expect(searchThings(['sk_012345678', '424242424242424'], secrets)).toEqual([])
    await store.database.execute(sql`create table notes (text jsonb)`)
    await store.database.execute(sql`insert into notes values ('{"note":"sk_0123456789"}')`)
    expect(await searchDatabase(store.database, secrets)).toEqual(['key as itself, in notes.text'])
    expect(await searchDatabase(store.database, secrets, { except: ['notes.text'] })).toEqual([])
  })
})
