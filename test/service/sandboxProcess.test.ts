import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import {
  AnvilStartError,
  createSandbox,
  devAccount,
  ForkOriginError,
  InvalidSandboxOptionsError,
  type RunningSandbox,
  type SandboxChain,
  startAnvil,
  startSandbox,
} from '../../src/sandbox/index.ts'
import type { Reference } from '../../src/sandbox/store/columns.ts'
import { openStore, type Store } from '../../src/sandbox/store/openStore.ts'
import type { TransactionState } from '../../src/sandbox/store/states.ts'
import * as tables from '../../src/sandbox/store/tables/index.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  overHttp,
  readCredits,
  sendGaslessTxPath,
  signedBody,
  signedPayment,
} from './sandboxClient.ts'

let lender: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
})
afterAll(() => lender?.stop())

const answers = async (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  }).then(
    async (response) => Number((await response.json()).result),
    () => 'nobody',
  )

describe('a chain’s process', () => {
  test('runs, and has ended after stop', async () => {
    const started = await startAnvil({ chainId: 1234 })
    expect(await answers(started.url)).toBe(1234)
    await started.stop()
    expect(await answers(started.url)).toBe('nobody')
  })

  test('has ended after its parent was killed', async () => {
    const script = `import { startAnvil } from '${new URL('../../src/sandbox/chains/anvil/startAnvil.ts', import.meta.url)}'
      const { url } = await startAnvil({ chainId: 1235 })
      console.log(url)
      setInterval(() => {}, 1000)`
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    })
    expect(await answers(url)).toBe(1235)
    parent.kill('SIGKILL')
    await expect.poll(() => answers(url), { timeout: 10_000 }).toBe('nobody')
  })

  test('that does not start is reported with the reason', async () => {
    await expect(startAnvil({ chainId: 1, extraArguments: ['--no-such-option'] })).rejects.toThrow(
      AnvilStartError,
    )
    const secret = 'http://127.0.0.1:1/a-key-in-the-url'
    const error = await startAnvil({ chainId: 1, forkUrl: secret }).catch((cause: Error) => cause)
    expect(error).toBeInstanceOf(ForkOriginError)
    expect(String(error)).not.toContain('a-key-in-the-url')
  })
})

test('a stopped sandbox finishes pending redeems', async () => {
  const sandbox = await startSandbox({ bridge: false })
  const { alice } = sandbox.accounts
  const service = caller(overHttp(sandbox.url))
  const bodies = []
  for (let count = 0; count < 8; count++) bodies.push(await signedPayment(service, sandbox))
  const sent = bodies.map((body) => service.post(sendGaslessTxPath, body, customer(alice.address)))
  await Promise.race(sent)
  const [answered] = await Promise.all([Promise.all(sent), sandbox.stop()])
  expect(answered.map(({ status }) => status)).toStrictEqual(bodies.map(() => 200))
})

describe('createSandbox', () => {
  test('opens nothing: no folder, no process, no request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-nothing-'))
    const sandbox = createSandbox({
      dataDir: join(folder, 'data'),
      merchants: [{ merchantId: 'shop', apiKey: 'key' }],
      chains: [
        {
          blockchain: 'base',
          rpcUrl: 'http://127.0.0.1:1',
          creditsContract: base.creditsContract,
          operatorKey: generatePrivateKey(),
        },
      ],
    })
    const service = caller(sandbox.app)
    expect(await service.get('/api/utils/contract-address?blockchain=base')).toMatchObject({
      status: 200,
      body: { address: base.creditsContract },
    })
    expect(await readdir(folder)).toEqual([])
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })

  test('reports invalid options', () => {
    const one = {
      blockchain: 'base',
      rpcUrl: 'http://127.0.0.1:1',
      creditsContract: base.creditsContract,
      operatorKey: generatePrivateKey(),
    } as const
    expect(() => createSandbox({ merchants: [], chains: [one, one] })).toThrow(InvalidSandboxOptionsError)
    const field = (options: object, chain: object = {}) => {
      try {
        createSandbox({ merchants: [], chains: [{ ...one, ...chain }], ...options })
      } catch (error) {
        return error instanceof InvalidSandboxOptionsError ? error.field : error
      }
      return 'none'
    }
    const unknown = { affordances: false, sandboxControl: false, merchantId: 'shop' }
    for (const [name, value] of Object.entries(unknown))
      expect(() => createSandbox({ merchants: [], chains: [one], [name]: value })).toThrow(
        expect.objectContaining({ name: 'InvalidOptionError', field: name }),
      )
    for (const permitSeconds of ['1800', 0, -1, 0.5, 3601, Number.NaN, Number.POSITIVE_INFINITY, 1800n])
      expect(field({ permitSeconds }), String(permitSeconds)).toBe('permitSeconds')
    for (const permitSeconds of [undefined, 1, 3600]) expect(field({ permitSeconds })).toBe('none')
    for (const now of [() => Number.NaN, () => new Date(), () => 1n, () => -1, 5, 'now'])
      expect(field({ now }), String(now)).toBe('now')
    for (const name of ['nativePriceCents', 'maxPriorityFeePerGas']) {
      for (const value of [300_000, '300000', -1n, null])
        expect(field({}, { [name]: value }), `${name} ${value}`).toBe(`chains.${name}`)
      expect(field({}, { [name]: 0n })).toBe('none')
    }
  })
})

