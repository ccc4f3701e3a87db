import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { type StellarSigner, signAuthEntry } from '../index.ts'
import { authorizeEntry, hash, xdr } from '../sdk.ts'
import {
  amount,
  base,
  buildCall,
  bySource,
  call,
  customer,
  entry,
  entryWallet,
  forbidden,
  invocation,
  look,
  network,
  networkPassphrase,
  noExpectations,
  payment,
  pubnet,
  shop,
  stranger,
  to,
  transfer,
  transferArgs,
} from '../stellar.fixture.ts'

const authEntry = entry().toXDR('base64')

describe('an authorization entry', () => {
  test('is refused if the request has the passphrase of another network', async () => {
    await expect(
      signAuthEntry(forbidden, {
        ...base,
        authEntry,
        expected: call,
        networkPassphrase: pubnet.networkPassphrase,
      }),
    ).rejects.toMatchObject({ name: 'WrongTransactionNetworkError' })
  })
  test('is signed if the request has the passphrase of its network', async () => {
    expect(await signAuthEntry(customer, { ...base, authEntry, expected: call, networkPassphrase })).toMatch(
      /^[A-Za-z0-9+/=]+$/,
    )
  })
  test.each(noExpectations)('is not signed if the expectation is %j', async (expected) => {
    await expect(
      signAuthEntry(forbidden, { ...base, authEntry, expected: expected as never }),
    ).rejects.toMatchObject({ name: 'MissingExpectationError', field: 'expected' })
  })
  test.each<[string, object, string]>([
    ['text as latest ledger', { latestLedger: '1000' }, 'latestLedger'],
    ['text as a time limit', { maxValidForSeconds: '3600' }, 'maxValidForSeconds'],
    ['a number as fee', { maxFee: 100 }, 'maxFee'],
    ['null as the last ledger', { validUntilLedger: null }, 'validUntilLedger'],
    ['an invalid time limit', { maxValidForSeconds: Number.NaN }, 'maxValidForSeconds'],
  ])('%s does not disable a limit', async (_, change, field) => {
    const far = entry({ until: 900_000 }).toXDR('base64')
    await expect(
      signAuthEntry(forbidden, {
        ...base,
        ...change,
        authEntry: far,
        expected: call,
      } as signAuthEntry.Options),
    ).rejects.toMatchObject({ name: 'InvalidOptionError', field })
  })
  test.each<[string, Xdr.SorobanAuthorizedInvocation, string]>([
    ['another receiver', transfer(stranger.publicKey()), 'WrongPartyError'],
    ['another amount', transfer(to, amount + 1n), 'WrongAmountError'],
    ['another asset', invocation(pubnet.usdc.contract, 'transfer', transferArgs()), 'WrongAssetError'],
    ['another function', invocation(network.usdc.contract, 'approve', transferArgs()), 'WrongCallError'],
  ])('%s in a payment by contract call throws a specific error', async (_, root, name) => {
    const { memo: _memo, ...expected } = payment
    await expect(
      signAuthEntry(forbidden, { ...base, authEntry: entry({ root }).toXDR('base64'), expected }),
    ).rejects.toMatchObject({ name })
  })
})

describe('an authorization with source credentials', () => {
  test('cannot be signed by signAuthEntry', async () => {
    await expect(
      signAuthEntry(forbidden, { ...base, authEntry: bySource().toXDR('base64'), expected: call }),
    ).rejects.toMatchObject({ name: 'InvalidTransactionError', field: 'authEntry' })
  })
})

