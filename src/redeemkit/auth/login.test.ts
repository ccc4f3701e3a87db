import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { fakeClient, fakeService, wallet } from '../api/api.fixture.ts'
import { getBalances } from '../api/endpoints/customer.ts'
import type { AuthExpectation, ChainAdapter } from '../core/chainAdapter.ts'
import { login } from './login.ts'

/** Creates a wallet that signs everything and records its requests. */
function fakeAdapter(changes: Partial<ChainAdapter> = {}) {
  const asked: unknown[] = []
  let expected: AuthExpectation | undefined
  const adapter: ChainAdapter = {
    family: 'evm',
    blockchain: 'base',
    getAddress: async () => wallet,
    signAuthMessage: async (challenge, expectation) => {
      asked.push(challenge)
      expected = expectation
      return { signedMessage: '0xsigned', expiresAt: 4_000_000_000 }
    },
    verifyAuthMessage: async (challenge, signed) =>
      challenge.message === 'sign me' && signed.signedMessage === '0xsigned',
    ...changes,
  }
  return { adapter, asked, expectation: () => expected }
}

describe('login', () => {
  test('fetches, signs, verifies, and stores the credential in the client', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, { wallet: undefined, sessionKey: 'session-key' })
    const { adapter, asked, expectation } = fakeAdapter()
    expect(await login(client, { adapter })).toEqual({
      wallet,
      blockchain: 'base',
      signedMessage: '0xsigned',
      expiresAt: 4_000_000_000,
    })
    expect(asked).toEqual([{ message: 'sign me' }])
    expect(expectation()).toMatchObject({ domains: ['service.example'], allowPlainText: undefined })
    await getBalances(client)
    expect(service.requests.map(({ path, headers }) => [path, headers['x-svc-auth-signed-message']])).toEqual(
      [
        ['/api/auth', undefined],
        ['/api/auth/verify', '0xsigned'],
        ['/api/customer/balances/shop', '0xsigned'],
      ],
    )
  })

  test('the wallet and the verification judge the expiry of the message by the clock of the client', async () => {
    const now = () => 1_700_000_000_000
    const { client } = fakeClient(fakeService(), { wallet: undefined, now })
    const verifyAuthMessage = vi.fn<ChainAdapter['verifyAuthMessage']>(async () => true)
    const { adapter, expectation } = fakeAdapter({ verifyAuthMessage })
    await login(client, { adapter })
    expect(expectation()?.now?.()).toBe(now())
    expect(verifyAuthMessage.mock.calls[0]?.[2]).toBe(expectation())
  })

  test.each<[string, object]>([
    ['domain', { domain: ['x'] }],
    ['allowPlainText', { allowPlainText: 'yes' }],
    ['domains', { domains: 'service.example' }],
  ])('rejects the wrong option %s before it contacts service or wallet', async (field, options) => {
    const service = fakeService()
    const { client } = fakeClient(service, { wallet: undefined })
    const { adapter, asked } = fakeAdapter()
    await expect(login(client, { adapter, ...options })).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field,
    })
    expect([service.requests, asked]).toEqual([[], []])
  })

  test.each(['getAddress', 'signAuthMessage', 'verifyAuthMessage'] as const)(
    'an abort ends the wait for a wallet that never responds to %s',
    async (method) => {
      const service = fakeService()
      const { client } = fakeClient(service, { wallet: undefined })
      const silent = () => new Promise<never>(() => {})
      const { adapter } = fakeAdapter({ [method]: silent })
      const stop = new AbortController()
      const entering = login(client, { adapter, signal: stop.signal })
      setTimeout(() => stop.abort(), 20)
      await expect(entering).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
      expect(service.requests.map(({ path }) => path)).not.toContain('/api/auth/verify')
    },
  )

  test('leaves no listener on the signal', async () => {
    const { client } = fakeClient(fakeService())
    const { signal } = new AbortController()
    await login(client, { adapter: fakeAdapter().adapter, signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('sends nothing after an abort', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, { wallet: undefined })
    const { adapter } = fakeAdapter({ getAddress: () => new Promise<never>(() => {}) })
    await expect(login(client, { adapter, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'stop',
    })
    expect(service.requests).toEqual([])
  })

  test('passes only message and transaction of the response to the wallet', async () => {
    const answer = {
      message: 'sign me',
      transaction: 'AAAA',
      environment: 'prod',
      allowPlainText: true,
      serverKey: 'G',
      via: 'message',
      domains: ['evil.example'],
    }
    const service = fakeService(() => Response.json(answer))
    const { client } = fakeClient(service)
    const { adapter, asked, expectation } = fakeAdapter()
    await login(client, { adapter })
    expect(asked).toEqual([{ message: 'sign me', transaction: 'AAAA' }])
    expect(expectation()?.domains).toEqual(['service.example'])
  })

  const { adapter: whole } = fakeAdapter()
  const broken = Object.keys(whole).map((part) => ({ adapter: { ...whole, [part]: undefined } }))
  test.each([undefined, null, {}, { adapter: undefined }, { adapter: { address: wallet } }, ...broken])(
    'sends nothing without an adapter: %j',
    async (options) => {
      const service = fakeService()
      const { client } = fakeClient(service)
      await expect(login(client, options as never)).rejects.toMatchObject({
        name: 'NoAdapterError',
        field: 'adapter',
      })
      expect(service.requests).toEqual([])
    },
  )

  test("expects the host of the service or the page, or the caller's domains", async () => {
    const { client } = fakeClient(fakeService(), { baseUrl: 'http://127.0.0.1:3000' })
    const first = fakeAdapter()
    vi.stubGlobal('location', { host: 'shop.example:8080' })
    await login(client, { adapter: first.adapter })
    vi.unstubAllGlobals()
    expect(first.expectation()?.domains).toEqual(['127.0.0.1:3000', 'shop.example:8080'])
    const second = fakeAdapter()
    await login(client, { adapter: second.adapter, domains: ['a.example'], allowPlainText: true })
    expect(second.expectation()).toMatchObject({ domains: ['a.example'], allowPlainText: true })
  })

  test("rejects a wallet other than the client's before it sends a request", async () => {
    const service = fakeService()
    const { client } = fakeClient(service)
    const other = fakeAdapter({ getAddress: async () => `0x${'11'.repeat(20)}` })
    await expect(login(client, { adapter: other.adapter })).rejects.toMatchObject({
      name: 'WrongWalletError',
      field: 'wallet',
    })
    expect([service.requests, other.asked]).toEqual([[], []])
    const lower = fakeAdapter({ getAddress: async () => wallet.toLowerCase() })
    await login(client, { adapter: lower.adapter })
  })

  test('compares Solana addresses case-sensitively', async () => {
    const own = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
    const { client } = fakeClient(fakeService(), { wallet: own, blockchain: 'solana' })
    const solana = (address: string) =>
      fakeAdapter({ family: 'solana', blockchain: 'solana', getAddress: async () => address }).adapter
    await expect(login(client, { adapter: solana(own.toLowerCase()) })).rejects.toMatchObject({
      name: 'WrongWalletError',
    })
    expect(await login(client, { adapter: solana(own) })).toMatchObject({ wallet: own, blockchain: 'solana' })
  })

  test("uses the adapter's wallet if the client is for a different chain", async () => {
    const { client } = fakeClient(fakeService())
    const address = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
    const { adapter } = fakeAdapter({
      family: 'solana',
      blockchain: 'solana',
      getAddress: async () => address,
    })
    expect(await login(client, { adapter })).toMatchObject({ wallet: address, blockchain: 'solana' })
  })

  test('throws the error of a failed check or a rejection unchanged, and verifies nothing', async () => {
    const service = fakeService()
    const { client } = fakeClient(service)
    const no = new Error('no')
    const { adapter } = fakeAdapter({ signAuthMessage: () => Promise.reject(no) })
    await expect(login(client, { adapter })).rejects.toBe(no)
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/auth'])
  })

  test('does not send a signature that does not match the message', async () => {
    const service = fakeService()
    const { client } = fakeClient(service)
    const { adapter } = fakeAdapter({ verifyAuthMessage: async () => false })
    const error: unknown = await login(client, { adapter }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidAuthSignatureError', field: 'signedMessage' })
    expect(String(error)).not.toContain('0xsigned')
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/auth'])
  })

  test('does not store a credential that the service does not verify', async () => {
    const service = fakeService(
      () => Response.json({ message: 'sign me' }),
      () => Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 }),
    )
    const { client } = fakeClient(service)
    await expect(login(client, { adapter: fakeAdapter().adapter })).rejects.toMatchObject({
      name: 'UnauthenticatedError',
    })
    await getBalances(client)
    expect(service.requests.at(-1)?.headers['x-svc-auth-signed-message']).toBeUndefined()
  })
})