describe('a stored database', () => {
  let store: Store
  beforeEach(async () => {
    store = await openStore()
  })
  afterEach(() => store.close())

  const nowhere = 'http://127.0.0.1:1'
  const [one, two] = ([1, 2] as const).map((digit): Hex => `0x${`${digit}`.repeat(40)}`) as [Hex, Hex]
  const chainIds = { base: 84532, arbitrum: 421614 }
  /** Starts and stops a service on the store with unreachable chains, to test only the effect on the rows. */
  async function restart(
    changes: { fresh?: boolean } & Partial<Pick<createSandbox.Options, 'merchants' | 'onError'>> = {},
  ) {
    const { fresh = false, onError, merchants = [{ merchantId: 'shop', apiKey: 'the key' }] } = changes
    const operatorKey: Hex = `0x${'11'.repeat(32)}`
    const chainOf = (blockchain: 'base' | 'arbitrum', other: 'base' | 'arbitrum') => ({
      blockchain,
      rpcUrl: nowhere,
      creditsContract: one,
      operatorKey,
      destinations: [{ chainId: chainIds[other], rpcUrl: nowhere, bridgeAdapter: two, operatorKey }],
    })
    const sandbox = createSandbox({
      store: async () => ({ ...store, close: async () => {} }),
      onError,
      merchants,
      chains: [{ ...chainOf('base', 'arbitrum'), fresh }, chainOf('arbitrum', 'base')],
    })
    const service = caller(sandbox.app)
    // Only opens the store, because no node responds.
    await service.get(`/api/customer/balances/shop`, customer(one)).catch(() => {})
    return { sandbox, service }
  }

  const status = async (service: Caller, key: string) =>
    (await service.get('/api/merchant/credits/status/none', { authorization: key })).status

  test('drops the keys of a removed merchant, and lets two merchants swap theirs', async () => {
    const first = await restart({
      merchants: [
        { merchantId: 'shop', apiKey: 'the key' },
        { merchantId: 'other', apiKey: 'other key' },
        { merchantId: 'gone', apiKey: 'gone key' },
      ],
    })
    const session = await first.service.get('/api/auth/session-key', {
      authorization: 'gone key',
      'x-svc-auth-user-id': 'somebody',
    })
    expect(session).toMatchObject({ status: 200 })
    await first.sandbox.stop()
    const { sandbox, service } = await restart({
      merchants: [
        { merchantId: 'shop', apiKey: 'other key' },
        { merchantId: 'other', apiKey: 'the key' },
      ],
    })
    expect(await status(service, 'the key')).toBe(404)
    expect(await status(service, 'other key')).toBe(404)
    expect(await status(service, 'gone key')).toBe(401)
    const kept = await store.database.$count(tables.sessionKeys)
    expect(kept).toBe(0)
    await sandbox.stop()
  })

  const at = new Date(0)
  const bytes32: Hex = `0x${'cd'.repeat(32)}`
  const journal = (
    reference: Reference,
    chain: keyof typeof chainIds,
    nonce: number,
    status: TransactionState,
  ): typeof tables.transactions.$inferInsert => ({
    reference,
    chainId: chainIds[chain],
    sender: one,
    nonce,
    hash: bytes32,
    raw: '0x02',
    status,
    createdAt: at,
    updatedAt: at,
  })
  const message = (
    source: keyof typeof chainIds,
    destination: keyof typeof chainIds,
  ): typeof tables.bridgeMessages.$inferInsert => ({
    sourceChainId: chainIds[source],
    messageId: bytes32,
    wallet: one,
    nonce: bytes32,
    destinationChainId: chainIds[destination],
    delivery: '0x',
    status: 'pending',
    sourceHash: bytes32,
    createdAt: at,
  })

  test('a bridge message that fails is not retried in every pass', async () => {
    await (await restart()).sandbox.stop()
    await store.database.insert(tables.bridgeMessages).values([message('base', 'arbitrum')])
    const errors: number[] = []
    const { sandbox } = await restart({
      onError: (error, request) => {
        // Chain events that cannot be read are reported too.
        const isOfWatch = error instanceof Error && /^(?:Bridge|Order)WatchError$/.test(error.name)
        if (request === undefined && !isOfWatch) errors.push(Date.now())
      },
    })
    await expect.poll(() => errors.length, { timeout: 10_000 }).toBe(3)
    await sandbox.stop()
    const [first = 0, second = 0, third = 0] = errors
    expect(second - first).toBeGreaterThanOrEqual(400)
    expect(third - second).toBeGreaterThanOrEqual(800)
  })

  const carried = (source: keyof typeof chainIds, attempt: number): Reference => ({
    kind: 'bridge',
    sourceChainId: chainIds[source],
    messageId: bytes32,
    attempt,
  })

  test('a restarted chain does not affect other chains', async () => {
    await (await restart()).sandbox.stop()
    const { database } = store
    await database
      .insert(tables.transactions)
      .values([
        journal({ kind: 'mint', jobId: 'of-base', attempt: 1 }, 'base', 3, 'broadcast'),
        journal(
          { kind: 'redeem', blockchain: 'arbitrum', wallet: one, nonce: bytes32, attempt: 1 },
          'arbitrum',
          5,
          'journalled',
        ),
        journal({ kind: 'mint', jobId: 'of-arbitrum', attempt: 1 }, 'arbitrum', 6, 'broadcast'),
        journal(carried('base', 1), 'arbitrum', 4, 'reverted'),
        journal(carried('base', 2), 'arbitrum', 7, 'broadcast'),
        journal(carried('arbitrum', 1), 'base', 2, 'mined'),
      ])
    await database
      .insert(tables.bridgeMessages)
      .values([message('base', 'arbitrum'), message('arbitrum', 'base')])
    await database.insert(tables.nonceQueues).values([
      { chainId: chainIds.base, sender: one, nextNonce: 4 },
      { chainId: chainIds.arbitrum, sender: one, nextNonce: 8 },
    ])
    const { sandbox } = await restart({ fresh: true })
    await sandbox.stop()

    const rows = await database.select().from(tables.transactions).orderBy(tables.transactions.nonce)
    expect(rows.map(({ nonce, chainId, status }) => [nonce, chainId, status])).toEqual([
      [4, chainIds.arbitrum, 'reverted'],
      [5, chainIds.arbitrum, 'journalled'],
      [6, chainIds.arbitrum, 'broadcast'],
      // The nonce stays reserved. Its purpose and name are removed, because message IDs restart at one.
      [7, chainIds.arbitrum, 'broadcast'],
    ])
    expect(rows.map(({ reference }) => reference.kind)).toEqual(['gone', 'redeem', 'mint', 'gone'])
    expect(rows[3]?.reference).toMatchObject({ was: carried('base', 2) })
    expect(await database.select().from(tables.nonceQueues)).toMatchObject([
      { chainId: chainIds.arbitrum, nextNonce: 8 },
    ])
    const messages = await database.select().from(tables.bridgeMessages)
    expect(messages.map(({ sourceChainId }) => sourceChainId)).toEqual([chainIds.arbitrum])
  })
})

