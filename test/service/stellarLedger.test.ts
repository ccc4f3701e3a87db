import {
  Account,
  Asset,
  BASE_FEE,
  type FeeBumpTransaction,
  Keypair,
  MuxedAccount,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { afterAll, describe, expect, test } from 'vitest'
import {
  feeBump,
  networkOf,
  signTransaction,
  stellarTransaction,
  usdcTransfer,
} from '../../src/redeemkit/stellar/index.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'

const network = networkOf('sandbox')
const { networkPassphrase } = network
const usdc = new Asset(network.usdc.code, network.usdc.issuer)
const environment = 'sandbox'
const one = 10_000_000n

/** The ledger, which applies each transaction before it responds. */
const stellar = await startStellar({ applyAfterMs: 0 })
const server = new rpc.Server(stellar.rpcUrl, { allowHttp: true })
afterAll(() => stellar.stop())

/** Returns a customer without spendable XLM, a merchant, and a sponsor. */
function accounts() {
  const [customer, merchant, sponsor] = [Keypair.random(), Keypair.random(), Keypair.random()]
  stellar.fund({ address: customer.publicKey(), xlm: 0n, usdc: 100n * one, sponsored: true })
  stellar.fund({ address: merchant.publicKey(), usdc: 0n })
  stellar.fund({ address: sponsor.publicKey(), xlm: 1000n * one })
  return { customer, merchant, sponsor }
}

/** Returns the result of a sent transaction: `SUCCESS`, or the code of its result or of its first operation. */
const codeOf = async (transaction: Transaction | FeeBumpTransaction) => {
  const sent = await server.sendTransaction(transaction)
  if (sent.status === 'ERROR') {
    const result = sent.errorResult?.result()
    const inner =
      result?.switch().name === 'txFeeBumpInnerFailed' ? result.innerResultPair().result().result() : result
    return inner?.switch().name
  }
  const included = await server.getTransaction(sent.hash)
  if (included.status !== 'FAILED') return included.status
  const [first] = included.resultXdr.result().results()
  const body = first?.switch().name === 'opInner' ? first.tr() : undefined
  return body === undefined ? first?.switch().name : body.value().switch().name
}

/** Returns a transaction with one operation, valid for a minute. */
async function draft(
  source: string,
  operation: xdr.Operation,
  options: Partial<TransactionBuilder.TransactionBuilderOptions> = {},
) {
  const account = await server.getAccount(source)
  return new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(Date.now() / 1000) + 60 },
    ...options,
  })
    .addOperation(operation)
    .build()
}

const pay = (to: string, amount = '1', source?: string) =>
  Operation.payment({ destination: to, asset: usdc, amount, ...(source === undefined ? {} : { source }) })

