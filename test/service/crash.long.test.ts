import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bridgeAdapterAbi } from '../../contracts/generated/BridgeAdapter.ts'
import { decentMerchantAbi, decentMerchantBytecode } from '../../contracts/generated/merchants.ts'
import type { SendGaslessTxBody, TransactionData } from '../../src/redeemkit/schema/index.ts'
import {
  devAccount,
  type RunningSandbox,
  type SandboxChain,
  startSandbox,
  testCards,
} from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import type { Reference } from '../../src/sandbox/store/columns.ts'
import { openStore } from '../../src/sandbox/store/openStore.ts'
import * as tables from '../../src/sandbox/store/tables/index.ts'
import { type DatabaseOptions, onEachDatabase } from '../postgres/onEachDatabase.ts'
import { bundleProcess } from './bundleProcess.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  overHttp,
  readCredits,
  readUsdc,
  redeemedEvents,
  sendGaslessTxPath,
  signedBody,
  signedPayment,
} from './sandboxClient.ts'

/** Provides the chains. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
let base: SandboxChain
let arbitrum: SandboxChain
let chain: ReturnType<typeof anvil>
let far: ReturnType<typeof anvil>
let folder: string
/** The database of this test. */
let rows: DatabaseOptions
const childFile = fileURLToPath(
  new URL(`../../node_modules/.cache/redeemkit/crashChild-${process.pid}.mjs`, import.meta.url),
)

beforeAll(async () => {
  await bundleProcess(new URL('crashChild.ts', import.meta.url), childFile)
  spare = spawnChild()
  lender = await startSandbox()
  ;({ base, arbitrum } = lender.chains as Required<typeof lender.chains>) // the sandbox starts both by default
  chain = anvil(base.rpcUrl)
  far = anvil(arbitrum.rpcUrl)
})
afterAll(async () => {
  if (spare !== undefined) await kill(spare)
  await lender?.stop()
  await rm(childFile, { force: true })
})

const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-crash-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  // A killed sandbox's chains still write their state completely.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Loads all modules and waits for its task. This is the next process, started while the previous one still runs. */
let spare: ReturnType<typeof spawnChild> | undefined
const spawnChild = () => spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] })

type Started = { url: string; service: Caller; gone: Promise<string | null>; child: ChildProcess }

/** Starts a service process on the lent chains and this test's database. */
async function start(options: { crashAt?: string; crashOn?: Reference['kind']; whole?: boolean } = {}) {
  const operatorKey = devAccount('operator').privateKey
  const settings = options.whole
    ? { ...rows, dataDir: folder, merchantId: lender.merchantId, apiKey: 'the key', ...options }
    : {
        ...rows,
        merchants: [{ merchantId: lender.merchantId, apiKey: 'the key', settings: withoutProtection }],
        chains: [
          {
            ...lentChain(lender),
            destinations: [
              {
                chainId: arbitrum.chainId,
                rpcUrl: arbitrum.rpcUrl,
                bridgeAdapter: arbitrum.bridgeAdapter,
                operatorKey,
              },
            ],
          },
        ],
        ...options,
      }
  const child = spare ?? spawnChild()
  spare = spawnChild()
  children.push(child)
  child.stdin.write(`${JSON.stringify(settings)}\n`)
  const gone = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [first, rest] = text.split('\n')
      if (first !== undefined && rest !== undefined) resolve(first)
    })
    gone.then((signal) => reject(new Error(`The service exited before it was listening: ${signal}`)))
  })
  const said = JSON.parse(line)
  const started: Started = { url: said.url, service: caller(overHttp(said.url)), gone, child }
  return { ...started, said }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

const redeemsOf = ({ nonce }: SendGaslessTxBody, on: Parameters<typeof redeemedEvents>[0] = base) =>
  redeemedEvents(on, [nonce])
/** Returns the credits that a redeem charged, including its gas fee. */
function chargedBy(event: Awaited<ReturnType<typeof redeemsOf>>[number] | undefined): bigint {
  const { amounts = 0n, refundedAndGasFee = 0n } = event?.args ?? {}
  const low = (word: bigint) => word & (2n ** 128n - 1n)
  return (amounts >> 128n) - low(amounts) + low(refundedAndGasFee)
}

const creditsOf = (wallet: Hex) => readCredits(base, lender.creditSeed, wallet)