describe('startSandbox reports invalid options', () => {
  test.each([
    [{ blockchain: 'tempo' }, /USDC on tempo does not support authorizations/],
    [{ blockchains: [] }, /No blockchain/],
    [{ blockchain: 'base', blockchains: ['eth'] }, /Both/],
    [{ blockchains: ['base', 'eth'], forkUrl: 'http://127.0.0.1:1' }, /several chains/],
  ] as const)('%j', async (options, texts) => {
    await expect(startSandbox(options)).rejects.toThrow(texts)
  })

  test.each([
    [7, /^options is a number\./],
    [null, /^options is null\./],
    [{ servce: 'randomNonce' }, /^There is no option "servce"\./],
    [{ service: 'open' }, /^service is "open"\./],
    [{ port: 70_000 }, /^port is 70000\./],
    [{ merchantId: '' }, /^merchants\.merchantId is ""\./],
    [{ headerPrefix: 'X-Foo' }, /^"X-Foo" cannot begin a header name\./],
  ])('%j', async (options, texts) => {
    const onProgress = vi.fn()
    const given = typeof options === 'object' && options !== null ? { ...options, onProgress } : options
    await expect(startSandbox(given as object)).rejects.toThrow(texts) // untyped callers can pass this
    expect(onProgress).not.toHaveBeenCalled()
  })

  test.each([[7], [null], [{}], [{ chains: [] }], [{ chains: [], merchants: [{}] }]])(
    'createSandbox of %j',
    (options) => {
      expect(() => createSandbox(options as never)).toThrow(InvalidSandboxOptionsError) // untyped callers can pass this
    },
  )

  test('an origin of a different chain', async () => {
    await expect(
      startSandbox({ blockchain: 'eth', environment: 'prod', forkUrl: base.rpcUrl, bridge: false }),
    ).rejects.toThrow(/chain 84532, not 1/)
  })

  test('an origin that does not respond, without printing the key in its URL', async () => {
    for (const [forkUrl, thrownBy] of [
      ['http://127.0.0.1:1/secret', ForkOriginError],
      ['not an address', InvalidSandboxOptionsError],
    ] as const) {
      const error = await startSandbox({ forkUrl, bridge: false }).catch((thrown) => thrown)
      expect(error).toBeInstanceOf(thrownBy)
      expect(error.field).toBe('forkUrl')
      expect(error.message).not.toContain(forkUrl)
    }
  })

  test('a used port', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo // a TCP server's address has a port
    try {
      await expect(startSandbox({ port, bridge: false })).rejects.toMatchObject({
        name: 'InvalidSandboxOptionsError',
        field: 'port',
      })
    } finally {
      server.close()
    }
  })
})

