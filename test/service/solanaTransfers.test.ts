import {
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Connection, Keypair, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUsdcTransfer } from '../../src/redeemkit/solana/index.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import type { Sandbox } from '../../src/sandbox/start/sandbox.ts'
import { type Caller, caller, customer } from './sandboxClient.ts'

/* An attack on a sponsor that pays rent: the receiver closes its token account, keeps the rent, and requests a new account. */

const rent = 2_039_280n
const day = 24 * 3_600_000
let solana: startSolana.ReturnType
let connection: Connection
let sponsor: startSolana.TestAccount
let sandbox: Sandbox
let service: Caller
let clock = 0

beforeAll(async () => {
  solana = await startSolana()
  connection = new Connection(solana.rpcUrl, 'confirmed')
  sponsor = solana.createTestAccount({ sol: 1_000_000_000_000n })
  sandbox = createSandbox({
    chains: [],
    merchants: [{ merchantId: 'shop', apiKey: 'sk_test_shop' }],
    now: () => Date.now() + clock,
    solana: { rpcUrl: solana.rpcUrl, sponsorKey: sponsor.secretKey },
  })
  service = caller(sandbox.app)
})
afterAll(async () => {
  await sandbox?.stop()
  await solana?.stop()
})

const prepare = (from: startSolana.TestAccount, to: { address: string }, paymentId?: string) =>
  service.post(
    '/sandbox/usdc-transfer',
    { blockchain: 'solana', destination: to.address, amount: { cents: 1 }, paymentId },
    customer(from.address, 'solana'),
  )
async function signed(from: startSolana.TestAccount, to: { address: string }, paymentId?: string) {
  const { status, body } = await prepare(from, to, paymentId)
  expect({ status, body }).toMatchObject({ status: 200 })
  const expected = {
    environment: 'sandbox',
    from: from.address,
    to: to.address,
    amount: 10_000n,
    paymentId,
  } as const
  const { transaction } = await signUsdcTransfer(from, { transaction: body.transaction, expected })
  return { from, id: String(body.id), transaction }
}
const submit = ({ from, ...body }: Awaited<ReturnType<typeof signed>>) =>
  service.post('/sandbox/usdc-transfer/submit', body, customer(from.address, 'solana'))
const pay = async (from: startSolana.TestAccount, to: { address: string }) => submit(await signed(from, to))
const refused = {
  status: 412,
  body: { code: 'SIMULATION_FAILED', details: { error: { name: 'MissingTokenAccountError' } } },
}
const wealth = () => solana.ledger.read(sponsor.address)?.lamports ?? 0n
/** Returns the rent that the sponsor has paid. Fees are much smaller. */
const rents = async (work: () => Promise<unknown>) => {
  const before = wealth()
  await work()
  return (before - wealth()) / rent
}
const accountOf = (owner: string) =>
  getAssociatedTokenAddressSync(new PublicKey(solana.usdcMint), new PublicKey(owner))
/** The receiver sends the money back, closes its token account and keeps the rent. */
async function close(owner: startSolana.TestAccount, back: startSolana.TestAccount) {
  solana.fundSol(owner.address, 1_000_000n)
  const key = Keypair.fromSecretKey(owner.secretKey)
  const [account, mint] = [accountOf(owner.address), new PublicKey(solana.usdcMint)]
  const amount = solana.usdcOf(owner.address)
  const transaction = new Transaction().add(
    createTransferCheckedInstruction(account, mint, accountOf(back.address), key.publicKey, amount, 6),
    createCloseAccountInstruction(account, key.publicKey, key.publicKey),
  )
  await sendAndConfirmTransaction(connection, transaction, [key])
}

