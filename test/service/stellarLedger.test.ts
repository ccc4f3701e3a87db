import {
  Account,
  Address,
  Asset,
  BASE_FEE,
  Horizon,
  Keypair,
  MuxedAccount,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleStellarPayment } from '../../src/sandbox/chains/stellar/settleStellarPayment.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'
import {
  type ExpectedTransaction,
  feeBump,
  networkOf,
  signTransaction,
  stellarTransaction,
  usdcTransfer,
} from '../../src/stellar/index.ts'
import { compileWasm } from './stellarNetwork/compileWasm.ts'
import { runHostFunction } from './stellarNetwork/deployShop.ts'

const network = networkOf('sandbox')
const { networkPassphrase } = network
const usdc = new Asset(network.usdc.code, network.usdc.issuer)
const environment = 'sandbox'
const one = 10_000_000n

let stellar: Awaited<ReturnType<typeof startStellar>>
let server: rpc.Server
const address = (text: string) => nativeToScVal(text, { type: 'address' })

beforeAll(async () => {
  stellar = await startStellar({ applyAfterMs: 0 })
  server = new rpc.Server(stellar.rpcUrl, { allowHttp: true })
})
afterAll(() => stellar.stop())

/** Customer without spendable XLM, merchant, sponsor. */
function people() {
  const [customer, merchant, sponsor] = [Keypair.random(), Keypair.random(), Keypair.random()]
  stellar.fund({ address: customer.publicKey(), xlm: 0n, usdc: 100n * one, sponsored: true })
  stellar.fund({ address: merchant.publicKey(), usdc: 0n })
  stellar.fund({ address: sponsor.publicKey(), xlm: 1000n * one })
  return { customer, merchant, sponsor }
}
const codeOf = async (transaction: Transaction) => {
  const sent = await server.sendTransaction(transaction)
  if (sent.status === 'ERROR') {
    const result = sent.errorResult?.result()
    const inner =
      result?.switch().name === 'txFeeBumpInnerFailed' ? result.innerResultPair().result().result() : result
    return inner?.switch().name
  }
  const landed = await server.getTransaction(sent.hash)
  if (landed.status !== 'FAILED') return landed.status
  const [first] = landed.resultXdr.result().results()
  const body = first?.switch().name === 'opInner' ? first.tr() : undefined
  return body === undefined ? first?.switch().name : body.value().switch().name
}
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
  test('says that it is a simulation', async () => {
    expect((await server.getVersionInfo()).version).toMatch(/simulation/)
    const response = await fetch(stellar.rpcUrl)
    expect(response.headers.get('x-simulation')).toBe('redeemkit')
    expect(await response.json()).toMatchObject({ simulation: true })
  })
  test('network, health, latest ledger, fees', async () => {
    expect((await server.getNetwork()).passphrase).toBe(networkPassphrase)
    expect((await server.getHealth()).status).toBe('healthy')
    const latest = await server.getLatestLedger()
    expect(latest.headerXdr.ledgerSeq()).toBe(latest.sequence)
    expect((await server.getFeeStats()).inclusionFee.min).toBe('100')
  })
  test('friendbot creates an account once', async () => {
    const key = Keypair.random()
    const account = await server.requestAirdrop(key.publicKey())
    expect((await server.getAccount(key.publicKey())).sequenceNumber()).toBe(account.sequenceNumber())
    expect((await fetch(`${stellar.rpcUrl}/friendbot?addr=nobody`)).status).toBe(400)
  })
  test('reads accounts, trustlines, balances and contract instances', async () => {
    const { customer } = people()
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
  test('refuses what it does not speak, and garbage', async () => {
    const ask = async (body: string) =>
      (await (await fetch(stellar.rpcUrl, { method: 'POST', body })).json()).error.code
    expect(await ask('{"id":1,"method":"getLedgers"}')).toBe(-32601)
    expect(await ask('{"id":1,"method":"sendTransaction","params":{"transaction":"AAAA"}}')).toBe(-32602)
    expect(await ask('{"id":1,"method":"getLedgerEntries","params":{"keys":["!"]}}')).toBe(-32602)
    expect(await ask('{"id":1')).toBe(-32700)
    expect(await ask('[]')).toBe(-32600)
  })
  test('an account and a submission over Horizon', async () => {
    const { customer, merchant } = people()
    stellar.fund({ address: customer.publicKey(), xlm: 10n * one })
    const horizon = new Horizon.Server(stellar.horizonUrl, { allowHttp: true })
    const account = await horizon.loadAccount(customer.publicKey())
    expect(account.balances[0]?.balance).toBe('100.0000000')
    const transaction = await draft(customer.publicKey(), pay(merchant.publicKey()))
    transaction.sign(customer)
    expect((await horizon.submitTransaction(transaction)).successful).toBe(true)
    await expect(horizon.loadAccount(Keypair.random().publicKey())).rejects.toThrow()
  })
})

