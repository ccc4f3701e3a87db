import { eq } from 'drizzle-orm'
import { BaseError, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { connectEvmChain } from '../../chains/connectEvmChain.ts'
import type { Relayer } from '../../relayer/createRelayer.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { jobs, sellerWithdrawals, transactions } from '../../store/tables/index.ts'
import { testService } from '../service.fixture.ts'
import { sendJob } from './creditJobs.ts'
import { sendWithdrawal } from './sendWithdrawal.ts'

/** The node's error after the other process has spent the last USDC or credits. */
const nothingLeft = Object.assign(new BaseError('execution reverted'), {
  data: encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['exceeds balance'] }),
})
const address: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const hash: Hex = `0x${'ab'.repeat(32)}`

onEachDatabase(({ create }) => {
  let fixture: Awaited<ReturnType<typeof testService>>
  /** Runs while the node estimates the gas. */
  let meanwhile: () => Promise<void>
  let isEmpty = true
  let nonce = 0
  beforeAll(async () => {
    fixture = await testService(await create())
    const { service } = fixture
    const operatorKey: Hex = `0x${'11'.repeat(32)}`
    const chain = connectEvmChain(
      { blockchain: 'base', rpcUrl: 'http://127.0.0.1:1', creditsContract: address, operatorKey },
      'sandbox',
    )
    const estimateGas = async () => {
      await meanwhile()
      if (isEmpty) throw nothingLeft
      return 50_000n
    }
    service.chains = new Map([
      ['base', { ...chain, usdc: address, client: { ...chain.client, estimateGas } }],
    ])
  })
  afterAll(() => fixture?.close())

  const times = () => ({
    createdAt: new Date(fixture.service.now()),
    updatedAt: new Date(fixture.service.now()),
  })
  /** The rows that another process writes when it sends. */
  async function journal(reference: (typeof transactions.$inferInsert)['reference']) {
    const database = await fixture.service.database()
    const sender = address
    await database.insert(transactions).values({
      ...times(),
      reference,
      chainId: 84532,
      sender,
      nonce: nonce++,
      hash,
      raw: '0x',
      status: 'broadcast',
    } as typeof transactions.$inferInsert) // columns with a default are omitted
  }
  async function addWithdrawal(withdrawalId: string) {
    const database = await fixture.service.database()
    const [row] = await database
      .insert(sellerWithdrawals)
      .values({
        ...times(),
        withdrawalId,
        merchantId: 'shop',
        blockchain: 'base',
        destination: address,
        amount: 10_000n,
        status: 'pending',
      })
      .returning()
    if (row === undefined) throw new Error('no row')
    return { database, row }
  }
  const statusOf = async (work: Pick<DatabaseWork, 'select'>, withdrawalId: string) => {
    const isIt = eq(sellerWithdrawals.withdrawalId, withdrawalId)
    return (await work.select().from(sellerWithdrawals).where(isIt))[0]?.status
  }

  test('a withdrawal sent concurrently by another process does not fail, although the balance is then too low', async () => {
    const { database, row } = await addWithdrawal('wd_1')
    meanwhile = () => journal({ kind: 'withdrawal', withdrawalId: 'wd_1', attempt: 1 })
    expect(await sendWithdrawal(fixture.service, database, row)).toBe(hash)
    expect(await statusOf(database, row.withdrawalId)).toBe('pending')
  })

  test('a withdrawal fails if no process sent it', async () => {
    const { database, row } = await addWithdrawal('wd_2')
    meanwhile = async () => {}
    expect(await sendWithdrawal(fixture.service, database, row)).toBeUndefined()
    expect(await statusOf(database, row.withdrawalId)).toBe('failed')
  })

  test('a withdrawal closed concurrently by another process is not sent', async () => {
    const { database, row } = await addWithdrawal('wd_3')
    const isIt = eq(sellerWithdrawals.withdrawalId, row.withdrawalId)
    meanwhile = async () => {
      await database.update(sellerWithdrawals).set({ status: 'failed' }).where(isIt)
    }
    isEmpty = false
    const { service } = fixture
    // Like the relayer's journal.
    const send = ({ also }: Relayer.Request) =>
      database.transaction((work) => also?.(work, {} as never) ?? Promise.resolve())
    const relayer = { ...service.relayer, send } as never // nothing else of it is asked
    await expect(sendWithdrawal({ ...service, relayer }, database, row)).rejects.toThrow('was closed')
    isEmpty = true
  })

  test('a burn sent concurrently by another process does not fail', async () => {
    const database = await fixture.service.database()
    await database.insert(jobs).values({
      jobId: 'job_1',
      merchantId: 'shop',
      type: 'burn',
      blockchain: 'base',
      wallet: address,
      amount: 10_000n,
      status: 'pending',
      createdAt: new Date(fixture.service.now()),
    })
    meanwhile = () => journal({ kind: 'burn', jobId: 'job_1', attempt: 1 })
    await sendJob(fixture.service, 'job_1')
    expect(await database.select({ status: jobs.status }).from(jobs)).toEqual([{ status: 'pending' }])
  })
})
