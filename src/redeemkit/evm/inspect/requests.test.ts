import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Address, encodeFunctionData, parseAbi, serializeTransaction, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, inject, test } from 'vitest'
import type { Verdict } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { DisclosedIntent } from '../creditPermit/disclosedIntent.ts'
import type { InspectContext } from '../creditPermit/inspectOptions.ts'
import type { RedeemRequest } from '../creditPermit/redeemIntent.ts'
import { inspect } from './inspect.ts'

// The worked example of PROTOCOL.md 4.1: 10.00 USD, 4.00 of it in USDC, and here 0.03 for gas.
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt = '0xa05e334153147e75f3f416139b5109d1179cb56fef6a4ecb4c4cbc92a7c37b70'
const nonce = '0xb6c175ad03e36adc3cd6273f3dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6'
const shop = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const purchase: RedeemRequest = {
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: {
    transaction: {
      to: shop,
      data: '0xcce7ec13000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000989680',
    },
  },
}

const disclosed: DisclosedIntent = { version: 1, merchantId: 'sandbox-shop', salt, request: purchase }

const credits = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const zero = `0x${'00'.repeat(20)}` as const
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const time = Date.parse('2026-11-20T12:00:00Z')
const end = String(time / 1000 + 600)

const pins = { creditsContract: credits, creditSeed: 'my-shop' } as const
const bare: InspectContext = {
  address: wallet,
  chainId: 8453,
  origin: 'https://api.example.com',
  now: () => time,
}
const pinned: InspectContext = { ...bare, pinned: [pins] }
const seen: InspectContext = { ...pinned, intent: disclosed }
const capped: InspectContext = { ...pinned, maxCents: 603 }
const paying = (receiver: Address, maxCents = 400): InspectContext => ({ ...bare, receiver, maxCents })

type Json = { [name: string]: unknown }
type TypedData = { domain: Json; types: Json; primaryType: string; message: Json }

const member = (text: string) => {
  const [type, name] = text.split(' ')
  return { name, type }
}
const members = (text: string) => text.split(',').map(member)
const eip712Domain = members('string name,string version,uint256 chainId,address verifyingContract')
const typedData = (primaryType: string, fields: string, domain: Json, message: Json): TypedData => ({
  domain,
  types: { EIP712Domain: eip712Domain, [primaryType]: members(fields) },
  primaryType,
  message,
})

const creditsDomain = { name: 'Credits', version: '1', chainId: 8453, verifyingContract: credits }
const usdcDomain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc }
const permit = typedData(
  'CreditsAuthorization',
  'address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,bytes32 nonce',
  creditsDomain,
  { customerWallet: wallet, creditSeed: 'my-shop', amount: '6030000', validBefore: end, nonce },
)
const authorizationOf = (type: string) =>
  typedData(
    type,
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    usdcDomain,
    { from: wallet, to: credits, value: '4000000', validAfter: '0', validBefore: end, nonce },
  )
const receive = authorizationOf('ReceiveWithAuthorization')
const transfer = authorizationOf('TransferWithAuthorization')
const cancel = typedData(
  'CancelCreditsAuthorization',
  'address customerWallet,bytes32 nonce',
  creditsDomain,
  {
    customerWallet: wallet,
    nonce,
  },
)
const cancelUsdc = typedData('CancelAuthorization', 'address authorizer,bytes32 nonce', usdcDomain, {
  authorizer: wallet,
  nonce,
})

