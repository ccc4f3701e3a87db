import { Keypair } from '@stellar/stellar-sdk'
import { eq } from 'drizzle-orm'
import { encodeAbiParameters, encodeFunctionData, type Hex, hashMessage, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  smartWalletAbi,
  smartWalletBytecode,
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../contracts/generated/smartWallets.ts'
import { createSandbox, type RunningSandbox, type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { openStore, type Store } from '../../src/sandbox/store/openStore.ts'
import { authChallenges } from '../../src/sandbox/store/tables/index.ts'
import { anvil, type Caller, caller, creditsAuthMsgPath, lentChain } from './sandboxClient.ts'

let lender: RunningSandbox
let rpcUrl: string
let sandbox: Sandbox
let store: Store
let service: Caller
let clockMs = 0
const prefix = 'x-acme-'
const key = { authorization: 'the key' }

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  const { base } = lender.chains
  if (base === undefined) throw new Error('base is started by default')
  rpcUrl = base.rpcUrl
  store = await openStore()
  sandbox = createSandbox({
    store: async () => store,
    headerPrefix: prefix,
    requireSignIn: true,
    now: () => Date.now() + clockMs,
    merchants: [{ merchantId: 'shop', apiKey: 'the key' }],
    chains: [
      {
        ...lentChain(lender),
        operatorKey: generatePrivateKey(),
      },
    ],
  })
  service = caller(sandbox.app)
})
afterAll(async () => {
  await sandbox?.stop()
  await lender?.stop()
})
beforeEach(() => {
  clockMs = 0
})

const person = privateKeyToAccount(generatePrivateKey())
const headers = (wallet: string, signedMessage?: string) => ({
  [`${prefix}auth-wallet`]: wallet,
  [`${prefix}auth-blockchain`]: 'base',
  ...(signedMessage === undefined ? {} : { [`${prefix}auth-signed-message`]: signedMessage }),
})
const challenge = async (wallet: string = person.address): Promise<string> =>
  (await service.get('/api/auth', headers(wallet))).body.message
const verify = async (signedMessage: string, wallet: string = person.address) =>
  (await service.get('/api/auth/verify', headers(wallet, signedMessage))).status
const minutes = (count: number) => count * 60_000

/** Returns a service with other options and no chains, on the same database. */
const otherService = (options: Partial<createSandbox.Options> = {}) =>
  createSandbox({
    store: async () => ({ ...store, close: async () => {} }),
    chains: [],
    merchants: [{ merchantId: 'shop', apiKey: 'the key' }],
    ...options,
  })

test('the text is EIP-4361, for this wallet, chain and host', async () => {
  const message = await challenge()
  const lines = message.split('\n')
  expect(lines[0]).toBe('localhost wants you to sign in with your Ethereum account:')
  expect(lines[1]).toBe(person.address)
  expect(message).toMatch(
    /\nURI: http:\/\/localhost\nVersion: 1\nChain ID: 84532\nNonce: [0-9a-f]{32}\nIssued At: /,
  )
  const at = (name: string) => Date.parse(new RegExp(`${name}: (.*)`).exec(message)?.[1] ?? '')
  expect(at('Expiration Time') - at('Issued At')).toBe(24 * 60 * 60_000)
})

test('a signature is verified once, and is then a credential for 24 hours', async () => {
  const signed = await person.signMessage({ message: await challenge() })
  expect(await verify(signed)).toBe(200)
  expect(await verify(signed)).toBe(200)
  clockMs = minutes(24 * 60 - 1)
  expect(await verify(signed)).toBe(200)
  clockMs = minutes(24 * 60 + 1)
  expect(await verify(signed)).toBe(401)
})

test.each([
  [9, 200],
  [11, 401],
])('a signature is verified for the first time after %i minutes: %i', async (after, status) => {
  const signed = await person.signMessage({ message: await challenge() })
  clockMs = minutes(after)
  expect(await verify(signed)).toBe(status)
})