describe('when the node fails', () => {
  /** Starts a proxy in front of the lent chain's node that returns 500 for matching requests. */
  let failing: RegExp | undefined
  let proxy: RpcProxy
  beforeAll(async () => {
    proxy = await startRpcProxy(base.rpcUrl)
    proxy.fate = (body) => (failing?.test(body) ? 500 : 'pass')
  })
  afterAll(() => proxy.close())

  const options = () => ({
    merchants: [{ merchantId: lender.merchantId, apiKey: 'key' }],
    chains: [{ ...lentChain(lender), rpcUrl: proxy.url }],
  })
  const request = (transactionData: TransactionData) => ({
    request: { merchantId: lender.merchantId, subtotal: { cents: 100 }, transactionData },
    key: lender.accounts.alice.account,
  })
  const toBob = (): TransactionData => ({ type: 'token', destination: lender.accounts.bob.address })

  test('before anything is sent, the service returns 503; then the same body succeeds', async () => {
    const errors: unknown[] = []
    const sandbox = createSandbox({ ...options(), onError: (...args) => errors.push(args) })
    const service = caller(sandbox.app)
    const body = await signedBody(service, request(toBob()))
    failing = /./
    const headers = customer(lender.accounts.alice.address)
    const down = await service.post(sendGaslessTxPath, body, headers)
    expect(down).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(JSON.stringify(down.body)).not.toContain('127.0.0.1')
    expect(errors).toContainEqual([expect.any(Error), { requestId: down.body.requestId }])
    failing = undefined
    expect((await service.post(sendGaslessTxPath, body, headers)).status).toBe(200)
    await sandbox.stop()
  })

  test('while broadcasting, the outcome is unknown; the transaction is journalled and mined once', async () => {
    const errors: unknown[] = []
    const sandbox = createSandbox({ ...options(), onError: (error) => errors.push(error) })
    const service = caller(sandbox.app)
    const headers = customer(lender.accounts.alice.address)
    const body = await signedBody(service, request(toBob()))
    failing = /eth_call|eth_estimateGas/
    expect(await service.post(sendGaslessTxPath, body, headers)).toMatchObject({ status: 503 })
    failing = /eth_sendRawTransaction/
    expect(await service.post(sendGaslessTxPath, body, headers)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    })
    const pending = await service.post(sendGaslessTxPath, body, headers)
    expect(pending).toMatchObject({ status: 200, body: { hash: expect.any(String) } })
    await expect(chain.client.getTransactionReceipt({ hash: pending.body.hash })).rejects.toThrow()
    failing = undefined
    await expect.poll(() => mined(pending.body.hash), { timeout: 20_000 }).toBe('success')
    await sandbox.stop()
    // Logged requests would contain a signature.
    expect(errors.length).toBeGreaterThanOrEqual(2)
    expect(inspect(errors, { depth: 20 })).not.toContain(body.signedMessages.permitCredits.slice(2))
  })

  const mined = async (hash: Hex) =>
    (await chain.client.getTransactionReceipt({ hash }).catch(() => undefined))?.status

  test('a redeem that reverts on chain after its simulation leaves the nonce unused, and the body succeeds later', async () => {
    const sandbox = createSandbox({ ...options(), gasFeePayer: 'merchant' })
    const service = caller(sandbox.app)
    const headers = customer(lender.accounts.alice.address)
    const target = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    const selector = toFunctionSelector('buy(address,uint256)')
    await lender.whitelist({ target, selector })
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [lender.accounts.alice.address, 1n],
    })
    const body = await signedBody(service, request({ transaction: { to: target, data } }))
    await chain.rpc('evm_setAutomine', [false])
    const sent = await service.post(sendGaslessTxPath, body, headers)
    expect(sent.status).toBe(200)
    // The redeem is pending, so sending it again returns the same hash.
    expect((await service.post(sendGaslessTxPath, body, headers)).body).toEqual(sent.body)
    // Removes the contract from the whitelist in the same block, before the redeem.
    const off = { target, selector, allowed: false }
    const whitelister = devAccount('whitelister').account.address
    await chain.rpc('anvil_impersonateAccount', [whitelister])
    await chain.rpc('eth_sendTransaction', [
      {
        from: whitelister,
        to: base.creditsContract,
        data: encodeFunctionData({
          abi: creditsAbi,
          functionName: 'setWhitelist',
          args: [lender.creditSeed, BigInt(base.chainId), off.target, off.selector, false, false, 0n],
        }),
        maxFeePerGas: '0xe8d4a51000',
        maxPriorityFeePerGas: '0x174876e800',
      },
    ])
    await chain.rpc('evm_mine', [])
    await chain.rpc('evm_setAutomine', [true])
    await expect.poll(() => mined(sent.body.hash), { timeout: 10_000 }).toBe('reverted')
    const refused = async () => (await service.post(sendGaslessTxPath, body, headers)).body.code
    await expect.poll(refused, { timeout: 10_000 }).toBe('NOT_WHITELISTED')
    await lender.whitelist({ target, selector })
    const again = await service.post(sendGaslessTxPath, body, headers)
    expect(again.status).toBe(200)
    expect(again.body.hash).not.toBe(sent.body.hash)
    await expect.poll(() => mined(again.body.hash), { timeout: 10_000 }).toBe('success')
    await sandbox.stop()
  })
})

