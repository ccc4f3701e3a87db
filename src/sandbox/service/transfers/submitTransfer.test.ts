import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Keypair } from '@stellar/stellar-sdk'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { usdcTransfers } from '../../store/tables/index.ts'
import { createApp } from '../http/createApp.ts'
import { problem } from '../http/problem.ts'
import { testService } from '../service.fixture.ts'
import { submitTransfer } from './submitTransfer.ts'
import { type Outcome, type TransferChain, unreachable } from './transferChain.ts'
import { transferChains } from './transferChains.ts'

/** Two processes submit the same transfer. Callbacks during chain requests simulate the other process. */
// The test service parses wallets of all chains like EVM wallets.
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
let fixture: Awaited<ReturnType<typeof testService>>
let app: ReturnType<typeof createApp>
let chain: Partial<TransferChain>

beforeAll(async () => {
  fixture = await testService()
  fixture.service.transferChain = async () =>
    ({ check: () => {}, isPrepared: () => true, ...chain }) as TransferChain // no other function is called
  app = createApp(fixture.service, [submitTransfer])
})
afterAll(() => fixture?.close())

const refused = (status: 'expired' | 'refused' | 'failed'): Outcome => ({
  status,
  problem: problem('PERMIT_EXPIRED', 'The ledger no longer accepts it.'),
})

async function addTransfer(row: Partial<typeof usdcTransfers.$inferInsert> = {}) {
  const id = randomUUID()
  const database = await fixture.service.database()
  const at = new Date(fixture.service.now())
  await database.insert(usdcTransfers).values({
    id,
    blockchain: 'solana',
    wallet,
    destination: wallet,
    amount: 1n,
    sponsor: 'sponsor',
    prepared: '{}',
    status: 'prepared',
    expiresAt: at,
    createdAt: at,
    ...row,
  })
  const isIt = eq(usdcTransfers.id, id)
  return {
    set: (change: Partial<typeof usdcTransfers.$inferInsert>) =>
      database.update(usdcTransfers).set(change).where(isIt),
    read: async () => (await database.select().from(usdcTransfers).where(isIt))[0],
    submit: async () => {
      const answer = await app.request('/sandbox/usdc-transfer/submit', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-svc-auth-wallet': wallet,
          'x-svc-auth-blockchain': 'solana',
        },
        body: JSON.stringify({ id, transaction: 'AAAA' }),
      })
      return { status: answer.status, body: await answer.json() }
    },
  }
}

test.each(['expired', 'refused', 'failed'] as const)(
  'a transfer that the other process settled stays settled although it is %s here, and its hash is returned',
  async (status) => {
    const transfer = await addTransfer()
    const sent = { raw: 'raw', hash: `hash ${status}` }
    chain = {
      settle: async () => {
        await transfer.set({ status: 'settled', ...sent })
        return refused(status)
      },
    }
    expect(await transfer.submit()).toEqual({ status: 200, body: { hash: sent.hash } })
    expect(await transfer.read()).toMatchObject({ status: 'settled', ...sent })
  },
)

test('a transfer that the other process settled stays settled if both resend the journalled transaction', async () => {
  const sent = { raw: 'raw', hash: 'hash of one' }
  const transfer = await addTransfer({ status: 'journalled', ...sent })
  chain = {
    resume: async () => {
      await transfer.set({ status: 'settled' })
      return refused('failed')
    },
  }
  expect(await transfer.submit()).toEqual({ status: 200, body: { hash: sent.hash } })
})

test('a confirmed transfer is settled even if the other process gave up', async () => {
  const sent = { raw: 'raw', hash: 'hash of both' }
  const transfer = await addTransfer({ status: 'journalled', ...sent })
  chain = {
    resume: async () => {
      await transfer.set({ status: 'prepared', raw: null, hash: null })
      return { status: 'settled' }
    },
  }
  expect(await transfer.submit()).toEqual({ status: 200, body: { hash: sent.hash } })
  expect(await transfer.read()).toMatchObject({ status: 'settled', ...sent })
})

test('a transfer that another process takes over and finishes has the outcome of that process', async () => {
  const transfer = await addTransfer()
  const sent = { raw: 'raw', hash: 'hash of the other' }
  chain = {
    settle: async ({ onSigned }) => {
      await transfer.set({ status: 'journalled', ...sent })
      await onSigned(sent)
      return { status: 'settled' }
    },
    resume: async () => {
      await transfer.set({ status: 'expired' })
      return refused('expired')
    },
  }
  expect(await transfer.submit()).toMatchObject({ status: 412, body: { code: 'PERMIT_EXPIRED' } })
})

test('a transfer expires if no other process is involved', async () => {
  const transfer = await addTransfer()
  chain = { settle: async () => refused('expired') }
  expect((await transfer.submit()).status).toBe(412)
  expect(await transfer.read()).toMatchObject({ status: 'expired' })
})

/** A node that accepts requests and never responds. */
let server: Server
let chainOf: ReturnType<typeof transferChains>
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server's address has a port
  chainOf = transferChains({
    solana: { rpcUrl, sponsorKey: new Uint8Array(64).fill(1) },
    stellar: { rpcUrl, sponsorKeys: [Keypair.random().secret()] },
    environment: 'sandbox',
    now: Date.now,
  })
  await Promise.all([chainOf('solana'), chainOf('stellar')])
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

test.concurrent.each([
  ['solana', formatBase58(new Uint8Array(32).fill(7))],
  ['stellar', Keypair.random().publicKey()],
] as const)(
  'a node on %s that does not respond is reported as unavailable after 10 s',
  async (blockchain, wallet) => {
    const chain = await chainOf(blockchain)
    const error = await chain?.usdcOf(wallet).catch((thrown: unknown) => thrown)
    expect(unreachable(error)).toMatchObject({ code: 'UNAVAILABLE' })
  },
  60_000,
)
