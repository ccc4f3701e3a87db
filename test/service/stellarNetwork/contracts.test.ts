import {
  Address,
  authorizeEntry,
  Keypair,
  nativeToScVal,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ExpectedTransaction,
  feeBump,
  signAuthEntry,
  signTransaction,
  stellarTransaction,
} from '../../../src/redeemkit/stellar/index.ts'
import type { Contract, ContractContext } from '../../../src/sandbox/chains/stellar/ledger/contract.ts'
import { openNetwork } from './openNetwork.ts'

const environment = 'sandbox'
const one = 10_000_000n
const addressValue = (text: string) => nativeToScVal(text, { type: 'address' })

let on: Awaited<ReturnType<typeof openNetwork>>
let merchant: Keypair
let sponsor: Keypair
let shop: string
let visits = 0

beforeAll(async () => {
  on = await openNetwork({ isLocal: true })
  ;[sponsor, merchant] = [await on.funded(), await on.withUsdc('0')]
  shop = declareShop()
})
afterAll(() => on.stop())

const textOf = (value?: xdr.ScVal) => Address.fromScVal(value ?? xdr.ScVal.scvVoid()).toString()
const amountOf = (value?: xdr.ScVal): bigint => scValToNative(value ?? xdr.ScVal.scvVoid())

/** Declares a shop that counts visits and takes the amount once or twice. */
function declareShop(): string {
  const count = xdr.ScVal.scvSymbol('count')
  const visited = (context: ContractContext, customer: xdr.ScVal) => {
    const total = xdr.ScVal.scvU32((context.get(count)?.u32() ?? 0) + 1)
    context.set(count, total)
    context.emit([xdr.ScVal.scvSymbol('visit'), customer], total)
    return total
  }
  const selling = (times: number) => (context: ContractContext, customer?: xdr.ScVal, amount?: xdr.ScVal) => {
    context.requireAuth(textOf(customer))
    for (let taken = 0; taken < times; taken++)
      context.transferUsdc(textOf(customer), merchant.publicKey(), amountOf(amount))
    return visited(context, customer ?? xdr.ScVal.scvVoid())
  }
  const functions: Contract = {
    visit(context, customer) {
      context.requireAuth(textOf(customer))
      return visited(context, customer ?? xdr.ScVal.scvVoid())
    },
    buy: selling(1),
    steal: selling(2),
    overcharge(context, customer, amount) {
      context.requireAuth(textOf(customer))
      context.transferUsdc(textOf(customer), merchant.publicKey(), amountOf(amount) * 2n)
      return undefined
    },
    swallow(context, customer, amount) {
      try {
        context.requireAuth(textOf(customer))
        // Fails after debiting the sender: the receiver has no trustline.
        context.transferUsdc(textOf(customer), sponsor.publicKey(), amountOf(amount))
      } catch {}
      return undefined
    },
    deposit(context, customer, amount) {
      context.requireAuth(textOf(customer))
      context.transferUsdc(textOf(customer), context.self, amountOf(amount))
      context.transferUsdc(context.self, merchant.publicKey(), amountOf(amount))
      return undefined
    },
    sold_out: (context) => context.fail(7),
  }
  return on.declareContract(functions)
}

/** Returns a call that takes nothing or, with an amount, exactly that amount. */
function call(customer: Keypair, functionName = 'visit', amount?: bigint): ExpectedTransaction {
  const args = [addressValue(customer.publicKey())]
  return {
    kind: 'call',
    from: customer.publicKey(),
    sponsor: sponsor.publicKey(),
    contract: shop,
    functionName,
    args: amount === undefined ? args : [...args, nativeToScVal(amount, { type: 'i128' })],
    ...(amount === undefined ? {} : { spends: { to: merchant.publicKey(), amount } }),
  }
}
async function settle(customer: Keypair, expected: ExpectedTransaction) {
  const built = await stellarTransaction(on.server, { environment, expected })
  const transaction = await signTransaction(customer, { ...built, environment, expected })
  const signAsSponsor = expected.sponsor === undefined ? feeBump : signTransaction
  const signed = await signAsSponsor(sponsor, {
    environment,
    transaction,
    expected: { ...expected, sponsor: sponsor.publicKey() },
    client: on.server,
  })
  const sent = TransactionBuilder.fromXDR(signed, on.network.networkPassphrase)
  expect(await on.submit(sent)).toBe('SUCCESS')
  const included = await on.server.getTransaction(sent.hash().toString('hex'))
  visits += 1
  return included.status === 'SUCCESS' && included.returnValue && scValToNative(included.returnValue)
}
async function authorized(customer: Keypair, expected = call(customer)) {
  const { transaction, validUntilLedger } = await stellarTransaction(on.server, { environment, expected })
  const envelope = xdr.TransactionEnvelope.fromXDR(transaction, 'base64')
  const operation = envelope.v1().tx().operations()[0]?.body().invokeHostFunctionOp()
  const entry = operation?.auth()[0]
  if (operation === undefined || entry === undefined) throw new Error('There is no authorization entry.')
  const signed = await signAuthEntry(customer, {
    environment,
    expected,
    authEntry: entry.toXDR('base64'),
    validUntilLedger,
  })
  return { envelope, operation, entry: xdr.SorobanAuthorizationEntry.fromXDR(signed, 'base64') }
}
function submit(envelope: xdr.TransactionEnvelope): Promise<string> {
  const transaction = TransactionBuilder.fromXDR(envelope, on.network.networkPassphrase)
  transaction.sign(sponsor)
  return on.submit(transaction as Transaction)
}

