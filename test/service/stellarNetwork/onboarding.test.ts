import { Asset, Keypair, Operation, type xdr } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkName, openNetwork } from './openNetwork.ts'

let on: Awaited<ReturnType<typeof openNetwork>>
let usdc: Asset

beforeAll(async () => {
  on = await openNetwork()
  usdc = new Asset(on.network.usdc.code, on.network.usdc.issuer)
})
afterAll(() => on.stop())

/** Creates a customer's account and trustline without XLM; the sponsor provides the reserves (CAP-33). */
function onboarding(customer: Keypair): xdr.Operation[] {
  const source = customer.publicKey()
  return [
    Operation.beginSponsoringFutureReserves({ sponsoredId: source }),
    Operation.createAccount({ destination: source, startingBalance: '0' }),
    Operation.changeTrust({ asset: usdc, source }),
    Operation.endSponsoringFutureReserves({ source }),
  ]
}
async function submit(keys: readonly [Keypair, ...Keypair[]], operations: xdr.Operation[]): Promise<string> {
  const transaction = await on.draft(keys[0].publicKey(), operations, { fee: '1000' })
  transaction.sign(...keys)
  return on.submit(transaction)
}
/** The code of the first failed operation. */
async function failure(keys: readonly [Keypair, ...Keypair[]], operations: xdr.Operation[]) {
  const transaction = await on.draft(keys[0].publicKey(), operations, { fee: '1000' })
  transaction.sign(...keys)
  const sent = await on.server.sendTransaction(transaction)
  await on.statusOf(sent.hash)
  const included = await on.server.getTransaction(sent.hash)
  if (included.status !== 'FAILED') throw new Error(included.status)
  const names = included.resultXdr
    .result()
    .results()
    .flatMap((result) => (result.switch().name === 'opInner' ? [result.tr().value().switch().name] : []))
  return names.find((name) => !name.endsWith('Success'))
}

describe(`a customer without XLM on ${networkName}`, () => {
  test('is created with a trustline and sponsored reserves', async () => {
    const [sponsor, customer] = [await on.funded(), Keypair.random()]
    expect(await submit([sponsor, customer], onboarding(customer))).toBe('SUCCESS')
    const account = await on.server.getAccountEntry(customer.publicKey())
    expect(account.balance().toString()).toBe('0')
    expect(account.ext().v1().ext().v2().numSponsored()).toBe(3)
    expect((await on.server.getTrustline(customer.publicKey(), usdc)).balance().toString()).toBe('0')
    const keeper = await on.server.getAccountEntry(sponsor.publicKey())
    expect(keeper.ext().v1().ext().v2().numSponsoring()).toBe(3)
  })
  test('is not created without their signature', async () => {
    const [sponsor, customer] = [await on.funded(), Keypair.random()]
    expect(await submit([sponsor], onboarding(customer))).toBe('txFailed')
    await expect(on.server.getAccount(customer.publicKey())).rejects.toThrow()
  })
  test('needs XLM for the reserve without a sponsor', async () => {
    const [sponsor, customer] = [await on.funded(), Keypair.random()]
    const create = Operation.createAccount({ destination: customer.publicKey(), startingBalance: '0' })
    expect(await submit([sponsor], [create])).toBe('createAccountLowReserve')
  })
  test('is not created if the sponsorship is not ended', async () => {
    const [sponsor, customer] = [await on.funded(), Keypair.random()]
    const [begin, create, trust] = onboarding(customer)
    if (begin === undefined || create === undefined || trust === undefined)
      throw new Error('An operation is missing.')
    expect(await submit([sponsor, customer], [begin, create, trust])).toBe('txBadSponsorship')
    await expect(on.server.getAccount(customer.publicKey())).rejects.toThrow()
  })
  test('is not created if the sponsor lacks the reserves', async () => {
    const [rich, poor, customer] = [await on.funded(), Keypair.random(), Keypair.random()]
    const start = Operation.createAccount({ destination: poor.publicKey(), startingBalance: '1.9' })
    expect(await submit([rich], [start])).toBe('SUCCESS')
    expect(await failure([poor, customer], onboarding(customer))).toBe('createAccountLowReserve')
  })
  test('a sponsor cannot spend the reserves it provides', async () => {
    const [rich, sponsor, customer] = [await on.funded(), Keypair.random(), Keypair.random()]
    const start = Operation.createAccount({ destination: sponsor.publicKey(), startingBalance: '3' })
    expect(await submit([rich], [start])).toBe('SUCCESS')
    expect(await submit([sponsor, customer], onboarding(customer))).toBe('SUCCESS')
    const away = Operation.payment({ destination: rich.publicKey(), asset: Asset.native(), amount: '1' })
    expect(await submit([sponsor], [away])).toBe('paymentUnderfunded')
  })
  test('removing a trustline returns its reserve to the sponsor', async () => {
    const [sponsor, customer] = [await on.funded(), Keypair.random()]
    expect(await submit([sponsor, customer], onboarding(customer))).toBe('SUCCESS')
    const remove = Operation.changeTrust({ asset: usdc, limit: '0', source: customer.publicKey() })
    expect(await submit([sponsor, customer], [remove])).toBe('SUCCESS')
    const keeper = await on.server.getAccountEntry(sponsor.publicKey())
    expect(keeper.ext().v1().ext().v2().numSponsoring()).toBe(2)
  })
  test('a sponsored account cannot sponsor', async () => {
    const [sponsor, other, third] = [await on.funded(), await on.funded(), await on.funded()]
    const operations = [
      Operation.beginSponsoringFutureReserves({ sponsoredId: other.publicKey() }),
      Operation.beginSponsoringFutureReserves({
        sponsoredId: third.publicKey(),
        source: other.publicKey(),
      }),
    ]
    expect(await failure([sponsor, other], operations)).toBe('beginSponsoringFutureReservesRecursive')
  })
  test('a sponsor cannot be sponsored', async () => {
    const [sponsor, other, third] = [await on.funded(), await on.funded(), await on.funded()]
    const operations = [
      Operation.beginSponsoringFutureReserves({
        sponsoredId: third.publicKey(),
        source: other.publicKey(),
      }),
      Operation.beginSponsoringFutureReserves({ sponsoredId: other.publicKey() }),
    ]
    expect(await failure([sponsor, other], operations)).toBe('beginSponsoringFutureReservesRecursive')
  })
  test('an account without a sponsor cannot end a sponsorship', async () => {
    const sponsor = await on.funded()
    expect(await submit([sponsor], [Operation.endSponsoringFutureReserves({})])).toBe(
      'endSponsoringFutureReservesNotSponsored',
    )
  })
})