describe('the RPC of an ordinary rpc.Server', () => {
  test('states that it is a simulation', async () => {
    const response = await fetch(stellar.rpcUrl)
    expect(response.headers.get('x-simulation')).toBe('redeemkit')
    expect(await response.json()).toMatchObject({ simulation: true })
  })
  test('returns network, health and latest ledger', async () => {
    expect((await server.getNetwork()).passphrase).toBe(networkPassphrase)
    expect((await server.getHealth()).status).toBe('healthy')
    const latest = await server.getLatestLedger()
    expect(latest.headerXdr.ledgerSeq()).toBe(latest.sequence)
  })
  test('friendbot creates an account once', async () => {
    const key = Keypair.random()
    const account = await server.requestAirdrop(key.publicKey())
    expect((await server.getAccount(key.publicKey())).sequenceNumber()).toBe(account.sequenceNumber())
    expect((await fetch(`${stellar.rpcUrl}/friendbot?addr=nobody`)).status).toBe(400)
  })
  test('reads accounts, trustlines, balances and contract instances', async () => {
    const { customer } = accounts()
    const line = await server.getTrustline(customer.publicKey(), usdc)
    expect(line.balance().toString()).toBe(String(100n * one))
    expect((await server.getAssetBalance(customer.publicKey(), usdc)).balanceEntry?.amount).toBe(
      String(100n * one),
    )
    await expect(server.getAccount(Keypair.random().publicKey())).rejects.toThrow(/not found/)
    const instance = await server.getContractData(
      network.usdc.contract,
      xdr.ScVal.scvLedgerKeyContractInstance(),
    )
    expect(instance.val.contractData().val().instance().executable().switch().name).toBe(
      'contractExecutableStellarAsset',
    )
  })
  test('refuses unknown methods and invalid input', async () => {
    const ask = async (body: string) =>
      (await (await fetch(stellar.rpcUrl, { method: 'POST', body })).json()).error.code
    expect(await ask('{"id":1,"method":"getLedgers"}')).toBe(-32601)
    expect(await ask('{"id":1,"method":"getFeeStats"}')).toBe(-32601)
    expect(await ask('{"id":1,"method":"sendTransaction","params":{"transaction":"AAAA"}}')).toBe(-32602)
    expect(await ask('{"id":1,"method":"getLedgerEntries","params":{"keys":["!"]}}')).toBe(-32602)
    expect(await ask('{"id":1')).toBe(-32700)
    expect(await ask('[]')).toBe(-32600)
  })
  test.each([
    { ledgerbounds: { minLedger: 1, maxLedger: 2 } },
    { minAccountSequence: '1' },
    { minAccountSequenceAge: 1 },
    { minAccountSequenceLedgerGap: 1 },
    { extraSigners: [Keypair.random().publicKey()] },
  ])('refuses preconditions that it does not simulate: %j', async (preconditions) => {
    const { customer, sponsor } = accounts()
    const account = await server.getAccount(sponsor.publicKey())
    const inner = new TransactionBuilder(account, { fee: BASE_FEE, networkPassphrase, ...preconditions })
      .addOperation(pay(customer.publicKey(), '1'))
      .setTimeout(60)
      .build()
    inner.sign(sponsor)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '400', inner, networkPassphrase)
    bump.sign(sponsor)
    for (const transaction of [inner, bump])
      await expect(server.sendTransaction(transaction)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('only time bounds as preconditions'),
      })
  })
})