describe('a declared merchant contract', () => {
  test('a sponsored call is built, authorized by the customer, and signed and submitted by the sponsor', async () => {
    const customer = await on.funded()
    const before = await on.server.getAccountEntry(customer.publicKey())
    expect(await settle(customer, call(customer))).toBe(visits)
    const after = await on.server.getAccountEntry(customer.publicKey())
    expect(after.balance().toString()).toBe(before.balance().toString())
    expect(after.seqNum().toString()).toBe(before.seqNum().toString())
  })
  test('settles with the customer as source, wrapped in a fee bump', async () => {
    const customer = await on.funded()
    const { sponsor: _, ...expected } = call(customer)
    const before = await on.server.getAccountEntry(customer.publicKey())
    expect(await settle(customer, expected)).toBe(visits)
    const after = await on.server.getAccountEntry(customer.publicKey())
    expect(after.balance().toString()).toBe(before.balance().toString())
  })
  test('a failing call throws a typed error with the reason', async () => {
    const customer = await on.funded()
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'sold_out') }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#7') })
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'nothing') }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError' })
    // 13: the account has no trustline.
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'buy', one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#13') })
    // 6: the account does not exist.
    await expect(
      stellarTransaction(on.server, { environment, expected: call(Keypair.random(), 'buy', one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#6') })
    // 10: the balance is too low.
    const poor = await on.withUsdc('0')
    await expect(
      stellarTransaction(on.server, { environment, expected: call(poor, 'buy', one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#10') })
  })
  test('takes exactly the agreed amount', async () => {
    const customer = await on.withUsdc('2')
    const before = await on.usdcOf(merchant.publicKey())
    expect(await settle(customer, call(customer, 'buy', one))).toBe(visits)
    expect(await on.usdcOf(customer.publicKey())).toBe(one)
    expect(await on.usdcOf(merchant.publicKey())).toBe(before + one)
  })
  test.each([
    ['takes the amount twice', 'steal', { name: 'ExtraOperationError' }],
    ['takes another amount', 'overcharge', { name: 'WrongAmountError' }],
    [
      'catches a failure',
      'swallow',
      { name: 'ContractCallFailedError', message: expect.stringContaining('#13') },
    ],
  ])('is refused while building if it %s', async (_, functionName, error) => {
    const customer = await on.withUsdc('2')
    const expected = call(customer, functionName, one)
    await expect(stellarTransaction(on.server, { environment, expected })).rejects.toMatchObject(error)
  })
  test('holds and spends its own USDC', async () => {
    const customer = await on.withUsdc('2')
    const before = await on.usdcOf(merchant.publicKey())
    const expected = { ...call(customer, 'deposit', one), spends: { to: shop, amount: one } }
    await settle(customer, expected)
    visits -= 1
    expect(await on.usdcOf(merchant.publicKey())).toBe(before + one)
  })
  test('is refused while building if it takes money although none was agreed', async () => {
    const customer = await on.withUsdc('2')
    const { spends: _, ...expected } = call(customer, 'buy', one) as ExpectedTransaction & { kind: 'call' }
    await expect(stellarTransaction(on.server, { environment, expected })).rejects.toMatchObject({
      name: 'ExtraOperationError',
    })
  })
  test('a valid signature over another amount, receiver or depth does not authorize the payment', async () => {
    const customer = await on.withUsdc('2')
    const before = await on.usdcOf(merchant.publicKey())
    for (const change of [
      (inner: xdr.InvokeContractArgs) => inner.args().splice(2, 1, nativeToScVal(1n, { type: 'i128' })),
      (inner: xdr.InvokeContractArgs) => inner.args().splice(1, 1, addressValue(sponsor.publicKey())),
      (_: xdr.InvokeContractArgs, root: xdr.SorobanAuthorizedInvocation) => root.subInvocations([]),
    ]) {
      const { envelope, operation, entry } = await authorized(customer, call(customer, 'buy', one))
      const root = entry.rootInvocation()
      const inner = root.subInvocations()[0]?.function().contractFn()
      if (inner === undefined) throw new Error('The entry authorizes no payment.')
      change(inner, root)
      operation.auth([await signAgain(entry, customer)])
      expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
    }
    expect(await on.usdcOf(customer.publicKey())).toBe(2n * one)
    expect(await on.usdcOf(merchant.publicKey())).toBe(before)
  })
})

describe('authorizations', () => {
  test.each<[string, (entry: xdr.SorobanAuthorizationEntry) => void]>([
    ['nonce', (entry) => entry.credentials().address().nonce(new xdr.Int64(5n))],
    [
      'last ledger',
      (entry) => {
        const holder = entry.credentials().address()
        holder.signatureExpirationLedger(holder.signatureExpirationLedger() + 1)
      },
    ],
    ['expired last ledger', (entry) => entry.credentials().address().signatureExpirationLedger(5)],
    [
      'address',
      (entry) =>
        entry.credentials().address().address(Address.fromString(Keypair.random().publicKey()).toScAddress()),
    ],
    ['function', (entry) => entry.rootInvocation().function().contractFn().functionName('steal')],
    [
      'argument',
      (entry) =>
        entry
          .rootInvocation()
          .function()
          .contractFn()
          .args([addressValue(shop)]),
    ],
    [
      'sub-invocation',
      (entry) =>
        entry
          .rootInvocation()
          .subInvocations([xdr.SorobanAuthorizedInvocation.fromXDR(entry.rootInvocation().toXDR())]),
    ],
    ['signature, none', (entry) => entry.credentials().address().signature(xdr.ScVal.scvVoid())],
    [
      'flipped bit of the signature',
      (entry) => {
        const bytes = entry.credentials().address().signature().vec()?.[0]?.map()?.[1]?.val().bytes()
        if (bytes !== undefined) bytes[10] = (bytes[10] ?? 0) ^ 1
      },
    ],
  ])('an entry with a different %s traps', async (_, mutate) => {
    const { envelope, operation, entry } = await authorized(await on.funded())
    const copy = xdr.SorobanAuthorizationEntry.fromXDR(entry.toXDR())
    mutate(copy)
    expect(copy.toXDR('base64')).not.toBe(entry.toXDR('base64'))
    operation.auth([copy])
    expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
  })
  test('a valid signature over another function, argument or contract authorizes no call', async () => {
    const customer = await on.funded()
    for (const change of [
      (root: xdr.InvokeContractArgs) => root.functionName('steal'),
      (root: xdr.InvokeContractArgs) => root.args([]),
      (root: xdr.InvokeContractArgs) =>
        root.contractAddress(Address.fromString(on.network.usdc.contract).toScAddress()),
    ]) {
      const { envelope, operation, entry } = await authorized(customer)
      change(entry.rootInvocation().function().contractFn())
      operation.auth([await signAgain(entry, customer)])
      expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
    }
  })
  test('an entry can be used once', async () => {
    const { envelope, operation, entry } = await authorized(await on.funded())
    operation.auth([entry])
    expect(await submit(envelope)).toBe('SUCCESS')
    visits += 1
    const account = await on.server.getAccount(sponsor.publicKey())
    envelope
      .v1()
      .tx()
      .seqNum(new xdr.Int64(BigInt(account.sequenceNumber()) + 1n))
    envelope.v1().signatures([])
    expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
  })
  test('an entry outside of the footprint traps', async () => {
    const { envelope, operation, entry } = await authorized(await on.funded())
    operation.auth([entry])
    envelope.v1().tx().ext().sorobanData().resources().footprint().readWrite().pop()
    expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
  })
})

function signAgain(
  entry: xdr.SorobanAuthorizationEntry,
  customer: Keypair,
): Promise<xdr.SorobanAuthorizationEntry> {
  const until = entry.credentials().address().signatureExpirationLedger()
  return authorizeEntry(entry, customer, until, on.network.networkPassphrase)
}