async function aliceSigns(service: Caller, transactionData: TransactionData): Promise<SendGaslessTxBody> {
  const { alice } = lender.accounts
  return signedBody(service, {
    request: { merchantId: lender.merchantId, subtotal: { cents: 700 }, transactionData },
    key: alice.account,
  })
}
const toBob = (): TransactionData => ({ type: 'token', destination: lender.accounts.bob.address })
const submit = (service: Caller, body: SendGaslessTxBody) =>
  service.post(sendGaslessTxPath, body, customer(lender.accounts.alice.address))

/** Expects exactly one redeem, charged once, and that sending it again returns its hash. */
async function expectOnce(service: Caller, body: SendGaslessTxBody, before: bigint) {
  await expect.poll(() => redeemsOf(body), { timeout: 20_000 }).toHaveLength(1)
  const again = await submit(service, body)
  expect(again.status).toBe(200)
  const [event, ...others] = await redeemsOf(body)
  expect(others).toEqual([])
  expect(again.body).toEqual({ hash: event?.transactionHash })
  expect(before - (await creditsOf(lender.accounts.alice.address))).toBe(chargedBy(event))
}

/** Kills the service before its redeem is mined. The redeem must be mined once, even if the node has lost it. */
async function killedWhenBroadcast({ forgotten }: { forgotten: boolean }): Promise<void> {
  const before = await creditsOf(lender.accounts.alice.address)
  const first = await start({ crashAt: 'broadcast' })
  const body = await aliceSigns(first.service, toBob())
  await chain.rpc('evm_setAutomine', [false])
  try {
    await expect(submit(first.service, body)).rejects.toThrow()
    expect(await first.gone).toBe('SIGKILL')
    expect(await redeemsOf(body)).toEqual([])
    if (forgotten) await chain.rpc('anvil_dropAllTransactions', [])
  } finally {
    await chain.rpc('evm_setAutomine', [true])
  }
  const { service } = await start()
  if (!forgotten) await chain.rpc('evm_mine', [])
  await expectOnce(service, body, before)
}