describe("the ledger's checks of a classic payment", () => {
  test('the payment moves USDC and charges the fee; sent again, it is the same transaction', async () => {
    const { customer, merchant } = accounts()
    stellar.fund({ address: customer.publicKey(), xlm: one })
    const transaction = await draft(customer.publicKey(), pay(merchant.publicKey(), '2.5'))
    transaction.sign(customer)
    expect(await codeOf(transaction)).toBe('SUCCESS')
    expect(stellar.balanceOf(merchant.publicKey()).usdc).toBe(25_000_000n)
    expect(stellar.balanceOf(customer.publicKey())).toEqual({ xlm: one - 100n, usdc: 975_000_000n })
    expect((await server.sendTransaction(transaction)).status).toBe('TRY_AGAIN_LATER')
    stellar.closeLedgers(10)
    expect(await codeOf(transaction)).toBe('txBadSeq')
  })
  type Party = 'customer' | 'merchant' | 'sponsor'
  type Parties = ReturnType<typeof accounts>
  // `stellarNetwork/payments.test.ts` tests signatures, time bounds and sequence numbers.
  test.each<{
    name: string
    source: Party
    payment: (p: Parties) => xdr.Operation
    signers: readonly Party[]
    code: string
    options?: Parameters<typeof draft>[2]
  }>([
    {
      name: 'another network',
      source: 'merchant',
      payment: (p) => pay(p.customer.publicKey()),
      signers: ['merchant'],
      code: 'txBadAuth',
      options: { networkPassphrase: networkOf('prod').networkPassphrase },
    },
    {
      name: 'too early',
      source: 'merchant',
      payment: (p) => pay(p.customer.publicKey()),
      signers: ['merchant'],
      code: 'txTooEarly',
      options: { timebounds: { minTime: Math.floor(Date.now() / 1000) + 1000, maxTime: 0 } },
    },
    {
      name: 'too little fee',
      source: 'merchant',
      payment: (p) => pay(p.customer.publicKey()),
      signers: ['merchant'],
      code: 'txInsufficientFee',
      options: { fee: '99' },
    },
    {
      name: 'only the reserve left',
      source: 'customer',
      payment: (p) => pay(p.merchant.publicKey()),
      signers: ['customer'],
      code: 'txInsufficientBalance',
    },
    {
      name: 'an operation whose source has not signed',
      source: 'sponsor',
      payment: (p) => pay(p.merchant.publicKey(), '1', p.customer.publicKey()),
      signers: ['sponsor'],
      code: 'txFailed',
    },
    {
      name: 'no trustline at the receiver',
      source: 'sponsor',
      payment: (p) => pay(p.sponsor.publicKey(), '1', p.customer.publicKey()),
      signers: ['sponsor', 'customer'],
      code: 'paymentNoTrust',
    },
    {
      name: 'too little USDC',
      source: 'merchant',
      payment: (p) => pay(p.customer.publicKey()),
      signers: ['merchant'],
      code: 'paymentUnderfunded',
    },
    {
      name: 'a receiver that does not exist',
      source: 'merchant',
      payment: () => pay(Keypair.random().publicKey()),
      signers: ['merchant'],
      code: 'paymentNoDestination',
    },
  ])('$name', async ({ source, payment, signers, code, options }) => {
    const p = accounts()
    const before = stellar.balanceOf(p.customer.publicKey())
    const transaction = await draft(p[source].publicKey(), payment(p), options)
    transaction.sign(...signers.map((signer) => p[signer]))
    expect(await codeOf(transaction)).toBe(code)
    expect(stellar.balanceOf(p.customer.publicKey())).toEqual(before)
  })
  test('a trustline without its reserve is rejected', async () => {
    const key = Keypair.random()
    stellar.fund({ address: key.publicKey(), xlm: one + 100n })
    const transaction = await draft(key.publicKey(), Operation.changeTrust({ asset: usdc }))
    transaction.sign(key)
    expect(await codeOf(transaction)).toBe('changeTrustLowReserve')
  })
  test('a full or unauthorized trustline receives nothing', async () => {
    const { customer, sponsor } = accounts()
    const [full, barred] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
    stellar.fund({ address: full, usdc: 0n, limit: 5n })
    stellar.fund({ address: barred, usdc: 0n, authorized: false })
    for (const [to, code] of [
      [full, 'paymentLineFull'],
      [barred, 'paymentNotAuthorized'],
    ] as const) {
      const transaction = await draft(sponsor.publicKey(), pay(to, '1', customer.publicKey()))
      transaction.sign(sponsor, customer)
      expect(await codeOf(transaction)).toBe(code)
    }
  })
  test('a failed operation reverts all operations, but fee and sequence number are used', async () => {
    const { customer, merchant, sponsor } = accounts()
    const account = await server.getAccount(sponsor.publicKey())
    const transaction = new TransactionBuilder(account, { fee: BASE_FEE, networkPassphrase })
      .addOperation(pay(merchant.publicKey(), '1', customer.publicKey()))
      .addOperation(pay(sponsor.publicKey(), '1', customer.publicKey()))
      .setTimeout(60)
      .build()
    transaction.sign(sponsor, customer)
    const sent = await server.sendTransaction(transaction)
    expect((await server.getTransaction(sent.hash)).status).toBe('FAILED')
    expect(stellar.balanceOf(customer.publicKey()).usdc).toBe(100n * one)
    expect(stellar.balanceOf(merchant.publicKey()).usdc).toBe(0n)
    expect(stellar.balanceOf(sponsor.publicKey()).xlm).toBe(1000n * one - 200n)
    expect((await server.getAccount(sponsor.publicKey())).sequenceNumber()).toBe(transaction.sequence)
  })
  test('a fee bump lets a customer without XLM pay, and only the sponsor is charged', async () => {
    const { customer, merchant, sponsor } = accounts()
    const inner = await draft(customer.publicKey(), pay(merchant.publicKey()))
    inner.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', inner, networkPassphrase)
    expect((await server.sendTransaction(bump)).status).toBe('ERROR')
    bump.sign(sponsor)
    const sent = await server.sendTransaction(bump)
    const included = await server.getTransaction(sent.hash)
    expect(included).toMatchObject({ status: 'SUCCESS', feeBump: true })
    expect(stellar.balanceOf(sponsor.publicKey()).xlm).toBe(1000n * one - 200n)
    expect(stellar.balanceOf(customer.publicKey())).toEqual({ xlm: 0n, usdc: 99n * one })
  })
  test('a fee bump of a transaction that is not signed is refused with the inner code', async () => {
    const { customer, merchant, sponsor } = accounts()
    const inner = await draft(customer.publicKey(), pay(merchant.publicKey()))
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '100', inner, networkPassphrase)
    bump.sign(sponsor)
    const sent = await server.sendTransaction(bump)
    const result = sent.errorResult?.result()
    expect(result?.switch().name).toBe('txFeeBumpInnerFailed')
    expect(result?.innerResultPair().result().result().switch().name).toBe('txBadAuth')
  })
})

