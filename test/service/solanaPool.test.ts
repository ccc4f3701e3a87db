import { Connection } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  confirmUsdcTransfer,
  prepareUsdcTransfer,
  signUsdcTransfer,
  sponsorUsdcTransfer,
  submitUsdcTransfer,
} from '../../src/redeemkit/solana/index.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'

/* A pool of two nodes behind one address, one of them 20 slots behind: consecutive requests reach different nodes. */

let solana: startSolana.ReturnType
let connection: Connection
let late: Connection
let time = 1_800_000_000_000

beforeAll(async () => {
  solana = await startSolana({ now: () => time })
  connection = new Connection(solana.rpcUrl, 'confirmed')
  late = new Connection((await solana.addNode({ lagSlots: 20 })).rpcUrl, 'confirmed')
})
afterAll(() => solana.stop())

const slots = (count: number) => {
  time += 400 * count
}

async function wholeTransfer() {
  const sponsor = solana.createTestAccount({ sol: 1_000_000_000n })
  const from = solana.createTestAccount({ usdc: 2_000_000n })
  const to = solana.createTestAccount({ usdc: 1n })
  const transfer = await prepareUsdcTransfer(solana.connection, {
    environment: 'sandbox',
    from: from.address,
    to: to.address,
    sponsor: sponsor.address,
    amount: 1_000_000n,
  })
  const signed = await signUsdcTransfer(from, { transaction: transfer.transaction, expected: transfer })
  return { transfer, whole: await sponsorUsdcTransfer(sponsor, { ...signed, expected: transfer }) }
}

/** Returns a pool in which block heights come from the current node, and statuses from the lagging node. */
const pool = () => ({
  getEpochInfo: connection.getEpochInfo.bind(connection),
  getSignatureStatuses: late.getSignatureStatuses.bind(late),
})

test('a transaction included in its last block is not reported as lost because a node lags behind', async () => {
  const { transfer, whole } = await wholeTransfer()
  slots(149)
  const { signature } = await submitUsdcTransfer(solana.connection, whole)
  slots(2)
  expect(await connection.getBlockHeight()).toBeGreaterThan(transfer.lastValidBlockHeight)
  expect((await late.getSignatureStatuses([signature])).value).toEqual([null])
  const confirmed = confirmUsdcTransfer(pool(), { ...transfer, signature, wait: async () => slots(4) })
  expect(await confirmed).toMatchObject({ signature })
})

test('a transaction that is never included is reported as lost once its expiry is final', async () => {
  const { transfer, whole } = await wholeTransfer()
  const { signature } = await submitUsdcTransfer(
    { ...solana.connection, sendRawTransaction: () => Promise.reject(new Error('socket hang up')) },
    whole,
  ).catch((error: { signature: string }) => error)
  const ends = confirmUsdcTransfer(pool(), { ...transfer, signature, wait: async () => slots(10) })
  await expect(ends).rejects.toMatchObject({ name: 'BlockhashExpiredError' })
  expect(await connection.getBlockHeight('finalized')).toBeGreaterThan(transfer.lastValidBlockHeight)
})
