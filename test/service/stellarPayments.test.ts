import { Account, Address, Keypair, MuxedAccount, type Transaction, xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import {
  type ExpectedTransaction,
  feeBump,
  signTransaction,
  stellarTransaction,
  usdcTransfer,
} from '../../src/redeemkit/stellar/index.ts'
import { settleStellarPayment } from '../../src/sandbox/chains/stellar/settleStellarPayment.ts'
import {
  accounts,
  address,
  codeOf,
  draft,
  environment,
  network,
  one,
  pay,
  server,
  stellar,
} from './stellarSetup.ts'

/** One USDC from the customer to the merchant, built and signed by the customer. */
async function signedPayment(p: ReturnType<typeof accounts>, options: { sponsor?: string } = {}) {
  const built = await usdcTransfer(server, {
    environment,
    from: p.customer.publicKey(),
    to: p.merchant.publicKey(),
    amount: one,
    ...options,
  })
  return { built, signed: await signTransaction(p.customer, { ...built, environment }) }
}

describe('a sponsored USDC payment, end to end', () => {
  test('sponsor as source', async () => {
    const p = accounts()
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
    const p = accounts()
    const { built, signed } = await signedPayment(p)
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
  test('the service refuses any other transaction', async () => {
    const p = accounts()
    const { built, signed } = await signedPayment(p)
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
    const p = accounts()
    stellar.fund({ address: p.sponsor.publicKey(), usdc: 10n * one })
    const from = p.sponsor.publicKey()
    const built = await usdcTransfer(server, { environment, from, to: p.merchant.publicKey(), amount: one })
    await expect(
      settleStellarPayment(server, { ...built, environment, sponsor: p.sponsor }),
    ).rejects.toMatchObject({ name: 'RefusedTransactionError', field: 'expected.from' })
    expect(stellar.balanceOf(from).usdc).toBe(10n * one)
  })
  /** A call of a separate shop, which takes one USDC for the merchant unless `takes` is false. */
  function callOf(p: ReturnType<typeof accounts>, sale = { takes: true }): ExpectedTransaction {
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
  test('a contract that did not take the allowed money is not a payment', async () => {
    const p = accounts()
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
    const p = accounts()
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
    'a node’s answer %s for an included transaction is not trusted',
    async (status) => {
      const p = accounts()
      const { built, signed: transaction } = await signedPayment(p, { sponsor: p.sponsor.publicKey() })
      let asked = 0
      const node = Object.assign(Object.create(server), {
        // The first look-up precedes the submit.
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
  test('a stale sequence is reported', async () => {
    const p = accounts()
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
  test('trustlines and balances are checked first', async () => {
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
  test('to an exchange: a muxed address, or an id as memo', async () => {
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
    const { hash } = await settleStellarPayment(server, {
      ...built,
      environment,
      sponsor: p.sponsor,
      transaction,
    })
    const included = await server.getTransaction(hash)
    if (included.status !== 'SUCCESS') throw new Error('The transaction was not included.')
    expect(included.envelopeXdr.v1().tx().memo().id().toString()).toBe('4711')
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
    const self = new MuxedAccount(new Account(p.customer.publicKey(), '0'), '1').accountId()
    await expect(
      usdcTransfer(server, { environment, from: p.customer.publicKey(), to: self, amount: one }),
    ).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
  test('invalid options are reported before the ledger is asked', async () => {
    const p = accounts()
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
