import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { signTransaction, stellarTransaction, usdcAccount } from './index.ts'
import { inspectRequest } from './inspect/inspectRequest.ts'
import { Account, Asset, Memo, Operation, Transaction, xdr } from './sdk.ts'
import {
  build,
  customer,
  from,
  network,
  networkPassphrase,
  now,
  options,
  pay,
  pubnet,
  sponsor,
  stranger,
  to,
  usdc,
} from './stellar.fixture.ts'
import { checkReserve, MissingReserveError } from './usdcAccount.ts'
import { trustlineKeyOf } from './usdcTransfer.ts'
import { asBuffer } from './values.ts'

const asked = { environment: 'sandbox', from, sponsor: sponsor.publicKey(), now } as const
const accountKey = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: customer.xdrAccountId() }))
const clientWith = (...keys: Xdr.LedgerKey[]) => ({
  getAccount: async (address: string) => new Account(address, '41'),
  getLedgerEntries: async () => ({ latestLedger: 1, entries: keys.map((key) => ({ key })) }) as never,
})
const make = async (...keys: Xdr.LedgerKey[]) => {
  const built = await usdcAccount(clientWith(...keys), asked)
  if (built === undefined) throw new Error('nothing was built')
  return built
}

describe('an account for a customer without XLM', () => {
  test("is created empty and with a USDC trustline, at the sponsor's cost", async () => {
    const { transaction, expected } = await make()
    expect(expected).toMatchObject({ kind: 'account', from, sponsor: sponsor.publicKey(), creates: true })
    const { source, operations } = new Transaction(transaction, networkPassphrase)
    expect(source).toBe(sponsor.publicKey())
    expect(operations.map(({ type, source: by }) => [type, by])).toEqual([
      ['beginSponsoringFutureReserves', sponsor.publicKey()],
      ['createAccount', sponsor.publicKey()],
      ['changeTrust', from],
      ['endSponsoringFutureReserves', from],
    ])
    expect(operations[1]).toMatchObject({ destination: from, startingBalance: '0.0000000' })
  })
  test('gets only the trustline if the account exists', async () => {
    const { transaction, expected } = await make(accountKey)
    expect(expected.creates).toBe(false)
    expect(new Transaction(transaction, networkPassphrase).operations.map(({ type }) => type)).toEqual([
      'beginSponsoringFutureReserves',
      'changeTrust',
      'endSponsoringFutureReserves',
    ])
  })
  test('needs no transaction if it already holds USDC', async () => {
    expect(await usdcAccount(clientWith(accountKey, trustlineKeyOf(from, usdc)), asked)).toBeUndefined()
  })
  test('is signed by the customer and the sponsor, in any order', async () => {
    const { transaction, expected } = await make()
    for (const keys of [
      [customer, sponsor],
      [sponsor, customer],
    ]) {
      let signed = transaction
      for (const key of keys)
        signed = await signTransaction(key, { environment: 'sandbox', now, transaction: signed, expected })
      expect(new Transaction(signed, networkPassphrase).signatures).toHaveLength(2)
    }
  })
  test('is described, with and without an expectation', async () => {
    const { transaction, expected } = await make()
    const short = (account: string) => `${account.slice(0, 4)}…${account.slice(-4)}`
    const calls = [
      `Makes ${short(sponsor.publicKey())} pay the reserves of ledger entries created for your account.`,
      `Creates the account ${short(from)} and sends 0 XLM to it.`,
      `Lets your account hold USDC issued by ${short(network.usdc.issuer)}.`,
      'Ends the sponsorship of reserves.',
    ]
    const summary = expect.stringMatching(
      new RegExp(calls.map((call) => `\nCall: ${call.replaceAll('.', '\\.')}[^]*`).join('')),
    )
    expect(inspectRequest({ transaction }, { ...options, expected })).toMatchObject({
      verdict: 'ok',
      summary,
    })
    expect(inspectRequest({ transaction }, options)).toMatchObject({
      verdict: 'caution',
      summary,
      findings: [{ code: 'NOT_COMPARED' }],
    })
  })
  test.each<[string, object, string, string]>([
    ['no customer', { from: 'GABC' }, 'InvalidAddressError', 'from'],
    ['no sponsor', { sponsor: undefined }, 'InvalidAddressError', 'sponsor'],
    ['the customer as sponsor', { sponsor: from }, 'WrongPartyError', 'sponsor'],
    ['a fee as a number', { inclusionFee: 100 }, 'InvalidOptionError', 'inclusionFee'],
    ['another environment', { environment: 'moon' }, 'UnknownNetworkError', 'environment'],
  ])('throws a typed error for %s', async (_, change, name, field) => {
    await expect(usdcAccount(clientWith(), { ...asked, ...change } as never)).rejects.toMatchObject({
      name,
      field,
    })
  })
})