/** Kills the service while it pays out a merchant's own money. The money must be paid once. */
async function killedWithWithdrawal(crashAt: string): Promise<void> {
  const key = { authorization: 'the key' }
  const user = { 'x-svc-auth-user-id': 'buyer', ...customer(lender.accounts.alice.address) }
  const first = await start({ crashAt, crashOn: 'withdrawal' })
  const session = await first.service.get('/api/auth/session-key', { ...key, ...user })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const { body: tokenized } = await first.service.post('/api/tokenize', card, key)
  const bought = await first.service.post(
    `/api/checkout/card/${lender.merchantId}`,
    { subtotal: { cents: 500, currency: 'USD' }, card: { cardToken: tokenized.token } },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
  expect(bought.body.status).toBe('settled')
  const destination = privateKeyToAccount(generatePrivateKey()).address
  const path = '/api/seller/usdc-withdraw'
  const withdrawal = { destination, amount: { cents: 500 }, idempotencyKey: 'payday' }
  // The process is killed, so the response never arrives.
  await first.service.post(path, withdrawal, key).catch(() => {})
  expect(await first.gone).toBe('SIGKILL')
  const { service } = await start()
  const answers = await Promise.all([1, 2, 3].map(() => service.post(path, withdrawal, key)))
  const hashes = new Set(answers.map(({ body }) => body.transaction))
  expect([...hashes]).toEqual([expect.stringMatching(/^0x/)])
  const paid = () => readUsdc(base, destination)
  await expect.poll(paid, { timeout: 20_000 }).toBe(5_000_000n)
  const { idempotencyKey: _, ...another } = withdrawal
  expect((await service.post(path, another, key)).body.details).toEqual({ availableCents: 0 })
  expect(await paid()).toBe(5_000_000n)
}

async function killedWithBridgeMessage(crashAt: string): Promise<void> {
  const to = await far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
  await lender.whitelist({ target: to, chainId: arbitrum.chainId })
  const orders = () =>
    far.client.readContract({ address: to, abi: decentMerchantAbi, functionName: 'orders' })
  const first = await start({ crashAt, crashOn: 'bridge' })
  const isGone = first.gone.then((signal) => signal === 'SIGKILL')
  let before: bigint
  let body: Awaited<ReturnType<typeof aliceSigns>>
  let carried = 0n
  // The lending service also delivers messages of redeems that third parties relay. If it delivered first, the test
  // continues with the next redeem.
  for (;;) {
    before = await creditsOf(lender.accounts.alice.address)
    body = await aliceSigns(first.service, {
      type: 'decent',
      dstChainId: arbitrum.chainId,
      dstToken: arbitrum.usdc,
      contractAddress: to,
      contractData: encodeFunctionData({
        abi: decentMerchantAbi,
        functionName: 'buy',
        args: [lender.accounts.alice.address, 7_000_000n],
      }),
      cost: { isNative: false, amount: '7000000' },
    })
    // The response may or may not arrive before the relayer's next step.
    await submit(first.service, body).catch(() => {})
    const isCarried = expect
      .poll(orders, { timeout: 20_000 })
      .toBe(carried + 1n)
      .then(() => false)
    isCarried.catch(() => {})
    if (await Promise.race([isGone, isCarried])) break
    // Both processes may have started to deliver the message.
    const later = new Promise<boolean>((resolve) => setTimeout(resolve, 2_000, false))
    if (await Promise.race([isGone, later])) break
    carried += 1n
  }
  const { service } = await start()
  const executions = async () =>
    (
      await far.client.getContractEvents({
        address: arbitrum.bridgeAdapter,
        abi: bridgeAdapterAbi,
        eventName: 'BridgeExecuted',
        args: { customer: lender.accounts.alice.address },
        fromBlock: 0n,
      })
    ).length
  await expect.poll(orders, { timeout: 20_000 }).toBe(carried + 1n)
  await expectOnce(service, body, before)
  expect(await orders()).toBe(carried + 1n)
  expect(await executions()).toBeGreaterThan(0)
}

async function killedWithMint(crashAt: string): Promise<void> {
  const wallet = privateKeyToAccount(generatePrivateKey()).address
  const first = await start({ crashAt, crashOn: 'mint' })
  const mint = { wallet, blockchain: 'base', amount: { cents: 123 }, idempotencyKey: 'once' }
  const key = { authorization: 'the key' }
  await first.service.post('/api/merchant/credits/mint', mint, key).catch(() => {})
  expect(await first.gone).toBe('SIGKILL')
  const { service } = await start()
  const { body } = await service.post('/api/merchant/credits/mint', mint, key)
  const status = async () =>
    (await service.get(`/api/merchant/credits/status/${body.jobId}`, key)).body.status
  await expect.poll(status, { timeout: 20_000 }).toBe('completed')
  expect(await creditsOf(wallet)).toBe(1_230_000n)
}

/** Submits concurrent redeems of several customers. The first is sent alone; those that arrive in the meantime are sent together. */
async function killedWithBatch(crashAt: string): Promise<void> {
  const accounts = Object.values(lender.accounts)
  const first = await start({ crashAt, crashOn: 'batch' })
  const bodies = await Promise.all(
    accounts.map(({ account }) => signedPayment(first.service, lender, { cents: 700, key: account })),
  )
  const submitAll = (service: Caller) =>
    Promise.all(
      accounts.map(({ address }, index) =>
        service.post(sendGaslessTxPath, bodies[index], customer(address)).catch(() => undefined),
      ),
    )
  await submitAll(first.service)
  expect(await first.gone).toBe('SIGKILL')
  const { service } = await start()
  const answers = await submitAll(service)
  for (const [index, body] of bodies.entries()) {
    await expect.poll(() => redeemsOf(body), { timeout: 20_000 }).toHaveLength(1)
    const [event] = await redeemsOf(body)
    expect(answers[index]).toMatchObject({ status: 200, body: { hash: event?.transactionHash } })
  }
}

/** Returns signed redeems of several wallets, five cents each. */
async function signMany(service: Caller, count: number): Promise<Signed[]> {
  const wallets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const wallet = privateKeyToAccount(generatePrivateKey())
      await lender.mintCredits({ wallet: wallet.address, cents: count * 10 })
      return wallet
    }),
  )
  const bodies: Signed[] = []
  for (let at = 0; at < count; at += wallets.length)
    bodies.push(
      ...(await Promise.all(
        wallets.slice(0, count - at).map(async (key) => ({
          wallet: key.address,
          body: await signedPayment(service, lender, { cents: 5, key }),
        })),
      )),
    )
  return bodies
}

type Signed = { wallet: Hex; body: SendGaslessTxBody }

