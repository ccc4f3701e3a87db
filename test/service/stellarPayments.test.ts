import { Account, Keypair, MuxedAccount, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { expect, test } from 'vitest'
import {
  feeBump,
  signTransaction,
  stellarTransaction,
  usdcTransfer,
} from '../../src/redeemkit/stellar/index.ts'
import {
  accounts,
  codeOf,
  environment,
  network,
  networkPassphrase,
  one,
  server,
  stellar,
} from './stellarSetup.ts'

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
  const whole = await signTransaction(p.sponsor, { ...built, environment, transaction })
  const parsed = TransactionBuilder.fromXDR(whole, networkPassphrase) as Transaction // No fee bump is set.
  expect(parsed.memo.value).toBe('4711')
  expect(await codeOf(parsed)).toBe('SUCCESS')
  expect(stellar.balanceOf(p.merchant.publicKey()).usdc).toBe(one)
  const self = new MuxedAccount(new Account(p.customer.publicKey(), '0'), '1').accountId()
  await expect(
    usdcTransfer(server, { environment, from: p.customer.publicKey(), to: self, amount: one }),
  ).rejects.toMatchObject({ name: 'WrongPartyError' })
})

test('from the customer’s own account: a sponsor pays only for a signed transaction, and a longer validity must be allowed', async () => {
  const p = accounts()
  const [from, to] = [p.customer.publicKey(), p.merchant.publicKey()]
  const built = await usdcTransfer(server, { environment, from, to, amount: one, validForSeconds: 7200 })
  await expect(signTransaction(p.customer, { ...built, environment })).rejects.toMatchObject({
    field: 'timeBounds.maxTime',
  })
  const options = { ...built, environment, maxValidForSeconds: 7200 } as const
  const expected = { ...built.expected, sponsor: p.sponsor.publicKey() }
  await expect(feeBump(p.sponsor, { ...options, expected })).rejects.toMatchObject({
    name: 'WrongSignatureError',
  })
  const transaction = await signTransaction(p.customer, options)
  const bump = await feeBump(p.sponsor, { ...options, expected, transaction })
  expect(await codeOf(TransactionBuilder.fromXDR(bump, networkPassphrase))).toBe('SUCCESS')
  expect(stellar.balanceOf(to).usdc).toBe(one)
})

test.each([
  ['a memo beside a call', { to: network.usdc.contract, memo: 'pay_1' }, 'InvalidMemoError', 'memo'],
  ['a clock that returns NaN', { now: () => Number.NaN }, 'InvalidClockError', 'now'],
] as const)('is not built with %s', async (_, change, name, field) => {
  const { customer, merchant } = accounts()
  const options = { environment, from: customer.publicKey(), to: merchant.publicKey(), amount: one } as const
  await expect(usdcTransfer(server, { ...options, ...change })).rejects.toMatchObject({ name, field })
})

test('a call is not built without the expected call', async () => {
  await expect(stellarTransaction(server, { environment } as never)).rejects.toMatchObject({
    name: 'MissingExpectationError',
  })
})