type Request = { method: string; params?: unknown }
const v4 = (data: unknown, account: string = wallet): Request => ({
  method: 'eth_signTypedData_v4',
  params: [account, data],
})
const sign = (data: TypedData, account?: string) => v4(JSON.stringify(data), account)
const says = (data: TypedData, message: Json) => sign({ ...data, message: { ...data.message, ...message } })
const within = (data: TypedData, domain: Json) => sign({ ...data, domain: { ...data.domain, ...domain } })
const without = (record: Json, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
const replaced = (from: string, to: string) => v4(JSON.stringify(permit).replace(from, to))
const personal = (...params: unknown[]): Request => ({ method: 'personal_sign', params })

const siweText = (more: object = {}) =>
  createSiweMessage({
    address: wallet,
    chainId: 8453,
    domain: 'api.example.com',
    nonce: 'k5nD2aQ9x',
    uri: 'https://api.example.com/login',
    version: '1',
    issuedAt: new Date(time),
    expirationTime: new Date(time + 1000),
    ...more,
  })
const siwe = siweText()
// viem writes no such statement itself
const stating = (statement: string) =>
  personal(siweText({ statement: 'Hello.' }).replace('Hello.', statement), wallet)

type Row = [name: string, request: Request, options: InspectContext, verdict: Verdict, codes: FindingCode[]]

const table = (rows: Row[]) =>
  test.each(rows)('%s', (_, request, options, verdict, codes) => {
    const inspection = inspect(request, options)
    expect(inspection.findings.map(({ code }) => code)).toEqual(codes)
    expect(inspection.verdict).toBe(verdict)
  })

describe('a credit permit, and what it pays for', () => {
  table([
    ['the purchase was seen', sign(permit), seen, 'ok', []],
    ['typed data as an object', v4(permit), seen, 'ok', []],
    ['a cap and a pinned contract', sign(permit), capped, 'ok', []],
    ['both', sign(permit), { ...seen, maxCents: 603 }, 'ok', []],
    ['no gas fee', says(permit, { amount: '6000000' }), seen, 'ok', []],
    ['a gas fee of exactly the most', says(permit, { amount: '7000000' }), seen, 'ok', []],
    ['pins and nothing else', sign(permit), pinned, 'caution', ['UNSEEN_PURCHASE']],
    [
      'nothing at all',
      sign(permit),
      {},
      'refuse',
      ['UNPINNED_CHAIN', 'UNPINNED_CONTRACT', 'EXPIRED', 'UNSEEN_PURCHASE'],
    ],
    [
      '50,000 USD for something',
      says(permit, { amount: '50000000000' }),
      pinned,
      'caution',
      ['UNSEEN_PURCHASE'],
    ],
    ['50,000 USD under a cap', says(permit, { amount: '50000000000' }), capped, 'refuse', ['ABOVE_CAP']],
    [
      '50,000 USD for the purchase of ten',
      says(permit, { amount: '50000000000' }),
      seen,
      'refuse',
      ['FEE_TOO_HIGH'],
    ],
    [
      'a cap without pins',
      sign(permit),
      { ...bare, maxCents: 603 },
      'caution',
      ['UNPINNED_CONTRACT', 'UNSEEN_PURCHASE'],
    ],
    [
      'an intent without pins',
      sign(permit),
      { ...bare, intent: seen.intent },
      'caution',
      ['UNPINNED_CONTRACT'],
    ],
    ['one raw unit above the cap', says(permit, { amount: '6030001' }), capped, 'refuse', ['ABOVE_CAP']],
    ['less than the purchase', says(permit, { amount: '5999999' }), seen, 'refuse', ['WRONG_PURCHASE']],
    ['a gas fee above the most', says(permit, { amount: '7000001' }), seen, 'refuse', ['FEE_TOO_HIGH']],
    [
      'a gas fee above the pinned most',
      sign(permit),
      { ...seen, pinned: [{ ...pins, maxGasFeeCents: 2 }] },
      'refuse',
      ['FEE_TOO_HIGH'],
    ],
    [
      'a fraction of a cent for gas',
      says(permit, { amount: '6030001' }),
      seen,
      'caution',
      ['GAS_FEE_NOT_WHOLE_CENTS'],
    ],
    [
      'another salt',
      sign(permit),
      { ...pinned, intent: { ...disclosed, salt: nonce } },
      'refuse',
      ['WRONG_PURCHASE'],
    ],
    [
      'another order',
      sign(permit),
      { ...pinned, intent: { request: purchase, salt, orderKey: `0x${'aa'.repeat(12)}` } },
      'refuse',
      ['WRONG_PURCHASE'],
    ],
    [
      'another subtotal',
      sign(permit),
      { ...pinned, intent: { ...disclosed, request: { ...purchase, subtotal: { cents: 1001 } } } },
      'refuse',
      ['WRONG_PURCHASE'],
    ],
    [
      'another receiver',
      sign(permit),
      {
        ...pinned,
        intent: {
          ...disclosed,
          request: { ...purchase, transactionData: { type: 'token', destination: stranger } },
        },
      },
      'refuse',
      ['WRONG_PURCHASE'],
    ],
    [
      'the same without USDC',
      sign(permit),
      { ...pinned, intent: { ...disclosed, request: { ...purchase, usdcAmount: { cents: 0 } } } },
      'refuse',
      ['WRONG_PURCHASE', 'WRONG_PURCHASE'],
    ],
    ['a random nonce', says(permit, { nonce: `0x7f${nonce.slice(4)}` }), capped, 'refuse', ['UNBOUND_NONCE']],
    [
      'a random nonce that is allowed',
      says(permit, { nonce: `0x7f${nonce.slice(4)}` }),
      { ...seen, allowRandomNonce: true },
      'caution',
      ['UNBOUND_NONCE'],
    ],
    [
      'a nonce in large letters',
      says(permit, { nonce: `0x${nonce.slice(2).toUpperCase()}` }),
      seen,
      'ok',
      [],
    ],
    [
      'USDC of 0 where there is no USDC',
      within(permit, { chainId: 4217 }),
      {
        ...pinned,
        chainId: 4217,
        intent: { ...disclosed, request: { ...purchase, usdcAmount: { cents: 0 } } },
      },
      'refuse',
      ['WRONG_PURCHASE', 'WRONG_PURCHASE'],
    ],
  ])
})

describe('a credit permit and its pins', () => {
  table([
    [
      'another contract',
      within(permit, { verifyingContract: stranger }),
      seen,
      'refuse',
      ['UNPINNED_CONTRACT'],
    ],
    [
      'USDC as the contract',
      within(permit, { verifyingContract: usdc }),
      seen,
      'refuse',
      ['UNPINNED_CONTRACT'],
    ],
    ['another seed', says(permit, { creditSeed: 'other' }), seen, 'refuse', ['WRONG_CREDIT_SEED']],
    ['another domain name', within(permit, { name: 'USD Coin' }), seen, 'refuse', ['WRONG_DOMAIN_NAME']],
    ['another version', within(permit, { version: '2' }), seen, 'refuse', ['WRONG_DOMAIN_VERSION']],
    [
      'version 2 where it is pinned',
      within(permit, { version: '2' }),
      { ...seen, pinned: [{ ...pins, domainVersion: '2' }] },
      'ok',
      [],
    ],
    [
      'version 1 where 2 is pinned',
      sign(permit),
      { ...seen, pinned: [{ ...pins, domainVersion: '2' }] },
      'refuse',
      ['WRONG_DOMAIN_VERSION'],
    ],
    [
      'another name where it is pinned',
      within(permit, { name: 'Shop' }),
      { ...seen, pinned: [{ ...pins, domainName: 'Shop' }] },
      'ok',
      [],
    ],
    ['another chain than the wallet', within(permit, { chainId: 1 }), seen, 'refuse', ['WRONG_CHAIN']],
    [
      'another chain than the pinned one',
      sign(permit),
      { ...seen, pinned: [{ ...pins, chainId: 137 }] },
      'refuse',
      ['WRONG_CHAIN'],
    ],
    [
      'no chain to compare with',
      sign(permit),
      { ...seen, chainId: undefined },
      'caution',
      ['UNPINNED_CHAIN'],
    ],
    [
      'a chain that the service does not have',
      within(permit, { chainId: 31337 }),
      { ...capped, chainId: 31337 },
      'ok',
      [],
    ],
    [
      'a purchase on such a chain, with its token',
      within(permit, { chainId: 31337 }),
      { ...seen, chainId: 31337, token: { address: stranger, name: 'Test' } },
      'ok',
      [],
    ],
    // as a caller without types may leave it out
    [
      'no seed to compare with',
      sign(permit),
      { ...seen, pinned: [{ creditsContract: credits }] as never },
      'caution',
      ['UNPINNED_CREDIT_SEED'],
    ],
    [
      'no contract to compare with',
      sign(permit),
      { ...seen, pinned: { creditSeed: 'my-shop' } as never },
      'caution',
      ['UNPINNED_CONTRACT'],
    ],
    [
      'a seed that turns its direction',
      says(permit, { creditSeed: 'my-\u202eposh' }),
      bare,
      'refuse',
      ['UNPINNED_CONTRACT', 'INVISIBLE_CHARACTERS', 'UNSEEN_PURCHASE'],
    ],
    [
      'a seed with a control character',
      says(permit, { creditSeed: 'my-shop\u0000' }),
      seen,
      'refuse',
      ['WRONG_CREDIT_SEED'],
    ],
    [
      'a seed with a blank of no width',
      says(permit, { creditSeed: 'my\u200b-shop' }),
      seen,
      'refuse',
      ['WRONG_CREDIT_SEED'],
    ],
    [
      'a domain name with a line break',
      within(permit, { name: 'Credits\n' }),
      bare,
      'refuse',
      ['UNPINNED_CONTRACT', 'INVISIBLE_CHARACTERS', 'UNSEEN_PURCHASE'],
    ],
    ['it is over', says(permit, { validBefore: String(time / 1000) }), seen, 'refuse', ['EXPIRED']],
    [
      'it lives two hours',
      says(permit, { validBefore: String(time / 1000 + 7200) }),
      seen,
      'refuse',
      ['EXPIRES_TOO_LATE'],
    ],
    [
      'the wallet of somebody else',
      says(permit, { customerWallet: stranger }),
      capped,
      'refuse',
      ['WRONG_WALLET', 'WRONG_ACCOUNT'],
    ],
    [
      'the zero address as the wallet',
      says(permit, { customerWallet: zero }),
      capped,
      'refuse',
      ['WRONG_WALLET', 'WRONG_ACCOUNT'],
    ],
    ['another account is asked', sign(permit, stranger), seen, 'refuse', ['WRONG_ACCOUNT']],
    [
      'no account is asked',
      { method: 'eth_signTypedData_v4', params: [undefined, JSON.stringify(permit)] },
      seen,
      'refuse',
      ['WRONG_ACCOUNT'],
    ],
  ])
})

describe('how typed data is written', () => {
  const types = permit.types
  const fields = types.CreditsAuthorization as Json[]
  table([
    ['an amount in hex', says(permit, { amount: '0x5c02b0' }), seen, 'ok', []],
    ['an amount in hex, padded', says(permit, { amount: `0x${'5c02b0'.padStart(64, '0')}` }), seen, 'ok', []],
    ['an amount as a number', says(permit, { amount: 6030000 }), seen, 'ok', []],
    ['a chain as decimal text', within(permit, { chainId: '8453' }), seen, 'ok', []],
    ['a chain in hex', within(permit, { chainId: '0x2105' }), seen, 'ok', []],
    [
      'addresses in small letters',
      within(permit, { verifyingContract: credits.toLowerCase() }),
      seen,
      'ok',
      [],
    ],
    [
      'an address with a wrong checksum',
      within(permit, { verifyingContract: credits.replace('fE', 'fe') }),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'no chain',
      sign({ ...permit, domain: without(permit.domain, 'chainId') }),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    ['a chain of 0', within(permit, { chainId: 0 }), seen, 'refuse', ['MALFORMED']],
    ['a negative chain', within(permit, { chainId: -8453 }), seen, 'refuse', ['MALFORMED']],
    ['a salt in the domain', within(permit, { salt: nonce }), seen, 'refuse', ['MALFORMED']],
    [
      'a salt in the domain and its type',
      sign({
        ...permit,
        domain: { ...permit.domain, salt: nonce },
        types: { ...types, EIP712Domain: [...eip712Domain, member('bytes32 salt')] },
      }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    ['an amount of 2^256', says(permit, { amount: String(2n ** 256n) }), seen, 'refuse', ['MALFORMED']],
    [
      'a hex amount of 2^256',
      says(permit, { amount: `0x1${'00'.repeat(32)}` }),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    ['a negative amount', says(permit, { amount: '-6030000' }), seen, 'refuse', ['MALFORMED']],
    ['a fraction', says(permit, { amount: 6030000.5 }), seen, 'refuse', ['MALFORMED']],
    ['an exponent', says(permit, { amount: '6.03e6' }), seen, 'refuse', ['MALFORMED']],
    ['a zero in front', says(permit, { amount: '06030000' }), seen, 'refuse', ['MALFORMED']],
    ['a blank in front', says(permit, { amount: ' 6030000' }), seen, 'refuse', ['MALFORMED']],
    ['0x alone', says(permit, { amount: '0x' }), seen, 'refuse', ['MALFORMED']],
    [
      'a number that a double rounds',
      replaced('"6030000"', '9007199254740993'),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'no nonce',
      sign({ ...permit, message: without(permit.message, 'nonce') }),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    ['a nonce of 31 bytes', says(permit, { nonce: nonce.slice(0, 64) }), seen, 'refuse', ['MALFORMED']],
    ['a field more', says(permit, { spender: stranger }), seen, 'refuse', ['MALFORMED']],
    ['a seed that is a number', says(permit, { creditSeed: 7 }), seen, 'refuse', ['MALFORMED']],
    ['half of a surrogate pair', says(permit, { creditSeed: '\ud800' }), seen, 'refuse', ['MALFORMED']],
    ['the amount twice', replaced('"amount"', '"amount":"1","amount"'), seen, 'refuse', ['MALFORMED']],
    [
      'the amount twice, once escaped',
      replaced('"amount":', '"\\u0061mount":"1","amount":'),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'the chain twice',
      replaced('"chainId":8453', '"chainId":1,"chainId":8453'),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    ['the message twice', replaced('"message"', '"message":{},"message"'), seen, 'refuse', ['MALFORMED']],
    [
      'a type of a member twice',
      replaced('"type":"uint256"', '"type":"uint8","type":"uint256"'),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'types in another order',
      sign({ ...permit, types: { ...types, CreditsAuthorization: [...fields].reverse() } }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    [
      'a domain in another order',
      sign({ ...permit, types: { ...types, EIP712Domain: [...eip712Domain].reverse() } }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    [
      'a type more',
      sign({ ...permit, types: { ...types, Person: members('string name') } }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    [
      'no domain type',
      sign({ ...permit, types: without(types, 'EIP712Domain') }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    [
      'another primary type',
      sign({ ...permit, primaryType: 'EIP712Domain' }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    [
      'a member of another type',
      sign({
        ...permit,
        types: {
          ...types,
          CreditsAuthorization: fields.map((one) => ({
            ...one,
            type: one.type === 'uint256' ? 'uint128' : one.type,
          })),
        },
      }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA'],
    ],
    ['typed data beside more', sign({ ...permit, nonce } as TypedData), seen, 'refuse', ['MALFORMED']],
    ['text that ends early', v4(JSON.stringify(permit).slice(0, -1)), seen, 'refuse', ['MALFORMED']],
    ['account and data swapped', v4(wallet, JSON.stringify(permit)), seen, 'refuse', ['MALFORMED']],
    ['nothing to sign', { method: 'eth_signTypedData_v4', params: [] }, seen, 'refuse', ['MALFORMED']],
  ])
})

describe('a USDC authorization in a redeem', () => {
  table([
    ['of the purchase', sign(receive), seen, 'ok', []],
    ['of the purchase, to be executed by anyone', sign(transfer), seen, 'caution', ['ANYONE_CAN_EXECUTE']],
    ['under a cap', sign(receive), { ...pinned, maxCents: 400 }, 'ok', []],
    [
      'under a cap, to be executed by anyone',
      sign(transfer),
      { ...pinned, maxCents: 400 },
      'caution',
      ['ANYONE_CAN_EXECUTE'],
    ],
    ['unseen', sign(receive), pinned, 'caution', ['UNSEEN_PURCHASE']],
    ['a value in hex', says(receive, { value: '0x3d0900' }), seen, 'ok', []],
    ['another value', says(receive, { value: '4000001' }), seen, 'refuse', ['WRONG_PURCHASE']],
    ['another nonce', says(receive, { nonce: salt }), seen, 'refuse', ['WRONG_PURCHASE']],
    ['a beginning', says(receive, { validAfter: '1' }), seen, 'refuse', ['WRONG_PURCHASE']],
    [
      'an end after the permit can end',
      says(receive, { validBefore: String(time / 1000 + 3601) }),
      seen,
      'refuse',
      ['EXPIRES_TOO_LATE'],
    ],
    ['to the shop itself', says(receive, { to: shop }), seen, 'refuse', ['WRONG_RECEIVER']],
    [
      'to a receiver of other payments',
      says(receive, { to: shop }),
      { ...seen, receiver: shop },
      'refuse',
      ['WRONG_RECEIVER'],
    ],
    [
      'from somebody else',
      says(receive, { from: stranger }),
      { ...pinned, maxCents: 400 },
      'refuse',
      ['WRONG_WALLET', 'WRONG_ACCOUNT'],
    ],
    [
      'a purchase without USDC',
      sign(receive),
      { ...pinned, intent: { ...disclosed, request: { ...purchase, usdcAmount: undefined } } },
      'refuse',
      ['WRONG_PURCHASE', 'WRONG_PURCHASE'],
    ],
    [
      'on another chain',
      within(receive, { chainId: 1, verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }),
      seen,
      'refuse',
      ['WRONG_CHAIN'],
    ],
    [
      'an end before it can be used',
      says(receive, { validBefore: String(time / 1000 + 30) }),
      seen,
      'refuse',
      ['EXPIRES_TOO_SOON'],
    ],
    [
      'the credits contract as the receiver too',
      sign(transfer),
      { ...pinned, maxCents: 400, receiver: credits },
      'caution',
      ['ANYONE_CAN_EXECUTE'],
    ],
  ])
})

describe('a USDC authorization outside of a redeem', () => {
  const token = {
    address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    name: 'USD Coin',
    version: '2',
  } as const
  const optimism = { chainId: 10, verifyingContract: token.address }
  const toShop = { ...transfer, message: { ...transfer.message, to: shop } }
  table([
    ['a receiver and a cap', sign(toShop), paying(shop), 'ok', ['ANYONE_CAN_EXECUTE']],
    [
      'a receiver in small letters',
      sign(toShop),
      paying('0x5fbdb2315678afecb367f032d93f642f64180aa3'),
      'ok',
      ['ANYONE_CAN_EXECUTE'],
    ],
    ['above the cap', sign(toShop), paying(shop, 399), 'refuse', ['ANYONE_CAN_EXECUTE', 'ABOVE_CAP']],
    [
      'a receiver without a cap',
      sign(toShop),
      { ...bare, receiver: shop },
      'caution',
      ['ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE'],
    ],
    [
      'a cap without a receiver',
      sign(toShop),
      { ...bare, maxCents: 400 },
      'caution',
      ['UNPINNED_RECEIVER', 'ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE'],
    ],
    ['another receiver', sign(toShop), paying(stranger), 'refuse', ['WRONG_RECEIVER', 'ANYONE_CAN_EXECUTE']],
    [
      'to the zero address',
      says(transfer, { to: zero }),
      paying(shop),
      'refuse',
      ['WRONG_RECEIVER', 'ANYONE_CAN_EXECUTE'],
    ],
    [
      'valid for a year',
      says(toShop, { validBefore: String(time / 1000 + 31_536_000) }),
      paying(shop),
      'caution',
      ['ANYONE_CAN_EXECUTE', 'EXPIRES_TOO_LATE'],
    ],
    ['nothing', says(toShop, { value: '0' }), paying(shop), 'caution', ['ANYONE_CAN_EXECUTE', 'ZERO_AMOUNT']],
    [
      'a name that token lists say',
      within(toShop, { name: 'USDC' }),
      paying(shop),
      'refuse',
      ['NOT_USDC', 'ANYONE_CAN_EXECUTE'],
    ],
    [
      'another version',
      within(toShop, { version: '1' }),
      paying(shop),
      'refuse',
      ['NOT_USDC', 'ANYONE_CAN_EXECUTE'],
    ],
    [
      'another token',
      within(toShop, { verifyingContract: stranger }),
      paying(shop),
      'refuse',
      ['NOT_USDC', 'ANYONE_CAN_EXECUTE'],
    ],
    [
      'version 2 on a chain that is not known here',
      within(toShop, optimism),
      { ...paying(shop), chainId: 10 },
      'refuse',
      ['NOT_USDC', 'ANYONE_CAN_EXECUTE'],
    ],
    [
      'the same, pinned',
      within(toShop, optimism),
      { ...paying(shop), chainId: 10, token },
      'ok',
      ['ANYONE_CAN_EXECUTE'],
    ],
    [
      'version 1 where 2 is pinned',
      within(toShop, { ...optimism, version: '1' }),
      { ...paying(shop), chainId: 10, token },
      'refuse',
      ['NOT_USDC', 'ANYONE_CAN_EXECUTE'],
    ],
    [
      'on Tempo',
      within(toShop, { chainId: 4217 }),
      { ...paying(shop), chainId: 4217 },
      'refuse',
      ['NOT_USDC', 'ANYONE_CAN_EXECUTE'],
    ],
  ])
})

describe('a cancellation', () => {
  table([
    ['of a permit', sign(cancel), pinned, 'ok', []],
    ['of the permit of the purchase', sign(cancel), seen, 'ok', []],
    ['of another permit', says(cancel, { nonce: salt }), seen, 'refuse', ['WRONG_PURCHASE']],
    ['of a permit, nothing pinned', sign(cancel), bare, 'caution', ['UNPINNED_CONTRACT']],
    ['of a USDC authorization', sign(cancelUsdc), bare, 'ok', []],
    [
      'of one of another token',
      within(cancelUsdc, { verifyingContract: stranger }),
      bare,
      'refuse',
      ['NOT_USDC'],
    ],
    [
      'of the wallet of somebody else',
      says(cancel, { customerWallet: stranger }),
      pinned,
      'refuse',
      ['WRONG_WALLET', 'WRONG_ACCOUNT'],
    ],
  ])
})

describe('typed data of other protocols', () => {
  const other = (fields: string, primaryType: string, message: Json, types: Json = {}) =>
    sign({
      ...typedData(primaryType, fields, usdcDomain, message),
      types: { EIP712Domain: eip712Domain, [primaryType]: members(fields), ...types },
    })
  const unknown: FindingCode[] = ['UNKNOWN_TYPED_DATA']
  const order = other('address offerer,address zone', 'OrderComponents', { offerer: wallet, zone: zero })
  table([
    ['OrderComponents (Seaport)', order, seen, 'caution', unknown],
    [
      'a Permit with the fields of a credit permit',
      sign({
        ...permit,
        primaryType: 'Permit',
        types: { EIP712Domain: eip712Domain, Permit: permit.types.CreditsAuthorization },
      }),
      seen,
      'caution',
      unknown,
    ],
    [
      'a primary type of the prototype',
      other('address to', 'toString', { to: shop }),
      seen,
      'caution',
      unknown,
    ],
    ['a field without a value', other('address to', 'Mail', {}), seen, 'refuse', ['MALFORMED']],
    ['a type that is not defined', other('Person to', 'Mail', { to: {} }), seen, 'refuse', ['MALFORMED']],
    ['on another chain', order, { ...seen, chainId: 1 }, 'refuse', ['UNKNOWN_TYPED_DATA', 'WRONG_CHAIN']],
    [
      'the layout of public samples',
      other('string merchantId,uint256 subtotalCents,string nonce', 'CreditsAuthorization', {}),
      seen,
      'refuse',
      unknown,
    ],
    [
      // github.com/MetaMask/delegation-framework, Delegation
      'Delegation (ERC-7710)',
      other(
        'address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt',
        'Delegation',
        { delegate: stranger, delegator: wallet, authority: nonce, caveats: [], salt: '0' },
        { Caveat: members('address enforcer,bytes terms') },
      ),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA', 'ACCOUNT_DELEGATION'],
    ],
    [
      'the own account as its contract',
      sign({
        ...typedData('Mail', 'address to', { ...usdcDomain, verifyingContract: wallet }, { to: shop }),
      }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA', 'OWN_ACCOUNT'],
    ],
    [
      'no domain type',
      sign({
        ...typedData('Mail', 'address to', usdcDomain, { to: shop }),
        types: { Mail: members('address to') },
      }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA', 'MISSING_DOMAIN'],
    ],
  ])
  const sentence = (request: Request, options: InspectContext = bare) => inspect(request, options).summary
  test('fields are shown whole, long values without their middle', () => {
    const text = `Dear Bob, ${'this is a long letter '.repeat(20)}and it ends here`
    const { lines = [], summary } = inspect(
      other('address from,bytes data,string contents', 'Mail', {
        from: wallet,
        data: `0x${'ab'.repeat(400)}`,
        contents: text,
      }),
      bare,
    )
    expect(lines.slice(2)).toEqual([
      { label: 'from', value: wallet },
      { label: 'data', value: `0x${'ab'.repeat(26)}…${'ab'.repeat(13)}` },
      {
        label: 'contents',
        value:
          '"Dear Bob, this is a long letter this is a long letter this is a long letter this is a long letter this is … a long letter this is a long letter and it ends here"',
      },
    ])
    expect(summary).toContain(
      `Signs "Mail" for "USD Coin", the contract ${usdc} on Base, which is not known here: from ${wallet}; data`,
    )
  })
  test('only what is signed is shown', () => {
    const { lines = [] } = inspect(other('address to', 'Mail', { to: shop, amount: '1' }), bare)
    expect(lines.map(({ label }) => label)).toEqual(['Contract', 'Chain', 'to'])
  })
  test.each<[string, Request, string]>([
    [
      'an extra type',
      sign({ ...permit, types: { ...permit.types, Extra: members('string name') } }),
      'This is not a valid credit permit: it has an extra type (`Extra`).',
    ],
    [
      'an extra field',
      sign({
        ...permit,
        types: {
          ...permit.types,
          CreditsAuthorization: [...(permit.types.CreditsAuthorization as Json[]), member('address to')],
        },
      }),
      'This is not a valid credit permit: it has an extra field (`to`).',
    ],
    [
      '`__proto__`',
      v4(JSON.stringify(permit).replace('"nonce":"0x', '"__proto__":{},"nonce":"0x')),
      'The request contains a field named `__proto__`. Wallets must not sign it.',
    ],
    [
      'a list as the primary type',
      v4({ ...permit, primaryType: ['CreditsAuthorization'] }),
      'Malformed request: `primaryType` must be text.',
    ],
    [
      'a chain of 2^64 + 84532',
      within(permit, { chainId: '18446744073709636148' }),
      '18446744073709636148 is not a chain id.',
    ],
    [
      'the same as a number',
      replaced('8453', '18446744073709636148'),
      'The JSON number 18446744073709636148 cannot be represented exactly.',
    ],
    [
      'the same in hex, of unknown typed data',
      sign(typedData('Mail', 'address to', { ...usdcDomain, chainId: '0x10000000000014a34' }, { to: shop })),
      '18446744073709636148 is not a chain id.',
    ],
  ])('%s', (_, request, expected) => {
    expect(inspect(request, seen)).toMatchObject({ verdict: 'refuse', summary: expected })
  })
  test('an object that changes when it is read is refused', () => {
    const refused = (data: unknown) => inspect(v4(data), seen).summary
    expect(refused({ ...permit, toJSON: () => permit })).toContain('`toJSON`')
    expect(refused(Object.defineProperty({ ...permit }, 'toJSON', { value: () => permit }))).toContain(
      '`toJSON`',
    )
    expect(
      refused(Object.create({ toJSON: () => permit }, Object.getOwnPropertyDescriptors(permit))),
    ).toContain('not plain data')
    expect(
      refused({
        ...permit,
        get message() {
          return permit.message
        },
      }),
    ).toContain('computed when it is read')
    expect(refused(permit)).toContain('for this purchase')
  })
  const usdcPermit = (message: Json) =>
    other('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline', 'Permit', {
      owner: wallet,
      spender: stranger,
      value: '4000000',
      nonce: '0',
      deadline: end,
      ...message,
    })
  const all = String(2n ** 256n - 1n)
  const permit2Domain = {
    name: 'Permit2',
    chainId: 8453,
    verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  }
  // https://docs.uniswap.org/contracts/permit2/reference/allowance-transfer
  const single = (amount: string, expiration: string) =>
    sign({
      domain: permit2Domain,
      primaryType: 'PermitSingle',
      types: {
        EIP712Domain: members('string name,uint256 chainId,address verifyingContract'),
        PermitSingle: members('PermitDetails details,address spender,uint256 sigDeadline'),
        PermitDetails: members('address token,uint160 amount,uint48 expiration,uint48 nonce'),
      },
      message: {
        details: { token: usdc, amount, expiration, nonce: '0' },
        spender: stranger,
        sigDeadline: end,
      },
    })
  test.each<[string, Request, Verdict, string]>([
    [
      'ERC-2612, all USDC',
      usdcPermit({ value: all, deadline: all }),
      'refuse',
      'Lets 0x7099…79C8 spend all of your USDC, with no time limit. USDC is the contract 0x8335…2913 on Base.',
    ],
    [
      'ERC-2612, an amount',
      usdcPermit({}),
      'caution',
      `Lets ${stranger} spend up to 4.00 USDC, with no time limit. The permit can be submitted until 2026-11-20 12:10:00 UTC (in 10 minutes). USDC is the contract 0x8335…2913 on Base.`,
    ],
    [
      'Permit of DAI',
      other('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed', 'Permit', {
        holder: wallet,
        spender: stranger,
        nonce: '0',
        expiry: '0',
        allowed: true,
      }),
      'refuse',
      'Lets 0x7099…79C8 spend all of your USDC, with no time limit. USDC is the contract 0x8335…2913 on Base.',
    ],
    [
      'PermitSingle (Permit2)',
      single('4000000', end),
      'caution',
      `Lets ${stranger} spend up to 4.00 USDC by the contract Permit2 (${permit2Domain.verifyingContract}) until 2026-11-20 12:10:00 UTC (in 10 minutes). USDC is the contract 0x8335…2913 on Base.`,
    ],
    [
      'PermitSingle of everything',
      single(String(2n ** 160n - 1n), String(2n ** 48n - 1n)),
      'refuse',
      'Lets 0x7099…79C8 spend all of your USDC by the contract Permit2 (0x0000…8BA3), with no time limit. The permit can be submitted until 2026-11-20 12:10:00 UTC (in 10 minutes). USDC is the contract 0x8335…2913 on Base.',
    ],
  ])('%s', (_, request, verdict, summary) => {
    expect(inspect(request, bare)).toMatchObject({ kind: 'tokenPermit', verdict, summary })
  })
  test('a known spender may take everything, with caution', () => {
    const known = { ...bare, known: { [stranger]: 'My exchange' } as const }
    expect(inspect(usdcPermit({ value: all }), known)).toMatchObject({
      verdict: 'caution',
      grants: [{ amount: 'unlimited', to: stranger, asset: usdc, decimals: 6 }],
    })
    expect(sentence(usdcPermit({ value: all }), known)).toContain(
      `Lets "My exchange" (${stranger}) spend all`,
    )
  })
})

describe('transactions', () => {
  const pad = (value: string | bigint) =>
    (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0')
  const all = 2n ** 256n - 1n
  const send = (transaction: Json): Request => ({
    method: 'eth_sendTransaction',
    params: [{ from: wallet, ...transaction }],
  })
  const call = (selector: string, ...values: (string | bigint)[]) =>
    `0x${selector}${values.map(pad).join('')}`
  const approve = (amount: bigint) => call('095ea7b3', stranger, amount)
  const where = ' USDC is the contract 0x8335…2913 on Base.'
  test.each<[string, Json, Verdict, FindingCode[], string]>([
    [
      'approve of everything',
      { to: usdc, data: approve(all) },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 spend all of your USDC, with no time limit.${where}`,
    ],
    [
      'approve of an amount',
      { to: usdc, data: approve(4_000_000n) },
      'caution',
      ['DELEGATE_APPROVAL'],
      `Lets ${stranger} spend up to 4.00 USDC.${where}`,
    ],
    [
      'approve of nothing',
      { to: usdc, data: approve(0n) },
      'caution',
      ['NOT_COMPARED'],
      `Takes away the right of ${stranger} to spend your USDC.${where}`,
    ],
    [
      'approve of everything at Permit2',
      {
        to: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
        data: call('87517c45', usdc, stranger, 2n ** 160n - 1n, 2n ** 48n - 1n),
      },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 spend all of your USDC, with no time limit.${where}`,
    ],
    [
      'increaseAllowance',
      { to: shop, data: call('39509351', stranger, all) },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 spend all of your tokens of the contract ${shop} on Base, with no time limit.`,
    ],
    [
      'setApprovalForAll',
      { to: shop, data: call('a22cb465', stranger, 1n) },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 take all of your NFTs of the contract ${shop} on Base, with no time limit.`,
    ],
    [
      'setApprovalForAll, off',
      { to: shop, data: call('a22cb465', stranger, 0n) },
      'caution',
      ['NOT_COMPARED'],
      `Takes away the right of ${stranger} to move your NFTs of the contract ${shop} on Base.`,
    ],
    [
      'a USDC transfer',
      { to: usdc, data: call('a9059cbb', stranger, 4_000_000n) },
      'caution',
      ['NOT_COMPARED'],
      `Sends 4.00 USDC to ${stranger}.${where}`,
    ],
    [
      'a transfer of another token',
      { to: shop, data: call('a9059cbb', stranger, 5n) },
      'caution',
      ['NOT_COMPARED'],
      `Sends 5 raw units of the token ${shop} (its decimals are not known here) to ${stranger} on Base.`,
    ],
    [
      'an NFT',
      { to: shop, data: call('42842e0e', wallet, stranger, 7n) },
      'caution',
      ['NOT_COMPARED'],
      `Sends NFT 7 of the contract ${shop} to ${stranger} on Base.`,
    ],
    [
      'the own coin',
      { to: stranger, value: '0x16345785d8a0000' },
      'caution',
      ['NOT_COMPARED'],
      `Sends 0.1 ETH to ${stranger} on Base.`,
    ],
    [
      'arguments that end early',
      { to: usdc, data: approve(all).slice(0, -2) },
      'refuse',
      ['MALFORMED'],
      `The arguments of the call are not exactly encoded. Calls ${usdc} on Base with arguments that are not exactly encoded.`,
    ],
    [
      'an unknown function',
      { to: shop, data: '0x12345678' },
      'caution',
      ['UNKNOWN_REQUEST'],
      `Calls the contract ${shop} (0x12345678) on Base. What this does is not known here.`,
    ],
    [
      'a new contract',
      { data: '0x6080' },
      'caution',
      ['CONTRACT_CREATION'],
      'Creates a new contract on Base. What it does is not known here.',
    ],
    [
      'data and input that differ',
      { to: usdc, data: '0x', input: approve(all) },
      'refuse',
      ['MALFORMED'],
      'Malformed request: `data` and `input` differ, and wallets read only one.',
    ],
    [
      'an authorization list',
      { to: wallet, authorizationList: [] },
      'refuse',
      ['NOT_COMPARED', 'ACCOUNT_DELEGATION'],
      `It would let other code act as your account (EIP-7702). Sends 0 ETH to ${wallet} on Base.`,
    ],
    [
      'another chain',
      { to: usdc, chainId: '0x1' },
      'refuse',
      ['NOT_COMPARED', 'WRONG_CHAIN'],
      `It is for Ethereum, and your wallet is on Base. Sends 0 ETH to ${usdc} on Ethereum.`,
    ],
    [
      'another account',
      { to: usdc, from: stranger },
      'refuse',
      ['NOT_COMPARED', 'WRONG_ACCOUNT'],
      `The request asks the account "${stranger}" to sign. Sends 0 ETH to ${usdc} on Base.`,
    ],
  ])('%s', (_, transaction, verdict, codes, summary) => {
    const inspection = inspect(send(transaction), bare)
    expect(inspection.findings.map(({ code }) => code)).toEqual(codes)
    expect(inspection).toMatchObject({ verdict, summary })
  })
  test('moves and grants are values', () => {
    expect(inspect(send({ to: usdc, data: call('a9059cbb', stranger, 4_000_000n) }), bare).moves).toEqual([
      { direction: 'out', asset: usdc, amount: 4_000_000n, decimals: 6, from: wallet, to: stranger },
    ])
    expect(inspect(send({ to: shop, data: approve(5n) }), bare).grants).toEqual([
      { asset: shop, amount: 5n, decimals: undefined, from: wallet, to: stranger, until: undefined },
    ])
  })
  test('the cancellation of a credit permit', () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function cancelCreditsAuthorization(address, bytes32, bytes)']),
      args: [wallet, nonce, '0x'],
    })
    expect(inspect(send({ to: credits, data }), pinned)).toMatchObject({
      kind: 'creditPermitCancel',
      verdict: 'ok',
    })
    expect(inspect(send({ to: stranger, data }), pinned)).toMatchObject({
      kind: 'creditPermitCancel',
      verdict: 'refuse',
    })
  })
  test('each call of a batch, a bad one first', () => {
    const calls = [
      { to: usdc, data: call('a9059cbb', stranger, 1_000_000n) },
      { to: usdc, data: approve(all) },
    ]
    const request = {
      method: 'wallet_sendCalls',
      params: [{ version: '2.0.0', from: wallet, chainId: '0x2105', calls }],
    }
    const { kind, verdict, summary, lines } = inspect(request, bare)
    expect({ kind, verdict }).toEqual({ kind: 'calls', verdict: 'refuse' })
    expect(summary).toBe(
      `Makes 2 calls on Base. Lets 0x7099…79C8 spend all of your USDC, with no time limit.${where} Sends 1.00 USDC to ${stranger}.${where}`,
    )
    expect(lines).toHaveLength(2)
    expect(
      inspect({ ...request, params: [{ from: wallet, chainId: '0x2105', calls: [] }] }, bare).verdict,
    ).toBe('refuse')
  })
})

describe('honest requests of others are never refused, but for what is listed, and never ok', () => {
  const file = new URL('../../../../test/vectors/honest-requests.json', import.meta.url)
  const vectors: {
    typedData: { origin: string; name: string; typedData: TypedData }[]
    transactions: { origin: string; name: string; transaction: Json }[]
  } = JSON.parse(readFileSync(file, 'utf8'))
  const now = () => Date.parse('2024-01-01')
  const listed: string[] = ['UNLIMITED_APPROVAL', 'ACCOUNT_DELEGATION']
  const judge = (request: Request) => {
    const { verdict, findings, summary } = inspect(request, { now })
    expect(verdict).not.toBe('ok')
    const dangers = findings.filter(({ severity }) => severity === 'danger').map(({ code }) => code)
    expect(
      dangers.filter((code) => !listed.includes(code)),
      summary,
    ).toEqual([])
    expect(summary.length).toBeLessThan(1000)
  }
  test('there are enough', () => {
    expect(vectors.typedData.length).toBeGreaterThanOrEqual(30)
    expect(vectors.transactions.length).toBeGreaterThanOrEqual(30)
  })
  test.each(vectors.typedData.map((one) => [`${one.origin}: ${one.typedData.primaryType}`, one] as const))(
    '%s',
    (_, { typedData: data }) => {
      const { owner, holder, from } = data.message
      const isPermit = /^Permit$|WithAuthorization$/.test(data.primaryType)
      judge(sign(data, isPermit ? String(owner ?? holder ?? from) : wallet))
    },
  )
  test.each(vectors.transactions.map((one) => [`${one.origin}: ${one.name}`, one] as const))(
    '%s',
    (_, { transaction }) => {
      judge({ method: 'eth_sendTransaction', params: [{ from: wallet, ...transaction }] })
    },
  )
})

describe('personal_sign', () => {
  const hash = 'b6c175ad03e36adc3cd6273f3dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6'
  table([
    ['a sign-in', personal(siwe, wallet), bare, 'ok', []],
    ['a sign-in in hex', personal(stringToHex(siwe), wallet), bare, 'ok', []],
    ['a sign-in over https', personal(siweText({ scheme: 'https' }), wallet), bare, 'ok', []],
    [
      'a sign-in that was compared with no site',
      personal(siwe, wallet),
      { ...bare, origin: undefined },
      'caution',
      ['UNCHECKED_SITE'],
    ],
    ['another scheme', personal(siweText({ scheme: 'javascript' }), wallet), bare, 'refuse', ['SIGN_IN']],
    [
      'another scheme of the URI',
      personal(siweText({ uri: 'ftp://api.example.com/login' }), wallet),
      bare,
      'refuse',
      ['SIGN_IN'],
    ],
    [
      'another scheme, no site to compare with',
      personal(siweText({ uri: 'data:text/html,x' }), wallet),
      { ...bare, origin: undefined },
      'refuse',
      ['SIGN_IN', 'UNCHECKED_SITE'],
    ],
    [
      'a user name in the URI',
      personal(siweText({ uri: 'https://api.example.com@evil.example/' }), wallet),
      { ...bare, origin: undefined },
      'refuse',
      ['SIGN_IN', 'UNCHECKED_SITE'],
    ],
    ['another site', personal(siweText({ domain: 'evil.example' }), wallet), bare, 'refuse', ['SIGN_IN']],
    ['another chain', personal(siweText({ chainId: 1 }), wallet), bare, 'refuse', ['SIGN_IN']],
    [
      'the address of somebody else',
      personal(siweText({ address: stranger }), wallet),
      bare,
      'refuse',
      ['SIGN_IN', 'WRONG_ACCOUNT'],
    ],
    [
      'it is over',
      personal(siweText({ expirationTime: new Date(time) }), wallet),
      bare,
      'refuse',
      ['SIGN_IN'],
    ],
    [
      'it hands a capability over',
      personal(siweText({ resources: ['urn:recap:eyJhdHQiOnt9fQ'] }), wallet),
      bare,
      'refuse',
      ['SIGN_IN'],
    ],
    ['something behind the end', personal(`${siwe}\nand more`, wallet), bare, 'refuse', ['MALFORMED']],
    [
      'a statement in another language',
      stating('Anmelden für 10 €'),
      bare,
      'caution',
      ['STATEMENT_CHARACTERS'],
    ],
    [
      'a statement with a quotation mark',
      stating('Sign in to "shop"'),
      bare,
      'caution',
      ['STATEMENT_CHARACTERS'],
    ],
    [
      'a statement that turns its direction',
      stating('Pay \u202e01'),
      bare,
      'refuse',
      ['INVISIBLE_CHARACTERS', 'STATEMENT_CHARACTERS'],
    ],
    [
      'a statement with a control character',
      stating('Hello\u0007'),
      bare,
      'refuse',
      ['INVISIBLE_CHARACTERS', 'STATEMENT_CHARACTERS'],
    ],
    ['a text', personal('hello', wallet), bare, 'caution', ['PLAIN_TEXT']],
    [
      'a text of exactly 32 characters in hex',
      personal(stringToHex('A text of 32 characters, no hash'), wallet),
      bare,
      'caution',
      ['PLAIN_TEXT'],
    ],
    [
      'the same with a line break',
      personal(stringToHex('A text of 32 characters,\nno hash'), wallet),
      bare,
      'caution',
      ['PLAIN_TEXT'],
    ],
    ['a bare hash', personal(`0x${hash}`, wallet), bare, 'refuse', ['BARE_HASH']],
    [
      'a bare hash in large letters',
      personal(`0x${hash.toUpperCase()}`, wallet),
      bare,
      'refuse',
      ['BARE_HASH'],
    ],
    ['a bare hash with 0X', personal(`0X${hash}`, wallet), bare, 'refuse', ['BARE_HASH']],
    ['a bare hash without 0x', personal(hash, wallet), bare, 'refuse', ['BARE_HASH']],
    [
      'a bare hash without its first zero',
      personal(`0x${hash.slice(1)}`, wallet),
      bare,
      'refuse',
      ['BARE_HASH'],
    ],
    ['32 control characters', personal(`0x${'07'.repeat(32)}`, wallet), bare, 'refuse', ['BARE_HASH']],
    [
      'a bare hash for another account',
      personal(`0x${hash}`, stranger),
      bare,
      'refuse',
      ['BARE_HASH', 'WRONG_ACCOUNT'],
    ],
    [
      'a raw transaction',
      personal(serializeTransaction({ type: 'eip1559', chainId: 8453, to: stranger, value: 1n }), wallet),
      bare,
      'refuse',
      ['RAW_TRANSACTION'],
    ],
    [
      'a raw legacy transaction',
      personal(
        serializeTransaction({ type: 'legacy', to: stranger, value: 1n, gasPrice: 1n, gas: 21000n }),
        wallet,
      ),
      bare,
      'refuse',
      ['RAW_TRANSACTION'],
    ],
    [
      'a sign-in over plain http',
      personal(siweText({ scheme: 'http', uri: 'http://api.example.com/login' }), wallet),
      bare,
      'caution',
      ['INSECURE_SITE'],
    ],
    [
      'a sign-in over plain http on this machine',
      personal(siweText({ domain: 'localhost:3000', uri: 'http://localhost:3000/login' }), wallet),
      { ...bare, domains: ['localhost:3000'] },
      'ok',
      [],
    ],
    ['swapped parameters', personal(wallet, siwe), bare, 'refuse', ['SWAPPED_PARAMETERS']],
    ['swapped parameters, a hash', personal(wallet, `0x${hash}`), bare, 'refuse', ['SWAPPED_PARAMETERS']],
    ['no text', personal(), bare, 'refuse', ['MALFORMED']],
    ['a number', personal(7, wallet), bare, 'refuse', ['MALFORMED']],
    ['no account', personal('hello'), bare, 'refuse', ['PLAIN_TEXT', 'WRONG_ACCOUNT']],
    ['a bare hash between blanks', personal(` 0x${hash}\n`, wallet), bare, 'refuse', ['BARE_HASH']],
    [
      'a text that turns its direction',
      personal('Pay \u202e001 USD', wallet),
      bare,
      'caution',
      ['INVISIBLE_CHARACTERS', 'PLAIN_TEXT'],
    ],
    [
      'a text that a terminal obeys, in hex',
      personal(stringToHex('Hi\u001b[2J'), wallet),
      bare,
      'caution',
      ['INVISIBLE_CHARACTERS', 'PLAIN_TEXT'],
    ],
    ['a text with a joined emoji', personal('Hi 👨‍👩‍👧\r\n', wallet), bare, 'caution', ['PLAIN_TEXT']],
    ['a text in Persian', personal('می\u200cخواهم', wallet), bare, 'caution', ['PLAIN_TEXT']],
    [
      'a sign-in with a resource that is no page',
      personal(siweText({ resources: ['https://privy.io', 'ucan:bafybeigk7ly3'] }), wallet),
      bare,
      'caution',
      ['NOT_COMPARED'],
    ],
    [
      'a sign-in with a page as resource',
      personal(siweText({ resources: ['https://privy.io'] }), wallet),
      bare,
      'ok',
      [],
    ],
  ])
})

describe('other methods', () => {
  const unknown: FindingCode[] = ['UNKNOWN_REQUEST']
  table([
    ['eth_sign', { method: 'eth_sign', params: [wallet, nonce] }, seen, 'refuse', ['BLIND_SIGNATURE']],
    [
      'eth_signTypedData',
      { method: 'eth_signTypedData', params: [[], wallet] },
      seen,
      'refuse',
      ['BLIND_SIGNATURE'],
    ],
    [
      'eth_sendTransaction',
      { method: 'eth_sendTransaction', params: [{ to: usdc, data: '0x12345678' }] },
      seen,
      'caution',
      unknown,
    ],
    [
      'wallet_addEthereumChain',
      { method: 'wallet_addEthereumChain', params: [{ chainId: '0x2105' }] },
      seen,
      'caution',
      unknown,
    ],
    ['wallet_sendCalls', { method: 'wallet_sendCalls' }, seen, 'caution', unknown],
    [
      'a method in large letters',
      { ...personal(siwe, wallet), method: 'PERSONAL_SIGN' },
      seen,
      'caution',
      unknown,
    ],
    ['no method', {} as never, seen, 'caution', unknown],
    [
      'parameters by name',
      { method: 'personal_sign', params: { message: siwe } },
      seen,
      'refuse',
      ['MALFORMED'],
    ],
  ])
})

describe('an invalid expectation is reported', () => {
  const wrong = (options: object): Row[2] => ({ ...seen, ...options })
  const invalid: FindingCode[] = ['INVALID_EXPECTATION']
  table([
    ['a misspelt option', sign(permit), wrong({ mostCent: 1 }), 'refuse', invalid],
    [
      'a misspelt pin',
      sign(permit),
      wrong({ pinned: [{ ...pins, creditsAddress: credits }] }),
      'refuse',
      invalid,
    ],
    ['a cap that is text', sign(permit), wrong({ maxCents: '603' }), 'refuse', invalid],
    ['a cap that is no number', sign(permit), wrong({ maxCents: Number.NaN }), 'refuse', invalid],
    [
      'a fee that is no number',
      sign(permit),
      wrong({ pinned: [{ ...pins, maxGasFeeCents: Number.NaN }] }),
      'refuse',
      invalid,
    ],
    ['an intent of null', sign(permit), wrong({ intent: null }), 'refuse', invalid],
    ['an intent without a salt', sign(permit), wrong({ intent: { request: purchase } }), 'refuse', invalid],
    [
      'an intent of no shape',
      sign(permit),
      wrong({ intent: { ...disclosed, request: { ...purchase, transactionData: { type: 'other' } } } }),
      'refuse',
      invalid,
    ],
    [
      'an intent in another currency',
      sign(permit),
      wrong({
        intent: { ...disclosed, request: { ...purchase, subtotal: { cents: 1000, currency: 'EUR' } } },
      }),
      'refuse',
      invalid,
    ],
    ['a site that is text', personal(siwe, wallet), wrong({ domains: 'api.example.com' }), 'refuse', invalid],
    ['an address that is none', sign(permit), wrong({ address: '0x' }), 'refuse', invalid],
    ['a chain in hex', sign(permit), wrong({ chainId: '0x2105' }), 'refuse', invalid],
    ['a clock that tells no time', sign(permit), wrong({ now: () => Number.NaN }), 'refuse', invalid],
    ['no options', sign(permit), null as never, 'refuse', invalid],
  ])
})

test('a transfer that anyone can execute is a warning in every redeem', () => {
  const severityOf = (options: InspectContext) =>
    inspect(sign(transfer), options).findings.find(({ code }) => code === 'ANYONE_CAN_EXECUTE')?.severity
  const named: InspectContext = { ...bare, intent: seen.intent, receiver: credits }
  for (const options of [bare, pinned, seen, named]) expect(severityOf(options)).toBe('warning')
  expect(severityOf(paying(credits))).toBe('info')
})

describe('in words', () => {
  test('a known purchase is described', () => {
    expect(inspect(sign(permit), seen).summary).toBe(
      `Lets ${credits} on Base spend up to $6.03 of the credits "my-shop" of ${wallet} until 2026-11-20 12:10:00 UTC (in 10 minutes), for this purchase: Calls ${shop} (0xcce7ec13) with up to 10.00 USDC.`,
    )
  })
  test('so it is for the part in USDC', () => {
    expect(inspect(sign(receive), seen).summary).toContain(
      `a part of this purchase of $10.00: Calls ${shop} (0xcce7ec13) with up to 10.00 USDC.`,
    )
  })
  test('a different purchase is described as different', () => {
    const other = { ...pinned, intent: { ...disclosed, salt: nonce } } as const
    expect(inspect(sign(permit), other).summary).toContain('for another purchase than yours.')
    expect(inspect(sign(receive), other).summary).not.toContain('this purchase')
  })
  test('a seed cannot end its quotes', () => {
    const seed = 'my-shop" of 0x1 for one purchase. Ignore "'
    expect(inspect(says(permit, { creditSeed: seed }), bare).summary).toContain('"my-shop\\" of 0x1')
  })
  test('the resources of a sign-in are lines', () => {
    const resources = ['https://privy.io', 'ipfs://bafybeigk7ly3']
    expect(inspect(personal(siweText({ resources }), wallet), bare).lines).toEqual(
      resources.map((uri) => ({ label: 'Resource', value: `"${uri}"` })),
    )
  })
  test('raw bytes are called what they are', () => {
    const raw = serializeTransaction({ type: 'eip1559', chainId: 8453, to: stranger, value: 1n })
    expect(inspect(personal(raw, wallet), bare).summary).toBe(
      'Asks you to sign raw bytes that look like an Ethereum transaction.',
    )
  })
  test('the statement of a sign-in is shown', () => {
    const { summary } = inspect(stating('I accept the terms.'), bare)
    expect(summary).toMatch(/2026-11-20T12:00:01\.000Z\. It says "I accept the terms\."\.$/)
  })
  test('a finding about a statement tells what is wrong with it', () => {
    const [finding] = inspect(stating('Grüezi'), bare).findings
    expect(finding).toMatchObject({ severity: 'warning', field: 'message.statement' })
    expect(finding?.message).toContain('EIP-4361 allows only ASCII letters')
  })
})

describe('a refused request is described by what it is, never by the purchase', () => {
  const ofTen: InspectContext = {
    ...pinned,
    intent: { ...disclosed, request: { ...purchase, usdcAmount: undefined } },
  }
  const forEver = String(time + 600_000)
  test.each<[string, Request, InspectContext, string]>([
    [
      'the USDC part goes to a stranger',
      says(receive, { to: stranger }),
      seen,
      'Sends 4.00 USDC to 0x7099…79C8, which is not the shop you are paying. USDC is the contract 0x8335…2913 on Base.',
    ],
    [
      'the permit is for another contract',
      within(permit, { verifyingContract: stranger }),
      seen,
      'Lets 0x7099…79C8, a contract you do not trust, spend up to $6.03 of credits on Base.',
    ],
    [
      'the fee',
      says(permit, { amount: '906030000' }),
      seen,
      'Authorizes $906.03 for a $10.00 purchase, $6.00 of it from credits. The extra $900.03 would be the network fee. The contract is 0x9fE4…a6e0 on Base.',
    ],
    [
      'the fee of a purchase without USDC',
      says(permit, {
        amount: '906030000',
        nonce: '0xb6c175ad03e36adc3cd6273f14d41202a6fdbf3d296cf41ba0ce0e6166952887',
      }),
      ofTen,
      'Authorizes $906.03 for a $10.00 purchase. The extra $896.03 would be the network fee. The contract is 0x9fE4…a6e0 on Base.',
    ],
    [
      'an end in milliseconds',
      says(permit, { validBefore: forEver }),
      seen,
      'Never expires. A permit for this service lasts at most one hour. It would let 0x9fE4…a6e0 on Base spend up to $6.03 of credits.',
    ],
    [
      'another chain',
      within(permit, { chainId: 137 }),
      seen,
      'It is for Polygon, and your wallet is on Base. It would let 0x9fE4…a6e0 on Polygon spend up to $6.03 of credits.',
    ],
    [
      'another account',
      sign(permit, stranger),
      seen,
      `The request asks the account "${stranger}" to sign. It would let 0x9fE4…a6e0 on Base spend up to $6.03 of credits.`,
    ],
    [
      'another contract and a fee',
      within(
        { ...permit, message: { ...permit.message, amount: '906030000' } },
        { verifyingContract: stranger },
      ),
      seen,
      'Lets 0x7099…79C8, a contract you do not trust, spend up to $906.03 of credits on Base. The network fee would be $900.03, and 100 cents is the most.',
    ],
    [
      'another token',
      within(receive, { verifyingContract: stranger }),
      seen,
      `The domain's verifyingContract is "${stranger}", and USDC on chain 8453 has "${usdc}". It would send 4000000 raw units of the token 0x7099…79C8 to 0x9fE4…a6e0 on Base.`,
    ],
    [
      'a cancellation by another account',
      sign(cancel, stranger),
      pinned,
      `The request asks the account "${stranger}" to sign. Cancels the credit permit of ${wallet} with nonce 0xb6c175ad… at the contract ${credits} on Base. This cannot be undone.`,
    ],
  ])('%s', (_, request, options, sentence) => {
    const { verdict, summary } = inspect(request, options)
    expect({ verdict, summary }).toEqual({ verdict: 'refuse', summary: sentence })
  })
  test('whatever is changed, the contract and the chain are named', () => {
    for (const request of [
      says(permit, { amount: '1' }),
      says(permit, { creditSeed: 'other' }),
      within(permit, { name: 'Other' }),
      says(receive, { value: '1' }),
      sign(cancel, stranger),
    ]) {
      const { verdict, summary } = inspect(request, seen)
      expect(verdict).toBe('refuse')
      expect(summary).not.toContain('this purchase')
      expect(summary).toMatch(/0x(9fE4|8335)\S* on Base/)
    }
  })
})

test('any changed field of domain or message is refused', () => {
  const leaves = [permit, receive].flatMap((data) =>
    (['domain', 'message'] as const).flatMap((part) =>
      Object.entries(data[part]).map(([name, value]) => ({ data, part, name, value: String(value) })),
    ),
  )
  const numeric = (value: unknown) =>
    (typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value)) || Number.isSafeInteger(value)
      ? BigInt(value as string) // or an integer, which it takes too
      : value
  const any = fc.oneof(
    fc.jsonValue(),
    fc.bigInt({ min: 0n, max: 2n ** 256n }).map(String),
    fc.constantFrom(wallet, stranger, credits, usdc, nonce, salt),
  )
  fc.assert(
    fc.property(fc.constantFrom(...leaves), any, ({ data, part, name, value }, other) => {
      // the same number, and an end or a gas fee that are as good
      fc.pre(numeric(other) !== numeric(value) && name !== 'validBefore' && name !== 'amount')
      const changed = sign({ ...data, [part]: { ...data[part], [name]: other } })
      expect(inspect(changed, seen).verdict).toBe('refuse')
    }),
    { numRuns: inject('generatedInputs') },
  )
})