test('the nonce is single-use: a different signature of the same text is refused', async () => {
  const signed = await person.signMessage({ message: await challenge() })
  const { r, s, v } = parseSignature(signed)
  expect(await verify(signed)).toBe(200)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const twin = `${r}${(order - BigInt(s)).toString(16).padStart(64, '0')}${v === 27n ? '1c' : '1b'}`
  expect(await verify(twin)).toBe(401)
})

test('invalid sign-ins are refused', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const message = await challenge()
  const signed = await person.signMessage({ message })
  expect(await verify(await stranger.signMessage({ message }))).toBe(401)
  expect(await verify(signed, stranger.address)).toBe(401)
  expect(await verify(await person.signMessage({ message: `${message} ` }))).toBe(401)
  for (const garbage of [
    '0x',
    '0x12',
    'hello',
    `0x${'00'.repeat(65)}`,
    `${signed}00`,
    `0x${'6492'.repeat(16)}`,
  ])
    expect(await verify(garbage), garbage).toBe(401)
  expect((await service.get('/api/auth/verify', headers(person.address))).status).toBe(401)
  expect((await service.get('/api/auth/verify', {})).status).toBe(400)
  // The same wallet's sign-in at a service with other header names.
  const other = { 'x-svc-auth-wallet': person.address, 'x-svc-auth-blockchain': 'base' }
  expect((await service.get('/api/auth', other)).status).toBe(400)
  expect(await verify(signed)).toBe(200)
})

test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1'])(
  'no message is created for %s, which only the request names as the host',
  async (host) => {
    const asked = await sandbox.app.request(`http://${host}/api/auth`, { headers: headers(person.address) })
    expect(asked.status).toBe(400)
    expect(await asked.json()).toMatchObject({ code: 'INVALID_REQUEST', issues: ['host'] })
  },
)
test.each(['127.0.0.1:4242', 'localhost:3000', '[::1]:8080'])(
  'the message names this machine as the host %s',
  async (host) => {
    const asked = await sandbox.app.request(`http://${host}/api/auth`, { headers: headers(person.address) })
    const { message } = await asked.json()
    expect(message).toContain(`${host} wants you to sign in`)
  },
)
test('the message names publicUrl, for any request host', async () => {
  const elsewhere = otherService({ publicUrl: 'https://pay.example:8443' })
  const asked = await elsewhere.app.request('http://evil.example/api/auth', {
    headers: { 'x-svc-auth-wallet': Keypair.random().publicKey(), 'x-svc-auth-blockchain': 'stellar' },
  })
  const { message } = await asked.json()
  expect(message).toMatch(/^pay\.example:8443 wants you/)
  expect(message).toContain('URI: https://pay.example:8443')
  await elsewhere.stop()
  for (const publicUrl of ['pay.example', 'ftp://pay.example', ''])
    expect(() => otherService({ publicUrl })).toThrow(
      expect.objectContaining({ name: 'InvalidSandboxOptionsError', field: 'publicUrl' }),
    )
})