test('the sponsor pays for a receiver’s token account once; after closing the account, the receiver must pay', async () => {
  const [from, to] = [solana.createTestAccount({ usdc: 25_000_000n }), solana.createTestAccount()]
  expect(await rents(() => pay(from, to))).toBe(1n)
  expect(await rents(() => pay(from, to))).toBe(0n)
  await close(to, from)
  const again = await prepare(from, to)
  expect(again).toMatchObject(refused)
  expect(again.body.message).toMatch(/create its own/)
  // The sponsor also does not pay if another customer pays this receiver.
  expect(await prepare(solana.createTestAccount({ usdc: 1_000_000n }), to)).toMatchObject(refused)
  const key = Keypair.fromSecretKey(to.secretKey)
  solana.fundSol(to.address, 10_000_000n)
  const create = createAssociatedTokenAccountInstruction(
    key.publicKey,
    accountOf(to.address),
    key.publicKey,
    new PublicKey(solana.usdcMint),
  )
  await sendAndConfirmTransaction(connection, new Transaction().add(create), [key])
  expect(await pay(from, to)).toMatchObject({ status: 200 })
})

test('the sponsor pays once even for transfers prepared before the account existed', async () => {
  const [from, to] = [solana.createTestAccount({ usdc: 25_000_000n }), solana.createTestAccount()]
  const [first, second, third] = [await signed(from, to), await signed(from, to), await signed(from, to)]
  expect(await rents(() => submit(first))).toBe(1n)
  expect(await submit(second)).toMatchObject({ status: 200 })
  await close(to, from)
  const spent = await rents(async () => expect(await submit(third)).toMatchObject(refused))
  expect(spent).toBe(0n)
  expect(solana.usdcOf(to.address)).toBe(0n)
})

test('the sponsor pays no rent again if the account is closed before the transfer is submitted', async () => {
  const [from, to] = [solana.createTestAccount({ usdc: 25_000_000n }), solana.createTestAccount()]
  solana.fundUsdc(to.address, 0n)
  const late = await signed(from, to)
  await close(to, from)
  expect(await rents(async () => expect(await submit(late)).toMatchObject(refused))).toBe(0n)
})

test('two concurrent transfers to a new receiver create one account', async () => {
  const to = solana.createTestAccount()
  const both = await Promise.all(
    [0, 1].map(() => signed(solana.createTestAccount({ usdc: 25_000_000n }), to)),
  )
  const spent = await rents(async () => {
    const answers = await Promise.all(both.map(submit))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
  expect(spent).toBe(1n)
})

test('the sponsor pays for five accounts per wallet and day, even with concurrent requests', async () => {
  const from = solana.createTestAccount({ usdc: 25_000_000n })
  const many: Awaited<ReturnType<typeof signed>>[] = []
  for (let i = 0; i < 8; i++) many.push(await signed(from, solana.createTestAccount()))
  const spent = await rents(async () => {
    const answers = await Promise.all(many.map(submit))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused)
  })
  expect(spent).toBe(5n)
  expect(await prepare(from, solana.createTestAccount())).toMatchObject(refused)
  // A payment to a receiver with a token account still succeeds.
  const usual = solana.createTestAccount()
  solana.fundUsdc(usual.address, 0n)
  expect(await pay(from, usual)).toMatchObject({ status: 200 })
  clock += day + 1000
  expect(await pay(from, solana.createTestAccount())).toMatchObject({ status: 200 })
})

test.each([
  ['500 letters', 'a'.repeat(500)],
  ['60 emojis', '😀'.repeat(60)],
])('a payment ID of %s gets the compute units that its memo needs', async (_, paymentId) => {
  const [from, to] = [solana.createTestAccount({ usdc: 25_000_000n }), solana.createTestAccount()]
  expect(await submit(await signed(from, to, paymentId))).toMatchObject({ status: 200 })
  expect(solana.usdcOf(to.address)).toBe(10_000n)
})

test('a payment ID whose memo exceeds every compute unit limit is refused immediately', async () => {
  const [from, to] = [solana.createTestAccount({ usdc: 25_000_000n }), solana.createTestAccount()]
  expect(await prepare(from, to, '語'.repeat(150))).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST' },
  })
})
