import type { Keypair, Transaction } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import type { ExpectedTransaction } from '../index.ts'
import { Account, Asset, Memo, Operation, SorobanDataBuilder, TransactionBuilder } from '../sdk.ts'
import {
  amount,
  build,
  buildOwn,
  Claimant,
  codes,
  customer,
  from,
  look,
  MuxedAccount,
  network,
  networkPassphrase,
  options,
  pay,
  payment,
  pubnet,
  seconds,
  sponsor,
  stranger,
  to,
  transferArgs,
  usdc,
} from '../stellar.fixture.ts'
import { inspectRequest } from './inspectRequest.ts'

describe('a classic payment', () => {
  const signed = (...keys: Keypair[]) => {
    const transaction = build()
    transaction.sign(...keys)
    return transaction
  }
  const alone = (transaction: Transaction) => inspectRequest({ transaction: transaction.toXDR() }, options)
  test('that is the expected payment has no finding', () => {
    expect(look(build())).toMatchObject({ kind: 'stellarTransaction', verdict: 'ok', findings: [] })
  })
  test('is described', () => {
    const { summary } = look(build())
    expect(summary).toMatch(/^Sends 2\.50 USDC to /)
    expect(summary).toContain(`Receiver: ${to}\nToken: USDC:${network.usdc.issuer}`)
  })
  test('has its amount in raw units', () => {
    expect(look(build()).details?.operations?.[0]?.payment?.amount).toBe(amount)
  })
  test('whose fee the customer pays has no finding if no sponsor was expected', () => {
    expect(look(buildOwn(), { ...payment, sponsor: undefined }).verdict).toBe('ok')
  })
  test("in the sponsor's fee bump has no finding, before and after the sponsor signs", () => {
    const own = buildOwn()
    own.sign(customer)
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', own, networkPassphrase)
    expect(look(bump).verdict).toBe('ok')
    bump.sign(sponsor)
    expect(look(bump).verdict).toBe('ok')
  })
  test('with the signatures of customer and sponsor has no finding', () => {
    expect(look(signed(customer, sponsor)).verdict).toBe('ok')
  })
  test.each<[string, Transaction, string]>([
    [
      'another receiver',
      build({ operations: [pay({ destination: stranger.publicKey() })] }),
      'WRONG_ACCOUNT',
    ],
    ['another amount', build({ operations: [pay({ amount: '2.5000001' })] }), 'WRONG_AMOUNT'],
    [
      'another issuer',
      build({ operations: [pay({ asset: new Asset('USDC', pubnet.usdc.issuer) })] }),
      'WRONG_ASSET',
    ],
    ['another asset', build({ operations: [pay({ asset: Asset.native() })] }), 'WRONG_ASSET'],
    [
      'another code',
      build({ operations: [pay({ asset: new Asset('USDCC', network.usdc.issuer) })] }),
      'WRONG_ASSET',
    ],
    ['another payer', build({ operations: [pay({ source: stranger.publicKey() })] }), 'WRONG_ACCOUNT'],
    ['the sponsor as payer', build({ operations: [pay({ source: sponsor.publicKey() })] }), 'WRONG_ACCOUNT'],
    ['another source', build({ source: stranger.publicKey() }), 'WRONG_ACCOUNT'],
    ['no operation', build({ operations: [] }), 'EXTRA_OPERATION'],
    ['a duplicate payment', build({ operations: [pay(), pay()] }), 'EXTRA_OPERATION'],
    [
      'an extra trustline',
      build({ operations: [pay(), Operation.changeTrust({ asset: usdc, source: from })] }),
      'EXTRA_OPERATION',
    ],
    [
      'another signer',
      build({
        operations: [Operation.setOptions({ source: from, signer: { ed25519PublicKey: to, weight: 255 } })],
      }),
      'UNKNOWN_OPERATION',
    ],
    [
      'a merge',
      build({ operations: [Operation.accountMerge({ source: from, destination: to })] }),
      'UNKNOWN_OPERATION',
    ],
    [
      'a path payment',
      build({
        operations: [
          Operation.pathPaymentStrictSend({
            source: from,
            sendAsset: usdc,
            sendAmount: '2.5',
            destination: to,
            destAsset: usdc,
            destMin: '2.5',
          }),
        ],
      }),
      'UNKNOWN_OPERATION',
    ],
    [
      'a claimable balance',
      build({
        operations: [
          Operation.createClaimableBalance({
            source: from,
            asset: usdc,
            amount: '2.5',
            claimants: [new Claimant(to)],
          }),
        ],
      }),
      'UNKNOWN_OPERATION',
    ],
    [
      'an allowance',
      build({
        operations: [
          Operation.invokeContractFunction({
            contract: network.usdc.contract,
            function: 'approve',
            args: transferArgs(),
          }),
        ],
      }),
      'WRONG_FUNCTION',
    ],
    ['another memo', build({ memo: Memo.text('pay_2') }), 'WRONG_MEMO'],
    ['no memo', build({ memo: Memo.none() }), 'WRONG_MEMO'],
    ['a memo of another type', build({ memo: Memo.hash(Buffer.alloc(32)) }), 'WRONG_MEMO'],
    ['no time limit', build({ timebounds: { minTime: 0, maxTime: 0 } }), 'NO_TIME_LIMIT'],
    ['a time limit in the past', build({ timebounds: { minTime: 0, maxTime: seconds - 1 } }), 'EXPIRED'],
    [
      'a time limit more than an hour ahead',
      build({ timebounds: { minTime: 0, maxTime: seconds + 3601 } }),
      'EXPIRES_TOO_LATE',
    ],
    [
      'a start in the future',
      build({ timebounds: { minTime: seconds + 301, maxTime: seconds + 400 } }),
      'NOT_YET_VALID',
    ],
    [
      'an extra precondition',
      build({ prepare: (builder) => builder.setMinAccountSequence('3') }),
      'UNKNOWN_CONDITION',
    ],
    [
      'an extra signer as a precondition',
      build({ prepare: (builder) => builder.setExtraSigners([to]) }),
      'UNKNOWN_CONDITION',
    ],
    [
      'resources of a contract call',
      build({ prepare: (builder) => builder.setSorobanData(new SorobanDataBuilder().build()) }),
      'UNEXPECTED_RESOURCES',
    ],
    ['a large fee', build({ fee: '10000001' }), 'FEE_TOO_HIGH'],
  ])('with %s is refused', (_, transaction, code) => {
    expect(codes(transaction)).toContain(code)
    const { verdict, findings } = look(transaction)
    expect(verdict).toBe('refuse')
    const messages = findings.map(({ message }) => message)
    expect(messages).toStrictEqual([...new Set(messages)])
  })
  test('signed for another network is refused', () => {
    const other = build({ passphrase: pubnet.networkPassphrase })
    other.sign(sponsor)
    expect(codes(other)).toEqual(['FOREIGN_SIGNATURE'])
  })
  test('requested with the passphrase of another network is refused', () => {
    expect(
      inspectRequest(
        { transaction: build().toXDR(), networkPassphrase: pubnet.networkPassphrase },
        { ...options, expected: payment },
      ).findings,
    ).toMatchObject([{ code: 'WRONG_NETWORK' }])
  })
  test('with a stranger’s signature is refused', () => {
    expect(codes(signed(stranger))).toEqual(['FOREIGN_SIGNATURE'])
  })
  test.each([
    [-1, ['EXPIRED']],
    [0, []],
    [1, []],
    [3600, []],
    [3601, ['EXPIRES_TOO_LATE']],
  ])('that expires %i seconds from now has the findings %j', (ahead, found) => {
    expect(codes(build({ timebounds: { minTime: 0, maxTime: seconds + ahead } }))).toEqual(found)
  })
  test('for a wallet that is neither customer nor sponsor is refused', () => {
    expect(
      inspectRequest(
        { transaction: build().toXDR() },
        { ...options, address: stranger.publicKey(), expected: payment },
      ).findings,
    ).toMatchObject([{ code: 'WRONG_ACCOUNT', field: 'address' }])
  })
  test('without an expectation gets the verdict caution at best', () => {
    expect(alone(build())).toMatchObject({ verdict: 'caution', findings: [{ code: 'NOT_COMPARED' }] })
  })
  test('with any byte changed after signing is rejected', () => {
    const bytes = Buffer.from(signed(customer, sponsor).toXDR(), 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      let verdict: string
      try {
        verdict = inspectRequest(
          { transaction: changed.toString('base64') },
          { ...options, expected: payment },
        ).verdict
      } catch (error) {
        expect(error).toBeInstanceOf(BaseError)
        verdict = 'refuse'
      }
      expect(verdict, `byte ${at}`).toBe('refuse')
    }
  })
  test.each<[string, ExpectedTransaction, string]>([
    ['refused', payment, 'refuse'],
    ['refused if the sponsor was expected as the source', { ...payment, sponsorAs: 'source' }, 'refuse'],
    ['caution if a fee bump may follow', { ...payment, sponsorAs: 'feeBump' }, 'caution'],
  ])('whose fee the customer pays instead of the sponsor is %s', (_, expected, verdict) => {
    const findings = [expect.objectContaining({ code: 'CUSTOMER_PAYS_FEE' })]
    expect(look(buildOwn(), expected)).toMatchObject({ verdict, findings })
  })
  const muxed = (id: string) => new MuxedAccount(new Account(to, '0'), id).accountId()
  test.each<[string, string | undefined, string, string[]]>([
    ['the same id', '7', muxed('7'), []],
    ['another id', '7', muxed('8'), ['WRONG_ACCOUNT']],
    ['no id', '7', to, ['WRONG_ACCOUNT']],
    ['an unexpected id', undefined, muxed('7'), ['WRONG_ACCOUNT']],
  ])('to a muxed receiver, expected with %s', (_, number, expected, found) => {
    const destination = number === undefined ? to : muxed(number)
    expect(codes(build({ operations: [pay({ destination })] }), { ...payment, to: expected })).toEqual(found)
  })
})