describe('the origin of the requesting page, from its Origin header,', () => {
  const wallet = () => Keypair.random().publicKey()
  const names = async (settings: Partial<createSandbox.Options>, origin: string, host = '127.0.0.1:4242') => {
    const made = otherService(settings)
    const asked = await made.app.request(`http://${host}/api/auth`, {
      headers: { 'x-svc-auth-wallet': wallet(), 'x-svc-auth-blockchain': 'stellar', origin },
    })
    const { message, code, issues } = await asked.json()
    await made.stop()
    if (asked.status !== 200) return { status: asked.status, code, issues }
    return [/^(\S+) wants you/.exec(message)?.[1], /^URI: (.+)$/m.exec(message)?.[1]]
  }
  const publicUrl = 'https://pay.example'
  const allowedOrigins = ['https://shop.example', 'http://shop.example:8080']
  test.each<[Partial<createSandbox.Options>, string, string]>([
    [{}, 'http://localhost:5173', 'http://localhost:5173'],
    [{}, 'http://[::1]:5173', 'http://[::1]:5173'],
    [{ publicUrl, allowedOrigins }, 'https://shop.example', 'https://shop.example'],
    [{ publicUrl, allowedOrigins }, 'http://shop.example:8080', 'http://shop.example:8080'],
    [{ allowedOrigins }, 'https://shop.example', 'https://shop.example'],
  ])('%j: %s is named', async (settings, origin, named) => {
    expect(await names(settings, origin)).toEqual([new URL(named).host, named])
  })
  test.each<[Partial<createSandbox.Options>, string]>([
    [{}, 'https://evil.example'],
    [{}, 'http://localhost.evil.example'],
    [{}, 'null'],
    [{}, 'http://localhost:5173/path'],
    [{}, 'file://localhost'],
    [{ allowedOrigins }, 'https://shop.example.evil.example'],
    [{ allowedOrigins }, 'https://shop.example:444'],
    [{ allowedOrigins }, 'http://shop.example'],
  ])('%j: %s is refused', async (settings, origin) => {
    expect(await names(settings, origin)).toEqual({ status: 403, code: 'FORBIDDEN', issues: ['origin'] })
  })
  test('a service elsewhere does not name a page on this machine', async () => {
    expect(await names({ publicUrl, allowedOrigins }, 'http://localhost:5173')).toEqual([
      'pay.example',
      publicUrl,
    ])
  })
  test.each([['https://shop.example/'], ['shop.example'], [7], 'https://shop.example'])(
    '%j is not a list of origins',
    (list) => {
      expect(() => otherService({ allowedOrigins: list as never })).toThrow(
        expect.objectContaining({ name: 'InvalidSandboxOptionsError', field: 'allowedOrigins' }),
      )
    },
  )
})

test('each of several unsigned messages is valid', async () => {
  const messages = [await challenge(), await challenge(), await challenge()]
  for (const message of messages) expect(await verify(await person.signMessage({ message }))).toBe(200)
})

describe('a stranger who requests messages endlessly', () => {
  const ask = async (wallet: string, origin = 'http://localhost'): Promise<string> =>
    (await service.get(`${origin}/api/auth`, headers(wallet))).body.message
  const times = (count: number) => Array.from({ length: count }, (_, index) => index)

  test("never prevents a customer's sign-in: before, between, or from another host", async () => {
    const { address, signMessage } = privateKeyToAccount(generatePrivateKey())
    await Promise.all(times(30).map(() => ask(address)))
    const first = await ask(address)
    for (const _ of times(25)) await ask(address)
    await Promise.all(times(25).map((port) => ask(address, `http://localhost:${4000 + port}`)))
    expect(await verify(await signMessage({ message: first }), address)).toBe(200)
    // The next message is not the one that was used.
    const second = await ask(address)
    expect(second).not.toBe(first)
    expect(await verify(await signMessage({ message: second }), address)).toBe(200)
  })

  test('leaves customers time to sign: an old message is not returned again', async () => {
    const { address, signMessage } = privateKeyToAccount(generatePrivateKey())
    for (const _ of times(10)) await ask(address)
    clockMs = minutes(4)
    const shared = await ask(address)
    expect(await ask(address)).toBe(shared)
    clockMs = minutes(6)
    const later = await ask(address)
    expect(later).not.toBe(shared)
    clockMs = minutes(9)
    // Two tabs sign the same message. For the second tab, the signature is already a credential.
    const signed = await signMessage({ message: shared })
    expect([await verify(signed, address), await verify(signed, address)]).toEqual([200, 200])
    clockMs = minutes(15)
    expect(await verify(await signMessage({ message: later }), address)).toBe(200)
  })

  test('does not fill the database', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    for (const _ of times(20)) await ask(address)
    const count = () => store.database.$count(authChallenges, eq(authChallenges.wallet, address))
    expect(await count()).toBe(8)
    clockMs = minutes(11)
    await ask(person.address)
    expect(await count()).toBe(0)
  })
})

