import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Keypair } from '@stellar/stellar-sdk'
import { eq, inArray } from 'drizzle-orm'
import { custom, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUsdcTransfer } from '../../src/redeemkit/solana/index.ts'
import { signTransaction } from '../../src/redeemkit/stellar/index.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'
import {
  createSandbox,
  devAccount,
  openStore,
  type RunningSandbox,
  type Sandbox,
  startSandbox,
} from '../../src/sandbox/index.ts'
import { toStore } from '../../src/sandbox/store/openStore.ts'
import { authChallenges, redeems, transactions } from '../../src/sandbox/store/tables/index.ts'
import { onPostgres } from '../postgres/onEachDatabase.ts'
import { bundleProcess } from './bundleProcess.ts'
import {
  type Answer,
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  overHttp,
  redeemHashes,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/* Two services on one PostgreSQL, the second in another process. They share only the database and the chains. */

/** Provides the chains. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
let solana: startSolana.ReturnType
let stellar: startStellar.ReturnType
const stellarSponsors = Array.from({ length: 6 }, () => Keypair.random())
const childFile = fileURLToPath(
  new URL(`../../node_modules/.cache/redeemkit/sharedDatabase-${process.pid}.mjs`, import.meta.url),
)

beforeAll(async () => {
  ;[lender, solana, stellar] = await Promise.all([
    startSandbox({ bridge: false }),
    startSolana(),
    startStellar({ applyAfterMs: 0 }),
    bundleProcess(new URL('crashChild.ts', import.meta.url), childFile),
  ])
  for (const sponsor of stellarSponsors) stellar.fund({ address: sponsor.publicKey(), xlm: 10_000_000_000n })
})
afterAll(async () => {
  await Promise.all([lender?.stop(), solana?.stop(), stellar?.stop(), rm(childFile, { force: true })])
})

const base = () => (lender.chains as Required<typeof lender.chains>).base // the sandbox starts it by default

onPostgres(({ create }) => {
  let options: createSandbox.Options
  let sandbox: Sandbox
  let child: ChildProcess
  let first: Caller
  let second: Caller
  beforeAll(async () => {
    options = {
      ...(await create()),
      merchants: [{ merchantId: lender.merchantId, apiKey: 'the key' }],
      // Both services name it in their sign-in texts.
      publicUrl: 'http://localhost',
      chains: [{ ...lentChain(lender), whitelisterKey: devAccount('whitelister').privateKey }],
      solana: {
        rpcUrl: solana.rpcUrl,
        sponsorKey: solana.createTestAccount({ sol: 1_000_000_000_000n }).secretKey,
      },
      stellar: { rpcUrl: stellar.rpcUrl, sponsorKeys: stellarSponsors.map((pair) => pair.secret()) },
    }
    sandbox = createSandbox(options)
    first = caller(sandbox.app)
    child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] })
    const line = once(createInterface({ input: child.stdout as Readable }), 'line') // The child's output is a pipe, as configured above.
    const sponsorKey = [...(options.solana?.sponsorKey ?? [])]
    child.stdin?.write(`${JSON.stringify({ ...options, solana: { ...options.solana, sponsorKey } })}\n`)
    second = caller(overHttp(JSON.parse((await line)[0]).url))
  })
  afterAll(async () => {
    child?.kill('SIGKILL')
    await sandbox?.stop()
  })

  const on = (index: number) => (index % 2 === 0 ? first : second)
  async function read<row>(query: (database: ReturnType<typeof toStore>['database']) => Promise<row>) {
    const store = await openStore({ databaseUrl: options.databaseUrl })
    try {
      return await query(toStore(store).database)
    } finally {
      await store.close()
    }
  }

  test('one service waits for a transaction that the other closes: the wait ends', async () => {
    const chain = anvil(base().rpcUrl)
    // This proxy reports no transaction as mined.
    const transport = custom({
      request: async ({ method, params }) =>
        method === 'eth_getTransactionReceipt' ? null : chain.rpc(method, params),
    })
    const chains = options.chains.map((chain) => ({ ...chain, transport }))
    const waiting = createSandbox({ ...options, chains })
    await chain.rpc('evm_setAutomine', [false])
    const set = waiting.whitelist({ target: lender.accounts.bob.address, allowed: false })
    const journal = () => read((database) => database.select().from(transactions))
    await expect.poll(journal, { timeout: 10_000 }).toMatchObject([{ status: 'broadcast' }])
    await new Promise((resolve) => setTimeout(resolve, 300))
    await chain.rpc('evm_setAutomine', [true])
    await chain.rpc('evm_mine', [])
    await set
    await waiting.stop()
    expect(await journal()).toMatchObject([{ reference: { kind: 'whitelist' }, status: 'mined' }])
  })

  test('a sign-in message of one service can be verified at the other, and is used up at both', async () => {
    const person = privateKeyToAccount(generatePrivateKey())
    const wallet = customer(person.address)
    const verify = async (service: Caller, signed: string) =>
      (await service.get('/api/auth/verify', { ...wallet, 'x-svc-auth-signed-message': signed })).status
    const { message } = (await first.get('/api/auth', wallet)).body
    const signed = await person.signMessage({ message })
    expect(await Promise.all([verify(second, signed), verify(first, signed)])).toEqual([200, 200])
    // The same signature with its other `s`: a second signature of a message that is already used.
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${signed.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const other = `${signed.slice(0, 66)}${s}${signed.endsWith('1b') ? '1c' : '1b'}`
    expect(await Promise.all([verify(first, other), verify(second, other)])).toEqual([401, 401])
  })

  test('the limit of sign-in messages per wallet holds across both', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const wallet = customer(address)
    await Promise.all(Array.from({ length: 60 }, (_, at) => on(at).get('/api/auth', wallet)))
    const ofWallet = eq(authChallenges.wallet, address)
    expect(await read((database) => database.select().from(authChallenges).where(ofWallet))).toHaveLength(8)
  })

  /** Returns a new wallet with credits, and signed redeems of it. */
  async function wallet(service: Caller, options: { cents: number; redeems: number }) {
    const account = privateKeyToAccount(generatePrivateKey())
    await lender.mintCredits({ wallet: account.address, cents: options.cents })
    const bodies = await Promise.all(
      Array.from({ length: options.redeems }, () =>
        signedPayment(service, lender, { cents: 700, key: account }),
      ),
    )
    const submit = (on: Caller, body: object | undefined) =>
      on.post(sendGaslessTxPath, body, customer(account.address))
    return { account, bodies, submit }
  }
  const redeemsOf = (nonces: readonly Hex[]) => redeemHashes(base(), nonces)

  test('credits for one of two redeems: one is sent and the other is rejected, regardless of the service that receives them', async () => {
    const wallets = await Promise.all(
      Array.from({ length: 12 }, () => wallet(first, { cents: 1_000, redeems: 2 })),
    )
    const answers = await Promise.all(
      wallets.flatMap(({ bodies, submit }) => [submit(first, bodies[0]), submit(second, bodies[1])]),
    )
    for (const [at, { bodies }] of wallets.entries()) {
      const ofWallet = answers.slice(2 * at, 2 * at + 2)
      expect(ofWallet.map(({ status }) => status).sort()).toEqual([200, 412])
      const hash = ofWallet.find(({ status }) => status === 200)?.body.hash
      await expect
        .poll(() => redeemsOf(bodies.map(({ nonce }) => nonce)), { timeout: 10_000 })
        .toEqual([hash])
    }
    const addresses = wallets.map(({ account }) => account.address)
    const ofWallets = inArray(redeems.wallet, addresses)
    expect(await read((database) => database.select().from(redeems).where(ofWallets))).toHaveLength(12)
  })

  test('the same body sent a hundred times to both is one redeem', async () => {
    const { bodies, submit } = await wallet(first, { cents: 2_000, redeems: 1 })
    const [body] = bodies
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => submit(on(at), body)))
    const hashes = new Set(answers.map(({ status, body: answer }) => (status === 200 ? answer.hash : status)))
    expect(hashes.size).toBe(1)
    const nonces = bodies.map(({ nonce }) => nonce)
    await expect.poll(() => redeemsOf(nonces), { timeout: 10_000 }).toEqual([...hashes])
    const [hash] = hashes
    const sent = eq(transactions.hash, hash)
    expect(await read((database) => database.select().from(transactions).where(sent))).toHaveLength(1)
  })

  const transferPath = '/sandbox/usdc-transfer'

  test('Stellar transfers that both services build at the same time get different sponsors, and each is paid once', async () => {
    const accounts = stellarSponsors.map(() => Keypair.random())
    const shop = Keypair.random()
    stellar.fund({ address: shop.publicKey(), usdc: 0n })
    for (const person of accounts)
      stellar.fund({ address: person.publicKey(), xlm: 0n, usdc: 100_000_000n, sponsored: true })
    const prepared = await Promise.all(
      accounts.map((person, at) =>
        on(at).post(
          transferPath,
          { blockchain: 'stellar', destination: shop.publicKey(), amount: { cents: 100 } },
          customer(person.publicKey(), 'stellar'),
        ),
      ),
    )
    expect(new Set(prepared.map((answer) => answer?.body.sponsor)).size).toBe(accounts.length)
    const answers = await Promise.all(
      accounts.map(async (person, at) => {
        const { id, transaction } = prepared[at]?.body ?? {}
        const expected = {
          kind: 'payment',
          from: person.publicKey(),
          to: shop.publicKey(),
          amount: 10_000_000n,
          sponsor: prepared[at]?.body.sponsor,
        } as const
        const signed = await signTransaction(person, { transaction, environment: 'sandbox', expected })
        return Promise.all(
          [first, second].map((service) =>
            service.post(
              `${transferPath}/submit`,
              { id, transaction: signed },
              customer(person.publicKey(), 'stellar'),
            ),
          ),
        )
      }),
    )
    for (const [one, other] of answers as [Answer, Answer][]) {
      expect([one.status, other.status]).toEqual([200, 200])
      expect(one.body).toEqual(other.body)
    }
    expect(stellar.balanceOf(shop.publicKey()).usdc).toBe(BigInt(accounts.length) * 10_000_000n)
  })

  test('the limit of sponsored Solana token accounts holds across both', async () => {
    const from = solana.createTestAccount({ usdc: 25_000_000n })
    const receivers = Array.from({ length: 10 }, () => solana.createTestAccount())
    const signed = await Promise.all(
      receivers.map(async (to, at) => {
        const { body } = await on(at).post(
          transferPath,
          { blockchain: 'solana', destination: to.address, amount: { cents: 1 } },
          customer(from.address, 'solana'),
        )
        const expected = {
          environment: 'sandbox',
          from: from.address,
          to: to.address,
          amount: 10_000n,
        } as const
        const { transaction } = await signUsdcTransfer(from, { transaction: body.transaction, expected })
        return { id: body.id, transaction }
      }),
    )
    const answers = await Promise.all(
      signed.map((body, at) => on(at).post(`${transferPath}/submit`, body, customer(from.address, 'solana'))),
    )
    const statuses = answers.map((answer) => answer?.status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 200, 412, 412, 412, 412, 412])
  })

  // Runs last, because the chains' clocks cannot be set back.
  test('advancing the clock at one service also advances the other immediately', async () => {
    const time = async (service: Caller) => Date.parse((await service.get('/sandbox/clock')).body.now)
    const before = await time(second)
    const { status } = await first.post('/sandbox/clock', { advanceSeconds: 3600 })
    expect(status).toBe(200)
    expect(await time(second)).toBeGreaterThanOrEqual(before + 3_600_000)
    const both = [first, second].map((service) => service.post('/sandbox/clock', { advanceSeconds: 600 }))
    expect((await Promise.all(both)).map((answer) => answer.status)).toEqual([200, 200])
    for (const service of [first, second])
      expect((await service.get('/sandbox/clock')).body.movedSeconds).toBe(4800)
  })
})
