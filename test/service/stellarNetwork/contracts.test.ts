import {
  Address,
  authorizeEntry,
  hash,
  Keypair,
  nativeToScVal,
  Operation,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ExpectedTransaction,
  signAuthEntry,
  signTransaction,
  stellarTransaction,
} from '../../../src/redeemkit/stellar/index.ts'
import { settleStellarPayment } from '../../../src/sandbox/chains/stellar/settleStellarPayment.ts'
import { compileWasm } from './compileWasm.ts'
import { deployShop, deployWasm, runHostFunction } from './deployShop.ts'
import { networkName, openNetwork, usdcTest } from './openNetwork.ts'

const environment = 'sandbox'
const one = 10_000_000n
const addressValue = (text: string) => nativeToScVal(text, { type: 'address' })

let on: Awaited<ReturnType<typeof openNetwork>>
let owner: Keypair
let merchant: Keypair
let sponsor: Keypair
let shop: string
let visits = 0

beforeAll(async () => {
  on = await openNetwork()
  ;[owner, sponsor, merchant] = [await on.funded(), await on.funded(), await on.withUsdc('0')]
  shop = await deployShop(on.server, { owner, merchant: merchant.publicKey() })
}, 300_000)
afterAll(() => on.stop())

/** A call that takes nothing, or with an amount one that takes it. */
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
  const settled = await settleStellarPayment(on.server, { environment, sponsor, transaction, expected })
  const landed = await on.server.getTransaction(settled.hash)
  visits += 1
  return landed.status === 'SUCCESS' && landed.returnValue && scValToNative(landed.returnValue)
}
async function authorized(customer: Keypair, expected = call(customer)) {
  const { transaction, validUntilLedger } = await stellarTransaction(on.server, { environment, expected })
  const envelope = xdr.TransactionEnvelope.fromXDR(transaction, 'base64')
  const operation = envelope.v1().tx().operations()[0]?.body().invokeHostFunctionOp()
  const entry = operation?.auth()[0]
  if (operation === undefined || entry === undefined) throw new Error('no entry')
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

describe(`a merchant contract in Wasm, deployed on ${networkName}`, () => {
  test('a sponsored call: built, authorized by the customer, settled by the service', async () => {
    const customer = await on.funded()
    const before = await on.server.getAccountEntry(customer.publicKey())
    expect(await settle(customer, call(customer))).toBe(visits)
    const after = await on.server.getAccountEntry(customer.publicKey())
    expect(after.balance().toString()).toBe(before.balance().toString())
    expect(after.seqNum().toString()).toBe(before.seqNum().toString())
  })
  test('its code can be read back, and stands in the footprint of a call', async () => {
    const code = await on.server.getContractWasmByContractId(shop)
    expect(WebAssembly.validate(new Uint8Array(code))).toBe(true)
    const expected = call(await on.funded())
    const { transaction } = await stellarTransaction(on.server, { environment, expected })
    const soroban = xdr.TransactionEnvelope.fromXDR(transaction, 'base64').v1().tx().ext().sorobanData()
    const codeKey = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: hash(code) }))
    const readOnly = soroban.resources().footprint().readOnly()
    expect(readOnly.map((key) => key.toXDR('base64'))).toContain(codeKey.toXDR('base64'))
  })
  test('its event is on the ledger', async () => {
    const customer = await on.funded()
    const { sequence } = await on.server.getLatestLedger()
    await settle(customer, call(customer))
    const { events } = await on.server.getEvents({
      startLedger: sequence,
      filters: [{ type: 'contract', contractIds: [shop] }],
    })
    expect(
      events.map(({ topic, value }) => [...topic.map((part) => scValToNative(part)), scValToNative(value)]),
    ).toContainEqual(['visit', customer.publicKey(), visits])
  })
  test('the customer as source, wrapped in a fee bump', async () => {
    const customer = await on.funded()
    const { sponsor: _, ...expected } = call(customer)
    const before = await on.server.getAccountEntry(customer.publicKey())
    expect(await settle(customer, expected)).toBe(visits)
    const after = await on.server.getAccountEntry(customer.publicKey())
    expect(after.balance().toString()).toBe(before.balance().toString())
  })
  test('a call that fails is a typed error with the reason', async () => {
    const customer = await on.funded()
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'sold_out') }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#7') })
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'nothing') }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError' })
    // An account without a trustline has no USDC that the shop could take.
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'buy', one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#13') })
    // USDC's contract has its own number for too little of it.
    const poor = await on.withUsdc('0')
    await expect(
      stellarTransaction(on.server, { environment, expected: call(poor, 'buy', one) }),
    ).rejects.toMatchObject({ name: 'ContractCallFailedError', message: expect.stringContaining('#10') })
  })
  test('nobody runs the constructor again', async () => {
    const customer = await on.funded()
    const args = [on.network.usdc.contract, customer.publicKey()].map(addressValue)
    await expect(
      runHostFunction(
        on.server,
        customer,
        Operation.invokeContractFunction({ contract: shop, function: '__constructor', args }),
      ),
    ).rejects.toThrow()
  })
  test('the same address is not created twice, and not for somebody else', async () => {
    const wasm = await compileWasm('(module (func (export "none") (result i64) (i64.const 2)))')
    await runHostFunction(on.server, owner, Operation.uploadContractWasm({ wasm }))
    const creation = { owner, wasmHash: hash(wasm), salt: hash(Buffer.from('salt')) }
    expect(await deployWasm(on.server, creation)).toMatch(/^C/)
    await expect(deployWasm(on.server, creation)).rejects.toThrow(/ExistingValue/)
    const address = Address.fromString(merchant.publicKey())
    await expect(
      runHostFunction(on.server, owner, Operation.createCustomContract({ ...creation, address })),
    ).rejects.toThrow(/not applied: FAILED/)
    await expect(
      deployWasm(on.server, {
        ...creation,
        salt: hash(Buffer.from('other')),
        constructorArgs: [xdr.ScVal.scvVoid()],
      }),
    ).rejects.toThrow()
  })
  test('Wasm that no network takes', async () => {
    const upload = (wasm: Buffer) => runHostFunction(on.server, owner, Operation.uploadContractWasm({ wasm }))
    await expect(upload(Buffer.from('no module'))).rejects.toThrow(/WasmVm/)
    await expect(upload(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).rejects.toThrow(/WasmVm/)
    await expect(upload(await compileWasm('(module)', 4_000_000))).rejects.toThrow(/WasmVm/)
  })
  test('a contract without end costs the call, not the network', async () => {
    const wasm = await compileWasm(
      '(module (func (export "turn") (result i64) (loop $on (br $on)) (i64.const 2)))',
    )
    await runHostFunction(on.server, owner, Operation.uploadContractWasm({ wasm }))
    const contract = await deployWasm(on.server, { owner, wasmHash: hash(wasm) })
    const expected = {
      kind: 'call',
      from: owner.publicKey(),
      contract,
      functionName: 'turn',
      args: [],
    } as const
    await expect(stellarTransaction(on.server, { environment, expected })).rejects.toMatchObject({
      name: 'ContractCallFailedError',
      message: expect.stringContaining('Budget'),
    })
    expect((await on.server.getHealth()).status).toBe('healthy')
  })

  usdcTest('it takes what the customer agreed to, and nothing else moves', async () => {
    const customer = await on.withUsdc('2')
    const before = await on.usdcOf(merchant.publicKey())
    expect(await settle(customer, call(customer, 'buy', one))).toBe(visits)
    expect(await on.usdcOf(customer.publicKey())).toBe(one)
    expect(await on.usdcOf(merchant.publicKey())).toBe(before + one)
  })
  usdcTest('one that takes more is refused while building', async () => {
    const customer = await on.withUsdc('2')
    await expect(
      stellarTransaction(on.server, { environment, expected: call(customer, 'steal', one) }),
    ).rejects.toMatchObject({ name: 'ExtraOperationError' })
  })
  usdcTest('one that takes something though nothing was agreed is refused while building', async () => {
    const customer = await on.withUsdc('2')
    const { spends: _, ...expected } = call(customer, 'buy', one) as ExpectedTransaction & { kind: 'call' }
    await expect(stellarTransaction(on.server, { environment, expected })).rejects.toMatchObject({
      name: 'ExtraOperationError',
    })
  })
  usdcTest('a good signature over another amount, receiver or depth authorizes no payment', async () => {
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
      if (inner === undefined) throw new Error('no payment inside')
      change(inner, root)
      operation.auth([await signAgain(entry, customer)])
      expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
    }
    expect(await on.usdcOf(customer.publicKey())).toBe(2n * one)
    expect(await on.usdcOf(merchant.publicKey())).toBe(before)
  })
})

describe(`authorizations on ${networkName}`, () => {
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
  ])('one with another %s traps', async (_, mutate) => {
    const { envelope, operation, entry } = await authorized(await on.funded())
    const copy = xdr.SorobanAuthorizationEntry.fromXDR(entry.toXDR())
    mutate(copy)
    expect(copy.toXDR('base64')).not.toBe(entry.toXDR('base64'))
    operation.auth([copy])
    expect(await submit(envelope)).toBe('invokeHostFunctionTrapped')
  })
  test('a good signature over another function or argument authorizes nothing', async () => {
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
  test('one counts once', async () => {
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
