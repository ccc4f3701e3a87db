import {
  Account,
  BASE_FEE,
  Keypair,
  Operation,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { networkOf } from '../../src/redeemkit/stellar/index.ts'
import {
  accounts,
  codeOf,
  draft,
  network,
  networkPassphrase,
  one,
  pay,
  server,
  stellar,
  usdc,
} from './stellarSetup.ts'

describe('the RPC of an ordinary rpc.Server', () => {
  test('states that it is a simulation', async () => {
    expect((await server.getVersionInfo()).version).toMatch(/simulation/)
    const response = await fetch(stellar.rpcUrl)
    expect(response.headers.get('x-simulation')).toBe('redeemkit')
    expect(await response.json()).toMatchObject({ simulation: true })
  })
  test('network, health, latest ledger', async () => {
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
        message: expect.stringContaining('does not know all preconditions'),
      })
  })
})

describe("the ledger's checks of a classic payment", () => {
  test('it moves USDC and charges the fee; sent again, it is the same transaction', async () => {
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
  test.each<[string, (p: ReturnType<typeof accounts>) => Promise<Transaction>, string]>([
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
    const p = accounts()
    const before = stellar.balanceOf(p.customer.publicKey())
    expect(await codeOf(await make(p))).toBe(code)
    expect(stellar.balanceOf(p.customer.publicKey())).toEqual(before)
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
  test('a failed operation undoes all, but fee and sequence number are used', async () => {
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
  test('thresholds add the weights of several signers', async () => {
    const [account, second, merchant] = [Keypair.random(), Keypair.random(), accounts().merchant]
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
