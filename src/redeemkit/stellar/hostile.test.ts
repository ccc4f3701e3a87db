import type { xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { flippedBits } from '../core/flippedBits.fixture.ts'
import { challenge, text } from './authMessage/authMessage.fixture.ts'
import { accountOperations } from './expected.ts'
import { verifyAuthMessage } from './index.ts'
import { inspectRequest } from './inspect/inspectRequest.ts'
import { Asset, Keypair, Memo, Operation, Transaction } from './sdk.ts'
import {
  build,
  buildCall,
  buildOwn,
  Claimant,
  call,
  customer,
  from,
  LiquidityPoolAsset,
  network,
  networkPassphrase,
  now,
  options,
  pay,
  payment,
  pubnet,
  seconds,
  sponsor,
  stranger,
  to,
  usdc,
} from './stellar.fixture.ts'

/*
 * Generated hostile changes to honest requests: to each byte, account and operation position. A changed request that
 * still passes must have the same effect; this file determines effects with the SDK only.
 */

const account = { kind: 'account', from, sponsor: sponsor.publicKey(), creates: true } as const
const accountXdr = build({ operations: accountOperations(account, network), memo: Memo.none() })
const honest = [
  ['a payment', build(), payment],
  ['a payment whose fee the customer pays', buildOwn(), { ...payment, sponsor: undefined }],
  ['a call', buildCall(), call],
  ['an account', accountXdr, account],
] as const
type Expected = (typeof honest)[number][2]

const judge = (transaction: string, expected: Expected): string => {
  try {
    return inspectRequest({ transaction }, { ...options, expected }).verdict
  } catch (error) {
    // Every redeemkit error has a fix.
    expect(error).toMatchObject({ fix: expect.any(String) })
    return 'unreadable'
  }
}
/** Returns the effects of a transaction, excluding its time bounds, its fee and the nonce of its authorization. */
function essence(transactionXdr: string): string {
  const transaction = new Transaction(transactionXdr, networkPassphrase)
  const inner = transaction.toEnvelope().v1().tx()
  const operations = inner.operations().map((operation) => {
    const body = operation.body()
    if (body.switch().name === 'invokeHostFunction')
      for (const entry of body.invokeHostFunctionOp().auth()) {
        if (entry.credentials().switch().name !== 'sorobanCredentialsAddress') continue
        const holder = entry.credentials().address()
        holder.nonce(new (holder.nonce().constructor as typeof xdr.Int64)(0n))
        holder.signatureExpirationLedger(0)
      }
    return operation.toXDR('base64')
  })
  return [inner.sourceAccount().toXDR('base64'), inner.memo().toXDR('base64'), ...operations].join()
}
function expectSame(changed: string, transaction: Transaction, what: string) {
  expect(essence(changed), what).toBe(essence(transaction.toXDR()))
  const { fee, timeBounds, sequence } = new Transaction(changed, networkPassphrase)
  expect(BigInt(fee), what).toBeLessThanOrEqual(10_000_000n)
  expect(BigInt(sequence), what).toBeGreaterThan(0n)
  expect(Number(timeBounds?.maxTime), what).toBeGreaterThanOrEqual(seconds)
  expect(Number(timeBounds?.maxTime), what).toBeLessThanOrEqual(seconds + 3600)
  expect(Number(timeBounds?.minTime), what).toBeLessThanOrEqual(seconds + 300)
}

describe.each(honest)('%s', (_, transaction, expected) => {
  const bytes = Buffer.from(transaction.toXDR(), 'base64')
  test('passes unchanged', () => {
    expect(judge(transaction.toXDR(), expected)).toBe('ok')
  })
  test('with any byte changed, has the same effect or is refused', () => {
    for (let at = 0; at < bytes.length; at += 1)
      for (const change of flippedBits(at)) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        const text = changed.toString('base64')
        if (/ok|caution/.test(judge(text, expected))) expectSame(text, transaction, `byte ${at} by ${change}`)
      }
  })
  test('with any account replaced, has the same effect or is refused', () => {
    const keys = [customer, sponsor, stranger, Keypair.fromPublicKey(to)].map((key) => key.rawPublicKey())
    const issuer = Keypair.fromPublicKey(pubnet.usdc.issuer).rawPublicKey()
    let count = 0
    for (const old of [...keys, Keypair.fromPublicKey(network.usdc.issuer).rawPublicKey()])
      for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at + 1))
        for (const key of [...keys, issuer]) {
          if (key.equals(old)) continue
          const changed = Buffer.concat([bytes.subarray(0, at), key, bytes.subarray(at + 32)])
          expect(judge(changed.toString('base64'), expected), `key at ${at}`).not.toMatch(/ok|caution/)
          count += 1
        }
    expect(count).toBeGreaterThan(0)
  })
  test('with any other operation at any position, is refused', () => {
    const inner = transaction.toEnvelope().v1().tx()
    const own = inner.operations()
    for (const [name, graft] of grafts)
      for (let at = 0; at <= own.length; at += 1)
        for (const replaced of [0, 1]) {
          const envelope = transaction.toEnvelope()
          const operations = [...own.slice(0, at), graft, ...own.slice(at + replaced)]
          envelope.v1().tx().operations(operations)
          const text = envelope.toXDR('base64')
          expect(judge(text, expected), `${name} at ${at}, instead of ${replaced}`).not.toMatch(/ok|caution/)
        }
  })
  test('with extra, missing or reordered operations, is refused', () => {
    const own = transaction.toEnvelope().v1().tx().operations()
    for (const operations of [
      [],
      [...own, ...own],
      own.slice(1),
      own.slice(0, -1),
      ...(own.length > 1 ? [[...own].reverse()] : []),
    ]) {
      const envelope = transaction.toEnvelope()
      envelope.v1().tx().operations(operations)
      expect(judge(envelope.toXDR('base64'), expected), `${operations.length}`).not.toMatch(/ok|caution/)
    }
  })
})

