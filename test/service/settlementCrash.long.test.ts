import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { erc20Abi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSandboxStellar } from '../../src/sandbox/chains/stellar/startSandboxStellar.ts'
import { startTempoChain } from '../../src/sandbox/chains/tempo/startTempoChain.ts'
import { testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { type DatabaseOptions, onEachDatabase } from '../postgres/onEachDatabase.ts'
import { bundleProcess } from './bundleProcess.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import { type Caller, caller, overHttp } from './sandboxClient.ts'

const key = { authorization: 'sk_test_shop' }
const jwtSecret = 'the secret of the shop, 32 characters'
const merchants = [{ merchantId: 'shop', apiKey: 'sk_test_shop', jwtSecret, settings: withoutProtection }]
const kills = 10
const childFile = fileURLToPath(
  new URL(`../../node_modules/.cache/redeemkit/settlementCrash-${process.pid}.mjs`, import.meta.url),
)

/** A chain on which payments settle, with functions that create and read a payment. */
type Target = {
  nodeUrl: string
  /** Options of the service, whose node is the proxy. */
  options: (rpcUrl: string) => object
  headers: Record<string, string>
  /** RPC methods that send a transaction and look it up. */
  sends: string
  looksFor: string
  /** The body of one payment, and a function that reads its receiver's balance. */
  purchase: () => Promise<{ carried: object; received: () => Promise<bigint> }>
  amount: bigint
  /** The total that payments have paid. */
  paid: () => Promise<bigint>
  stop: () => Promise<void>
}

async function tempo(): Promise<Target> {
  const chain = await startTempoChain({ creditSeed: 'shop' })
  const { transport: _, nativePriceCents, ...service } = chain.service
  const balanceOf = (wallet: `0x${string}`) =>
    chain.client.readContract({
      address: chain.token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [wallet],
    })
  const receivers: `0x${string}`[] = []
  return {
    nodeUrl: chain.url,
    options: (rpcUrl) => ({ chains: [{ ...service, rpcUrl, nativePriceCents: String(nativePriceCents) }] }),
    headers: {
      'x-svc-auth-wallet': privateKeyToAccount(generatePrivateKey()).address,
      'x-svc-auth-blockchain': 'tempo',
    },
    sends: 'eth_sendRawTransaction',
    looksFor: 'eth_getTransactionReceipt',
    purchase: async () => {
      const destination = privateKeyToAccount(generatePrivateKey()).address
      receivers.push(destination)
      return {
        carried: { transactionData: { type: 'token', destination } },
        received: () => balanceOf(destination),
      }
    },
    amount: 10_000_000n,
    paid: async () => (await Promise.all(receivers.map(balanceOf))).reduce((sum, one) => sum + one, 0n),
    stop: chain.stop,
  }
}

async function stellar(): Promise<Target> {
  const chain = await startSandboxStellar({ names: ['alice', 'bob'] })
  const { alice, bob } = chain.stellar.accounts
  const usdcOf = (address: string) => chain.stellar.balanceOf(address).usdc ?? 0n
  const had = usdcOf(chain.stellar.operator)
  return {
    nodeUrl: chain.service.rpcUrl,
    options: (rpcUrl) => ({ chains: [], stellar: { ...chain.service, rpcUrl } }),
    headers: { 'x-svc-auth-wallet': alice.address, 'x-svc-auth-blockchain': 'stellar' },
    sends: 'sendTransaction',
    looksFor: 'getTransaction',
    purchase: async () => {
      const before = usdcOf(bob.address)
      const destinationAuthKey = await new SignJWT({ address: bob.address })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(jwtSecret))
      return { carried: { destinationAuthKey }, received: async () => usdcOf(bob.address) - before }
    },
    amount: 100_000_000n,
    paid: async () => had - usdcOf(chain.stellar.operator),
    stop: chain.stop,
  }
}

let folder: string
const children: ChildProcess[] = []

beforeAll(() => bundleProcess(new URL('crashChild.ts', import.meta.url), childFile))
afterAll(() => rm(childFile, { force: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-settlement-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

type Started = { service: Caller; child: ChildProcess; gone: Promise<unknown[]> }

async function start(options: object): Promise<Started> {
  const child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const gone = once(child, 'exit')
  child.stdin.write(`${JSON.stringify(options)}\n`)
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    gone.then(() => Promise.reject(new Error('The service exited before it was listening.'))),
  ])
  return { service: caller(overHttp(JSON.parse(line).url)), child, gone }
}

async function checkout(service: Caller, { headers }: Target, carried: object): Promise<string> {
  const user = { 'x-svc-auth-user-id': 'alice', ...headers }
  const session = await service.get('/api/auth/session-key', { ...key, ...user })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const cardToken = (await service.post('/api/tokenize', card, key)).body.token
  const bought = await service.post(
    '/api/checkout/card/shop',
    { subtotal: { cents: 1000 }, card: { cardToken }, ...carried },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
  expect(bought).toMatchObject({ status: 200 })
  return bought.body.paymentId
}

/**
 * Kills alternate between three moments: before a transaction is sent, after it was sent but before the response, and during its lookup.
 */
function killAtNextStep(proxy: RpcProxy, { sends, looksFor }: Target, child: ChildProcess, at: number): void {
  let isSent = false
  proxy.fate = (body) => {
    const isSending = body.includes(`"${sends}`)
    const isLooking = isSent && body.includes(`"${looksFor}`)
    if (isSending && at % 3 === 2) isSent = true
    else if (isSending || isLooking) {
      child.kill('SIGKILL')
      return isSending && at % 3 === 1 ? 'lost' : 'cut'
    }
    return 'pass'
  }
}

async function settlesOnce(target: Target, rows: DatabaseOptions): Promise<void> {
  const proxy = await startRpcProxy(target.nodeUrl)
  const options = { ...rows, merchants, ...target.options(proxy.url) }
  try {
    const before = await target.paid()
    let running = await start(options)
    for (let at = 0; at < kills; at++) {
      const { carried, received } = await target.purchase()
      killAtNextStep(proxy, target, running.child, at)
      const paymentId = await checkout(running.service, target, carried)
      expect(await running.gone).toEqual([null, 'SIGKILL'])
      proxy.fate = () => 'pass'
      running = await start(options)
      const { service } = running
      const payment = async () => (await service.get(`/api/merchant/payments/${paymentId}`, key)).body
      await expect.poll(async () => (await payment()).status, { timeout: 60_000 }).toBe('settled')
      expect(await payment()).toMatchObject({ hash: expect.stringMatching(/./) })
      expect(await received()).toBe(target.amount)
    }
    expect((await target.paid()) - before).toBe(BigInt(kills) * target.amount)
  } finally {
    await proxy.close()
  }
}

onEachDatabase((database) => {
  describe.each([
    ['Tempo', tempo],
    ['Stellar', stellar],
  ])('payments on %s', (_, startTarget) => {
    let target: Target
    beforeAll(async () => {
      target = await startTarget()
    })
    afterAll(() => target?.stop())

    test(`each of ${kills}, with a kill between its steps, settles once`, async () => {
      await settlesOnce(target, await database.create(folder))
    })
  })
})