/**
 * Sends eight redeems at a time, each to one of the services until it responds. After every `every` responses, kills
 * and replaces one service.
 *
 * @returns the hash that was returned for each redeem
 */
async function sendUnderKills(services: Started[], signed: readonly Signed[], every: number): Promise<Hex[]> {
  const hashes: Hex[] = []
  let answered = 0
  let restarts = Promise.resolve()
  const restart = async (at: number) => {
    const old = services[at]
    if (old !== undefined) await kill(old.child)
    services[at] = await start()
  }
  const waiting = signed.entries()
  const sendThem = async () => {
    for (const [at, { wallet, body }] of waiting)
      for (;;) {
        const service = services[Math.floor(Math.random() * services.length)]?.service
        const answer = await service
          ?.post(sendGaslessTxPath, body, customer(wallet))
          // The service was down or was killed during the request.
          .catch(() => undefined)
        if (answer?.status === 200) {
          hashes[at] = answer.body.hash
          answered++
          const kills = answered / every
          if (Number.isInteger(kills) && answered < signed.length)
            restarts = restarts.then(() => restart(kills % services.length))
          break
        }
        if (answer !== undefined) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
  }
  await Promise.all(Array.from({ length: 8 }, sendThem))
  await restarts
  return hashes
}

/** Expects each redeem on chain once, with the returned hash, and the same hash in the journal. */
async function expectAllOnce(
  services: readonly Started[],
  signed: readonly Signed[],
  hashes: readonly Hex[],
) {
  const own = new Map(signed.map(({ body: { nonce } }, at) => [nonce, hashes[at]]))
  const included = async () => {
    const events = await redeemedEvents(base)
    return events.filter(({ args }) => own.has(args.nonce))
  }
  await expect.poll(async () => (await included()).length, { timeout: 60_000 }).toBe(signed.length)
  for (const { args, transactionHash } of await included()) expect(transactionHash).toBe(own.get(args.nonce))
  // Another process closes the entries that a killed process left open: in its first pass after two seconds. A pass runs every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  for (const { child } of services) await kill(child)
  const store = await openStore(rows)
  const journalled = await store.database.select().from(tables.redeems)
  expect(journalled.map(({ nonce, hash, status }) => [nonce, hash, status]).sort()).toEqual(
    [...own].map(([nonce, hash]) => [nonce, hash, 'redeemed']).sort(),
  )
  const sent = await store.database.select().from(tables.transactions)
  const mined = sent.filter(({ status }) => status === 'mined').map(({ hash }) => hash)
  // Redeems that arrived together are in one transaction.
  expect(mined.sort()).toEqual([...new Set(hashes)].sort())
  expect(sent.filter(({ status }) => status !== 'mined' && status !== 'dropped')).toEqual([])
  await store.close()
}

async function survivesKills(count: number, kills: number, processes = 1): Promise<void> {
  const services = await Promise.all(Array.from({ length: processes }, () => start()))
  const signed = await signMany(services[0]?.service ?? lost(), count)
  const hashes = await sendUnderKills(services, signed, Math.floor(count / (kills + 1)))
  await expectAllOnce(services, signed, hashes)
}

function lost(): never {
  throw new Error('No service was started.')
}

function mostDifferent(): void {
  test('between journal and broadcast: sent once after the restart', async () => {
    const before = await creditsOf(lender.accounts.alice.address)
    const first = await start({ crashAt: 'journalled' })
    const body = await aliceSigns(first.service, toBob())
    await expect(submit(first.service, body)).rejects.toThrow()
    expect(await first.gone).toBe('SIGKILL')
    expect(await redeemsOf(body)).toEqual([])
    const { service } = await start()
    await expectOnce(service, body, before)
  })

  test('between broadcast and receipt, with the transaction lost by the node: mined once', () =>
    killedWhenBroadcast({ forgotten: true }))

  test('40 redeems and a kill: each is executed once, and the journal agrees', () => survivesKills(40, 1))
}

function otherWork(): void {
  test('bridge message, killed when journalled: executed once', () => killedWithBridgeMessage('journalled'))

  test('mint, killed when broadcast: minted once', () => killedWithMint('broadcast'))

  test('withdrawal, killed when journalled: paid once', () => killedWithWithdrawal('journalled'))
}

function together(): void {
  test('1,000 redeems while 30 processes are killed: each is executed once', () =>
    survivesKills(1_000, 30, 2))

  test('the same redeem sent a hundred times to both is executed once', async () => {
    const services = await Promise.all([start(), start()])
    const signed = await signMany(services[0].service, 5)
    const hashes = await Promise.all(
      signed.map(async ({ wallet, body }) => {
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, at) =>
            services[at % 2]?.service.post(sendGaslessTxPath, body, customer(wallet)),
          ),
        )
        expect(new Set(answers.map((answer) => answer?.body.hash))).toEqual(new Set([answers[0]?.body.hash]))
        return answers[0]?.body.hash
      }),
    )
    await expectAllOnce(services, signed, hashes)
  })

  test('a transaction journalled by a killed process is sent by the other', async () => {
    const [first, second] = [await start({ crashAt: 'journalled' }), await start()]
    const before = await creditsOf(lender.accounts.alice.address)
    const body = await aliceSigns(first.service, toBob())
    await expect(submit(first.service, body)).rejects.toThrow()
    expect(await first.gone).toBe('SIGKILL')
    await expectOnce(second.service, body, before)
  })
}