describe('a payment', () => {
  test('is built only after trustlines and balances are checked', async () => {
    const p = accounts()
    const [bare, full, barred] = [
      Keypair.random().publicKey(),
      Keypair.random().publicKey(),
      Keypair.random().publicKey(),
    ]
    stellar.fund({ address: bare })
    stellar.fund({ address: full, usdc: 0n, limit: 5n })
    stellar.fund({ address: barred, usdc: 0n, authorized: false })
    const attempt = (to: string, amount = one, from = p.customer.publicKey()) =>
      usdcTransfer(server, { environment, from, to, amount, sponsor: p.sponsor.publicKey() })
    await expect(attempt(bare)).rejects.toMatchObject({ name: 'TrustlineError', field: 'to' })
    await expect(attempt(full)).rejects.toMatchObject({ name: 'TrustlineError', field: 'to' })
    await expect(attempt(barred)).rejects.toMatchObject({ name: 'TrustlineError', field: 'to' })
    await expect(attempt(p.merchant.publicKey(), one, bare)).rejects.toMatchObject({
      name: 'TrustlineError',
      field: 'from',
    })
    await expect(attempt(p.merchant.publicKey(), 101n * one)).rejects.toMatchObject({
      name: 'InsufficientUsdcError',
    })
    await expect(attempt(network.usdc.contract, one, bare)).rejects.toMatchObject({
      name: 'TrustlineError',
      field: 'from',
    })
  })

  test('to an exchange uses a muxed address, or an id as memo', async () => {
    const p = accounts()
    const to = new MuxedAccount(new Account(p.merchant.publicKey(), '0'), '4711').accountId()
    const memo = { type: 'id', value: '4711' } as const
    const built = await usdcTransfer(server, {
      environment,
      from: p.customer.publicKey(),
      to,
      amount: one,
      sponsor: p.sponsor.publicKey(),
      memo,
    })
    const transaction = await signTransaction(p.customer, { ...built, environment })
    const whole = await signTransaction(p.sponsor, { ...built, environment, transaction })
    const parsed = TransactionBuilder.fromXDR(whole, networkPassphrase) as Transaction // No fee bump is set.
    expect(parsed.memo.value).toBe('4711')
    expect(await codeOf(parsed)).toBe('SUCCESS')
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
    const self = new MuxedAccount(new Account(p.customer.publicKey(), '0'), '1').accountId()
    await expect(
      usdcTransfer(server, { environment, from: p.customer.publicKey(), to: self, amount: one }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })

  test('from the customer’s own account is sponsored only once signed, and a longer validity must be allowed', async () => {
    const p = accounts()
    const [from, to] = [p.customer.publicKey(), p.merchant.publicKey()]
    const built = await usdcTransfer(server, { environment, from, to, amount: one, validForSeconds: 7200 })
    await expect(signTransaction(p.customer, { ...built, environment })).rejects.toMatchObject({
      field: 'timeBounds.maxTime',
    })
    const options = { ...built, environment, maxValidForSeconds: 7200 } as const
    const expected = { ...built.expected, sponsor: p.sponsor.publicKey() }
    await expect(feeBump(p.sponsor, { ...options, expected })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    const transaction = await signTransaction(p.customer, options)
    const bump = await feeBump(p.sponsor, { ...options, expected, transaction })
    expect(await codeOf(TransactionBuilder.fromXDR(bump, networkPassphrase))).toBe('SUCCESS')
    expect(stellar.balanceOf(to).usdc).toBe(one)
  })

  test.each([
    ['a memo beside a call', { to: network.usdc.contract, memo: 'pay_1' }, 'InvalidMemoError', 'memo'],
    ['a clock that returns NaN', { now: () => Number.NaN }, 'InvalidClockError', 'now'],
  ] as const)('is not built with %s', async (_, change, name, field) => {
    const { customer, merchant } = accounts()
    const options = {
      environment,
      from: customer.publicKey(),
      to: merchant.publicKey(),
      amount: one,
    } as const
    await expect(usdcTransfer(server, { ...options, ...change })).rejects.toMatchObject({ name, field })
  })

  test('a call is not built without the expected call', async () => {
    await expect(stellarTransaction(server, { environment } as never)).rejects.toMatchObject({
      name: 'MissingExpectationError',
    })
  })
})