describe('a chain that was reset', () => {
  let clockMs = 0
  const key = { authorization: 'key' }

  test.each([
    ['with no pending transaction', false],
    ['with a pending transaction', true],
  ])('%s: transactions that the chain lost are sent again, and new ones are mined', async (_, underWay) => {
    const sandbox = createSandbox({
      now: () => Date.now() + clockMs,
      merchants: [{ merchantId: lender.merchantId, apiKey: 'key' }],
      chains: [lentChain(lender)],
    })
    const service = caller(sandbox.app)
    const mint = async (cents: number): Promise<string> => {
      const order = { wallet: lender.accounts.bob.address, blockchain: 'base', amount: { cents } }
      return (await service.post('/api/merchant/credits/mint', order, key)).body.jobId
    }
    const isDone = async (jobId: string) =>
      (await service.get(`/api/merchant/credits/status/${jobId}`, key)).body.status
    const credits = () => readCredits(base, lender.creditSeed, lender.accounts.bob.address)
    const before = await credits()
    const snapshot = await chain.rpc('evm_snapshot', [])
    for (const jobId of [await mint(1), await mint(2)])
      await expect.poll(() => isDone(jobId), { timeout: 10_000 }).toBe('completed')
    const later: string[] = []
    if (underWay) {
      await chain.rpc('evm_setAutomine', [false])
      later.push(await mint(40))
      await expect.poll(() => chain.rpc('txpool_status', [])).toMatchObject({ pending: '0x1' })
      await chain.rpc('anvil_dropAllTransactions', [])
      await chain.rpc('evm_setAutomine', [true])
    }
    await chain.rpc('evm_revert', [snapshot])
    later.push(await mint(500), await mint(6_000))
    // Transactions that the node lost are sent again after a while.
    clockMs += 6_000
    for (const jobId of later) await expect.poll(() => isDone(jobId), { timeout: 10_000 }).toBe('completed')
    // Includes the redeems of 1 and 2 cents, which had been mined.
    await expect.poll(async () => ((await credits()) - before) / 10_000n).toBe(underWay ? 6_543n : 6_503n)
    await sandbox.stop()
  })
})