test('sending the same signature twice at the same time is one sign-in', async () => {
  const signed = await person.signMessage({ message: await challenge() })
  expect(await Promise.all([verify(signed), verify(signed), verify(signed)])).toEqual([200, 200, 200])
})

test('smart accounts sign in with ERC-1271, and with ERC-6492 before deployment', async () => {
  const chain = anvil(rpcUrl)
  const wallet = await chain.deploy(smartWalletAbi, smartWalletBytecode, [person.address])
  const message = await challenge(wallet)
  expect(hashMessage(message)).toMatch(/^0x/)
  expect(await verify(await person.signMessage({ message }), wallet)).toBe(200)

  const factory = await chain.deploy(smartWalletFactoryAbi, smartWalletFactoryBytecode)
  const future = await chain.client.readContract({
    address: factory,
    abi: smartWalletFactoryAbi,
    functionName: 'walletOf',
    args: [person.address, 7n],
  })
  const signature = await person.signMessage({ message: await challenge(future) })
  const data = encodeFunctionData({
    abi: smartWalletFactoryAbi,
    functionName: 'createWallet',
    args: [person.address, 7n],
  })
  const wrapped: Hex = `${encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
    [factory, data, signature],
  )}${'6492'.repeat(16)}`
  expect(await verify(signature, future)).toBe(401)
  expect(await verify(wrapped, future)).toBe(200)
})

test('session keys require the API key and the customer', async () => {
  const path = '/api/auth/session-key'
  const user = { [`${prefix}auth-user-id`]: 'user-1' }
  expect((await service.get(path, user)).status).toBe(401)
  expect((await service.get(path, { ...user, authorization: 'wrong' })).status).toBe(401)
  expect((await service.get(path, key)).status).toBe(400)
  expect((await service.get(path, { ...key, [`${prefix}auth-wallet`]: person.address })).status).toBe(400)
  const { body } = await service.get(path, { ...key, ...user })
  expect(body).toEqual({ key: expect.stringMatching(/^\S{20,}$/) })
  const bearer = await service.get(path, { authorization: 'Bearer the key', ...user })
  expect(bearer.status).toBe(200)

  const balances = (more: object) =>
    service.get('/api/customer/balances/shop', { ...headers(person.address), ...more })
  expect((await balances({})).status).toBe(401)
  expect((await balances({ [`${prefix}auth-session-key`]: 'wrong' })).status).toBe(401)
  expect((await balances({ [`${prefix}auth-session-key`]: body.key })).status).toBe(200)
  const signed = await person.signMessage({ message: await challenge() })
  expect((await balances({ [`${prefix}auth-signed-message`]: signed })).status).toBe(200)

  // 400 takes precedence over 401, even if the credential itself is malformed.
  const wrong = { ...headers(person.address), [`${prefix}auth-session-key`]: 'wrong' }
  const redeem = (cents: number) => ({
    merchantId: 'shop',
    subtotal: { cents },
    transactionData: { type: 'token', destination: person.address },
  })
  expect((await service.post(creditsAuthMsgPath, redeem(0), wrong)).status).toBe(400)
  expect((await service.post(creditsAuthMsgPath, redeem(1), wrong)).status).toBe(401)
  expect((await service.post(creditsAuthMsgPath, redeem(1), headers(person.address))).status).toBe(401)

  const stranger = privateKeyToAccount(generatePrivateKey()).address
  const bound = (await service.get(path, { ...key, ...headers(stranger) })).body.key
  expect((await balances({ [`${prefix}auth-session-key`]: bound })).status).toBe(403)
  clockMs = minutes(24 * 60 + 1)
  expect((await balances({ [`${prefix}auth-session-key`]: body.key })).status).toBe(401)
})
