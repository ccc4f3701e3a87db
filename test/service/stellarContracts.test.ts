import {
  Address,
  Keypair,
  nativeToScVal,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import {
  type ExpectedTransaction,
  signTransaction,
  stellarTransaction,
  usdcTransfer,
} from '../../src/redeemkit/stellar/index.ts'
import { settleStellarPayment } from '../../src/sandbox/chains/stellar/settleStellarPayment.ts'
import {
  accounts,
  address,
  codeOf,
  environment,
  networkPassphrase,
  one,
  server,
  stellar,
} from './stellarSetup.ts'

/** The ledger's checks of authorizations: `stellarNetwork/contracts.test.ts`. */
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
  function call(
    p: ReturnType<typeof accounts>,
    functionName = 'buy',
    amount = 4n * one,
  ): ExpectedTransaction {
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
    const p = accounts()
    const expected = call(p)
    const built = await stellarTransaction(server, { environment, expected })
    const signed = await signTransaction(p.customer, { ...built, environment, expected })
    const settled = await settleStellarPayment(server, {
      environment,
      sponsor: p.sponsor,
      transaction: signed,
      expected,
    })
    const included = await server.getTransaction(settled.hash)
    expect(included.status === 'SUCCESS' && included.returnValue && scValToNative(included.returnValue)).toBe(
      1,
    )
    expect(stellar.balanceOf(p.customer.publicKey())).toEqual({ xlm: 0n, usdc: 96n * one })
    expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(4n * one)
    const events = included.status === 'SUCCESS' ? included.events.contractEventsXdr.flat() : []
    expect(
      events.map((event) => {
        const body = event.body().v0()
        return [scValToNative(body.topics()[0] ?? xdr.ScVal.scvVoid()), scValToNative(body.data())]
      }),
    ).toContainEqual(['transfer', 4n * one])
  })
  test('a contract that takes more than it should is refused while building', async () => {
    const p = accounts()
    await expect(
      stellarTransaction(server, { environment, expected: call(p, 'steal') }),
    ).rejects.toMatchObject({ name: 'WrongAmountError' })
  })
  test('a call that fails is a typed error with the reason', async () => {
    await expect(
      stellarTransaction(server, { environment, expected: call(accounts(), 'buy', 101n * one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#10') })
    const stranger = { ...accounts(), customer: Keypair.random() }
    await expect(stellarTransaction(server, { environment, expected: call(stranger) })).rejects.toMatchObject(
      { name: 'ContractCallFailedError', message: expect.stringContaining('#6') },
    )
  })

  test('a contract that catches a failure fails anyway, without effect', async () => {
    const p = accounts()
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
    const p = accounts()
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