describe('startSandbox', () => {
  test('stores ports and key in the folder, readable by its owner only', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-ports-'))
    const options = { dataDir, blockchains: ['base', 'solana', 'stellar'], bridge: false } as const
    const places = ({ url, apiKey, chains, solana, stellar }: RunningSandbox) => ({
      url,
      apiKey,
      rpcUrls: [chains.base?.rpcUrl, solana?.rpcUrl, stellar?.rpcUrl],
    })
    const first = await startSandbox(options)
    await first.stop()
    const second = await startSandbox(options)
    expect(places(second)).toEqual(places(first))
    expect((await stat(join(dataDir, 'sandbox.json'))).mode & 0o777).toBe(0o600)
    await second.stop()
    const busy = createServer()
    await new Promise<void>((resolve) => busy.listen(Number(new URL(first.url).port), '127.0.0.1', resolve))
    await expect(startSandbox(options)).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      field: 'port',
    })
    busy.close()
    // The failed start has released the folder.
    const third = await startSandbox(options)
    expect(places(third)).toEqual(places(first))
    await third.stop()
    await writeFile(join(dataDir, 'sandbox.json'), '{"apiKey"')
    await expect(startSandbox(options)).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      field: 'dataDir',
    })
    await rm(dataDir, { recursive: true })
  })

  test('a folder without write permission is reported', async (context) => {
    context.skip(process.platform !== 'linux', 'only Linux has /sys, in which even root cannot write')
    await expect(startSandbox({ dataDir: '/sys/redeemkit/data' })).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      shortMessage: 'The folder /sys/redeemkit/data cannot be created.',
    })
  })

  test('opens the same folder again with the same chain, credits and hashes; a second process is refused', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-again-'))
    const options = { dataDir, bridge: false, gasFeePayer: 'merchant', apiKey: 'the same' } as const
    const first = await startSandbox(options)
    const { alice } = first.accounts
    const service = caller(overHttp(first.url))
    const body = await signedPayment(service, first)
    // The merchant pays for gas, so only the subtotal is charged.
    expect(body.creditsRawAmount).toBe(1_000_000)
    const sent = await service.post(sendGaslessTxPath, body, customer(alice.address))
    expect(sent.status).toBe(200)
    const refused = startSandbox({ ...options, apiKey: 'another' })
    await expect(refused).rejects.toMatchObject({ name: 'FolderInUseError' })
    expect(JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')).apiKey).toBe('the same')
    await first.stop()

    const second = await startSandbox(options)
    const other = caller(overHttp(second.url))
    expect(second.chains.base?.creditsContract).toBe(first.chains.base?.creditsContract)
    expect((await other.post(sendGaslessTxPath, body, customer(alice.address))).body).toEqual(sent.body)
    const balances = await other.get(`/api/customer/balances/${second.merchantId}`, customer(alice.address))
    expect(balances.body).toEqual({ credits: { cents: 99_900 }, usdc: { cents: 100_000 } })
    await second.stop()
    await rm(dataDir, { recursive: true })
  })

  test('with a block time, returns the hash before the block', async () => {
    const sandbox = await startSandbox({ blockchain: 'polygon', bridge: false, blockTimeSeconds: 1, port: 0 })
    const { alice, bob } = sandbox.accounts
    const service = caller(sandbox.app)
    const headers = customer(alice.address, 'polygon')
    const body = await signedBody(service, {
      request: {
        merchantId: sandbox.merchantId,
        subtotal: { cents: 100, currency: 'USD' },
        transactionData: { type: 'token', destination: bob.address, waitForHash: true },
      },
      key: alice.account,
      blockchain: 'polygon',
    })
    const { body: answer } = await service.post(sendGaslessTxPath, body, headers)
    const client = anvil(sandbox.chains.polygon?.rpcUrl ?? '').client
    expect((await waitForReceipt(client, answer.hash)).status).toBe('success')
    await sandbox.stop()
  })

  test('signs customers in on Solana and Stellar too', async () => {
    const service = caller(lender.app)
    const solana = await service.get(
      '/api/auth',
      customer('7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', 'solana'),
    )
    expect(solana).toMatchObject({ status: 200, body: { transaction: expect.any(String) } })
    const stellar = await service.get(
      '/api/auth',
      customer('GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5', 'stellar'),
    )
    expect(stellar).toMatchObject({ status: 200, body: { message: expect.any(String) } })
  })
})
