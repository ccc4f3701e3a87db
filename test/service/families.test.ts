import {
  FeeBumpTransaction,
  Keypair,
  nativeToScVal,
  rpc,
  scValToNative,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { inspect, signUsdcTransfer } from '../../src/redeemkit/solana/index.ts'
import { toTransactionSigner } from '../../src/redeemkit/solana/signer/toTransactionSigner.ts'
import { type ExpectedTransaction, networkOf, signTransaction } from '../../src/redeemkit/stellar/index.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import type { Sandbox } from '../../src/sandbox/start/sandbox.ts'
import { openStore, type Store } from '../../src/sandbox/store/openStore.ts'
import { usdcTransfers } from '../../src/sandbox/store/tables/index.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import { type Caller, caller, customer } from './sandboxClient.ts'

/* USDC on Solana and Stellar through the service's two routes, on local chains. The service is called in process, without a server. */

const one = 10_000_000n
const { networkPassphrase } = networkOf('sandbox')
const paths = { prepare: '/sandbox/usdc-transfer', submit: '/sandbox/usdc-transfer/submit' }

let solana: startSolana.ReturnType
let stellar: startStellar.ReturnType
let nodes: { solana: RpcProxy; stellar: RpcProxy }
let solanaSponsor: startSolana.TestAccount
let clock = 0
const now = () => Date.now() + clock

let store: Store
let sandbox: Sandbox
let service: Caller

beforeAll(async () => {
  // The clocks of the service and of a ledger only move forward.
  solana = await startSolana()
  stellar = await startStellar({ now })
  nodes = { solana: await startRpcProxy(solana.rpcUrl), stellar: await startRpcProxy(stellar.rpcUrl) }
  solanaSponsor = solana.createTestAccount({ sol: 1_000_000_000_000n })
  store = await openStore()
  await open()
})
afterAll(async () => {
  await sandbox?.stop()
  await store?.close()
  await Promise.all([solana?.stop(), stellar?.stop(), nodes?.solana.close(), nodes?.stellar.close()])
})

const open = async (options: { requireSignIn?: boolean; sponsors?: number } = {}) => {
  const keys = Array.from({ length: options.sponsors ?? 8 }, () => Keypair.random())
  for (const key of keys) stellar.fund({ address: key.publicKey(), xlm: 1_000n * one })
  sandbox = createSandbox({
    chains: [],
    merchants: [{ merchantId: 'shop', apiKey: 'sk_test_shop' }],
    store: async () => ({ ...store, close: async () => {} }),
    now,
    requireSignIn: options.requireSignIn,
    solana: { rpcUrl: nodes.solana.url, sponsorKey: solanaSponsor.secretKey },
    stellar: { rpcUrl: nodes.stellar.url, sponsorKeys: keys.map((key) => key.secret()) },
  })
  service = caller(sandbox.app)
}
/** The service with other settings on the same database, for one test. */
const during = async (options: Parameters<typeof open>[0], run: () => Promise<void>) => {
  const usual = { sandbox, service }
  await open(options)
  try {
    await run()
  } finally {
    await sandbox.stop()
    ;({ sandbox, service } = usual)
  }
}

const rows = ({ from }: Pick<Family, 'from'>) =>
  store.database.select().from(usdcTransfers).where(eq(usdcTransfers.wallet, from))

/** Breaks the connection at the next call of a method: before (`cut`) or after (`lost`) the node executed it. */
function lose(node: RpcProxy, method: string, how: 'cut' | 'lost') {
  node.fate = (body) => {
    if (!body.includes(`"${method}"`)) return 'pass'
    node.fate = () => 'pass'
    return how
  }
}

/** A customer and a merchant on one chain, and what the tests need for it. */
type Family = {
  blockchain: 'solana' | 'stellar'
  from: string
  to: string
  sign: (answer: { transaction: string; sponsor: string }, paymentId?: string) => Promise<string>
  /** Signs without checks, as a careless wallet would. */
  signBlindly: (transaction: string) => Promise<string>
  received: () => bigint
  perCent: bigint
  node: RpcProxy
  /** Makes the prepared transaction too old. */
  expire: () => void
}
const families: Record<'solana' | 'stellar', () => Family> = {
  solana: () => {
    const from = solana.createTestAccount({ usdc: 25_000_000n })
    const to = solana.createTestAccount()
    return {
      blockchain: 'solana',
      from: from.address,
      to: to.address,
      sign: async ({ transaction }, paymentId) => {
        const expected = {
          environment: 'sandbox',
          from: from.address,
          to: to.address,
          amount: 1_500_000n,
        } as const
        return (await signUsdcTransfer(from, { transaction, expected: { ...expected, paymentId } }))
          .transaction
      },
      signBlindly: async (transaction) => {
        const bytes = await toTransactionSigner(from).signTransaction?.(Buffer.from(transaction, 'base64'))
        return Buffer.from(bytes ?? []).toString('base64')
      },
      received: () => solana.usdcOf(to.address),
      perCent: 10_000n,
      node: nodes.solana,
      expire: () => solana.expireBlockhash(),
    }
  },
  stellar: () => {
    const [from, to] = [Keypair.random(), Keypair.random()]
    stellar.fund({ address: from.publicKey(), xlm: 0n, usdc: 25n * one, sponsored: true })
    stellar.fund({ address: to.publicKey(), xlm: 0n, usdc: 0n, sponsored: true })
    return {
      blockchain: 'stellar',
      from: from.publicKey(),
      to: to.publicKey(),
      sign: ({ transaction, sponsor }, memo) =>
        signTransaction(from, {
          environment: 'sandbox',
          transaction,
          expected: {
            kind: 'payment',
            from: from.publicKey(),
            to: to.publicKey(),
            amount: 15_000_000n,
            sponsor,
            memo,
          },
          now,
        }),
      signBlindly: async (transaction) => {
        const copy = TransactionBuilder.fromXDR(transaction, networkPassphrase)
        copy.sign(from)
        return copy.toXDR()
      },
      received: () => stellar.balanceOf(to.publicKey()).usdc ?? 0n,
      perCent: 100_000n,
      node: nodes.stellar,
      // The time is also past for the ledger that closes last.
      expire: () => {
        clock += 310_000
      },
    }
  },
}
const prepare = (family: Family, changes: object = {}, headers: Record<string, string> = {}) =>
  service.post(
    paths.prepare,
    { blockchain: family.blockchain, destination: family.to, amount: { cents: 150 }, ...changes },
    { ...customer(family.from, family.blockchain), ...headers },
  )
const submit = (family: Family, body: object, wallet = family.from) =>
  service.post(paths.submit, body, customer(wallet, family.blockchain))
async function signed(family: Family, paymentId?: string) {
  const { status, body } = await prepare(family, paymentId === undefined ? {} : { paymentId })
  expect({ status, body }).toMatchObject({ status: 200, body: { blockchain: family.blockchain } })
  return { id: body.id as string, transaction: await family.sign(body, paymentId) } // A memo ID is a string.
}
const paid = (family: Family, times = 1) =>
  expect(family.received()).toBe(150n * family.perCent * BigInt(times))

describe.each(['solana', 'stellar'] as const)('a USDC transfer on %s', (name) => {
  let family: Family
  beforeEach(() => {
    family = families[name]()
  })

  test('is prepared, signed, journalled before it is sent, and paid once despite repeated submits', async () => {
    const body = await signed(family, 'pay_1')
    let seen: unknown
    family.node.fate = async (body) => {
      if (body.includes('"sendTransaction"')) seen = await rows(family)
      return 'pass' as const
    }
    const { status, body: answer } = await submit(family, body)
    family.node.fate = () => 'pass'
    expect(status).toBe(200)
    expect(seen).toMatchObject([{ status: 'journalled', hash: answer.hash, raw: expect.any(String) }])
    expect(await rows(family)).toMatchObject([{ status: 'settled', hash: answer.hash, paymentId: 'pay_1' }])
    paid(family)
    for (let times = 0; times < 3; times++)
      expect(await submit(family, body)).toMatchObject({ status: 200, body: { hash: answer.hash } })
    family.expire()
    expect(await submit(family, body)).toMatchObject({ status: 200, body: { hash: answer.hash } })
    paid(family)
  })

  test('ten submits at the same time are one transfer', async () => {
    const body = await signed(family)
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(family, body)))
    expect(new Set(answers.map(({ status, body: { hash } }) => `${status} ${hash}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    paid(family)
  })

  test('a payment that is prepared twice is paid once', async () => {
    const [first, second] = [await signed(family, 'pay_2'), await signed(family, 'pay_2')]
    const answers = await Promise.all([submit(family, first), submit(family, second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { body: won } = answers.find(({ status }) => status === 200) ?? { body: {} }
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.body).toMatchObject({ code: 'AMBIGUOUS_INTENT', details: { hash: won.hash } })
    expect(await prepare(family, { paymentId: 'pay_2' })).toMatchObject({
      status: 409,
      body: { code: 'AMBIGUOUS_INTENT', details: { hash: won.hash } },
    })
    paid(family)
    // A payment by another wallet under the same ID is a separate payment.
    expect(await prepare(families[name](), { paymentId: 'pay_2' })).toMatchObject({ status: 200 })
  })

  test('equal payments without an id are separate transfers', async () => {
    const bodies = [await signed(family), await signed(family), await signed(family)]
    const hashes = new Set<string>()
    for (const body of bodies) hashes.add((await submit(family, body)).body.hash)
    expect(hashes.size).toBe(3)
    paid(family, 3)
  })

  test('three customers can pay at the same time', async () => {
    const three = [family, families[name](), families[name]()]
    const bodies = await Promise.all(three.map((each) => signed(each)))
    const answers = await Promise.all(bodies.map((body, index) => submit(three[index] ?? family, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const each of three) paid(each)
  })

  test('an expired transfer returns a typed 412, and succeeds after it is prepared again', async () => {
    const body = await signed(family, 'pay_3')
    family.expire()
    for (let times = 0; times < 2; times++)
      expect(await submit(family, body)).toMatchObject({
        status: 412,
        body: {
          code: 'PERMIT_EXPIRED',
          name: 'PermitExpiredError',
          message: expect.stringMatching(/Prepare the transfer again/),
        },
      })
    expect(family.received()).toBe(0n)
    expect(await submit(family, await signed(family, 'pay_3'))).toMatchObject({ status: 200 })
    paid(family)
  })

  test.each([
    ['before', 'cut'],
    ['after', 'lost'],
  ] as const)('is settled once if the node fails %s it accepted the transaction', async (_, how) => {
    const body = await signed(family, 'pay_4')
    lose(family.node, 'sendTransaction', how)
    const first = await submit(family, body)
    expect(first).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    const [journalled] = await rows(family)
    expect(journalled).toMatchObject({ status: 'journalled' })
    // The outcome is unknown, so a second transfer of the same payment is refused.
    expect(await prepare(family, { paymentId: 'pay_4' })).toMatchObject({ status: 409 })
    expect(await submit(family, body)).toMatchObject({ status: 200, body: { hash: journalled?.hash } })
    paid(family)
    expect(await rows(family)).toMatchObject([{ status: 'settled' }])
  })

  test('after a lost response and an expired lookup, only the chain shows the outcome', async () => {
    const [included, missed] = [family, families[name]()]
    const [includedBody, missedBody] = [await signed(included), await signed(missed, 'pay_5')]
    lose(family.node, 'sendTransaction', 'lost')
    await submit(included, includedBody)
    await expect.poll(() => included.received()).toBe(150n * included.perCent)
    lose(family.node, 'sendTransaction', 'cut')
    await submit(missed, missedBody)
    family.expire()
    expect(await submit(included, includedBody)).toMatchObject({ status: 200 })
    paid(included)
    expect(await submit(missed, missedBody)).toMatchObject({ status: 412, body: { code: 'PERMIT_EXPIRED' } })
    expect(missed.received()).toBe(0n)
    expect(await submit(missed, await signed(missed, 'pay_5'))).toMatchObject({ status: 200 })
    paid(missed)
  })

  test('is refused without enough USDC, even if the USDC is spent after the preparation', async () => {
    expect(await prepare(family, { amount: { cents: 2501 } })).toMatchObject({
      status: 412,
      body: { code: 'SIMULATION_FAILED', details: { error: { name: 'InsufficientUsdcError' } } },
    })
    const { body } = await prepare(family, { amount: { cents: 2400 } })
    expect(await submit(family, await signed(family))).toMatchObject({ status: 200 })
    // Prepared while the balance was high enough, then signed without checks, as another client might.
    const late = await submit(family, {
      id: body.id,
      transaction: await family.signBlindly(body.transaction),
    })
    expect(late).toMatchObject({ status: 412, body: { code: 'SIMULATION_FAILED' } })
    paid(family)
    const [refused] = (await rows(family)).filter(({ id }) => id === body.id)
    if (name === 'solana') expect(refused).toMatchObject({ status: 'prepared', raw: null, hash: null })
    // The ledger includes a failing payment and charges its fee, so this transfer is final.
    else expect(refused).toMatchObject({ status: 'failed', hash: expect.any(String) })
  })

  test('refuses another customer’s, an unknown, an unsigned, and a wrongly signed transaction', async () => {
    const { body } = await prepare(family)
    const transaction = await family.sign(body)
    const other = families[name]()
    expect(await submit(family, { id: body.id, transaction }, other.from)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    })
    expect(await submit(family, { id: crypto.randomUUID(), transaction })).toMatchObject({ status: 404 })
    expect(await submit(family, { id: body.id, transaction: body.transaction })).toMatchObject({
      status: 412,
      body: { code: 'INVALID_USDC_AUTHORIZATION' },
    })
    const bytes = Buffer.from(transaction, 'base64')
    // Solana: the second signature. Stellar: the last 64 bytes.
    const at = name === 'solana' ? 1 + 64 + 10 : bytes.length - 10
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(await submit(family, { id: body.id, transaction: bytes.toString('base64') })).toMatchObject({
      status: 412,
      body: { code: 'INVALID_USDC_AUTHORIZATION' },
    })
    expect(family.received()).toBe(0n)
    expect(await submit(family, { id: body.id, transaction })).toMatchObject({ status: 200 })
    paid(family)
  })

  test('every changed byte is refused, and moves nothing', async () => {
    const { body } = await prepare(family, { paymentId: 'pay_6' })
    const transaction = await family.sign(body, 'pay_6')
    const bytes = Buffer.from(transaction, 'base64')
    const statuses = new Set<number>()
    for (let at = 0; at < bytes.length; at += inject('generatedInputs') > 500 ? 1 : 11) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      const { status, body: answer } = await submit(family, {
        id: body.id,
        transaction: changed.toString('base64'),
      })
      statuses.add(status)
      expect([400, 409, 412], `byte ${at}: ${JSON.stringify(answer)}`).toContain(status)
    }
    expect([...statuses].sort()).toEqual([400, 409, 412])
    expect(family.received()).toBe(0n)
    expect(await rows(family)).toMatchObject([{ status: 'prepared', raw: null, hash: null }])
    const honest = await submit(family, { id: body.id, transaction })
    expect(honest.status, JSON.stringify(honest.body)).toBe(200)
  })

  test('refuses the transaction of another prepared transfer', async () => {
    const [first, second] = [await signed(family), await signed(family)]
    expect(await submit(family, { id: first.id, transaction: second.transaction })).toMatchObject({
      status: 409,
      body: { code: 'INTENT_MISMATCH', details: { findings: expect.any(Array) } },
    })
    await submit(family, first)
    expect(await submit(family, { id: first.id, transaction: second.transaction })).toMatchObject({
      status: 409,
    })
    paid(family)
  })

  test.each<[string, object, string]>([
    ['an unknown field', { note: 'x' }, 'note'],
    ['no amount', { amount: undefined }, 'amount'],
    ['an amount with another field', { amount: { cents: 1, currency: 'USD' } }, 'amount.currency'],
    ['a fraction', { amount: { cents: 1.5 } }, 'amount.cents'],
    ['nothing', { amount: { cents: 0 } }, 'amount.cents'],
    ['a negative amount', { amount: { cents: -1 } }, 'amount.cents'],
    ['text', { amount: { cents: '150' } }, 'amount.cents'],
    ['more than the chain can represent', { amount: { cents: 2 ** 53 - 1 } }, 'amount.cents'],
    [
      'a chain other than in the header',
      { blockchain: name === 'solana' ? 'stellar' : 'solana' },
      'blockchain',
    ],
    ['an EVM chain', { blockchain: 'base' }, 'blockchain'],
    ['no address', { destination: 'somewhere' }, 'destination'],
    ['a truncated address', { destination: 'cut' }, 'destination'],
    ['an EVM address', { destination: `0x${'11'.repeat(20)}` }, 'destination'],
    ['an empty payment id', { paymentId: '' }, 'paymentId'],
    ['a payment id that is too long', { paymentId: 'x'.repeat(501) }, 'paymentId'],
    ['a payment id with half of a surrogate pair', { paymentId: 'a\ud800' }, 'paymentId'],
    ['a payment id with NUL', { paymentId: 'a\0' }, 'paymentId'],
    [
      'a call to an address without a contract',
      { call: { contract: 'C', functionName: 'f', args: [] } },
      'call',
    ],
  ])('prepare refuses %s', async (what, changes, issue) => {
    const real = what === 'a truncated address' ? { destination: family.to.slice(0, -3) } : changes
    const { status, body } = await prepare(family, real, { 'x-svc-auth-session-key': 'wrong' })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect(body.issues.join()).toContain(issue)
    expect(await rows(family)).toEqual([])
  })

  test.each<[string, (transaction: string) => object, string]>([
    ['an unknown field', (transaction) => ({ transaction, more: 1 }), 'more'],
    ['another id', (transaction) => ({ id: 'x', transaction }), 'id'],
    ['no transaction', () => ({}), 'transaction'],
    ['an empty one', () => ({ transaction: '' }), 'transaction'],
    ['a truncated one', (transaction) => ({ transaction: transaction.slice(0, -8) }), 'transaction'],
    ['one that is not base64', (transaction) => ({ transaction: transaction.slice(0, -1) }), 'transaction'],
    ['one with an extra byte', (transaction) => ({ transaction: `${transaction}AAAA` }), 'transaction'],
  ])('submit refuses %s', async (_, spoil, issue) => {
    const body = await signed(family)
    // Without padding, so that bytes can be appended.
    const answer = await submit(family, { id: body.id, ...spoil(body.transaction) })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', issues: [issue] } })
    expect(await submit(family, body)).toMatchObject({ status: 200 })
  })

  test('any input gets a typed response and moves nothing', async () => {
    const { body } = await prepare(family)
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.string(), async (value, text) => {
        for (const answer of [
          await prepare(family, { destination: text, paymentId: text.slice(0, 20) }),
          await submit(family, { id: body.id, transaction: Buffer.from(text).toString('base64') }),
          await service.post(paths.submit, JSON.stringify(value) ?? '', customer(family.from, name)),
        ])
          expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
      }),
      { numRuns: Math.max(30, inject('generatedInputs') / 50) },
    )
    expect(family.received()).toBe(0n)
  })

  test('refuses a wrong credential and a missing required credential', async () => {
    expect(await prepare(family, {}, { 'x-svc-auth-session-key': 'wrong' })).toMatchObject({ status: 401 })
    const body = await signed(family)
    await during({ requireSignIn: true }, async () => {
      expect(await prepare(family)).toMatchObject({ status: 401 })
      expect(await submit(family, body)).toMatchObject({ status: 401 })
    })
  })

  test('returns a typed 503 without the node', async () => {
    lose(family.node, name === 'solana' ? 'getGenesisHash' : 'getLedgerEntries', 'cut')
    expect(await prepare(family)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  })
})

test('a service without these chains reports that', async () => {
  const none = caller(createSandbox({ chains: [], merchants: [] }).app)
  for (const { blockchain, from, to } of [families.solana(), families.stellar()]) {
    const body = { blockchain, destination: to, amount: { cents: 150 } }
    expect(await none.post(paths.prepare, body, customer(from, blockchain))).toMatchObject({
      status: 400,
      body: { issues: ['x-svc-auth-blockchain'] },
    })
  }
})

describe('Solana', () => {
  test('the sponsor pays fee and rent, the memo is the payment ID, and the response states the rent before the customer signs', async () => {
    const family = families.solana()
    const before = solana.ledger.read(solanaSponsor.address)?.lamports ?? 0n
    const { body } = await prepare(family, { paymentId: 'pay_7' })
    expect(body).toMatchObject({
      rent: { lamports: '2039280' },
      sponsor: solanaSponsor.address,
      lastValidBlockHeight: expect.any(Number),
    })
    const { details, verdict } = inspect(
      { transaction: body.transaction },
      {
        address: family.from,
        expected: {
          environment: 'sandbox',
          from: family.from,
          to: family.to,
          amount: 1_500_000n,
          paymentId: 'pay_7',
        },
      },
    )
    expect(verdict).toBe('ok')
    const { body: answer } = await submit(family, {
      id: body.id,
      transaction: await family.sign(body, 'pay_7'),
    })
    expect(solana.ledger.read(solanaSponsor.address)?.lamports).toBe(
      before - (details?.feeLamports ?? 0n) - 2_039_280n,
    )
    expect(solana.ledger.read(family.from)).toBeUndefined()
    const [status] = (await solana.connection.getSignatureStatuses([answer.hash])).value
    expect(status).toMatchObject({ err: null })
    expect((await prepare(family)).body.rent).toEqual({ lamports: '0' })
  })

  test('refuses a customer without a token account, and a receiver that is a token account', async () => {
    const family = families.solana()
    const poor = { ...family, from: solana.createTestAccount().address }
    expect(await prepare(poor)).toMatchObject({
      status: 412,
      body: { details: { error: { name: 'MissingTokenAccountError' } } },
    })
    const { tokenAccountOf } = await import('../../src/redeemkit/solana/index.ts')
    const account = tokenAccountOf({ owner: family.from, mint: solana.usdcMint })
    expect(await prepare(family, { destination: account })).toMatchObject({
      status: 400,
      body: { issues: ['destination'] },
    })
    expect(await prepare(family, { destination: family.from })).toMatchObject({ status: 400 })
  })
})

describe('Stellar', () => {
  const shop = (sale: { now: 'takes' | 'takes nothing' | 'fails' } = { now: 'takes' }) =>
    stellar.declareContract({
      buy: (context, ...args) => {
        const [from, to, price] = args.map((arg) => scValToNative(arg))
        if (sale.now === 'fails') return context.fail(7)
        context.requireAuth(from)
        if (sale.now === 'takes') context.transferUsdc(from, to, price)
        return undefined
      },
    })
  const call = (contract: string, family: Family, price = 15_000_000n) => ({
    contract,
    functionName: 'buy',
    args: [
      nativeToScVal(family.from, { type: 'address' }),
      nativeToScVal(family.to, { type: 'address' }),
      nativeToScVal(price, { type: 'i128' }),
    ].map((arg) => arg.toXDR('base64')),
  })
  async function signedCall(keypair: Keypair, family: Family, contract: string) {
    const { body } = await prepare(family, { call: call(contract, family), paymentId: 'order-1' })
    const expected: ExpectedTransaction = {
      kind: 'call',
      from: family.from,
      sponsor: body.sponsor,
      ...call(contract, family),
      spends: { to: family.to, amount: 15_000_000n },
    }
    const { sequence: latestLedger } = await new rpc.Server(stellar.rpcUrl, {
      allowHttp: true,
    }).getLatestLedger()
    const { transaction } = body
    return {
      body,
      transaction: await signTransaction(keypair, {
        environment: 'sandbox',
        transaction,
        expected,
        latestLedger,
        now,
      }),
    }
  }
  /** Returns a customer whose key the test has. */
  function withKey() {
    const keypair = Keypair.random()
    stellar.fund({ address: keypair.publicKey(), xlm: 0n, usdc: 25n * one, sponsored: true })
    return { keypair, family: { ...families.stellar(), from: keypair.publicKey() } }
  }

  test('a call of a merchant contract is sponsored and settled once', async () => {
    const { keypair, family } = withKey()
    const { body, transaction } = await signedCall(keypair, family, shop())
    expect(body).toMatchObject({ expected: { kind: 'call' }, validUntilLedger: expect.any(Number) })
    const first = await submit(family, { id: body.id, transaction })
    expect(first).toMatchObject({ status: 200 })
    expect(await submit(family, { id: body.id, transaction })).toEqual(
      expect.objectContaining({ body: first.body }),
    )
    expect(stellar.balanceOf(family.to).usdc).toBe(15_000_000n)
    expect(stellar.balanceOf(family.from)).toEqual({ xlm: 0n, usdc: 235_000_000n })
  })

  test('refuses a call that is unsigned, or whose authorization was changed', async () => {
    const { keypair, family } = withKey()
    const { body, transaction } = await signedCall(keypair, family, shop())
    expect(await submit(family, { id: body.id, transaction: body.transaction })).toMatchObject({
      status: 412,
      body: { code: 'INVALID_USDC_AUTHORIZATION' },
    })
    const envelope = xdr.TransactionEnvelope.fromXDR(transaction, 'base64')
    const [entry] = envelope.v1().tx().operations()[0]?.body().invokeHostFunctionOp().auth() ?? []
    entry?.credentials().address().nonce(xdr.Int64.fromString('7'))
    expect(await submit(family, { id: body.id, transaction: envelope.toXDR('base64') })).toMatchObject({
      status: 409,
    })
    expect(stellar.balanceOf(family.to).usdc).toBe(0n)
  })

  test('a contract that takes more, or pays another account, is rejected before any request', async () => {
    const { family } = withKey()
    const greedy = call(shop(), family, 200_000_000n)
    expect(await prepare(family, { call: greedy })).toMatchObject({
      status: 412,
      body: { code: 'SIMULATION_FAILED' },
    })
    expect(await prepare(family, { call: { ...greedy, functionName: 'sell' } })).toMatchObject({
      status: 412,
    })
    expect(await prepare(family, { call: { ...greedy, args: ['AAAA'] } })).toMatchObject({
      status: 400,
      body: { issues: ['call.args[0]'] },
    })
    expect(await rows(family)).toEqual([])
  })

  test('a contract that did not take the allowed amount is not a payment', async () => {
    const { keypair, family } = withKey()
    const sale: Parameters<typeof shop>[0] = { now: 'takes' }
    const { body, transaction } = await signedCall(keypair, family, shop(sale))
    sale.now = 'takes nothing'
    for (const _ of ['first', 'again'])
      expect(await submit(family, { id: body.id, transaction })).toMatchObject({
        status: 412,
        body: { code: 'SIMULATION_FAILED', message: expect.stringContaining('did not pay') },
      })
    expect(family.received()).toBe(0n)
  })

  test('a call that would fail costs the sponsor nothing', async () => {
    const { keypair, family } = withKey()
    const sale: Parameters<typeof shop>[0] = { now: 'takes' }
    const { body, transaction } = await signedCall(keypair, family, shop(sale))
    const before = stellar.balanceOf(body.sponsor).xlm
    sale.now = 'fails'
    expect(await submit(family, { id: body.id, transaction })).toMatchObject({
      status: 412,
      body: { code: 'SIMULATION_FAILED', details: { error: { name: 'ContractCallFailedError' } } },
    })
    expect(stellar.balanceOf(body.sponsor).xlm).toBe(before)
    sale.now = 'takes'
    expect(await submit(family, { id: body.id, transaction })).toMatchObject({ status: 200 })
  })

  test('refuses a missing trustline, a missing account, a payment to oneself, and a long memo', async () => {
    const family = families.stellar()
    const stranger = Keypair.random().publicKey()
    stellar.fund({ address: stranger, xlm: 10n * one })
    for (const destination of [stranger, Keypair.random().publicKey()])
      expect(await prepare(family, { destination })).toMatchObject({
        status: 412,
        body: { details: { error: { name: 'TrustlineError' } } },
      })
    expect(await prepare(family, { destination: family.from })).toMatchObject({ status: 400 })
    expect(await prepare(family, { paymentId: 'x'.repeat(29) })).toMatchObject({
      status: 400,
      body: { issues: ['paymentId'] },
    })
    expect(await prepare(family, { paymentId: 'ä'.repeat(14) })).toMatchObject({ status: 200 })
  })

  test('a sponsor whose sequence number was used must prepare again', async () => {
    await during({ sponsors: 1 }, async () => {
      const [first, second] = [families.stellar(), families.stellar()]
      const [firstBody, secondBody] = [await signed(first), await signed(second)]
      expect(await submit(second, secondBody)).toMatchObject({ status: 200 })
      expect(await submit(first, firstBody)).toMatchObject({ status: 412, body: { code: 'PERMIT_EXPIRED' } })
      expect(await submit(first, await signed(first))).toMatchObject({ status: 200 })
      paid(first)
      paid(second)
    })
  })

  const badSequence = new xdr.TransactionResult({
    feeCharged: xdr.Int64.fromString('100'),
    result: xdr.TransactionResultResult.txBadSeq(),
    ext: new xdr.TransactionResultExt(0),
  })
  /** Returns a node's responses about a transaction that it does not know and whose sequence number is used. */
  const unknowing = (ledgers: { oldest: number; latest: number }) => (text: string) => {
    const times = {
      latestLedger: 1,
      latestLedgerCloseTime: String(ledgers.latest),
      oldestLedger: 1,
      oldestLedgerCloseTime: String(ledgers.oldest),
    }
    if (text.includes('"getTransaction"')) return { result: { ...times, status: 'NOT_FOUND' } }
    if (!text.includes('"sendTransaction"')) return 'pass'
    const errorResultXdr = badSequence.toXDR('base64')
    return { result: { ...times, status: 'ERROR', hash: '00'.repeat(32), errorResultXdr } }
  }
  const seconds = () => Math.floor(now() / 1000)

  test.each<[string, () => { oldest: number; latest: number }]>([
    ['knows no ledgers after it', () => ({ oldest: 0, latest: seconds() })],
    ['no longer knows the ledgers of its time', () => ({ oldest: seconds(), latest: seconds() + 301 })],
  ])('a lost transaction stays unknown while the node %s', async (_, ledgers) => {
    const family = families.stellar()
    const body = await signed(family, 'pay_8')
    lose(nodes.stellar, 'sendTransaction', 'lost')
    expect(await submit(family, body)).toMatchObject({ status: 503 })
    await expect.poll(() => family.received()).toBe(15_000_000n)
    nodes.stellar.fate = unknowing(ledgers())
    const answer = await submit(family, body)
    nodes.stellar.fate = () => 'pass'
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(await prepare(family, { paymentId: 'pay_8' })).toMatchObject({ status: 409 })
    expect(await submit(family, body)).toMatchObject({ status: 200 })
    paid(family)
  })

  test('a lost transaction is final when the node has all ledgers of its time bounds', async () => {
    const family = families.stellar()
    const body = await signed(family)
    lose(nodes.stellar, 'sendTransaction', 'cut')
    expect(await submit(family, body)).toMatchObject({ status: 503 })
    nodes.stellar.fate = unknowing({ oldest: 0, latest: seconds() + 301 })
    const answer = await submit(family, body)
    nodes.stellar.fate = () => 'pass'
    expect(answer).toMatchObject({ status: 412, body: { code: 'PERMIT_EXPIRED' } })
  })

  /** Forwards a submission to the node, but returns this status to the client. */
  const rejecting = (status: 'ERROR' | 'TRY_AGAIN_LATER') => async (body: string) => {
    if (!body.includes('"sendTransaction"')) return 'pass'
    await fetch(stellar.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return {
      result: { status, hash: '00'.repeat(32), latestLedger: 1, latestLedgerCloseTime: `${seconds()}` },
    }
  }

  test.each(['ERROR', 'TRY_AGAIN_LATER'] as const)(
    'a node’s response %s for an included transaction is not trusted',
    async (status) => {
      const family = families.stellar()
      const body = await signed(family)
      nodes.stellar.fate = rejecting(status)
      const answer = await submit(family, body)
      nodes.stellar.fate = () => 'pass'
      expect(answer).toMatchObject({ status: 200 })
      paid(family)
    },
  )

  test('a transaction that a node first rejected and shows later is settled when it is submitted again', async () => {
    const { keypair, family } = withKey()
    const { body, transaction } = await signedCall(keypair, family, shop())
    const [unknown, rejected] = [unknowing({ oldest: 0, latest: seconds() }), rejecting('ERROR')]
    nodes.stellar.fate = (text) => (text.includes('"getTransaction"') ? unknown(text) : rejected(text))
    expect(await submit(family, { id: body.id, transaction })).toMatchObject({ status: 412 })
    nodes.stellar.fate = () => 'pass'
    expect(await submit(family, { id: body.id, transaction })).toMatchObject({ status: 200 })
    expect(stellar.balanceOf(family.to).usdc).toBe(15_000_000n)
  })

  test('a fee bump around the prepared transaction is not the prepared transaction', async () => {
    const family = families.stellar()
    const body = await signed(family)
    const bumper = Keypair.random()
    const inner = TransactionBuilder.fromXDR(body.transaction, networkPassphrase)
    if (inner instanceof FeeBumpTransaction) throw new Error('a plain transaction')
    const bump = TransactionBuilder.buildFeeBumpTransaction(bumper, '200', inner, networkPassphrase)
    bump.sign(bumper)
    expect(await submit(family, { id: body.id, transaction: bump.toXDR() })).toMatchObject({ status: 409 })
  })
})