describe('an authorization entry without an expiry', () => {
  const asked = { ...base, authEntry: entry({ until: 0 }).toXDR('base64'), expected: call }
  const foreignWallet = {
    ...entryWallet,
    signAuthEntry: async () => ({ signedAuthEntry: stranger.sign(Buffer.alloc(32)) }),
  }
  test.each<[string, StellarSigner, object, object]>([
    [
      'for which the caller sets no expiry',
      customer,
      {},
      { name: 'ExpiredTransactionError', field: 'validUntilLedger' },
    ],
    [
      'for which the caller sets a past ledger',
      customer,
      { validUntilLedger: 1000 },
      { name: 'ExpiredTransactionError' },
    ],
    [
      'for which the caller sets an invalid ledger',
      customer,
      { validUntilLedger: 1.5 },
      { name: 'InvalidOptionError' },
    ],
    ['by a stranger', stranger, { validUntilLedger: 1060 }, { name: 'WrongSignerError' }],
    [
      'for an allowance',
      forbidden,
      {
        authEntry: entry({ root: invocation(network.usdc.contract, 'approve', transferArgs()) }).toXDR(
          'base64',
        ),
      },
      { name: 'WrongCallError' },
    ],
    [
      'of another account',
      forbidden,
      { authEntry: entry({ address: stranger.publicKey() }).toXDR('base64') },
      { name: 'WrongPartyError' },
    ],
    [
      'that a wallet signs with another key',
      foreignWallet,
      { validUntilLedger: 1060 },
      { name: 'WrongSignatureError' },
    ],
  ])('%s throws a typed error', async (_, signer, change, error) => {
    await expect(signAuthEntry(signer, { ...asked, ...change })).rejects.toMatchObject(error)
  })
})

/** Returns the preimage of an authorization, as SEP-43 passes it to wallets. */
const preimage = (root: Xdr.SorobanAuthorizedInvocation, until = 1060, passphrase = networkPassphrase) =>
  xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
    new xdr.HashIdPreimageSorobanAuthorization({
      networkId: hash(Buffer.from(passphrase)),
      nonce: new xdr.Int64(77n),
      signatureExpirationLedger: until,
      invocation: root,
    }),
  ).toXDR('base64')

describe('a preimage', () => {
  const root = invocation(shop, 'buy', call.args, [transfer()])
  const asked = { ...base, authEntry: preimage(root), expected: call }
  test('returns the signature of its hash', async () => {
    const signature = await signAuthEntry(customer, asked)
    expect(signature).toBe(customer.sign(hash(Buffer.from(asked.authEntry, 'base64'))).toString('base64'))
  })
  test('has a signature with which the SDK can complete the entry', async () => {
    const signed = await authorizeEntry(
      entry(),
      async (given) =>
        Buffer.from(await signAuthEntry(customer, { ...asked, authEntry: given.toXDR('base64') }), 'base64'),
      1060,
      networkPassphrase,
    )
    expect(look(buildCall({ auth: [signed] }), call).verdict).toBe('ok')
  })
  test.each<[string, object, string]>([
    ['of another call', { authEntry: preimage(transfer()) }, 'WrongCallError'],
    [
      'of another amount',
      { authEntry: preimage(invocation(shop, 'buy', call.args, [transfer(to, amount + 1n)])) },
      'WrongAmountError',
    ],
    ['that expires too late', { authEntry: preimage(root, 900_000) }, 'RefusedTransactionError'],
    ['that has expired', { authEntry: preimage(root, 1000) }, 'ExpiredTransactionError'],
    [
      'of another network',
      { authEntry: preimage(root, 1060, pubnet.networkPassphrase) },
      'WrongTransactionNetworkError',
    ],
    ['without the latest ledger', { latestLedger: undefined }, 'InvalidOptionError'],
    ['for which the caller sets an expiry', { validUntilLedger: 1060 }, 'InvalidOptionError'],
    ['without an expectation', { expected: undefined }, 'MissingExpectationError'],
  ])('%s is refused before any prompt', async (_, change, name) => {
    await expect(
      signAuthEntry(forbidden, { ...asked, ...change } as signAuthEntry.Options),
    ).rejects.toMatchObject({ name })
  })
  test('is not signed by a stranger', async () => {
    await expect(signAuthEntry(stranger, asked)).rejects.toMatchObject({ name: 'WrongPartyError' })
  })
})

test('an authorization is refused if the expectation is of kind account', async () => {
  const root = transfer(stranger.publicKey())
  const sponsor = stranger.publicKey()
  const given = {
    ...base,
    expected: { kind: 'account', from: customer.publicKey(), sponsor, creates: false },
  } as const
  for (const authEntry of [entry({ root }).toXDR('base64'), preimage(root)])
    await expect(signAuthEntry(forbidden, { ...given, authEntry })).rejects.toMatchObject({
      name: 'ExtraOperationError',
    })
})
