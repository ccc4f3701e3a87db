import { eq } from 'drizzle-orm'
import { BaseError, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { connectEvmChain } from '../../chains/connectEvmChain.ts'
import type { Relayer } from '../../relayer/createRelayer.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { setDeployments } from '../../store/setDeployments.ts'
import { jobs, payments, sellerWithdrawals, transactions } from '../../store/tables/index.ts'
import { createPayment, movePayment } from '../payments/movePayment.ts'
import { testService } from '../service.fixture.ts'
import { closePayment } from '../settlement/closePayment.ts'
import { sendJob } from './creditJobs.ts'
import { readBalance, sendWithdrawal } from './usdcWithdraw.ts'

/** The node's error once another process has spent the last USDC or credits. */
const nothingLeft = Object.assign(new BaseError('execution reverted'), {
  data: encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['exceeds balance'] }),
})
const address: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const hash: Hex = `0x${'ab'.repeat(32)}`

onEachDatabase(({ create }) => {
  let fixture: Awaited<ReturnType<typeof testService>>
  /** Runs while the node estimates the gas, as another process would. */
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
  /** Writes the journal row that another process writes when it sends. */
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
    } as typeof transactions.$inferInsert) // omits columns that have a default
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

  test('a withdrawal that another process sends concurrently does not fail, although the balance is then too low', async () => {
    const { database, row } = await addWithdrawal('wd_1')
    meanwhile = () => journal({ kind: 'withdrawal', withdrawalId: 'wd_1', attempt: 1 })
    expect(await sendWithdrawal(fixture.service, database, row)).toBe(hash)
    expect(await statusOf(database, row.withdrawalId)).toBe('pending')
  })

  test('a pending withdrawal is not sent again if the credits contract of its chain is replaced', async () => {
    const { database, row } = await addWithdrawal('wd_replaced')
    const redeem = { kind: 'redeem', blockchain: 'base', wallet: address, nonce: hash, attempt: 1 } as const // keeps the literal type
    const deploy = (creditsContract: Hex, fresh = false) =>
      setDeployments(database as never, [{ blockchain: 'base', chainId: 84532, creditsContract, fresh }]) // no transaction needed
    await deploy(address)
    await journal({ kind: 'withdrawal', withdrawalId: row.withdrawalId, attempt: 1 })
    await journal(redeem)
    meanwhile = async () => {}
    await deploy('0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0')
    expect(await sendWithdrawal(fixture.service, database, row)).toBe(hash)
    // The new contract can receive a redeem with the same nonce.
    await journal(redeem)
    // A chain that was reset has no pending transactions.
    await deploy('0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', true)
    expect(await database.select().from(transactions)).toEqual([])
  })

  test('a withdrawal is sent again if its transactions before and after a replacement of the credits contract are dropped', async () => {
    const { database, row } = await addWithdrawal('wd_dropped')
    const reference = { kind: 'withdrawal', withdrawalId: row.withdrawalId } as const // keeps the literal type
    const drop = () => database.update(transactions).set({ status: 'dropped' })
    await journal({ ...reference, attempt: 1 })
    await drop()
    await journal({ ...reference, attempt: 2 })
    await setDeployments(database as never, [
      { blockchain: 'base', chainId: 84532, creditsContract: address, fresh: false },
    ]) // a database transaction is not needed here
    await drop()
    const sent: unknown[] = []
    const send = async (request: Relayer.Request) => {
      sent.push(request.reference)
      return { hash } as never // only the hash is read
    }
    meanwhile = async () => {}
    isEmpty = false
    await sendWithdrawal({ ...fixture.service, relayer: { send } as never }, database, row) // no other function is called
    isEmpty = true
    expect(sent).toEqual([{ ...reference, attempt: 3 }])
    await database.delete(transactions)
  })

  test('a withdrawal whose transfer reverts fails if no process has sent it', async () => {
    const { database, row } = await addWithdrawal('wd_2')
    meanwhile = async () => {}
    expect(await sendWithdrawal(fixture.service, database, row)).toBeUndefined()
    expect(await statusOf(database, row.withdrawalId)).toBe('failed')
  })

  test('a withdrawal that another process closes concurrently is not sent', async () => {
    const { database, row } = await addWithdrawal('wd_3')
    const isIt = eq(sellerWithdrawals.withdrawalId, row.withdrawalId)
    meanwhile = async () => {
      await database.update(sellerWithdrawals).set({ status: 'failed' }).where(isIt)
    }
    isEmpty = false
    const { service } = fixture
    // Runs `also` as the relayer's journal does.
    const send = ({ also }: Relayer.Request) =>
      database.transaction((work) => also?.(work, {} as never) ?? Promise.resolve())
    const relayer = { ...service.relayer, send } as never // no other function is called
    await expect(sendWithdrawal({ ...service, relayer }, database, row)).rejects.toThrow('was closed')
    isEmpty = true
  })

  test('a refund of the card part does not reduce the balance by the USDC part', async () => {
    const database = await fixture.service.database()
    const { createdAt: at } = times()
    const { paymentId } = await database.transaction(async (work) => {
      const { paymentId } = await createPayment(work, {
        merchantId: 'other',
        rail: 'card',
        subtotalCents: 1000,
        currency: 'USD',
        usdCents: 1000,
        chargedCurrency: 'USD',
        totalCents: 1000,
        chargedCents: 400,
        lines: [],
        carried: {},
        at,
      })
      return closePayment(work, { payment: await movePayment(work, { paymentId, to: 'authorized', at }), at })
    })
    expect(await readBalance(database, 'other')).toBe(10_000_000n)
    const isIt = eq(payments.paymentId, paymentId)
    await database.update(payments).set({ refundedCents: 400 }).where(isIt)
    expect(await readBalance(database, 'other')).toBe(6_000_000n)
  })

  test('a burn that another process sends concurrently does not fail', async () => {
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
