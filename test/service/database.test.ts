import { inspect } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import type { SendGaslessTxBody } from '../../src/redeemkit/schema/index.ts'
import { createSandbox, type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import { openStore } from '../../src/sandbox/store/openStore.ts'
import * as tables from '../../src/sandbox/store/tables/index.ts'
import { onEachDatabase } from '../postgres/onEachDatabase.ts'
import { findPostgres, startPostgres } from '../postgres/startPostgres.ts'
import {
  type Caller,
  caller,
  customer,
  lentChain,
  publicClient,
  readCredits,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/** Provides the chain. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
})
afterAll(() => lender?.stop())

const base = () => (lender.chains as Required<typeof lender.chains>).base // the sandbox starts it by default
const options = () => ({
  merchants: [{ merchantId: lender.merchantId, apiKey: 'the key' }],
  chains: [lentChain(lender)],
})

const sign = (service: Caller): Promise<SendGaslessTxBody> => signedPayment(service, lender, { cents: 5 })
const submit = (service: Caller, body: SendGaslessTxBody) =>
  service.post(sendGaslessTxPath, body, customer(lender.accounts.alice.address))

onEachDatabase(({ create }) => {
  test('the error of a failing statement contains no signature', async () => {
    const store = await openStore(await create())
    const reported: unknown[] = []
    const { app, stop } = createSandbox({
      ...options(),
      store: async () => store,
      onError: (...facts) => reported.push(facts),
    })
    const service = caller(app)
    const body = await sign(service)
    // The signed transaction is a parameter of the statement, and contains the permit.
    await store.database.execute(sql`alter table transactions add constraint "none" check (nonce < 0)`)
    expect(await submit(service, body)).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
    await stop()
    const text = inspect(reported, { depth: Infinity, showHidden: true, maxStringLength: null })
    expect(text).toContain('DatabaseStatementError')
    expect(text).not.toContain(body.signedMessages.permitCredits.slice(2))
    expect(text).not.toContain(body.nonce.slice(2))
  })
})

describe('a PostgreSQL server that is down for five seconds', () => {
  const found = findPostgres()

  test('is reported, and everything resumes automatically afterwards', async (context) => {
    if ('missing' in found) return context.skip(found.missing)
    const server = await startPostgres(found)
    const reported: unknown[] = []
    const sandbox = createSandbox({
      ...options(),
      databaseUrl: server.url,
      onError: (error) => reported.push(error),
    })
    const service = caller(sandbox.app)
    try {
      const bodies = []
      for (let count = 0; count < 12; count++) bodies.push(await sign(service))
      const wallet = privateKeyToAccount(generatePrivateKey()).address
      const mint = () =>
        service.post(
          '/api/merchant/credits/mint',
          { wallet, blockchain: 'base', amount: { cents: 7 }, idempotencyKey: 'one' },
          { authorization: 'the key' },
        )
      const atWork = bodies.slice(0, 8).map((body) => submit(service, body))
      await Promise.race(atWork)
      await server.kill()
      const gone = performance.now()
      for (const { status, body } of await Promise.all(atWork))
        if (status !== 200) expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
      while (performance.now() - gone < 5_000) {
        const answers = await Promise.all([...bodies.slice(8).map((body) => submit(service, body)), mint()])
        answers.push(await service.get('/health'))
        for (const { status, body } of answers)
          expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      await server.start()

      const answers = await Promise.all(bodies.map((body) => submit(service, body)))
      expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
      const { jobId } = (await mint()).body
      const job = () => service.get(`/api/merchant/credits/status/${jobId}`, { authorization: 'the key' })
      await expect.poll(async () => (await job()).body.status, { timeout: 20_000 }).toBe('completed')
      const client = publicClient(base().rpcUrl)
      const events = await client.getContractEvents({
        address: base().creditsContract,
        abi: creditsAbi,
        eventName: 'Redeemed',
        fromBlock: 0n,
      })
      for (const [at, { nonce }] of bodies.entries())
        expect(
          events.filter(({ args }) => args.nonce === nonce).map((event) => event.transactionHash),
        ).toEqual([answers[at]?.body.hash])
      const credits = await readCredits(base(), lender.creditSeed, wallet)
      expect(credits).toBe(70_000n)
      await sandbox.stop()

      const { database, close } = await openStore({ databaseUrl: server.url })
      const redeemed = await database
        .select()
        .from(tables.redeems)
        .where(eq(tables.redeems.status, 'redeemed'))
      expect(redeemed.map(({ hash }) => hash).sort()).toEqual(answers.map(({ body }) => body.hash).sort())
      await close()
      const text = inspect(reported, { depth: Infinity, showHidden: true, maxStringLength: null })
      for (const { signedMessages } of bodies)
        expect(text).not.toContain(signedMessages.permitCredits.slice(2))
    } finally {
      await sandbox.stop()
      await server.stop()
    }
  })
})