const thief = stranger.publicKey()
const pool = new LiquidityPoolAsset(Asset.native(), usdc, 30)
/** One of each operation that could cost the customer or the sponsor something, for each of the two accounts. */
const grafts: readonly (readonly [string, xdr.Operation])[] = [from, sponsor.publicKey()].flatMap((source) =>
  (
    [
      Operation.payment({ destination: thief, asset: Asset.native(), amount: '1', source }),
      Operation.payment({ destination: thief, asset: usdc, amount: '2.5', source }),
      Operation.createAccount({ destination: thief, startingBalance: '1', source }),
      Operation.accountMerge({ destination: thief, source }),
      Operation.setOptions({ signer: { ed25519PublicKey: thief, weight: 255 }, source }),
      Operation.setOptions({ masterWeight: 0, source }),
      Operation.changeTrust({ asset: usdc, limit: '0', source }),
      Operation.changeTrust({ asset: pool, source }),
      Operation.allowTrust({ trustor: thief, assetCode: 'USDC', authorize: true, source }),
      Operation.manageData({ name: 'shop.example auth', value: 'x', source }),
      Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '1', price: '1', source }),
      Operation.manageBuyOffer({ selling: usdc, buying: Asset.native(), buyAmount: '1', price: '1', source }),
      Operation.createPassiveSellOffer({
        selling: usdc,
        buying: Asset.native(),
        amount: '1',
        price: '1',
        source,
      }),
      Operation.pathPaymentStrictSend({
        sendAsset: usdc,
        sendAmount: '1',
        destination: thief,
        destAsset: Asset.native(),
        destMin: '1',
        source,
      }),
      Operation.pathPaymentStrictReceive({
        sendAsset: usdc,
        sendMax: '1',
        destination: thief,
        destAsset: Asset.native(),
        destAmount: '1',
        source,
      }),
      Operation.bumpSequence({ bumpTo: '9223372036854775807', source }),
      Operation.createClaimableBalance({
        asset: usdc,
        amount: '1',
        claimants: [new Claimant(thief)],
        source,
      }),
      Operation.beginSponsoringFutureReserves({ sponsoredId: thief, source }),
      Operation.endSponsoringFutureReserves({ source: thief }),
      Operation.revokeAccountSponsorship({ account: thief, source }),
      Operation.clawback({ asset: usdc, amount: '1', from: thief, source }),
      Operation.liquidityPoolDeposit({
        liquidityPoolId: '00'.repeat(32),
        maxAmountA: '1',
        maxAmountB: '1',
        minPrice: '1',
        maxPrice: '1',
        source,
      }),
      Operation.uploadContractWasm({ wasm: Buffer.from('00', 'hex'), source }),
      Operation.extendFootprintTtl({ extendTo: 100, source }),
      Operation.restoreFootprint({ source }),
      pay({ destination: thief, source }),
    ] as xdr.Operation[]
  ).map((operation) => [operation.body().switch().name, operation] as const),
)

describe('a sign-in', () => {
  const domains = ['shop.example']
  const origin = 'https://shop.example'
  const asked = { environment: 'sandbox', address: from, domains, now } as const
  const verdictOf = (message: string) => inspectRequest({ message }, { ...options, origin }).verdict
  const lines = text().split('\n')
  const spliced = (at: number, count: number, ...added: string[]) => [
    ...lines.slice(0, at),
    ...added,
    ...lines.slice(at + count),
  ]
  test('with any line omitted, repeated, moved or changed is never ok', () => {
    for (const [at, line] of lines.entries())
      for (const changed of [
        spliced(at, 1),
        spliced(at, 0, line),
        spliced(at, 2, lines[at + 1] ?? '', line),
        spliced(at, 1, `${line} ${line}`),
        spliced(at, 1, `${line} `),
        spliced(at, 1, ` ${line}`),
      ]) {
        const message = changed.join('\n')
        // The statement is optional free text. It does not change what the signature allows.
        const fields = (of: string) => of.replace(/\n\n[ -~]+\n\nURI/, '\n\nURI')
        if (verdictOf(message) === 'ok') expect(fields(message)).toBe(fields(text()))
      }
  })
  test('with any invisible character, anywhere, is refused', () => {
    for (const sign of ['\u200b', '\u202e', '\u00ad', '\ufeff', '\u0000', '\r', '\t', '\u00a0'])
      for (let at = 0; at <= text().length; at += 1)
        expect(verdictOf(text().slice(0, at) + sign + text().slice(at)), `${at}`).toBe('refuse')
  })
  test('answered with any transaction from this file does not verify', () => {
    const serverKey = sponsor.publicKey()
    for (const [name, transaction] of honest) {
      const signed = new Transaction(transaction.toXDR(), networkPassphrase)
      signed.sign(customer)
      expect(
        verifyAuthMessage({
          ...asked,
          serverKey,
          message: text(),
          transaction: transaction.toXDR(),
          signedMessage: signed.toXDR(),
        }),
        name,
      ).toBe(false)
    }
  })
  test('answered with a challenge that contains any other operation does not verify', () => {
    for (const [name, graft] of grafts) {
      const transaction = challenge(({ auth, domain }) => [
        Operation.manageData(auth),
        Operation.manageData(domain),
        graft,
      ])
      const { source } = new Transaction(transaction, networkPassphrase)
      const signed = new Transaction(transaction, networkPassphrase)
      signed.sign(customer)
      const signedMessage = signed.toXDR()
      expect(verifyAuthMessage({ ...asked, serverKey: source, transaction, signedMessage }), name).toBe(false)
    }
  })
})