function variations(): void {
  test('between broadcast and receipt, with the transaction still at the node: mined once', () =>
    killedWhenBroadcast({ forgotten: false }))

  test('1,000 redeems and 30 kills: each is executed once, and the journal agrees', () =>
    survivesKills(1_000, 30))

  test('between journal and broadcast: the customer submits again before the restarted service has sent it', async () => {
    const before = await creditsOf(lender.accounts.alice.address)
    const first = await start({ crashAt: 'journalled' })
    const body = await aliceSigns(first.service, toBob())
    await expect(submit(first.service, body)).rejects.toThrow()
    await first.gone
    const { service } = await start()
    const answers = await Promise.all([submit(service, body), submit(service, body), submit(service, body)])
    expect(new Set(answers.map(({ body: { hash } }) => hash)).size).toBe(1)
    await expectOnce(service, body, before)
  })

  test('killed again during the restart: still executed once', async () => {
    const before = await creditsOf(lender.accounts.alice.address)
    const first = await start({ crashAt: 'journalled' })
    const body = await aliceSigns(first.service, toBob())
    await expect(submit(first.service, body)).rejects.toThrow()
    await first.gone
    const second = await start({ crashAt: 'broadcast' }).catch(() => undefined)
    await second?.gone
    const { service } = await start()
    await expectOnce(service, body, before)
  })

  test.each(['journalled', 'broadcast'])('a batch, killed when %s: each of its redeems once', killedWithBatch)

  test('bridge message, killed when broadcast: executed once', () => killedWithBridgeMessage('broadcast'))

  test('mint, killed when journalled: minted once', () => killedWithMint('journalled'))

  test('withdrawal, killed when broadcast: paid once', () => killedWithWithdrawal('broadcast'))

  test('the whole sandbox with its chains is restored from its folder', async () => {
    const first = await start({ whole: true, crashAt: 'journalled', crashOn: 'redeem' })
    const alice = privateKeyToAccount(first.said.key)
    const body = await signedPayment(first.service, lender, { cents: 700, key: alice })
    await expect(first.service.post(sendGaslessTxPath, body, customer(alice.address))).rejects.toThrow()
    expect(await first.gone).toBe('SIGKILL')
    const second = await start({ whole: true })
    const { rpcUrl, creditsContract } = second.said.chains.base
    await expect.poll(() => redeemsOf(body, { rpcUrl, creditsContract }), { timeout: 20_000 }).toHaveLength(1)
    const again = await second.service.post(sendGaslessTxPath, body, customer(alice.address))
    const [event] = await redeemsOf(body, { rpcUrl, creditsContract })
    expect(again).toMatchObject({ status: 200, body: { hash: event?.transactionHash } })
    const balances = await second.service.get(
      `/api/customer/balances/${lender.merchantId}`,
      customer(alice.address),
    )
    expect(BigInt(balances.body.credits.cents)).toBe((1_000_000_000n - chargedBy(event)) / 10_000n)
  })
}

onEachDatabase((database) => {
  beforeEach(async () => {
    rows = await database.create(folder)
  })
  describe('killed and started again', () => {
    mostDifferent()
    variations()
  })
  describe('killed with other work', otherWork)
  if (database.name === 'PostgreSQL') describe('two processes at the same time', together)
})