describe('the sponsor’s reserves', () => {
  const liabilities = new xdr.Liabilities({
    buying: new xdr.Int64(0n),
    selling: new xdr.Int64(7n),
  })
  const v2 = new xdr.AccountEntryExtensionV2({
    numSponsored: 1,
    numSponsoring: 4,
    signerSponsoringIDs: [],
    ext: new xdr.AccountEntryExtensionV2Ext(0),
  })
  const v1 = new xdr.AccountEntryExtensionV1({ liabilities, ext: new xdr.AccountEntryExtensionV1Ext(2, v2) })
  const sponsorEntry = (balance: bigint, ext = new xdr.AccountEntryExt(1, v1)) =>
    new xdr.AccountEntry({
      accountId: sponsor.xdrAccountId(),
      balance: new xdr.Int64(balance),
      seqNum: new xdr.Int64(41n),
      numSubEntries: 2,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: asBuffer(Uint8Array.of(1, 0, 0, 0)),
      signers: [],
      ext,
    })
  // Stroops. Reserves of 0.5 XLM each: 2 for the account, 2 for its entries, 4 - 1 for sponsored entries, 3 for the new entries. Then 7
  // stroops in offers, and the fee.
  const needed = 50_000_000n + 7n + 400n
  test.each([
    ['are one stroop too few', needed - 1n, false],
    ['are enough', needed, true],
  ])('with existing reserves and offers, %s', (_, balance, isEnough) => {
    const check = () => checkReserve(sponsorEntry(balance), { entries: 3, fee: 400n })
    if (isEnough) expect(check).not.toThrow()
    else expect(check).toThrow(MissingReserveError)
  })
  test('of an account without extensions count only its own entries', () => {
    const plain = new xdr.AccountEntryExt(0)
    expect(() => checkReserve(sponsorEntry(20_000_000n, plain), { entries: 0, fee: 0n })).not.toThrow()
    expect(() => checkReserve(sponsorEntry(20_000_000n, plain), { entries: 0, fee: 1n })).toThrow(
      MissingReserveError,
    )
  })
})

describe('an account that is not the expected one', () => {
  const expected = { kind: 'account', from, sponsor: sponsor.publicKey(), creates: true } as const
  const begin = Operation.beginSponsoringFutureReserves({ sponsoredId: from })
  const create = Operation.createAccount({ destination: from, startingBalance: '0' })
  const trust = Operation.changeTrust({ asset: usdc, source: from })
  const end = Operation.endSponsoringFutureReserves({ source: from })
  const honest = [begin, create, trust, end]
  const codesOf = (operations: Xdr.Operation[], change: object = {}) =>
    inspectRequest(
      { transaction: build({ operations, ...change, memo: Memo.none() }).toXDR() },
      { ...options, expected },
    ).findings.map(({ code }) => code)
  test('passes if it is the expected account', () => {
    expect(codesOf(honest)).toEqual([])
  })
  test.each<[string, Xdr.Operation[], string]>([
    ['a missing account creation', [begin, trust, end], 'EXTRA_OPERATION'],
    ['an extra payment', [...honest, pay()], 'EXTRA_OPERATION'],
    ['a payment instead of the last operation', [begin, create, trust, pay()], 'UNEXPECTED_OPERATION'],
    [
      'another signer',
      [
        begin,
        create,
        Operation.setOptions({ source: from, signer: { ed25519PublicKey: to, weight: 255 } }),
        end,
      ],
      'UNEXPECTED_OPERATION',
    ],
    [
      'XLM from the sponsor',
      [begin, Operation.createAccount({ destination: from, startingBalance: '5' }), trust, end],
      'UNEXPECTED_OPERATION',
    ],
    [
      'a different new account',
      [begin, Operation.createAccount({ destination: to, startingBalance: '0' }), trust, end],
      'UNEXPECTED_OPERATION',
    ],
    [
      'another asset',
      [
        begin,
        create,
        Operation.changeTrust({ asset: new Asset('USDC', pubnet.usdc.issuer), source: from }),
        end,
      ],
      'UNEXPECTED_OPERATION',
    ],
    [
      'a lower limit',
      [begin, create, Operation.changeTrust({ asset: usdc, limit: '1', source: from }), end],
      'UNEXPECTED_OPERATION',
    ],
    [
      'reserves of a different account',
      [Operation.beginSponsoringFutureReserves({ sponsoredId: to }), create, trust, end],
      'UNEXPECTED_OPERATION',
    ],
    [
      'a different sponsor of the reserves',
      [
        Operation.beginSponsoringFutureReserves({ sponsoredId: from, source: stranger.publicKey() }),
        create,
        trust,
        end,
      ],
      'UNEXPECTED_OPERATION',
    ],
    ['another order', [begin, trust, create, end], 'UNEXPECTED_OPERATION'],
  ])('with %s is refused', (_, operations, code) => {
    expect(codesOf(operations)).toContain(code)
  })
  test('is refused if the customer pays the fee', () => {
    expect(codesOf(honest, { source: from })).toContain('CUSTOMER_PAYS_FEE')
  })
  test('cannot be built as a call', async () => {
    const client = { ...clientWith(), simulateTransaction: async () => ({}) as never }
    await expect(
      stellarTransaction(client, { environment: 'sandbox', expected: expected as never }),
    ).rejects.toMatchObject({ name: 'InvalidTransactionError', field: 'expected.kind' })
  })
})