describe('what the ledger checks of a classic payment', () => {
  test('it moves USDC and takes the fee; a second time it is the same transaction', async () => {
    const { customer, merchant } = people()
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
  test.each<[string, (p: ReturnType<typeof people>) => Promise<Transaction>, string]>([
    ['no signature', async (p) => draft(p.merchant.publicKey(), pay(p.sponsor.publicKey())), 'txBadAuth'],
    [
      'another key',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()))
        transaction.sign(p.customer)
        return transaction
      },
      'txBadAuth',
    ],
    [
      'one signature too many',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()))
        transaction.sign(p.merchant, p.sponsor)
        return transaction
      },
      'txBadAuthExtra',
    ],
    [
      'another network',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()), {
          networkPassphrase: networkOf('prod').networkPassphrase,
        })
        transaction.sign(p.merchant)
        return transaction
      },
      'txBadAuth',
    ],
    [
      'a wrong sequence',
      async (p) => {
        const transaction = new TransactionBuilder(new Account(p.merchant.publicKey(), '7'), {
          fee: BASE_FEE,
          networkPassphrase,
        })
          .addOperation(pay(p.customer.publicKey()))
          .setTimeout(60)
          .build()
        transaction.sign(p.merchant)
        return transaction
      },
      'txBadSeq',
    ],
    [
      'too late',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()), {
          timebounds: { minTime: 0, maxTime: 1000 },
        })
        transaction.sign(p.merchant)
        return transaction
      },
      'txTooLate',
    ],
    [
      'too early',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()), {
          timebounds: { minTime: Math.floor(Date.now() / 1000) + 1000, maxTime: 0 },
        })
        transaction.sign(p.merchant)
        return transaction
      },
      'txTooEarly',
    ],
    [
      'too little fee',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()), { fee: '99' })
        transaction.sign(p.merchant)
        return transaction
      },
      'txInsufficientFee',
    ],
    [
      'only the reserve left',
      async (p) => {
        const transaction = await draft(p.customer.publicKey(), pay(p.merchant.publicKey()))
        transaction.sign(p.customer)
        return transaction
      },
      'txInsufficientBalance',
    ],
    [
      'an operation whose source has not signed',
      async (p) => {
        const transaction = await draft(
          p.sponsor.publicKey(),
          pay(p.merchant.publicKey(), '1', p.customer.publicKey()),
        )
        transaction.sign(p.sponsor)
        return transaction
      },
      'txFailed',
    ],
    [
      'no trustline at the receiver',
      async (p) => {
        const transaction = await draft(
          p.sponsor.publicKey(),
          pay(p.sponsor.publicKey(), '1', p.customer.publicKey()),
        )
        transaction.sign(p.sponsor, p.customer)
        return transaction
      },
      'paymentNoTrust',
    ],
    [
      'too little USDC',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(p.customer.publicKey()))
        transaction.sign(p.merchant)
        return transaction
      },
      'paymentUnderfunded',
    ],
    [
      'a receiver that does not exist',
      async (p) => {
        const transaction = await draft(p.merchant.publicKey(), pay(Keypair.random().publicKey()))
        transaction.sign(p.merchant)
        return transaction
      },
      'paymentNoDestination',
    ],
    [
      'a trustline without its reserve',
      async (p) => {
        const key = Keypair.random()
        stellar.fund({ address: key.publicKey(), xlm: one + 100n })
        const transaction = await draft(key.publicKey(), Operation.changeTrust({ asset: usdc }))
        transaction.sign(key)
        void p
        return transaction
      },
      'changeTrustLowReserve',
    ],
  ])('%s', async (_, make, code) => {
    const p = people()
    const before = stellar.balanceOf(p.customer.publicKey())
    expect(await codeOf(await make(p))).toBe(code)
    expect(stellar.balanceOf(p.customer.publicKey())).toEqual(before)
  })
  test('a full trustline and an unauthorized one take nothing', async () => {
    const { customer, sponsor } = people()
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
  test('one failed operation undoes all, but fee and sequence are spent', async () => {
    const { customer, merchant, sponsor } = people()
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
  test('thresholds count weights of several signers', async () => {
    const [account, second, merchant] = [Keypair.random(), Keypair.random(), people().merchant]
    stellar.fund({ address: account.publicKey(), usdc: 10n * one })
    const raise = await draft(
      account.publicKey(),
      Operation.setOptions({
        lowThreshold: 1,
        medThreshold: 2,
        highThreshold: 2,
        signer: { ed25519PublicKey: second.publicKey(), weight: 1 },
      }),
    )
    raise.sign(account)
    expect(await codeOf(raise)).toBe('SUCCESS')
    const alone = await draft(account.publicKey(), pay(merchant.publicKey()))
    alone.sign(account)
    expect(await codeOf(alone)).toBe('txFailed')
    alone.sign(second)
    expect(await codeOf(alone)).toBe('SUCCESS')
  })
  test('a fee bump lets a customer without XLM pay, and only the sponsor is charged', async () => {
    const { customer, merchant, sponsor } = people()
    const inner = await draft(customer.publicKey(), pay(merchant.publicKey()))
    inner.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', inner, networkPassphrase)
    expect((await server.sendTransaction(bump)).status).toBe('ERROR')
    bump.sign(sponsor)
    const sent = await server.sendTransaction(bump)
    const landed = await server.getTransaction(sent.hash)
    expect(landed).toMatchObject({ status: 'SUCCESS', feeBump: true })
    expect(stellar.balanceOf(sponsor.publicKey()).xlm).toBe(1000n * one - 200n)
    expect(stellar.balanceOf(customer.publicKey())).toEqual({ xlm: 0n, usdc: 99n * one })
  })
  test('a fee bump of a transaction that is not signed is refused with the inner code', async () => {
    const { customer, merchant, sponsor } = people()
    const inner = await draft(customer.publicKey(), pay(merchant.publicKey()))
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '100', inner, networkPassphrase)
    bump.sign(sponsor)
    const sent = await server.sendTransaction(bump)
    const result = sent.errorResult?.result()
    expect(result?.switch().name).toBe('txFeeBumpInnerFailed')
    expect(result?.innerResultPair().result().result().switch().name).toBe('txBadAuth')
  })
})

/** Contracts in Wasm, and what authorizations are held to: `stellarNetwork/contracts.test.ts`, on a real network, too. */
describe('contracts declared in TypeScript', () => {
  const shop = (merchant: string) =>
    stellar.declareContract(
      {
        buy(context, customer, amount) {
          if (customer === undefined || amount === undefined) return context.fail(1)
          const buyer = Address.fromScVal(customer).toString()
          context.requireAuth(buyer)
          context.transferUsdc(buyer, merchant, scValToNative(amount))
          const key = xdr.ScVal.scvSymbol('count')
          const count = Number(scValToNative(context.get(key) ?? xdr.ScVal.scvU32(0))) + 1
          context.set(key, xdr.ScVal.scvU32(count))
          return xdr.ScVal.scvU32(count)
        },
        steal(context, customer, amount) {
          if (customer === undefined || amount === undefined) return context.fail(1)
          const buyer = Address.fromScVal(customer).toString()
          context.requireAuth(buyer)
          context.transferUsdc(buyer, merchant, scValToNative(amount) * 2n)
          return undefined
        },
      },
      `shop ${merchant}`,
    )
  function call(p: ReturnType<typeof people>, functionName = 'buy', amount = 4n * one): ExpectedTransaction {
    return {
      kind: 'call',
      from: p.customer.publicKey(),
      sponsor: p.sponsor.publicKey(),
      contract: shop(p.merchant.publicKey()),
      functionName,
      args: [address(p.customer.publicKey()), nativeToScVal(amount, { type: 'i128' })],
      spends: { to: p.merchant.publicKey(), amount },
    }
  }

  test('a sponsored merchant call: built, authorized by the customer, settled by the service', async () => {
    const p = people()
    const expected = call(p)
    const built = await stellarTransaction(server, { environment, expected })
    const signed = await signTransaction(p.customer, { ...built, environment, expected })
    const settled = await settleStellarPayment(server, {
      environment,
      sponsor: p.sponsor,
      transaction: signed,
      expected,
    })
    const landed = await server.getTransaction(settled.hash)
    expect(landed.status === 'SUCCESS' && landed.returnValue && scValToNative(landed.returnValue)).toBe(1)
    expect(stellar.balanceOf(p.customer.publicKey())).toEqual({ xlm: 0n, usdc: 96n * one })
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(4n * one)
    const { events } = await server.getEvents({
      startLedger: settled.ledger,
      filters: [{ type: 'contract', contractIds: [network.usdc.contract] }],
    })
    expect(
      events.map((event) => [
        scValToNative(event.topic[0] ?? xdr.ScVal.scvVoid()),
        scValToNative(event.value),
      ]),
    ).toContainEqual(['transfer', 4n * one])
  })
  test('a contract that takes more than it should is refused while building', async () => {
    const p = people()
    await expect(
      stellarTransaction(server, { environment, expected: call(p, 'steal') }),
    ).rejects.toMatchObject({ name: 'WrongAmountError' })
  })
  test('a call that fails is a typed error with the reason', async () => {
    await expect(
      stellarTransaction(server, { environment, expected: call(people(), 'buy', 101n * one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#10') })
    const stranger = { ...people(), customer: Keypair.random() }
    await expect(stellarTransaction(server, { environment, expected: call(stranger) })).rejects.toMatchObject(
      { name: 'ContractCallFailedError', message: expect.stringContaining('#6') },
    )
  })

  test('says at once that it cannot run a contract whose host functions it lacks', async () => {
    const { sponsor } = people()
    const wasm = await compileWasm('(module (import "c" "_" (func (param i64) (result i64))))')
    await expect(runHostFunction(server, sponsor, Operation.uploadContractWasm({ wasm }))).rejects.toThrow(
      /no host function c\._; declare the contract/,
    )
  })
  test('a contract that catches a failure fails all the same, and nothing of it is done', async () => {
    const p = people()
    const contract = stellar.declareContract({
      swallow(context, customer, amount) {
        const buyer = Address.fromScVal(customer ?? xdr.ScVal.scvVoid()).toString()
        try {
          context.requireAuth(buyer)
          // The receiver has no trustline: the sender's side is done by then.
          context.transferUsdc(buyer, p.sponsor.publicKey(), scValToNative(amount ?? xdr.ScVal.scvVoid()))
        } catch {}
        return undefined
      },
    })
    const args = [address(p.customer.publicKey()), nativeToScVal(one, { type: 'i128' })]
    const from = p.customer.publicKey()
    await expect(
      stellarTransaction(server, {
        environment,
        expected: {
          kind: 'call',
          from,
          sponsor: p.sponsor.publicKey(),
          contract,
          functionName: 'swallow',
          args,
        },
      }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#13') })
  })
  test('a contract holds and spends its own USDC', async () => {
    const p = people()
    const vault = stellar.declareContract({
      pay(context, to) {
        context.transferUsdc(context.self, Address.fromScVal(to ?? xdr.ScVal.scvVoid()).toString(), one)
        return undefined
      },
    })
    const deposit = await usdcTransfer(server, {
      environment,
      from: p.customer.publicKey(),
      to: vault,
      amount: 3n * one,
      sponsor: p.sponsor.publicKey(),
    })
    const signed = await signTransaction(p.customer, { ...deposit, environment })
    await settleStellarPayment(server, { ...deposit, environment, sponsor: p.sponsor, transaction: signed })
    expect(stellar.balanceOf(vault).usdc).toBe(3n * one)
    const paid = await stellarTransaction(server, {
      environment,
      expected: {
        kind: 'call',
        from: p.sponsor.publicKey(),
        contract: vault,
        functionName: 'pay',
        args: [address(p.merchant.publicKey())],
      },
    })
    const transaction = TransactionBuilder.fromXDR(paid.transaction, networkPassphrase)
    transaction.sign(p.sponsor)
    expect(await codeOf(transaction as Transaction)).toBe('SUCCESS')
    expect(stellar.balanceOf(vault).usdc).toBe(2n * one)
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
  })
})

describe('a sponsored USDC payment, end to end', () => {
  test('sponsor as source', async () => {
    const p = people()
    const { transaction, expected } = await usdcTransfer(server, {
      environment,
      from: p.customer.publicKey(),
      to: p.merchant.publicKey(),
      amount: 25_000_000n,
      sponsor: p.sponsor.publicKey(),
      memo: 'pay_123',
    })
    const signed = await signTransaction(p.customer, { transaction, environment, expected })
    const settled = await settleStellarPayment(server, {
      environment,
      sponsor: p.sponsor,
      transaction: signed,
      expected,
    })
    expect(settled.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(stellar.balanceOf(p.customer.publicKey())).toEqual({ xlm: 0n, usdc: 975_000_000n })
    const again = await settleStellarPayment(server, {
      environment,
      sponsor: p.sponsor,
      transaction: signed,
      expected,
    })
    expect(again).toEqual(settled)
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(25_000_000n)
  })
  test('customer as source, fee bump', async () => {
    const p = people()
    const built = await usdcTransfer(server, {
      environment,
      from: p.customer.publicKey(),
      to: p.merchant.publicKey(),
      amount: one,
    })
    const signed = await signTransaction(p.customer, { ...built, environment })
    await settleStellarPayment(server, { ...built, environment, sponsor: p.sponsor, transaction: signed })
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
    await expect(
      feeBump(p.sponsor, {
        ...built,
        environment,
        expected: { ...built.expected, sponsor: p.sponsor.publicKey() },
      }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })
  test('the service refuses what is not the payment', async () => {
    const p = people()
    const built = await usdcTransfer(server, {
      environment,
      from: p.customer.publicKey(),
      to: p.merchant.publicKey(),
      amount: one,
    })
    const signed = await signTransaction(p.customer, { ...built, environment })
    const expected = { ...built.expected, amount: 2n * one } as ExpectedTransaction
    await expect(
      settleStellarPayment(server, { environment, sponsor: p.sponsor, transaction: signed, expected }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError' })
    await expect(
      settleStellarPayment(server, {
        ...built,
        environment,
        sponsor: p.sponsor,
        transaction: built.transaction,
      }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError', field: 'transaction.signatures' })
  })
  test('the sponsor is never the customer', async () => {
    const p = people()
    stellar.fund({ address: p.sponsor.publicKey(), usdc: 10n * one })
    const from = p.sponsor.publicKey()
    const built = await usdcTransfer(server, { environment, from, to: p.merchant.publicKey(), amount: one })
    await expect(
      settleStellarPayment(server, { ...built, environment, sponsor: p.sponsor }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError', field: 'expected.from' })
    expect(stellar.balanceOf(from).usdc).toBe(10n * one)
  })
  /** A call of a shop of its own, that takes one USDC for the merchant unless it is told not to. */
  function callOf(p: ReturnType<typeof people>, sale = { takes: true }): ExpectedTransaction {
    const contract = stellar.declareContract({
      buy(context, customer) {
        const buyer = Address.fromScVal(customer ?? xdr.ScVal.scvVoid()).toString()
        context.requireAuth(buyer)
        if (sale.takes) context.transferUsdc(buyer, p.merchant.publicKey(), one)
        return undefined
      },
    })
    return {
      kind: 'call',
      from: p.customer.publicKey(),
      sponsor: p.sponsor.publicKey(),
      contract,
      functionName: 'buy',
      args: [address(p.customer.publicKey())],
      spends: { to: p.merchant.publicKey(), amount: one },
    }
  }
  test('a contract that was allowed to take the money and did not is no payment', async () => {
    const p = people()
    const sale = { takes: true }
    const expected = callOf(p, sale)
    const built = await stellarTransaction(server, { environment, expected })
    const transaction = await signTransaction(p.customer, { ...built, environment, expected })
    sale.takes = false
    for (const _ of ['first', 'again'])
      await expect(
        settleStellarPayment(server, { environment, sponsor: p.sponsor, transaction, expected }),
      ).rejects.toMatchObject({ name: 'StellarSettlementError', resultCode: 'PAYMENT_MISSING' })
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(0n)
  })
  test('a call that would fail costs the sponsor nothing', async () => {
    const p = people()
    const expected = callOf(p)
    const built = await stellarTransaction(server, { environment, expected })
    const signed = await signTransaction(p.customer, { ...built, environment, expected })
    const change = (edit: (tx: xdr.Transaction, entry: xdr.SorobanAuthorizationEntry) => void) => {
      const envelope = xdr.TransactionEnvelope.fromXDR(signed, 'base64')
      const tx = envelope.v1().tx()
      const entry = tx.operations()[0]?.body().invokeHostFunctionOp().auth()[0]
      if (entry === undefined) throw new Error('no entry')
      edit(tx, entry)
      return envelope.toXDR('base64')
    }
    const settle = (transaction: string) =>
      settleStellarPayment(server, { environment, sponsor: p.sponsor, transaction, expected })
    const before = stellar.balanceOf(p.sponsor.publicKey()).xlm
    await expect(
      settle(change((_, entry) => entry.credentials().address().signature(xdr.ScVal.scvVoid()))),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError', field: 'transaction.signatures' })
    // The money is gone in between.
    const leave = await draft(
      p.sponsor.publicKey(),
      pay(p.merchant.publicKey(), '100', p.customer.publicKey()),
    )
    leave.sign(p.sponsor, p.customer)
    expect(await codeOf(leave)).toBe('SUCCESS')
    await expect(settle(signed)).rejects.toMatchObject({
      name: 'StellarSettlementError',
      resultCode: 'SIMULATION_FAILED',
    })
    expect(stellar.balanceOf(p.sponsor.publicKey()).xlm).toBe(before - 100n)
  })
  test.each(['ERROR', 'TRY_AGAIN_LATER'] as const)(
    'a node that answers %s for what has landed is not believed',
    async (status) => {
      const p = people()
      const built = await usdcTransfer(server, {
        environment,
        from: p.customer.publicKey(),
        to: p.merchant.publicKey(),
        amount: one,
        sponsor: p.sponsor.publicKey(),
      })
      const transaction = await signTransaction(p.customer, { ...built, environment })
      let asked = 0
      const node = Object.assign(Object.create(server), {
        // The first look comes before it is sent.
        getTransaction: async (hash: string) => {
          asked += 1
          return server.getTransaction(hash)
        },
        sendTransaction: async (sent: Transaction) => ({ ...(await server.sendTransaction(sent)), status }),
      })
      const settling = {
        ...built,
        environment,
        sponsor: p.sponsor,
        transaction,
        pollIntervalMs: 5,
      } as const
      const settled = await settleStellarPayment(node, settling)
      expect(asked).toBe(2)
      expect(await settleStellarPayment(node, settling)).toEqual(settled)
      expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
      const lost = Object.assign(Object.create(node), {
        getTransaction: async () => ({ status: 'NOT_FOUND' }),
      })
      await expect(settleStellarPayment(lost, settling)).rejects.toMatchObject(
        status === 'ERROR'
          ? { name: 'StellarSettlementError' }
          : { resultCode: status, fix: expect.stringContaining('Do not build') },
      )
    },
  )
  test('a stale sequence is told as such', async () => {
    const p = people()
    const make = () =>
      usdcTransfer(server, {
        environment,
        from: p.customer.publicKey(),
        to: p.merchant.publicKey(),
        amount: one,
        sponsor: p.sponsor.publicKey(),
        memo: String(Math.random()).slice(0, 12),
      })
    const [first, second] = [await make(), await make()]
    for (const [built, code] of [
      [first, undefined],
      [second, 'txBadSeq'],
    ] as const) {
      const transaction = await signTransaction(p.customer, { ...built, environment })
      const settling = settleStellarPayment(server, {
        ...built,
        environment,
        sponsor: p.sponsor,
        transaction,
      })
      if (code === undefined) await settling
      else await expect(settling).rejects.toMatchObject({ name: 'StellarSettlementError', resultCode: code })
    }
  })
  test('trustlines and balances are looked at before', async () => {
    const p = people()
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
    await expect(attempt(p.customer.publicKey())).rejects.toMatchObject({ name: 'WrongPartyError' })
    await expect(attempt(p.merchant.publicKey(), 0n)).rejects.toMatchObject({ name: 'InvalidAmountError' })
    await expect(attempt(p.merchant.publicKey(), 1n << 63n)).rejects.toMatchObject({
      name: 'InvalidAmountError',
    })
    await expect(attempt('GABC')).rejects.toMatchObject({ name: 'InvalidAddressError' })
    await expect(attempt(network.usdc.contract, one, bare)).rejects.toMatchObject({
      name: 'TrustlineError',
      field: 'from',
    })
  })
  test('to an exchange: a number in the address, an id as memo', async () => {
    const p = people()
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
    const { hash } = await settleStellarPayment(server, {
      ...built,
      environment,
      sponsor: p.sponsor,
      transaction,
    })
    const landed = await server.getTransaction(hash)
    if (landed.status !== 'SUCCESS') throw new Error('not landed')
    expect(landed.envelopeXdr.v1().tx().memo().id().toString()).toBe('4711')
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
    const self = new MuxedAccount(new Account(p.customer.publicKey(), '0'), '1').accountId()
    await expect(
      usdcTransfer(server, { environment, from: p.customer.publicKey(), to: self, amount: one }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test('options that mean nothing are told before the ledger is asked', async () => {
    const p = people()
    const base = {
      environment,
      from: p.customer.publicKey(),
      to: p.merchant.publicKey(),
      amount: one,
    } as const
    for (const [change, name, field] of [
      [{ memo: 5 }, 'InvalidMemoError', 'memo'],
      [{ memo: null }, 'InvalidMemoError', 'memo'],
      [{ memo: 'é'.repeat(15) }, 'InvalidMemoError', 'memo'],
      [{ to: network.usdc.contract, memo: 'pay_1' }, 'InvalidMemoError', 'memo'],
      [{ inclusionFee: -1n }, 'InvalidOptionError', 'inclusionFee'],
      [{ inclusionFee: 'x' }, 'InvalidOptionError', 'inclusionFee'],
      [{ inclusionFee: 1n << 32n }, 'InvalidOptionError', 'inclusionFee'],
      [{ validForSeconds: '300' }, 'InvalidOptionError', 'validForSeconds'],
      [{ validForSeconds: -5 }, 'InvalidOptionError', 'validForSeconds'],
      [{ validForSeconds: 1.5 }, 'InvalidOptionError', 'validForSeconds'],
      [{ validForSeconds: Number.NaN }, 'InvalidOptionError', 'validForSeconds'],
      [{ now: () => Number.NaN }, 'InvalidClockError', 'now'],
    ] as const)
      await expect(usdcTransfer(server, { ...base, ...change } as never)).rejects.toMatchObject({
        name,
        field,
      })
    await expect(stellarTransaction(server, { environment } as never)).rejects.toMatchObject({
      name: 'MissingExpectationError',
    })
    const long = await usdcTransfer(server, { ...base, validForSeconds: 7200 })
    await expect(signTransaction(p.customer, { ...long, environment })).rejects.toMatchObject({
      field: 'timeBounds.maxTime',
    })
    expect(await signTransaction(p.customer, { ...long, environment, maxValidForSeconds: 7200 })).not.toBe(
      long.transaction,
    )
  })
})
