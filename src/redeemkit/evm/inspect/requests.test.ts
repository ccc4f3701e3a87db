import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { encodeFunctionData, parseAbi, serializeTransaction, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, inject, test } from 'vitest'
import type { Verdict } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { type DisclosedIntent, disclosedIntentOf } from '../creditPermit/disclosedIntent.ts'
import type { InspectContext, InspectPins } from '../creditPermit/inspectOptions.ts'
import { inspect } from './inspect.ts'
import { members } from './shownInspection.fixture.ts'

// The order of the worked example in PROTOCOL.md 4.1: 10.00 USD, with 4.00 of it in USDC. This test adds a gas fee of 0.03.
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const salt = '0xa05e334153147e75f3f416139b5109d1179cb56fef6a4ecb4c4cbc92a7c37b70'
const shop = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const order = '0xcff8661c04b781a2804ce2e8'
/** Nonces of the same order with different settlements and amounts. `normal` is the nonce of the worked example. */
const nonces = {
  token: `${order}04213e5541c8dad43c11dd9552d7b55ec11fb94c`,
  creditsOnly: `${order}e3c87261f56fea3ffc42bc870d3bcd34327859e1`,
  usdcOnly: `${order}cea7d6c8b4c46e0e8ca8d5e41ee4266085057815`,
  normal: `${order}3dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6`,
  safeMint: `${order}e15dc7df275e44d13cd2732661e9181794acccbf`,
  knownTokenId: `${order}2f8c0e7b12961a3a50134310be61ac3c2a55a62e`,
  decent: `${order}83072a6bad60cb548051ffc531c819973c77b2ca`,
} as const
const nonce = nonces.token
const purchase = {
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: { type: 'token', destination: shop },
} as const
const transaction = {
  to: shop,
  data: '0xcce7ec13000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000989680',
} as const
const bridged = {
  type: 'decent',
  dstChainId: 137,
  dstToken: shop,
  contractAddress: shop,
  contractData: '0x12345678',
  cost: { isNative: false, amount: '5' },
} as const
const disclosed: DisclosedIntent = {
  version: 1,
  merchantId: 'sandbox-shop',
  purchaseId: 'order 1',
  salt,
  request: purchase,
}
const buying = (request: object): DisclosedIntent => ({ ...disclosed, request: { ...purchase, ...request } })

const credits = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const zero = `0x${'00'.repeat(20)}` as const
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const time = Date.parse('2026-11-20T12:00:00Z')
const end = String(time / 1000 + 600)
const origin = 'https://api.example.com'

/** `pins` has only the contract and credit seed; `shopPins` also has the shop's merchant, receivers and pages. */
const pins: InspectPins = { chainId: 8453, creditsContract: credits, creditSeed: 'my-shop' }
const shopPins: InspectPins = {
  ...pins,
  merchantId: 'sandbox-shop',
  receivers: [shop],
  origins: [origin],
  name: 'Moonrise',
}
const bare: InspectContext = { address: wallet, chainId: 8453, origin, now: () => time }
const pinned: InspectContext = { ...bare, pinned: [shopPins] }
const seen: InspectContext = { ...pinned, intent: disclosed }
const signed: InspectContext = { ...seen, signedPermits: [{ nonce }] }

type Json = { [name: string]: unknown }
type TypedData = { domain: Json; types: Json; primaryType: string; message: Json }

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
// the statement is inserted afterwards, because viem's createSiweMessage refuses a statement of several lines
const stating = (statement: string) =>
  personal(siweText({ statement: 'Hello.' }).replace('Hello.', statement), wallet)

const transact = (transaction: Json): Request => ({ method: 'eth_sendTransaction', params: [transaction] })

type Row = [name: string, request: Request, options: InspectContext, verdict: Verdict, codes: FindingCode[]]

const table = (rows: Row[]) =>
  test.each(rows.map(([name, ...row]) => [`${name}: ${row[2]}`, ...row] as const))(
    '%s',
    (_, request, options, verdict, codes) => {
      const inspection = inspect(request, options)
      expect(inspection.findings.map(({ code }) => code)).toEqual(codes)
      expect(inspection.verdict).toBe(verdict)
    },
  )

describe('inspect judges a credit permit by its amounts, nonce and purchase:', () => {
  const only = (pin: object): InspectContext => ({ ...seen, pinned: [{ ...shopPins, ...pin }] })
  table([
    ['the purchase was disclosed', sign(permit), seen, 'ok', []],
    ['typed data as an object', v4(permit), seen, 'ok', []],
    ['an amount equal to maxCents', sign(permit), { ...seen, maxCents: 603 }, 'ok', []],
    ['no gas fee', says(permit, { amount: '6000000' }), seen, 'ok', []],
    ['a gas fee at the limit', says(permit, { amount: '7000000' }), seen, 'ok', []],
    [
      'only credits',
      says(permit, { amount: '10030000', nonce: nonces.creditsOnly }),
      { ...seen, intent: buying({ usdcAmount: undefined }) },
      'ok',
      [],
    ],
    [
      'a disclosed USDC part of 0',
      says(permit, { amount: '10030000', nonce: nonces.creditsOnly }),
      { ...seen, intent: buying({ usdcAmount: { cents: 0 } }) },
      'ok',
      [],
    ],
    [
      'only USDC',
      says(permit, { amount: '30000', nonce: nonces.usdcOnly }),
      { ...seen, intent: buying({ usdcAmount: { cents: 1000 } }) },
      'ok',
      [],
    ],
    ['a pinned contract, but no disclosed purchase', sign(permit), pinned, 'caution', ['UNSEEN_PURCHASE']],
    [
      'maxCents, but no disclosed purchase',
      sign(permit),
      { ...pinned, maxCents: 603 },
      'caution',
      ['UNSEEN_PURCHASE'],
    ],
    [
      'neither a pinned contract nor a disclosed purchase',
      sign(permit),
      {},
      'refuse',
      ['UNPINNED_CHAIN', 'UNPINNED_CONTRACT', 'EXPIRED', 'UNSEEN_PURCHASE'],
    ],
    [
      '50,000 USD without a disclosed purchase',
      says(permit, { amount: '50000000000' }),
      pinned,
      'caution',
      ['UNSEEN_PURCHASE'],
    ],
    [
      '50,000 USD, above maxCents',
      says(permit, { amount: '50000000000' }),
      { ...pinned, maxCents: 603 },
      'refuse',
      ['ABOVE_CAP', 'UNSEEN_PURCHASE'],
    ],
    [
      '50,000 USD for a disclosed purchase of 10 USD',
      says(permit, { amount: '50000000000' }),
      seen,
      'refuse',
      ['FEE_TOO_HIGH'],
    ],
    [
      'one raw unit above maxCents',
      says(permit, { amount: '6030001' }),
      { ...seen, maxCents: 603 },
      'refuse',
      ['GAS_FEE_NOT_WHOLE_CENTS', 'ABOVE_CAP'],
    ],
    ['an amount below the price', says(permit, { amount: '5999999' }), seen, 'refuse', ['WRONG_PURCHASE']],
    ['a gas fee above the limit', says(permit, { amount: '7000001' }), seen, 'refuse', ['FEE_TOO_HIGH']],
    [
      'a gas fee above the pinned limit',
      sign(permit),
      only({ maxGasFeeCents: 2 }),
      'refuse',
      ['FEE_TOO_HIGH'],
    ],
    [
      'a gas fee with a fraction of a cent',
      says(permit, { amount: '6030001' }),
      seen,
      'caution',
      ['GAS_FEE_NOT_WHOLE_CENTS'],
    ],
    ['a random nonce', says(permit, { nonce: `0x7f${nonce.slice(4)}` }), seen, 'refuse', ['UNBOUND_NONCE']],
    [
      'a random nonce, with intentBound: false pinned',
      says(permit, { nonce: `0x7f${nonce.slice(4)}` }),
      only({ intentBound: false }),
      'caution',
      ['UNBOUND_NONCE'],
    ],
    [
      'an intent-bound nonce, with intentBound: false pinned',
      sign(permit),
      only({ intentBound: false }),
      'caution',
      ['UNBOUND_NONCE'],
    ],
    ['a nonce in upper case', says(permit, { nonce: `0x${nonce.slice(2).toUpperCase()}` }), seen, 'ok', []],
    [
      'a purchase on Tempo, without USDC',
      within(
        { ...permit, message: { ...permit.message, amount: '10030000', nonce: nonces.creditsOnly } },
        { chainId: 4217 },
      ),
      {
        ...seen,
        chainId: 4217,
        pinned: [{ ...shopPins, chainId: 4217 }],
        intent: buying({ usdcAmount: { cents: 0 } }),
      },
      'ok',
      [],
    ],
  ])
})

describe('inspect judges a credit permit by the disclosed purchase:', () => {
  const withIntent = (intent: object): InspectContext => ({ ...seen, intent: { ...disclosed, ...intent } })
  const elsewhere: InspectContext = { ...seen, origin: 'https://shop.evil.example' }
  table([
    ['another salt', sign(permit), withIntent({ salt: nonce }), 'refuse', ['WRONG_PURCHASE']],
    ['another order', sign(permit), withIntent({ purchaseId: 'order 2' }), 'refuse', ['WRONG_PURCHASE']],
    [
      'another merchant',
      sign(permit),
      withIntent({ merchantId: 'other-shop' }),
      'refuse',
      ['WRONG_PURCHASE', 'UNPINNED_MERCHANT'],
    ],
    [
      'another subtotal',
      sign(permit),
      { ...seen, intent: buying({ subtotal: { cents: 1001 } }) },
      'refuse',
      ['WRONG_PURCHASE'],
    ],
    [
      'a different USDC part',
      sign(permit),
      { ...seen, intent: buying({ usdcAmount: { cents: 399 } }) },
      'refuse',
      ['WRONG_PURCHASE'],
    ],
    [
      'another receiver',
      sign(permit),
      { ...seen, intent: buying({ transactionData: { type: 'token', destination: stranger } }) },
      'refuse',
      ['WRONG_PURCHASE', 'UNPINNED_RECEIVER'],
    ],
    [
      'a purchase without USDC',
      sign(permit),
      { ...seen, intent: buying({ usdcAmount: undefined }) },
      'refuse',
      ['WRONG_PURCHASE', 'WRONG_PURCHASE'],
    ],
    ['another version', sign(permit), withIntent({ version: 2 }), 'caution', ['UNSEEN_PURCHASE']],
    ['no version', sign(permit), withIntent({ version: undefined }), 'caution', ['UNSEEN_PURCHASE']],
    ['an extra field', sign(permit), withIntent({ creditSeed: 'my-shop' }), 'refuse', ['INVALID_INTENT']],
    [
      'an extra field next to the USDC amount',
      sign(permit),
      { ...seen, intent: buying({ usdcAmount: { cents: 400, dollars: 4 } }) },
      'refuse',
      ['INVALID_INTENT'],
    ],
    [
      'a price given in USDC',
      sign(permit),
      { ...seen, intent: buying({ subtotal: { address: usdc, amount: '10' } }) },
      'ok',
      [],
    ],
    ['no salt', sign(permit), withIntent({ salt: undefined }), 'refuse', ['INVALID_INTENT']],
    [
      'an unknown type',
      sign(permit),
      { ...seen, intent: buying({ transactionData: { type: 'other' } }) },
      'refuse',
      ['INVALID_INTENT'],
    ],
    [
      'another currency',
      sign(permit),
      { ...seen, intent: buying({ subtotal: { cents: 1000, currency: 'EUR' } }) },
      'refuse',
      ['INVALID_INTENT'],
    ],
    [
      'more than 64 KiB',
      sign(permit),
      {
        ...seen,
        intent: buying({ transactionData: { transaction: { to: shop, data: `0x${'00'.repeat(40_000)}` } } }),
      },
      'refuse',
      ['INVALID_INTENT'],
    ],
    [
      'no order id',
      says(permit, { nonce: `0x${'ff'.repeat(12)}${nonce.slice(26)}` }),
      withIntent({ purchaseId: undefined }),
      'ok',
      [],
    ],
    [
      'no order id, and a different shop than the pinned one',
      sign(permit),
      withIntent({ purchaseId: undefined, merchantId: 'other-shop' }),
      'caution',
      ['UNPINNED_MERCHANT'],
    ],
    ['another page', sign(permit), elsewhere, 'caution', ['UNPINNED_ORIGIN']],
    ['an unknown page', sign(permit), { ...seen, origin: undefined }, 'caution', ['UNPINNED_ORIGIN']],
    ['no pinned entries', sign(permit), { ...seen, pinned: undefined }, 'caution', ['UNPINNED_CONTRACT']],
    [
      'a pinned entry without merchant, receivers and pages',
      sign(permit),
      { ...seen, pinned: [pins] },
      'caution',
      ['UNPINNED_MERCHANT', 'UNPINNED_RECEIVER', 'UNPINNED_ORIGIN'],
    ],
    [
      'the contract and the shop are in two different pinned entries',
      sign(permit),
      {
        ...seen,
        pinned: [
          { ...pins, merchantId: 'sandbox-shop' },
          { ...shopPins, creditsContract: stranger },
        ],
      },
      'caution',
      ['UNPINNED_RECEIVER', 'UNPINNED_ORIGIN'],
    ],
    [
      'an unpinned receiver',
      sign(permit),
      { ...seen, pinned: [{ ...shopPins, receivers: [stranger] }], maxCents: 603 },
      'caution',
      ['UNPINNED_RECEIVER'],
    ],
    [
      'the second of two pinned shops',
      sign(permit),
      {
        ...seen,
        pinned: [{ ...shopPins, merchantId: 'other-shop', creditSeed: 'other', origins: [] }, shopPins],
      },
      'ok',
      [],
    ],
    [
      'a call',
      says(permit, { nonce: nonces.normal }),
      { ...seen, intent: buying({ transactionData: { transaction } }) },
      'caution',
      ['UNSEEN_RECEIVER'],
    ],
    [
      'minted NFTs, which the contract forwards to the customer',
      says(permit, { nonce: nonces.safeMint }),
      { ...seen, intent: buying({ transactionData: { type: 'safeMint', transaction } }) },
      'ok',
      [],
    ],
    [
      'an NFT with a known id, which the contract forwards to the customer',
      says(permit, { nonce: nonces.knownTokenId }),
      { ...seen, intent: buying({ transactionData: { transaction, nftContract: shop, nftId: '7' } }) },
      'ok',
      [],
    ],
    [
      'an NFT of an unpinned contract',
      sign(permit),
      { ...seen, intent: buying({ transactionData: { transaction, nftContract: stranger, nftId: '7' } }) },
      'refuse',
      ['WRONG_PURCHASE', 'UNPINNED_RECEIVER'],
    ],
    ...(
      [
        [undefined, ['UNPINNED_ADAPTER']],
        [stranger, ['UNSEEN_RECEIVER']],
        [shop, ['WRONG_PURCHASE', 'UNSEEN_RECEIVER']],
      ] as const
    ).map(
      ([bridgeAdapter, codes]): Row => [
        `a purchase on another chain, adapter ${bridgeAdapter}`,
        says(permit, { nonce: nonces.decent }),
        {
          ...seen,
          pinned: [{ ...shopPins, bridgeAdapter }],
          intent: buying({ transactionData: bridged }),
        },
        bridgeAdapter === shop ? 'refuse' : 'caution',
        [...codes],
      ],
    ),
    [
      'a purchase on another chain, with intentBound: false pinned',
      says(permit, { nonce: nonces.decent }),
      {
        ...seen,
        pinned: [{ ...shopPins, intentBound: false }],
        intent: buying({ transactionData: bridged }),
      },
      'caution',
      ['UNBOUND_NONCE', 'UNSEEN_RECEIVER'],
    ],
    ['the same permit again', sign(permit), signed, 'ok', ['ORDER_SIGNED']],
    [
      'the same permit again, recorded with its chain',
      sign(permit),
      { ...seen, signedPermits: [{ nonce, chainId: shopPins.chainId }] },
      'ok',
      ['ORDER_SIGNED'],
    ],
    [
      'the same permit again, recorded for another chain, where it could be executed too',
      sign(permit),
      { ...seen, signedPermits: [{ nonce, chainId: shopPins.chainId + 1 }] },
      'caution',
      ['ORDER_SIGNED'],
    ],
    [
      'a new order after a used order',
      sign(permit),
      { ...seen, signedPermits: [{ nonce: `0x${'ff'.repeat(12)}${nonce.slice(26)}`, isUsed: true }] },
      'ok',
      [],
    ],
    [
      'another permit for the order',
      sign(permit),
      { ...seen, signedPermits: [{ nonce: nonces.normal }] },
      'caution',
      ['ORDER_SIGNED'],
    ],
    [
      'a used order',
      sign(permit),
      { ...seen, signedPermits: [{ nonce: nonces.normal, isUsed: true }] },
      'caution',
      ['ORDER_USED'],
    ],
  ])
  const third = (intent: unknown): Request => ({
    method: 'eth_signTypedData_v4',
    params: [wallet, JSON.stringify(permit), { redeemIntent: intent }],
  })
  test('disclosedIntentOf reads the purchase from the third parameter of the request', () => {
    expect(disclosedIntentOf(third(disclosed))).toEqual(disclosed)
    expect(disclosedIntentOf(third(JSON.parse(JSON.stringify(disclosed))))).toEqual(disclosed)
    const request = third(disclosed)
    expect(inspect(request, { ...pinned, intent: disclosedIntentOf(request) }).verdict).toBe('ok')
    // some callers pass null as the third parameter
    expect(inspect({ ...request, params: [wallet, JSON.stringify(permit), null] }, seen).verdict).toBe('ok')
    // without `intent` in the context, inspect does not use the third parameter
    expect(inspect(request, pinned).findings.map(({ code }) => code)).toEqual(['UNSEEN_PURCHASE'])
  })
  test('inspect refuses a malformed purchase', () => {
    const found = (intent: unknown) => {
      const request = third(intent)
      return inspect(request, { ...pinned, intent: disclosedIntentOf(request) }).findings.map(
        ({ severity, code, field }) => [severity, code, field],
      )
    }
    const broken = (field?: string) => [['danger', 'INVALID_INTENT', field]]
    expect(found({ ...disclosed, more: 1 })).toEqual(broken('intent.more'))
    expect(found({ ...disclosed, salt: '0x12' })).toEqual(broken('intent.salt'))
    expect(found({ ...disclosed, salt: undefined })).toEqual(broken('intent.salt'))
    expect(found({ ...disclosed, merchantId: '' })).toEqual(broken('intent.merchantId'))
    expect(found({ ...disclosed, request: { ...purchase, subtotal: 10 } })).toEqual(
      broken('intent.request.subtotal'),
    )
    expect(found({ ...disclosed, request: { ...purchase, receipt: 'x'.repeat(65_536) } })).toEqual(
      broken('intent'),
    )
    for (const intent of [null, 'x', []]) expect(found(intent)).toEqual(broken('intent'))
    const ofSize = (size: number) => {
      const intentOf = (data: string) => buying({ transactionData: { transaction: { to: shop, data } } })
      const data = 'x'.repeat(size - JSON.stringify(intentOf('')).length)
      return found(intentOf(data))
    }
    expect(ofSize(65_536)).toEqual(broken('transactionData.transaction.data'))
    expect(ofSize(65_537)).toEqual(broken('intent'))
    // an intent of another version counts as absent
    for (const intent of [undefined, { ...disclosed, version: 2 }, { ...disclosed, version: 2, salt: 1 }])
      expect(found(intent)).toEqual([['warning', 'UNSEEN_PURCHASE', 'permit.amount']])
  })
  test('disclosedIntentOf returns undefined for a malformed purchase', () => {
    const hostile = {
      ...disclosed,
      get salt() {
        throw new Error('read')
      },
    }
    for (const intent of [
      undefined,
      null,
      'x',
      [],
      { ...disclosed, version: 2 },
      { ...disclosed, more: 1 },
      hostile,
    ])
      expect(disclosedIntentOf(third(intent))).toBe(undefined)
    for (const request of [
      null,
      {},
      sign(permit),
      personal('x'),
      { ...third(disclosed), method: 'personal_sign' },
    ])
      expect(disclosedIntentOf(request as never)).toBe(undefined)
  })
})

describe('inspect judges a credit permit by the pinned entries:', () => {
  const only = (pin: object): InspectContext => ({ ...seen, pinned: [{ ...shopPins, ...pin }] })
  const otherShop = {
    chainId: 8453,
    creditsContract: stranger,
    creditSeed: 'other',
    merchantId: 'other',
    origins: ['https://other.example'],
  } as const
  table([
    [
      'another contract',
      within(permit, { verifyingContract: stranger }),
      seen,
      'refuse',
      ['UNPINNED_CONTRACT'],
    ],
    [
      'another contract, and a pinned entry without a shop',
      within(permit, { verifyingContract: stranger }),
      { ...bare, pinned: [pins] },
      'refuse',
      ['UNPINNED_CONTRACT', 'UNSEEN_PURCHASE'],
    ],
    [
      'a different shop than the pinned one',
      sign(permit),
      { ...seen, pinned: [otherShop] },
      'caution',
      ['UNPINNED_CONTRACT'],
    ],
    [
      'another shop at the pinned contract',
      sign(permit),
      { ...bare, pinned: [{ ...otherShop, creditsContract: credits }] },
      'caution',
      ['UNPINNED_CREDIT_SEED', 'UNSEEN_PURCHASE'],
    ],
    [
      'USDC as the contract',
      within(permit, { verifyingContract: usdc }),
      seen,
      'refuse',
      ['UNPINNED_CONTRACT'],
    ],
    ['another seed', says(permit, { creditSeed: 'other' }), seen, 'refuse', ['WRONG_CREDIT_SEED']],
    [
      'another credit seed, and a pinned entry without a shop',
      says(permit, { creditSeed: 'other' }),
      { ...bare, pinned: [pins] },
      'refuse',
      ['WRONG_CREDIT_SEED', 'UNSEEN_PURCHASE'],
    ],
    ['another domain name', within(permit, { name: 'USD Coin' }), seen, 'refuse', ['WRONG_DOMAIN_NAME']],
    ['another version', within(permit, { version: '2' }), seen, 'refuse', ['WRONG_DOMAIN_VERSION']],
    ['version 2, as pinned', within(permit, { version: '2' }), only({ domainVersion: '2' }), 'ok', []],
    [
      'version 1, but 2 is pinned',
      sign(permit),
      only({ domainVersion: '2' }),
      'refuse',
      ['WRONG_DOMAIN_VERSION'],
    ],
    ['another name, as pinned', within(permit, { name: 'Shop' }), only({ domainName: 'Shop' }), 'ok', []],
    ['a chain other than the wallet’s', within(permit, { chainId: 1 }), seen, 'refuse', ['WRONG_CHAIN']],
    ['a chain other than the pinned one', sign(permit), only({ chainId: 137 }), 'refuse', ['WRONG_CHAIN']],
    [
      'no expected chain',
      sign(permit),
      { ...only({ chainId: undefined }), chainId: undefined },
      'caution',
      ['UNPINNED_CHAIN'],
    ],
    ['only the pinned chain is known', sign(permit), { ...seen, chainId: undefined }, 'ok', []],
    // a page can switch the wallet to a chain where the page's own contract has the same address
    [
      "only the wallet's chain is known",
      sign(permit),
      only({ chainId: undefined }),
      'caution',
      ['UNPINNED_CHAIN'],
    ],
    [
      "only the wallet's chain is known, for a USDC authorization",
      sign(receive),
      { ...signed, pinned: [{ ...shopPins, chainId: undefined }] } as unknown as InspectContext,
      'caution',
      ['UNPINNED_CHAIN'],
    ],
    [
      "only the wallet's chain is known, for a cancellation",
      sign(cancel),
      { ...only({ chainId: undefined }), intent: undefined },
      'caution',
      ['UNPINNED_CHAIN'],
    ],
    [
      'a pinned entry without a chain before the entry with the chain',
      sign(permit),
      { ...seen, pinned: [{ ...shopPins, chainId: undefined }, shopPins] } as unknown as InspectContext,
      'ok',
      [],
    ],
    [
      'a chain that the service does not have, with its token',
      within(permit, { chainId: 31337 }),
      { ...only({ chainId: 31337, usdc: { address: stranger, name: 'Test' } }), chainId: 31337 },
      'ok',
      [],
    ],
    // callers without TypeScript can omit it
    ['no expected seed', sign(permit), only({ creditSeed: undefined }), 'caution', ['UNPINNED_CREDIT_SEED']],
    [
      'no expected contract',
      sign(permit),
      only({ creditsContract: undefined }),
      'caution',
      ['UNPINNED_CONTRACT'],
    ],
    [
      'a seed with a bidirectional control character',
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
      'a seed with a zero-width space',
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
    ['it has expired', says(permit, { validBefore: String(time / 1000) }), seen, 'refuse', ['EXPIRED']],
    [
      'it is valid for two hours',
      says(permit, { validBefore: String(time / 1000 + 7200) }),
      seen,
      'refuse',
      ['EXPIRES_TOO_LATE'],
    ],
    [
      'the wallet of another account',
      says(permit, { customerWallet: stranger }),
      pinned,
      'refuse',
      ['WRONG_WALLET', 'UNSEEN_PURCHASE', 'WRONG_ACCOUNT'],
    ],
    [
      'the zero address as customer wallet',
      says(permit, { customerWallet: zero }),
      pinned,
      'refuse',
      ['WRONG_WALLET', 'UNSEEN_PURCHASE', 'WRONG_ACCOUNT'],
    ],
    ['the request asks another account to sign', sign(permit, stranger), seen, 'refuse', ['WRONG_ACCOUNT']],
    [
      'the request names no account',
      { method: 'eth_signTypedData_v4', params: [undefined, JSON.stringify(permit)] },
      seen,
      'refuse',
      ['WRONG_ACCOUNT'],
    ],
  ])
})

describe('inspect judges typed data in different encodings:', () => {
  const types = permit.types
  const fields = types.CreditsAuthorization as Json[]
  table([
    ['an amount in hex', says(permit, { amount: '0x5c02b0' }), seen, 'ok', []],
    ['an amount in hex, padded', says(permit, { amount: `0x${'5c02b0'.padStart(64, '0')}` }), seen, 'ok', []],
    ['an amount as a number', says(permit, { amount: 6030000 }), seen, 'ok', []],
    ['a chain as a decimal string', within(permit, { chainId: '8453' }), seen, 'ok', []],
    ['a chain in hex', within(permit, { chainId: '0x2105' }), seen, 'ok', []],
    ['addresses in lower case', within(permit, { verifyingContract: credits.toLowerCase() }), seen, 'ok', []],
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
        types: { ...types, EIP712Domain: [...eip712Domain, ...members('bytes32 salt')] },
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
    ['a leading zero', says(permit, { amount: '06030000' }), seen, 'refuse', ['MALFORMED']],
    ['a leading space', says(permit, { amount: ' 6030000' }), seen, 'refuse', ['MALFORMED']],
    ['only 0x', says(permit, { amount: '0x' }), seen, 'refuse', ['MALFORMED']],
    [
      'a number too large to be exact',
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
    ['an additional field', says(permit, { spender: stranger }), seen, 'refuse', ['MALFORMED']],
    ['a seed that is a number', says(permit, { creditSeed: 7 }), seen, 'refuse', ['MALFORMED']],
    ['a lone surrogate', says(permit, { creditSeed: '\ud800' }), seen, 'refuse', ['MALFORMED']],
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
      'the type of a member twice',
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
      'an additional type',
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
    [
      'an additional member of the typed data',
      sign({ ...permit, nonce } as TypedData),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
    ['truncated JSON', v4(JSON.stringify(permit).slice(0, -1)), seen, 'refuse', ['MALFORMED']],
    ['account and data swapped', v4(wallet, JSON.stringify(permit)), seen, 'refuse', ['MALFORMED']],
    ['no parameters', { method: 'eth_signTypedData_v4', params: [] }, seen, 'refuse', ['MALFORMED']],
  ])
})

describe('inspect judges a USDC authorization in a redeem:', () => {
  table([
    [
      'with intentBound: false pinned',
      sign(receive),
      { ...signed, pinned: [{ ...shopPins, intentBound: false }] },
      'caution',
      ['UNBOUND_NONCE'],
    ],
    [
      'a token that is pinned for another shop',
      within(receive, { name: 'Test', verifyingContract: stranger }),
      {
        ...signed,
        pinned: [
          shopPins,
          {
            chainId: 8453,
            creditsContract: stranger,
            creditSeed: 'other',
            usdc: { address: stranger, name: 'Test', version: '2' },
          },
        ],
      },
      'refuse',
      ['NOT_USDC'],
    ],
    [
      'USDC, while another shop pins its own token',
      sign(receive),
      {
        ...signed,
        pinned: [
          {
            chainId: 8453,
            creditsContract: stranger,
            creditSeed: 'other',
            usdc: { address: stranger, name: 'Test', version: '2' },
          },
          shopPins,
        ],
      },
      'ok',
      [],
    ],
    ['of a purchase whose permit was signed', sign(receive), signed, 'ok', []],
    [
      'of a purchase whose permit was not signed in this session',
      sign(receive),
      seen,
      'caution',
      ['UNSIGNED_PERMIT'],
    ],
    ['of a purchase, executable by anyone', sign(transfer), signed, 'caution', ['ANYONE_CAN_EXECUTE']],
    ['under a cap', sign(receive), { ...signed, maxCents: 400 }, 'ok', []],
    ['above a cap', sign(receive), { ...signed, maxCents: 399 }, 'refuse', ['ABOVE_CAP']],
    ['undisclosed', sign(receive), pinned, 'caution', ['UNSEEN_PURCHASE']],
    [
      'of a permit that was signed, without a disclosed purchase',
      sign(receive),
      { ...signed, intent: undefined },
      'caution',
      ['UNSEEN_PURCHASE'],
    ],
    [
      'another page',
      sign(receive),
      { ...signed, origin: 'https://evil.example' },
      'caution',
      ['UNPINNED_ORIGIN'],
    ],
    ['a value in hex', says(receive, { value: '0x3d0900' }), signed, 'ok', []],
    ['another value', says(receive, { value: '4000001' }), signed, 'refuse', ['WRONG_PURCHASE']],
    [
      'another nonce',
      says(receive, { nonce: salt }),
      signed,
      'refuse',
      ['WRONG_PURCHASE', 'UNSIGNED_PERMIT'],
    ],
    ['a start time', says(receive, { validAfter: '1' }), signed, 'refuse', ['WRONG_PURCHASE']],
    [
      'an expiry too late for a permit',
      says(receive, { validBefore: String(time / 1000 + 3601) }),
      signed,
      'refuse',
      ['EXPIRES_TOO_LATE'],
    ],
    ['to the shop itself', says(receive, { to: shop }), signed, 'refuse', ['WRONG_RECEIVER']],
    [
      'to a stranger, requested by a pinned page',
      says(receive, { to: stranger }),
      pinned,
      'refuse',
      ['WRONG_RECEIVER', 'UNSEEN_PURCHASE'],
    ],
    [
      'from another account',
      says(receive, { from: stranger }),
      pinned,
      'refuse',
      ['WRONG_WALLET', 'UNSEEN_PURCHASE', 'WRONG_ACCOUNT'],
    ],
    [
      'a purchase without USDC',
      sign(receive),
      { ...signed, intent: buying({ usdcAmount: undefined }) },
      'refuse',
      ['WRONG_PURCHASE', 'WRONG_PURCHASE'],
    ],
    [
      'on another chain',
      within(receive, { chainId: 1, verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }),
      signed,
      'refuse',
      ['WRONG_CHAIN'],
    ],
    [
      'of another token',
      within(receive, { name: 'EURC', verifyingContract: stranger }),
      signed,
      'refuse',
      ['NOT_USDC'],
    ],
    [
      'an expiry before its start',
      says(receive, { validBefore: String(time / 1000 + 30) }),
      signed,
      'refuse',
      ['EXPIRES_TOO_SOON'],
    ],
    [
      'a purchase that cannot be read',
      sign(receive),
      { ...signed, intent: { ...disclosed, salt: undefined as never } },
      'refuse',
      ['INVALID_INTENT'],
    ],
    [
      'an amount of zero, for a purchase with USDC',
      says(receive, { value: '0' }),
      signed,
      'refuse',
      ['WRONG_PURCHASE', 'ZERO_AMOUNT'],
    ],
    [
      'an amount of zero, for a purchase without USDC',
      says(receive, { value: '0', nonce: nonces.creditsOnly }),
      {
        ...seen,
        intent: buying({ usdcAmount: undefined }),
        signedPermits: [{ nonce: nonces.creditsOnly }],
      },
      'refuse',
      ['WRONG_PURCHASE', 'ZERO_AMOUNT'],
    ],
    [
      'of a used order',
      sign(receive),
      { ...seen, signedPermits: [{ nonce, isUsed: true }] },
      'caution',
      ['ORDER_USED'],
    ],
    [
      'of one of two permits for the order',
      sign(receive),
      { ...seen, signedPermits: [{ nonce }, { nonce: nonces.normal }] },
      'caution',
      ['ORDER_SIGNED'],
    ],
  ])
})

describe('inspect never returns ok for a USDC authorization outside of a redeem:', () => {
  const token = {
    address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    name: 'USD Coin',
    version: '2',
  } as const
  const optimism = { chainId: 10, verifyingContract: token.address }
  const toShop = { ...transfer, message: { ...transfer.message, to: shop } }
  const plain: FindingCode[] = ['UNPINNED_RECEIVER', 'ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE']
  table([
    ['an unknown receiver', sign(toShop), bare, 'caution', plain],
    ['an unknown receiver, with maxCents', sign(toShop), { ...bare, maxCents: 400 }, 'caution', plain],
    [
      'above the cap',
      sign(toShop),
      { ...bare, maxCents: 399 },
      'refuse',
      [...plain.slice(0, 2), 'ABOVE_CAP', 'UNSEEN_PURCHASE'],
    ],
    ['a pinned receiver', sign(toShop), pinned, 'caution', ['ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE']],
    [
      'an unknown receiver, requested by a page that is not pinned',
      says(transfer, { to: stranger }),
      { ...pinned, origin: 'https://other.example' },
      'caution',
      plain,
    ],
    [
      'to the zero address',
      says(transfer, { to: zero }),
      bare,
      'refuse',
      ['WRONG_RECEIVER', 'ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE'],
    ],
    [
      'valid for a year',
      says(toShop, { validBefore: String(time / 1000 + 31_536_000) }),
      pinned,
      'caution',
      ['ANYONE_CAN_EXECUTE', 'EXPIRES_TOO_LATE', 'UNSEEN_PURCHASE'],
    ],
    [
      'valid for half a minute',
      says(toShop, { validBefore: String(time / 1000 + 30) }),
      pinned,
      'caution',
      ['ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE'],
    ],
    [
      'to a shop with intentBound: false pinned',
      sign(toShop),
      { ...pinned, pinned: [{ ...shopPins, intentBound: false }] },
      'caution',
      ['ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE'],
    ],
    [
      'nothing',
      says(toShop, { value: '0' }),
      pinned,
      'caution',
      ['ANYONE_CAN_EXECUTE', 'UNSEEN_PURCHASE', 'ZERO_AMOUNT'],
    ],
    ...(
      [
        ['the name that token lists use', within(toShop, { name: 'USDC' }), bare, 'refuse'],
        ['the name of another token', within(toShop, { name: 'EURC' }), bare, 'refuse'],
        ['another version', within(toShop, { version: '1' }), bare, 'refuse'],
        ['an imitation', within(toShop, { verifyingContract: stranger }), bare, 'refuse'],
        ['another token', within(toShop, { name: 'EURC', verifyingContract: stranger }), bare, 'caution'],
        ['an unknown chain', within(toShop, optimism), { ...bare, chainId: 10 }, 'caution'],
        [
          'version 1, but 2 is pinned',
          within(toShop, { ...optimism, version: '1' }),
          { ...bare, chainId: 10, pinned: [{ ...shopPins, origins: [], chainId: 10, usdc: token }] },
          'refuse',
        ],
        ['on Tempo', within(toShop, { chainId: 4217 }), { ...bare, chainId: 4217 }, 'refuse'],
      ] as const
    ).map(
      ([name, request, context, verdict]): Row => [name, request, context, verdict, ['NOT_USDC', ...plain]],
    ),
    [
      'an unknown chain with a pinned token',
      within(toShop, optimism),
      { ...bare, chainId: 10, pinned: [{ ...shopPins, origins: [], chainId: 10, usdc: token }] },
      'caution',
      plain,
    ],
  ])
  test('a receiver that is pinned on another chain has no name', () => {
    const title = (chainId: number) =>
      formatInspection(
        inspect(sign(toShop), {
          ...bare,
          pinned: [{ chainId, creditsContract: shop, creditSeed: 'x', merchantId: 'my-shop', origins: [] }],
        }),
      ).title
    expect(title(8453)).toContain('"my-shop"')
    expect(title(137)).not.toContain('"my-shop"')
  })
  test('another token is not called USDC, and a redeem is not mentioned', () => {
    const other = within(toShop, { name: 'EURC', verifyingContract: stranger })
    const { lines, findings } = formatInspection(inspect(other, bare))
    expect(lines.map(({ value }) => value).join()).not.toContain('USDC')
    expect(findings.map(({ message }) => message)).toContain(
      'Anyone who sees this authorization can execute it.',
    )
    const inRedeem = inspect(sign(transfer), signed).findings.map(({ message }) => message)
    expect(inRedeem).toContain(
      'Anyone who sees this authorization can execute it first. The purchase then fails.',
    )
  })
})

describe('inspect judges a cancellation:', () => {
  table([
    ['of a permit', sign(cancel), pinned, 'ok', []],
    ['of the permit of the purchase', sign(cancel), seen, 'ok', []],
    [
      'at another contract',
      within(cancel, { verifyingContract: stranger }),
      pinned,
      'refuse',
      ['UNPINNED_CONTRACT'],
    ],
    ['of another permit', says(cancel, { nonce: salt }), seen, 'refuse', ['WRONG_PURCHASE']],
    ['of a permit, without pins', sign(cancel), bare, 'caution', ['UNPINNED_CONTRACT']],
    // a cancellation is final, so a page that is not pinned must not get `ok` for it
    [
      'of a permit, requested by another page',
      sign(cancel),
      { ...pinned, origin: 'https://other.example' },
      'caution',
      ['UNPINNED_ORIGIN'],
    ],
    [
      'of a permit, with a pinned entry without pages',
      sign(cancel),
      { ...bare, pinned: [pins] },
      'caution',
      ['UNPINNED_ORIGIN'],
    ],
    ['of a USDC authorization', sign(cancelUsdc), pinned, 'ok', []],
    [
      'of a USDC authorization, requested by another page',
      sign(cancelUsdc),
      { ...pinned, origin: 'https://other.example' },
      'caution',
      ['UNPINNED_ORIGIN'],
    ],
    ['of a USDC authorization, nothing pinned', sign(cancelUsdc), bare, 'caution', ['UNPINNED_ORIGIN']],
    [
      'of an authorization of another token',
      within(cancelUsdc, { verifyingContract: stranger }),
      pinned,
      'refuse',
      ['NOT_USDC'],
    ],
    ...(
      [
        ['of an authorization of a token that does not imitate USDC', pinned, 'caution'],
        ['of an authorization of such a token in a redeem', seen, 'refuse'],
      ] as const
    ).map(
      ([name, context, verdict]): Row => [
        name,
        within(cancelUsdc, { name: 'EURC', verifyingContract: stranger }),
        context,
        verdict,
        ['NOT_USDC'],
      ],
    ),
    [
      'of another permit, with intentBound: false pinned',
      says(cancel, { nonce: salt }),
      { ...seen, pinned: [{ ...shopPins, intentBound: false }] },
      'ok',
      [],
    ],
    [
      'of another account',
      says(cancel, { customerWallet: stranger }),
      pinned,
      'refuse',
      ['WRONG_WALLET', 'WRONG_ACCOUNT'],
    ],
  ])
})

describe('inspect judges typed data of other protocols:', () => {
  const permit2612 = typedData(
    'Permit',
    'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
    usdcDomain,
    { owner: wallet, spender: stranger, value: '1', nonce: '0', deadline: end },
  )
  const daiPermit = typedData(
    'Permit',
    'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed',
    { ...usdcDomain, name: 'Dai Stablecoin', version: '1' },
    { holder: wallet, spender: stranger, nonce: '0', expiry: '0', allowed: true },
  )
  const permit2Batch = 'PermitDetails[] details,address spender,uint256 sigDeadline'
  const batchPermit = {
    ...typedData(
      'PermitBatch',
      permit2Batch,
      { ...usdcDomain, name: 'Permit2', verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
      { details: [], spender: stranger, sigDeadline: end },
    ),
    types: {
      EIP712Domain: eip712Domain,
      PermitBatch: members(permit2Batch),
      PermitDetails: members('address token,uint160 amount,uint48 expiration,uint48 nonce'),
    },
  }

  const other = (fields: string, primaryType: string, message: Json, types: Json = {}) =>
    sign({
      ...typedData(primaryType, fields, usdcDomain, message),
      types: { EIP712Domain: eip712Domain, [primaryType]: members(fields), ...types },
    })
  const unknown: FindingCode[] = ['UNKNOWN_TYPED_DATA']
  const order = other('address offerer,address zone', 'OrderComponents', { offerer: wallet, zone: zero })
  table([
    ...[permit, receive, transfer, cancel, cancelUsdc].map(
      (data): Row => [
        `${data.primaryType} with the signing account as the verifying contract`,
        within(data, { name: 'Other', verifyingContract: wallet }),
        bare,
        'refuse',
        expect.arrayContaining(['OWN_ACCOUNT']),
      ],
    ),
    [
      'a contract address as a number',
      within(permit2612, { verifyingContract: '917551056842671309452305380979543736893630245704' }),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    ...['false', 'yes', '1', 2, {}].map(
      (allowed): Row => [
        `a permit of DAI that allows ${JSON.stringify(allowed)}`,
        sign({ ...daiPermit, message: { ...daiPermit.message, allowed } }),
        bare,
        'refuse',
        ['MALFORMED'],
      ],
    ),
    [
      'an unknown type that allows the text "false", in a list of structs',
      other(
        'Grant[] grants',
        'Grants',
        { grants: [{ allowed: 'false' }] },
        { Grant: members('bool allowed') },
      ),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'a DAI permit that revokes',
      sign({ ...daiPermit, message: { ...daiPermit.message, allowed: false } }),
      bare,
      'caution',
      ['ZERO_AMOUNT'],
    ],
    ...[[], { token: usdc, amount: '1', expiration: '1', nonce: '0' }, Array(51).fill(0)].map(
      (details): Row => [
        `a batch of ${Array.isArray(details) ? `${details.length} tokens` : 'a token outside of a list'}`,
        sign({ ...batchPermit, message: { ...batchPermit.message, details } }),
        bare,
        'refuse',
        ['MALFORMED'],
      ],
    ),
    [
      'types that would be hashed again for each of many objects',
      sign({
        ...typedData('Root', 'Item[] list', usdcDomain, { list: Array(1_000).fill({ one: [] }) }),
        types: {
          EIP712Domain: eip712Domain,
          Root: members('Item[] list'),
          Item: members('T0[] one'),
          ...Object.fromEntries(
            Array.from({ length: 300 }, (_, at) => [
              `T${at}`,
              members(at === 299 ? 'bool x' : `T${at + 1}[] x`),
            ]),
          ),
        },
      }),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'a string of a million letters',
      sign(typedData('Note', 'string text', usdcDomain, { text: 'a'.repeat(1_000_000) })),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    ['OrderComponents (Seaport)', order, seen, 'caution', unknown],
    // wallets sign a number as the address that it encodes, which drainers used to hide the receiver
    ...[BigInt(stranger).toString(), Number(BigInt(stranger)), 'vitalik.eth', `${stranger}00`, ''].map(
      (zone): Row => [
        `an order whose zone is ${JSON.stringify(zone)}`,
        other('address offerer,address zone', 'OrderComponents', { offerer: wallet, zone }),
        seen,
        'refuse',
        ['MALFORMED'],
      ],
    ),
    [
      'a list with an address as a number',
      other('address[] to', 'Mail', { to: [stranger, BigInt(stranger).toString()] }),
      seen,
      'refuse',
      ['MALFORMED'],
    ],
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
      'a primary type named like a member of Object.prototype',
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
      'the account itself as the verifying contract',
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
    [
      'a domain type without fields',
      sign({
        ...typedData('Mail', 'address to', {}, { to: shop }),
        types: { EIP712Domain: [], Mail: members('address to') },
      }),
      seen,
      'refuse',
      ['UNKNOWN_TYPED_DATA', 'MISSING_DOMAIN'],
    ],
  ])
  const sentence = (request: Request, options: InspectContext = bare) =>
    formatInspection(inspect(request, options)).title
  test('fields are shown whole, long values without their middle', () => {
    const text = `Dear Bob, ${'this is a long letter '.repeat(20)}and it ends here`
    const { title, lines } = formatInspection(
      inspect(
        other('address from,bytes data,string contents', 'Mail', {
          from: wallet,
          data: `0x${'ab'.repeat(400)}`,
          contents: text,
        }),
        bare,
      ),
    )
    expect(title).toBe('Signs data of the unknown type "Mail" for "USD Coin".')
    expect(lines).toEqual([
      { label: 'Contract', value: usdc },
      { label: 'Chain', value: 'Base' },
      { label: 'from', value: wallet },
      { label: 'data', value: `0x${'ab'.repeat(52)}a…b${'ab'.repeat(26)}` },
      {
        label: 'contents',
        value:
          '"Dear Bob, this is a long letter this is a long letter this is a long letter this is a long letter this is … a long letter this is a long letter and it ends here"',
      },
    ])
  })
  test('undeclared fields are not shown, because wallets do not sign them', () => {
    const { lines } = formatInspection(inspect(other('address to', 'Mail', { to: shop, amount: '1' }), bare))
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
          CreditsAuthorization: [...(permit.types.CreditsAuthorization as Json[]), ...members('address to')],
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
    ['no method', { params: [] } as never, 'Malformed request: `method` must be text.'],
    [
      'a chain of 2^64 + 84532',
      within(permit, { chainId: '18446744073709636148' }),
      'Malformed request (domain.chainId): 18446744073709636148 is not a chain id.',
    ],
    [
      'a version that is a number',
      within(permit, { version: 1 }),
      'Malformed request (domain.version): 1 is not text.',
    ],
    [
      'a salt in the domain',
      within(permit, { salt: nonce }),
      'Malformed request (domain.salt): Field "salt" is not supported.',
    ],
    [
      'a field twice',
      sign({
        ...permit,
        types: {
          ...permit.types,
          CreditsAuthorization: [
            ...(permit.types.CreditsAuthorization as Json[]),
            ...members('uint256 amount'),
          ],
        },
      }),
      'This is not a valid credit permit: it repeats a field.',
    ],
    [
      'the same chain as a number',
      replaced('8453', '18446744073709636148'),
      'The JSON number 18446744073709636148 cannot be represented exactly.',
    ],
    [
      'a chain above 2^64 in hex, of unknown typed data',
      sign(typedData('Mail', 'address to', { ...usdcDomain, chainId: '0x10000000000014a34' }, { to: shop })),
      'The network cannot be shown: its chain id is "0x10000000000014a34".',
    ],
    [
      'a chain with 76 zeros before its digits',
      sign(typedData('Mail', 'address to', { ...usdcDomain, chainId: `0x${'0'.repeat(76)}1` }, { to: shop })),
      'The network cannot be shown: its chain id is text of 79 characters.',
    ],
    [
      'a chain in a list',
      sign(typedData('Mail', 'address to', { ...usdcDomain, chainId: ['0x1'] }, { to: shop })),
      'The network cannot be shown: its chain id is a list of length 1.',
    ],
  ])('%s', (_, request, expected) => {
    const inspection = inspect(request, seen)
    expect(inspection.verdict).toBe('refuse')
    expect(formatInspection(inspection).title).toBe(expected)
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
    ).toContain('is a getter')
    expect(refused(permit)).toContain('Buys order "order 1"')
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
      'Lets 0x7099…79C8 spend all of your USDC, with no time limit.',
    ],
    [
      'ERC-2612, an amount',
      usdcPermit({}),
      'caution',
      'Lets 0x7099…79C8 spend up to 4.00 USDC, with no time limit.',
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
      'Lets 0x7099…79C8 spend all of your USDC, with no time limit.',
    ],
    [
      'PermitSingle (Permit2)',
      single('4000000', end),
      'caution',
      'Lets 0x7099…79C8 spend up to 4.00 USDC until 2026-11-20 12:10:00 UTC (in 10 minutes).',
    ],
    [
      'an unlimited PermitSingle (Permit2)',
      single(String(2n ** 160n - 1n), String(2n ** 48n - 1n)),
      'refuse',
      'Lets 0x7099…79C8 spend all of your USDC, with no time limit.',
    ],
  ])('%s', (_, request, verdict, title) => {
    const inspection = inspect(request, bare)
    expect(inspection).toMatchObject({ kind: 'tokenPermit', verdict })
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.summary).toMatch(/\nContract: \S+.*\nChain: Base\n/)
    expect(inspection.summary).toContain(`Spender: ${stranger}`)
  })
  // github.com/coinbase/x402, specs/schemes/upto/scheme_upto_evm.md
  const witnessed = (amount: string) =>
    sign({
      domain: permit2Domain,
      primaryType: 'PermitWitnessTransferFrom',
      types: {
        EIP712Domain: members('string name,uint256 chainId,address verifyingContract'),
        PermitWitnessTransferFrom: members(
          'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness',
        ),
        TokenPermissions: members('address token,uint256 amount'),
        Witness: members('address to,address facilitator,uint256 validAfter'),
      },
      message: {
        permitted: { token: usdc, amount },
        spender: stranger,
        nonce: '1',
        deadline: end,
        witness: { to: shop, facilitator: credits, validAfter: '0' },
      },
    })
  test('an unlimited Permit2 transfer', () => {
    expect(sentence(witnessed(all))).toBe(
      'Lets 0x7099…79C8 spend all of your USDC until 2026-11-20 12:10:00 UTC (in 10 minutes).',
    )
  })
  test('a title names at most three tokens, the lines name all', () => {
    const details = [1, 2, 3, 4, 5].map((digit) => ({
      token: `0x${`${digit}`.repeat(40)}`,
      amount: '7',
      expiration: end,
      nonce: '0',
    }))
    const { title, lines } = formatInspection(
      inspect(sign({ ...batchPermit, message: { ...batchPermit.message, details } }), bare),
    )
    expect(title).toMatch(/ 7 raw units of the token 0x3333…3333 and 2 more until /)
    expect(lines.filter(({ label }) => label === 'Token')).toHaveLength(5)
  })
  test('a title with some of the tokens has those with a known name, wherever they are in the list', () => {
    const details = ['1', '2', '3', '4', usdc].map((token) => ({
      token: token === usdc ? usdc : `0x${token.repeat(40)}`,
      amount: '7000000',
      expiration: end,
      nonce: '0',
    }))
    expect(sentence(sign({ ...batchPermit, message: { ...batchPermit.message, details } }))).toMatch(
      /^Lets 0x7099…79C8 spend up to 7\.00 USDC and 7000000 raw units of the token 0x1111…1111 and .* and 2 more until /,
    )
  })
  test('a Permit2 transfer of zero is not a revocation', () => {
    expect(sentence(witnessed('0'))).toBe(
      'Lets 0x7099…79C8 take up to 0.00 USDC once, until 2026-11-20 12:10:00 UTC (in 10 minutes).',
    )
  })
  test('the witness of a Permit2 transfer is shown', () => {
    const { lines } = inspect(witnessed('4000000'), bare)
    expect(lines.flatMap(({ field, value }) => (field === undefined ? [] : [[field, value]]))).toEqual([
      ['witness.to', { type: 'address', address: shop }],
      ['witness.facilitator', { type: 'address', address: credits }],
      ['witness.validAfter', { type: 'text', text: '0' }],
    ])
  })
  test('a known spender may take everything, with caution', () => {
    const known = { ...bare, known: { [stranger]: 'My exchange' } as const }
    expect(inspect(usdcPermit({ value: all }), known)).toMatchObject({
      verdict: 'caution',
      grants: [{ amount: 'unlimited', to: stranger, asset: usdc, decimals: 6 }],
    })
    expect(sentence(usdcPermit({ value: all }), known)).toContain(
      'Lets "My exchange" (0x7099…79C8) spend all',
    )
  })
})

describe('inspect judges transactions:', () => {
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
  test.each<[string, Json, Verdict, FindingCode[], string]>([
    [
      'an unlimited approve',
      { to: usdc, data: approve(all) },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 spend all of your USDC.`,
    ],
    [
      'approve of an amount',
      { to: usdc, data: approve(4_000_000n) },
      'caution',
      ['DELEGATE_APPROVAL'],
      `Lets 0x7099…79C8 spend up to 4.00 USDC.`,
    ],
    [
      'approve of zero',
      { to: usdc, data: approve(0n) },
      'caution',
      ['NOT_COMPARED'],
      `Revokes the right of 0x7099…79C8 to spend your USDC.`,
    ],
    [
      'an unlimited approve at Permit2',
      {
        to: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
        data: call('87517c45', usdc, stranger, 2n ** 160n - 1n, 2n ** 48n - 1n),
      },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 spend all of your USDC.`,
    ],
    [
      'increaseAllowance',
      { to: shop, data: call('39509351', stranger, all) },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 spend all of your tokens of the contract 0x5FbD…0aa3.`,
    ],
    [
      'setApprovalForAll',
      { to: shop, data: call('a22cb465', stranger, 1n) },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      `Lets 0x7099…79C8 take all of your NFTs of the contract 0x5FbD…0aa3.`,
    ],
    [
      'setApprovalForAll, off',
      { to: shop, data: call('a22cb465', stranger, 0n) },
      'caution',
      ['NOT_COMPARED'],
      `Revokes the right of 0x7099…79C8 to move your NFTs of the contract 0x5FbD…0aa3.`,
    ],
    [
      'a USDC transfer',
      { to: usdc, data: call('a9059cbb', stranger, 4_000_000n) },
      'caution',
      ['NOT_COMPARED'],
      `Sends 4.00 USDC to 0x7099…79C8.`,
    ],
    [
      'a transfer of another token',
      { to: shop, data: call('a9059cbb', stranger, 5n) },
      'caution',
      ['NOT_COMPARED'],
      `Sends 5 raw units of the token 0x5FbD…0aa3 to 0x7099…79C8.`,
    ],
    [
      'an NFT',
      { to: shop, data: call('42842e0e', wallet, stranger, 7n) },
      'caution',
      ['NOT_COMPARED'],
      `Sends NFT 7 of the contract 0x5FbD…0aa3 to 0x7099…79C8.`,
    ],
    [
      'the native coin',
      { to: stranger, value: '0x16345785d8a0000' },
      'caution',
      ['NOT_COMPARED'],
      `Sends 0.1 ETH to 0x7099…79C8.`,
    ],
    [
      'truncated arguments',
      { to: usdc, data: approve(all).slice(0, -2) },
      'refuse',
      ['MALFORMED'],
      'Calls 0x8335…2913 with malformed arguments.',
    ],
    [
      'an unknown function',
      { to: shop, data: '0x12345678' },
      'caution',
      ['UNKNOWN_REQUEST'],
      'Calls an unknown function of 0x5FbD…0aa3 (0x12345678).',
    ],
    [
      // most wallet drainers call such a function
      'the native coin, sent to an unknown function',
      { to: stranger, data: '0x5fba79f5', value: '0x1bc16d674ec80000' },
      'caution',
      ['UNKNOWN_REQUEST'],
      'Sends 2 ETH to 0x7099…79C8. Calls an unknown function of 0x7099…79C8 (0x5fba79f5).',
    ],
    [
      'the native coin, sent to a known function that moves nothing',
      { to: stranger, data: call('a22cb465', shop, 0n), value: '0x1bc16d674ec80000' },
      'caution',
      ['NOT_COMPARED'],
      'Sends 2 ETH to 0x7099…79C8. Revokes the right of 0x5FbD…0aa3 to move your NFTs of the contract 0x7099…79C8.',
    ],
    [
      'the native coin, sent with an unlimited approval',
      { to: usdc, data: approve(all), value: '0x1' },
      'refuse',
      ['UNLIMITED_APPROVAL'],
      'Lets 0x7099…79C8 spend all of your USDC.',
    ],
    [
      'several tokens with amounts (ERC-1155)',
      {
        to: shop,
        data: call('2eb2c2d6', wallet, stranger, 160n, 256n, 352n, 2n, 7n, 8n, 2n, 1n, 1_000_000n, 0n),
      },
      'caution',
      ['NOT_COMPARED'],
      'Sends NFT 7, 8 × 1000000 of the contract 0x5FbD…0aa3 to 0x7099…79C8.',
    ],
    [
      'an empty list of tokens (ERC-1155)',
      { to: shop, data: call('2eb2c2d6', wallet, stranger, 160n, 192n, 224n, 0n, 0n, 0n) },
      'caution',
      ['UNKNOWN_REQUEST'],
      'Calls an unknown function of 0x5FbD…0aa3 (0x2eb2c2d6).',
    ],
    [
      'a new contract',
      { data: '0x6080' },
      'caution',
      ['CONTRACT_CREATION'],
      'Creates a new contract. What it does is unknown.',
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
      'The request would let other code act as your account (EIP-7702).',
    ],
    [
      'a Tempo transaction that adds a key to the account',
      { type: '0x76', calls: [{ to: shop, value: '0x1' }], keyAuthorization: { keyId: stranger } },
      'refuse',
      ['NOT_COMPARED', 'KEY_AUTHORIZATION'],
      'The request would let another key act for your account.',
    ],
    [
      'a Tempo transaction that delegates the account',
      { type: '0x76', calls: [{ to: shop, value: '0x1' }], aaAuthorizationList: [{ address: stranger }] },
      'refuse',
      ['NOT_COMPARED', 'ACCOUNT_DELEGATION'],
      'The request would let other code act as your account (EIP-7702).',
    ],
    [
      'a Tempo transaction that delegates nothing',
      {
        type: '0x76',
        calls: [{ to: shop, value: '0x1' }],
        aaAuthorizationList: [],
        keyAuthorization: null,
      },
      'caution',
      ['NOT_COMPARED'],
      'Sends 0.000000000000000001 ETH to 0x5FbD…0aa3.',
    ],
    [
      'another chain',
      { to: usdc, chainId: '0x1' },
      'refuse',
      ['NOT_COMPARED', 'WRONG_CHAIN'],
      'The request is for Ethereum, but your wallet is on Base.',
    ],
    [
      'another account',
      { to: usdc, from: stranger },
      'refuse',
      ['NOT_COMPARED', 'WRONG_ACCOUNT'],
      `The request asks the account "${stranger}" to sign, not "${wallet}".`,
    ],
  ])('%s', (_, transaction, verdict, codes, title) => {
    const inspection = inspect(send(transaction), bare)
    expect(inspection.findings.map(({ code }) => code)).toEqual(codes)
    expect(inspection.verdict).toBe(verdict)
    expect(formatInspection(inspection).title).toBe(title)
    if (inspection.kind !== 'unknown') expect(inspection.summary).toMatch(/\nChain: (Base|Ethereum)/)
  })
  test('moves and grants are also returned as data', () => {
    expect(inspect(send({ to: usdc, data: call('a9059cbb', stranger, 4_000_000n) }), bare).moves).toEqual([
      { direction: 'out', asset: usdc, amount: 4_000_000n, decimals: 6, from: wallet, to: stranger },
    ])
    expect(inspect(send({ data: '0x6080', value: '0x1' }), bare)).toMatchObject({
      lines: [{ key: 'coin' }, { key: 'chain' }, { key: 'account' }],
      moves: [{ direction: 'out', asset: 'native', amount: 1n, from: wallet, to: '' }],
    })
    expect(inspect(send({ to: shop, data: approve(5n) }), bare).grants).toEqual([
      { asset: shop, amount: 5n, decimals: undefined, from: wallet, to: stranger, until: undefined },
    ])
  })
  test('the cancellation of a credit permit', () => {
    const of = (owner: `0x${string}`) =>
      encodeFunctionData({
        abi: parseAbi(['function cancelCreditsAuthorization(address, bytes32, bytes)']),
        args: [owner, nonce, '0x'],
      })
    const data = of(wallet)
    expect(inspect(send({ to: credits, data: of(stranger) }), pinned)).toMatchObject({
      verdict: 'caution',
      findings: [{ message: 'The call cancels a permit of another wallet.' }],
    })
    expect(inspect(send({ to: credits, data }), pinned)).toMatchObject({
      kind: 'creditPermitCancel',
      verdict: 'ok',
    })
    expect(inspect(send({ to: stranger, data }), pinned)).toMatchObject({
      kind: 'creditPermitCancel',
      verdict: 'refuse',
    })
    expect(
      inspect(send({ to: credits, data }), { ...pinned, origin: undefined }).findings.map(({ code }) => code),
    ).toEqual(['UNPINNED_ORIGIN'])
    const codes = (more: object, context: object) =>
      inspect(send({ to: credits, data, ...more }), { ...bare, ...context }).findings.map(({ code }) => code)
    expect(codes({}, { pinned: [{ ...pins, chainId: 137 }] })).toEqual(['WRONG_CHAIN', 'UNPINNED_ORIGIN'])
    expect(codes({}, { pinned: [{ ...shopPins, chainId: 137 }] })).toEqual(['WRONG_CHAIN'])
    expect(codes({}, { pinned: [{ ...shopPins, chainId: undefined }] })).toEqual(['UNPINNED_CHAIN'])
    expect(codes({}, { pinned: [shopPins], chainId: undefined })).toEqual(['UNPINNED_CHAIN'])
    expect(codes({ value: '0x1' }, { pinned: [shopPins] })).toEqual(['NOT_COMPARED'])
    expect(codes({ gas: '0x5208', gasPrice: '' }, { pinned: [shopPins] })).toEqual([])
    for (const name of ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'])
      expect(codes({ gas: '0x1c9c380', [name]: '0x2386f26fc10000' }, { pinned: [shopPins] })).toEqual([
        'CUSTOMER_PAYS_FEE',
      ])
    const inBatch = (capabilities: Json) => ({
      method: 'wallet_sendCalls',
      params: [{ from: wallet, chainId: '0x2105', calls: [{ to: credits, data }], capabilities }],
    })
    expect(inspect(inBatch({ paymasterService: {} }), { ...bare, pinned: [shopPins] }).verdict).toBe('ok')
    // alchemyplatform/aa-sdk has the second name
    for (const name of ['accountAbstractionGasParamsOverride', 'gasParamsOverride'])
      expect(
        inspect(inBatch({ [name]: { preVerificationGas: '0x2386f26fc10000' } }), {
          ...bare,
          pinned: [shopPins],
        }),
      ).toMatchObject({ verdict: 'caution', findings: [{ code: 'CUSTOMER_PAYS_FEE' }] })
  })
  test('a call to the account itself, which delegated code can execute', () => {
    expect(formatInspection(inspect(send({ to: wallet, data: '0xe9ae5c53' }), bare)).title).toBe(
      'Runs the code of 0xf39F…2266 as your account, which can move everything in it.',
    )
  })
  test('each call of a batch, the most dangerous first', () => {
    const calls = [
      { to: usdc, data: call('a9059cbb', stranger, 1_000_000n) },
      { to: usdc, data: approve(all) },
    ]
    const request = {
      method: 'wallet_sendCalls',
      params: [{ version: '2.0.0', from: wallet, chainId: '0x2105', calls }],
    }
    const { kind, verdict, summary } = inspect(request, bare)
    expect({ kind, verdict }).toEqual({ kind: 'calls', verdict: 'refuse' })
    expect(summary).toBe(
      [
        'Lets 0x7099…79C8 spend all of your USDC.',
        'Call: Sends 1.00 USDC to 0x7099…79C8.',
        `Receiver: ${stranger}`,
        `Contract: ${usdc}`,
        'Call: Lets 0x7099…79C8 spend all of your USDC.',
        `Spender: ${stranger}`,
        `Contract: ${usdc}`,
        'Chain: Base',
        `Account: ${wallet}`,
      ].join('\n'),
    )
    expect(
      inspect({ ...request, params: [{ from: wallet, chainId: '0x2105', calls: [] }] }, bare).verdict,
    ).toBe('refuse')
  })
  test('a call for another chain, as in drafts of EIP-5792', () => {
    const calls = [
      { to: usdc, value: '0x1' },
      { to: usdc, value: '0x1', chainId: '0x89' },
    ]
    const ask = (chainId: number | undefined) => {
      const { verdict, lines } = inspect(
        { method: 'wallet_sendCalls', params: [{ from: wallet, chainId: '0x2105', calls }] },
        { ...bare, chainId },
      )
      const text = formatInspection({ title: { key: 'empty', values: {} }, lines, findings: [] })
      return { verdict, shown: text.lines.filter(({ label }) => /^(Chain|Call)$/.test(label)) }
    }
    expect(ask(8453).verdict).toBe('refuse')
    expect(ask(undefined)).toEqual({
      verdict: 'caution',
      shown: [
        { label: 'Call', value: 'Sends 0.000000000000000001 ETH to 0x8335…2913.' },
        { label: 'Call', value: 'Sends 0.000000000000000001 POL to 0x8335…2913.' },
        { label: 'Chain', value: 'Base' },
        { label: 'Chain', value: 'Polygon' },
      ],
    })
  })
})

describe('the requests of the MetaMask test dapp', () => {
  const file = new URL('../../../../test/vectors/test-dapp-requests.json', import.meta.url)
  const { requests }: { requests: (Request & { name: string })[] } = JSON.parse(readFileSync(file, 'utf8'))
  const context: InspectContext = {
    address: wallet,
    chainId: 1,
    origin: 'https://metamask.github.io',
    now: () => time,
  }
  // requests that inspect must refuse: malformed or blind, for another site or account, or an unlimited approval for a stranger
  const refused = [
    ...['ethSign', 'signTypedData', 'signInvalidType', 'signEmptyDomain', 'signInvalidPrimaryType'],
    ...['signNoPrimaryTypeDefined', 'signInvalidVerifyingContractType', 'signSeaportBulkOrder'],
    ...['sendWithInvalidValue', 'sendWithInvalidRecipient', 'signPermitSingle', 'signPermitBatch'],
    ...['siweBadDomain', 'siweBadAccount', 'siweMalformed', 'ppomSendMaliciousERC20ApprovalButton'],
    ...['ppomSendMaliciousSetApprovalForAllButton', 'ppomSendThreeMaliciousTxsButton'],
    ...['maliciousApprovalButton', 'maliciousSetApprovalForAll', 'maliciousSendWithOddHexData'],
    ...['maliciousApproveERC20WithOddHexData', 'maliciousSendWithoutHexPrefixValue'],
    ...['maliciousPermitIntAddress', 'eip5792SendCallsApprovalButton'],
  ]
  test.each(requests.map((one) => [one.name, one] as const))('%s', (name, request) => {
    expect(inspect(request, context).verdict).toBe(refused.includes(name) ? 'refuse' : 'caution')
  })
  test('an order that gives an NFT away shows its recipient', () => {
    const order = requests.find(({ name }) => name === 'maliciousSeaport')
    if (order === undefined) throw new Error('There is no order.')
    const { lines } = formatInspection(inspect(order, context))
    const values = Object.fromEntries(lines.map(({ label, value }) => [label, value]))
    expect(values).toMatchObject({
      'offer[0].token': '0x60E4d786628Fea6478F785A6d7e704777c86a7c6',
      'consideration[0].recipient': expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    })
  })
})

test('an address means the same in lower case, in upper case and with its checksum', () => {
  const capitals = (address: string) => `0x${address.slice(2).toUpperCase()}`
  const written = (write: (address: string) => string): Request[] => [
    sign(
      typedData(
        'Mail',
        'address[] to,string note',
        { ...usdcDomain, verifyingContract: write(usdc) },
        { to: [write(shop)], note: capitals(shop) },
      ),
    ),
    sign({
      ...permit,
      domain: { ...creditsDomain, verifyingContract: write(credits) },
      message: { ...permit.message, customerWallet: write(wallet) },
    }),
  ]
  const read = (requests: readonly Request[]) =>
    requests.map((request) => {
      const { verdict, summary, digests } = inspect(request, seen)
      return { verdict, summary, digest: digests.eip712 }
    })
  const expected = read(written((address) => address))
  expect(expected).toMatchObject([
    // computed with ethers 6.17.0
    { verdict: 'caution', digest: '0xa3c0feae2fe7cf81e792902a66ebaa9b818bce16a1894dc190caa0a70c8c5cd8' },
    { verdict: 'ok' },
  ])
  expect(read(written(capitals))).toEqual(expected)
  expect(read(written((address) => address.toLowerCase()))).toEqual(expected)
})

describe('unknown typed data, line by line', () => {
  const shown = (types: Json, message: Json, domain: Json = { name: 'Post' }) => {
    const EIP712Domain = Object.keys(domain).flatMap((name) => members(`string ${name}`))
    const data = { domain, types: { EIP712Domain, ...types }, primaryType: 'Mail', message }
    const { verdict, title, lines } = inspect(v4(data), bare)
    const text = formatInspection({ title, lines, findings: [] })
    return { verdict, lines: text.lines.map(({ label, value }) => `${label}: ${value}`) }
  }
  test('shows inner fields that are signed, and no others', () => {
    const types = { Mail: members('Person to,Person[] copies,uint256[] ids'), Person: members('string name') }
    const ids = Array.from({ length: 9 }, (_, index) => index)
    const message = { to: { name: 'Bob', note: 'free' }, copies: [{ name: 'Eve' }, { name: 'Al' }], ids }
    expect(shown(types, message)).toEqual({
      verdict: 'caution',
      lines: [
        'Chain: any chain, because the request does not name one',
        'to.name: "Bob"',
        'copies[0].name: "Eve"',
        'copies[1].name: "Al"',
        'ids: [0,1,2,3,4,5,6,7,8]',
      ],
    })
  })
  test('says that not all fields are shown', () => {
    const copies = Array.from({ length: 300 }, () => ({ name: 'Al' }))
    const { lines } = shown({ Mail: members('Person[] copies'), Person: members('string name') }, { copies })
    expect(lines).toHaveLength(202)
    expect(lines.at(-1)).toBe('Note: The request has more fields than are shown here.')
  })
  test('is refused if a declared part of the domain has no value', () => {
    expect(shown({ Mail: members('string text') }, { text: 'x' }, { name: undefined }).verdict).toBe('refuse')
  })
})

describe('a permit of NFTs', () => {
  const forAll = 'address owner,address operator,bool approved,uint256 nonce,uint256 deadline'
  const all = { owner: wallet, operator: stranger, nonce: '0', deadline: end }
  test.each<[string, TypedData, Verdict, FindingCode[], string]>([
    [
      'one',
      typedData('Permit', 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline', usdcDomain, {
        spender: stranger,
        tokenId: '7',
        nonce: '0',
        deadline: end,
      }),
      'caution',
      ['DELEGATE_APPROVAL'],
      'Lets 0x7099…79C8 take NFT 7 of the contract 0x8335…2913.',
    ],
    [
      'all',
      typedData('PermitForAll', forAll, usdcDomain, { ...all, approved: true }),
      'refuse',
      ['UNLIMITED_APPROVAL'],
      'Lets 0x7099…79C8 take all of your NFTs of the contract 0x8335…2913.',
    ],
    [
      // github.com/Uniswap/v4-periphery, src/libraries/ERC721PermitHash.sol
      'all NFTs, of Uniswap v4',
      typedData('PermitForAll', forAll.replace('address owner,', ''), usdcDomain, {
        operator: stranger,
        approved: true,
        nonce: '0',
        deadline: end,
      }),
      'refuse',
      ['UNLIMITED_APPROVAL'],
      'Lets 0x7099…79C8 take all of your NFTs of the contract 0x8335…2913.',
    ],
    [
      'a revocation for all NFTs',
      typedData('PermitForAll', forAll, usdcDomain, { ...all, approved: false, deadline: '1' }),
      'caution',
      ['ZERO_AMOUNT', 'EXPIRED'],
      'Revokes the right of 0x7099…79C8 to move your NFTs of the contract 0x8335…2913.',
    ],
  ])('%s', (_, data, verdict, codes, title) => {
    const inspection = inspect(sign(data), bare)
    expect(inspection.findings.map(({ code }) => code)).toEqual(codes)
    expect([inspection.verdict, formatInspection(inspection).title]).toEqual([verdict, title])
  })
})

describe('a Seaport order', () => {
  const item =
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
  const items = (consideration: string) => ({
    EIP712Domain: eip712Domain,
    OrderComponents: members('address offerer,OfferItem[] offer,ConsiderationItem[] consideration'),
    OfferItem: members(item),
    ConsiderationItem: members(consideration),
  })
  const of = (
    itemType: string,
    token: string,
    identifierOrCriteria: string,
    startAmount: string,
    more = {},
  ) => ({
    itemType,
    token,
    identifierOrCriteria,
    startAmount,
    endAmount: startAmount,
    ...more,
  })
  const [first, second] = [of('2', shop, '7', '1'), of('3', shop, '8', '5')]
  const coins = (amount: string, recipient: string) => of('0', zero, '0', amount, { recipient })
  const ask = (
    offer: Json[],
    consideration: Json[],
    types: Json = items(`${item},address recipient`),
    primaryType = 'OrderComponents',
  ) => {
    const domain = { name: 'Seaport', version: '1.6', chainId: 8453, verifyingContract: shop }
    const message = { offerer: wallet, offer, consideration }
    const { title, verdict } = inspect(sign({ domain, primaryType, types, message }), bare)
    return [verdict, formatInspection({ title, lines: [], findings: [] }).title]
  }
  test('names what the account gives and gets', () => {
    const price = [coins('9000000000000000000', wallet), coins('1000000000000000000', stranger)]
    expect(ask([first, second], price)).toEqual([
      'caution',
      'Offers NFT 7 and NFT 8 × 5 in exchange for 9 ETH.',
    ])
    const anyNft = of('4', shop, '0', '1', { recipient: wallet })
    expect(ask([of('1', usdc, '0', '5000000')], [anyNft])).toEqual([
      'caution',
      'Offers 5.00 USDC in exchange for any NFT of the contract 0x5FbD…0aa3.',
    ])
    expect(ask([of('5', shop, '0', '50')], [])[1]).toBe(
      'Offers any NFT of the contract 0x5FbD…0aa3 × 50 in exchange for 0 ETH.',
    )
  })
  test('in a tree of orders names each one, because others can execute one without the rest', () => {
    const domain = { name: 'Seaport', version: '1.6', chainId: 8453, verifyingContract: shop }
    const orders = [
      { offerer: wallet, offer: [first], consideration: [] },
      { offerer: wallet, offer: [second], consideration: [coins('9000000000000000000', wallet)] },
    ]
    const types = (tree: string) => ({ ...items(`${item},address recipient`), BulkOrder: members(tree) })
    const title = (tree: string, message: Json) => {
      const inspected = inspect(sign({ domain, primaryType: 'BulkOrder', types: types(tree), message }), bare)
      return formatInspection({ title: inspected.title, lines: [], findings: [] }).title
    }
    const said = 'Offers NFT 7 in exchange for 0 ETH. Offers NFT 8 × 5 in exchange for 9 ETH.'
    expect(title('OrderComponents[2] tree', { tree: orders })).toBe(said)
    const empty = { offerer: zero, offer: [], consideration: [] }
    expect(title('OrderComponents[2][2] tree', { tree: [orders, [empty, empty]] })).toBe(said)
    const unknown = 'Signs data of the unknown type "BulkOrder" for "Seaport".'
    expect(title('OrderComponents[2][2] tree', { tree: [orders, orders] })).toBe(unknown)
    expect(title('OrderComponents[2] leaves', { leaves: orders })).toBe(unknown)
  })
  test('for nothing says so, even if another account gets something', () => {
    const free = ['caution', 'Offers NFT 7 in exchange for 0 ETH.']
    expect(ask([first], [])).toEqual(free)
    expect(ask([first], [{ ...first, recipient: stranger }])).toEqual(free)
    expect(ask([first], [coins('0', wallet)])).toEqual(free)
    expect(ask([], [coins('5', wallet)])[1]).toBe('Offers 0 ETH in exchange for 0.000000000000000005 ETH.')
  })
  test('with an amount that changes over time names the worst amount', () => {
    const falls = { ...coins('1000000000000000000', wallet), endAmount: '1' }
    const rises = { ...of('1', usdc, '0', '1000000'), endAmount: '9000000' }
    expect(ask([rises], [falls])[1]).toBe('Offers 9.00 USDC in exchange for 0.000000000000000001 ETH.')
  })
  test('with other fields, or another name, is of an unknown type', () => {
    const [, title] = ask([first], [{ ...first, account: stranger }], items(`${item},address account`))
    expect(title).toBe('Signs data of the unknown type "OrderComponents" for "Seaport".')
    const { OrderComponents, ...types } = items(`${item},address recipient`)
    expect(ask([first], [coins('1', wallet)], { ...types, Order: OrderComponents }, 'Order')[1]).toBe(
      'Signs data of the unknown type "Order" for "Seaport".',
    )
  })
})

describe('a call in typed data', () => {
  const everything = `0x095ea7b3${stranger.slice(2).padStart(64, '0')}${'f'.repeat(64)}`
  const safe = 'address to,uint256 value,bytes data,uint8 operation,uint256 nonce'
  const ask = (type: string, fields: string, message: Json) => {
    const { verdict, title, lines } = inspect(sign(typedData(type, fields, usdcDomain, message)), bare)
    const text = formatInspection({ title, lines, findings: [] })
    const call = text.lines.find(({ label }) => label === 'Call')?.value
    return { verdict, title: text.title, call }
  }
  test.each<[string, string, Json]>([
    [
      'MetaTransaction',
      'uint256 nonce,address from,bytes functionSignature',
      { nonce: '0', from: wallet, functionSignature: everything },
    ],
    [
      'ForwardRequest',
      'address from,address to,uint256 value,bytes data',
      { from: wallet, to: usdc, value: '0', data: everything },
    ],
    ['SafeTx', safe, { to: usdc, value: '0', data: everything, operation: 0, nonce: '1' }],
    [
      'SponsoredCallERC2771',
      'uint256 chainId,address target,bytes data,address user,uint256 userNonce,uint256 userDeadline',
      { chainId: 8453, target: usdc, data: everything, user: wallet, userNonce: '0', userDeadline: end },
    ],
  ])('%s with an unlimited USDC approval is refused', (type, fields, message) => {
    const call = 'Lets 0x7099…79C8 spend all of your USDC.'
    expect(ask(type, fields, message)).toEqual({ verdict: 'refuse', title: call, call })
  })
  test.each<[string, Json, string | undefined]>([
    [
      'a payment',
      { to: stranger, value: '1000000000000000000', data: '0x', operation: 0 },
      'Sends 1 ETH to 0x7099…79C8.',
    ],
    [
      'a delegate call',
      { to: stranger, value: '0', data: everything, operation: 1 },
      'Runs the code of 0x7099…79C8 as your account, which can move everything in it.',
    ],
    [
      'a payment with an empty string as data',
      { to: stranger, value: '1000000000000000000', data: '', operation: 0 },
      'Sends 1 ETH to 0x7099…79C8.',
    ],
    [
      'a call to itself, such as a new module,',
      { to: usdc, value: '0', data: `0x610b5925${'00'.repeat(32)}`, operation: 0 },
      'Runs the code of 0x8335…2913 as your account, which can move everything in it.',
    ],
    [
      'an approval',
      { to: usdc, value: '0', data: `${everything.slice(0, -64)}${'5'.padStart(64, '0')}`, operation: 0 },
      'Lets 0x7099…79C8 spend up to 0.000005 USDC.',
    ],
    ['an empty call', { to: stranger, value: '0', data: '0x', operation: 0 }, undefined],
    ['an unknown call', { to: stranger, value: '0', data: '0x12345678', operation: 0 }, undefined],
  ])('%s of a Safe', (_, message, call) => {
    const type = 'Signs data of the unknown type "SafeTx" for "USD Coin".'
    // the most dangerous call comes first; a payment or an approval is named, but unknown fields could take more
    const title = call?.startsWith('Runs') ? call : call === undefined ? type : `${type} ${call}`
    expect(ask('SafeTx', safe, { ...message, nonce: '1' })).toEqual({ verdict: 'caution', title, call })
  })
  test.each([
    ['PackedUserOperation', 'sender'],
    ['SafeOp', 'safe'],
  ])('%s runs code as the account', (type, account) => {
    const title = 'Runs the code of 0x5FbD…0aa3 as your account, which can move everything in it.'
    const message = { [account]: shop, nonce: '1', callData: '0xb61d27f6' }
    const fields = `address ${account},uint256 nonce,bytes callData`
    expect(ask(type, fields, message)).toEqual({ verdict: 'caution', title, call: title })
  })
})

test('a malformed value is named', () => {
  const title = (data: string) => formatInspection(inspect(transact({ to: shop, data }), bare)).title
  expect(title('0x1')).toBe('Malformed request (data): "0x1" is not 0x-hex with whole bytes.')
  expect(title(`0x${'1'.repeat(135)}`)).toBe(
    'Malformed request (data): text of 137 characters is not 0x-hex with whole bytes.',
  )
})

test('a text of several lines is shown in one line', () => {
  expect(formatInspection(inspect(personal('Welcome!\r\n\nBye.', wallet), bare)).title).toBe(
    'Signs the text "Welcome! ↵  ↵ Bye.".',
  )
})

test('an address that looks like the zero address is shown in full', () => {
  const { title } = formatInspection(
    inspect(transact({ to: '0x000062Accd1a9d62eF428eC86cA3dD4f45120000', data: '0x4e71d92d' }), bare),
  )
  expect(title).toContain('0x000062Accd1a9d62eF428eC86cA3dD4f45120000')
})

describe('inspect never returns ok for honest requests of other protocols, and refuses them only for the listed reasons:', () => {
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
    expect(summary.length).toBeLessThan(1500)
  }
  test('there are enough vectors', () => {
    expect(vectors.typedData.length).toBeGreaterThanOrEqual(98)
    expect(vectors.transactions.length).toBeGreaterThanOrEqual(155)
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

describe('inspect judges transactions in the forms that pages write:', () => {
  table([
    ...[null, '', '0x'].map(
      (value): Row => [
        `a value of ${JSON.stringify(value)}`,
        { method: 'eth_sendTransaction', params: [{ from: wallet, to: stranger, value }] },
        bare,
        'caution',
        ['NOT_COMPARED'],
      ],
    ),
    [
      'a contract creation with an empty address',
      { method: 'eth_sendTransaction', params: [{ from: wallet, to: '', data: '0x6080' }] },
      bare,
      'caution',
      ['CONTRACT_CREATION'],
    ],
    [
      'the calls of a Tempo transaction',
      {
        method: 'eth_sendTransaction',
        params: [
          {
            from: wallet,
            type: '0x76',
            calls: [
              {
                to: usdc,
                data: `0x095ea7b3${stranger.slice(2).padStart(64, '0')}${'f'.repeat(64)}`,
                value: '0x',
              },
            ],
          },
        ],
      },
      bare,
      'refuse',
      ['UNLIMITED_APPROVAL'],
    ],
  ])
})

describe('inspect judges personal_sign:', () => {
  const hash = 'b6c175ad03e36adc3cd6273f3dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6'
  table([
    ...[
      ['null', 'null'],
      ['chrome-extension://abcdef', 'abcdef'],
      ['file://host', 'host'],
    ].map(
      ([page, site = '']): Row => [
        `a sign-in to the name of the page ${page}`,
        personal(siwe.replaceAll('api.example.com', site), wallet),
        { ...bare, origin: page },
        'caution',
        ['UNCHECKED_SITE'],
      ],
    ),
    [
      'a sign-in without an expiry',
      personal(siweText({ expirationTime: undefined }), wallet),
      bare,
      'caution',
      ['EXPIRES_TOO_LATE'],
    ],
    [
      'a sign-in for a week',
      personal(siweText({ expirationTime: new Date(time + 604_800_000) }), wallet),
      bare,
      'caution',
      ['EXPIRES_TOO_LATE'],
    ],
    [
      'a sign-in from tomorrow, without an expiry',
      personal(siweText({ issuedAt: new Date(time + 86_400_000), expirationTime: undefined }), wallet),
      bare,
      'refuse',
      ['SIGN_IN', 'EXPIRES_TOO_LATE'],
    ],
    [
      'an account in lower case, as MetaMask lists it',
      personal(siwe.replace(wallet, wallet.toLowerCase()), wallet),
      bare,
      'caution',
      ['ADDRESS_CHECKSUM'],
    ],
    [
      'an account in upper case',
      personal(siwe.replace(wallet, `0x${wallet.slice(2).toUpperCase()}`), wallet),
      bare,
      'caution',
      ['ADDRESS_CHECKSUM'],
    ],
    [
      'an account with a wrong checksum',
      personal(siwe.replace(wallet, wallet.replace('F', 'f')), wallet),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    ['a sign-in', personal(siwe, wallet), bare, 'ok', []],
    ['a sign-in in hex', personal(stringToHex(siwe), wallet), bare, 'ok', []],
    [
      'a sign-in with Windows line breaks',
      personal(siwe.replaceAll('\n', '\r\n'), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    ['a sign-in that ends with a line break', personal(`${siwe}\n`, wallet), bare, 'caution', ['SIGN_IN']],
    [
      'a sign-in without a statement, with only one empty line, which is common',
      personal(siwe.replace('\n\n\nURI', '\n\nURI'), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    [
      'a sign-in without an empty line',
      personal(siwe.replace('\n\n\nURI', '\nURI'), wallet),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'a sign-in with a carriage return in a line',
      personal(siwe.replace('\n', ' \r\n'), wallet),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    ['a sign-in over https', personal(siweText({ scheme: 'https' }), wallet), bare, 'ok', []],
    [
      // Lens: https://github.com/lens-protocol/lens-sdk/issues/1226
      'a sign-in with a UUID as its nonce',
      personal(siwe.replace('k5nD2aQ9x', '961ec513-cc51-4ad0-9c68-d34b11fa7566'), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    [
      'a sign-in with a short nonce',
      personal(siwe.replace('k5nD2aQ9x', '7'), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    [
      'a sign-in without a nonce',
      personal(siwe.replace('k5nD2aQ9x', ''), wallet),
      bare,
      'refuse',
      ['MALFORMED'],
    ],
    [
      'a sign-in without a known site',
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
      'another scheme, without a known site',
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
    [
      'a key as its URI (CAIP-74)',
      personal(siweText({ uri: 'did:key:z6MkrBdNdwUPnXDVD1DCxedzVVBpaGi8aSmoXFAeKNgtAer8' }), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    [
      'the URI is on the parent domain of the site',
      personal(siweText({ uri: 'https://example.com/login' }), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    [
      'the URI is on a subdomain of the site',
      personal(siweText({ uri: 'https://v2.api.example.com/login' }), wallet),
      bare,
      'caution',
      ['SIGN_IN'],
    ],
    ...[
      'https://app.example.com', // a sibling
      'https://evilapi.example.com',
      'https://api.example.com.evil.example',
      'https://com',
      'https://v2.api.example.com:8443',
      'https://evil.example@v2.api.example.com',
      'ftp://example.com',
    ].map((uri): Row => [`the URI ${uri}`, personal(siweText({ uri }), wallet), bare, 'refuse', ['SIGN_IN']]),
    [
      'the site is a subdomain of the requesting page',
      personal(siweText(), wallet),
      { ...bare, origin: 'https://example.com' },
      'refuse',
      ['SIGN_IN', 'SIGN_IN'],
    ],
    ['another chain', personal(siweText({ chainId: 1 }), wallet), bare, 'caution', ['SIGN_IN']],
    [
      'the address of another account',
      personal(siweText({ address: stranger }), wallet),
      bare,
      'refuse',
      ['SIGN_IN', 'WRONG_ACCOUNT'],
    ],
    [
      'it has expired',
      personal(siweText({ expirationTime: new Date(time) }), wallet),
      bare,
      'refuse',
      ['SIGN_IN'],
    ],
    [
      'it grants a capability',
      personal(siweText({ resources: ['urn:recap:eyJhdHQiOnt9fQ'] }), wallet),
      bare,
      'refuse',
      ['SIGN_IN'],
    ],
    ['text after the end', personal(`${siwe}\nand more`, wallet), bare, 'refuse', ['MALFORMED']],
    [
      'a statement in another language',
      stating('Anmelden für 10 €'),
      bare,
      'caution',
      ['STATEMENT_CHARACTERS'],
    ],
    [
      'a statement of several lines, which is common',
      stating('Welcome!\n\nBy signing, you accept our terms.'),
      bare,
      'caution',
      ['STATEMENT_CHARACTERS', 'SIGN_IN'],
    ],
    ...[
      'URI: https://shop.example',
      'Resources:',
      'shop.example wants you to sign in with your Ethereum account:',
    ].map(
      (line): Row => [
        `a statement of several lines with "${line}", which a site could read otherwise`,
        stating(`Welcome!\n${line}\nHello.`),
        bare,
        'refuse',
        ['MALFORMED'],
      ],
    ),
    [
      'a statement with a quotation mark',
      stating('Sign in to "shop"'),
      bare,
      'caution',
      ['STATEMENT_CHARACTERS'],
    ],
    [
      'a statement with a bidirectional control character',
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
      'a text of 32 characters with a line break',
      personal(stringToHex('A text of 32 characters,\nno hash'), wallet),
      bare,
      'caution',
      ['PLAIN_TEXT'],
    ],
    ['a bare hash', personal(`0x${hash}`, wallet), bare, 'refuse', ['BARE_HASH']],
    ['a bare hash in upper case', personal(`0x${hash.toUpperCase()}`, wallet), bare, 'refuse', ['BARE_HASH']],
    ['a bare hash with 0X', personal(`0X${hash}`, wallet), bare, 'refuse', ['BARE_HASH']],
    ['a bare hash without 0x', personal(hash, wallet), bare, 'refuse', ['BARE_HASH']],
    [
      'a bare hash without its leading zero',
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
      'a sign-in over plain http on localhost',
      personal(siweText({ domain: 'localhost:3000', uri: 'http://localhost:3000/login' }), wallet),
      { ...bare, origin: 'http://localhost:3000' },
      'ok',
      [],
    ],
    ['swapped parameters', personal(wallet, siwe), bare, 'refuse', ['SWAPPED_PARAMETERS']],
    ['swapped parameters, a hash', personal(wallet, `0x${hash}`), bare, 'refuse', ['SWAPPED_PARAMETERS']],
    ['no text', personal(), bare, 'refuse', ['MALFORMED']],
    ['a number', personal(7, wallet), bare, 'refuse', ['MALFORMED']],
    ['no account', personal('hello'), bare, 'refuse', ['PLAIN_TEXT', 'WRONG_ACCOUNT']],
    [
      'a bare hash between a space and a line break',
      personal(` 0x${hash}\n`, wallet),
      bare,
      'refuse',
      ['BARE_HASH'],
    ],
    [
      'a text with a bidirectional control character',
      personal('Pay \u202e001 USD', wallet),
      bare,
      'caution',
      ['INVISIBLE_CHARACTERS', 'PLAIN_TEXT'],
    ],
    [
      'a text with terminal escape codes, in hex',
      personal(stringToHex('Hi\u001b[2J'), wallet),
      bare,
      'caution',
      ['INVISIBLE_CHARACTERS', 'PLAIN_TEXT'],
    ],
    ['a text with a joined emoji', personal('Hi 👨‍👩‍👧\r\n', wallet), bare, 'caution', ['PLAIN_TEXT']],
    ['a text in Persian', personal('می\u200cخواهم', wallet), bare, 'caution', ['PLAIN_TEXT']],
    [
      'a text in Persian of 32 bytes',
      personal(stringToHex('می\u200cخواهم. Yes, I agree.'), wallet),
      bare,
      'caution',
      ['PLAIN_TEXT'],
    ],
    [
      'a sign-in with a resource that is not a web page',
      personal(siweText({ resources: ['https://privy.io', 'ucan:bafybeigk7ly3'] }), wallet),
      bare,
      'caution',
      ['NOT_COMPARED'],
    ],
    [
      'a sign-in with a web page as a resource',
      personal(siweText({ resources: ['https://privy.io'] }), wallet),
      bare,
      'ok',
      [],
    ],
  ])
})

describe('inspect judges other methods:', () => {
  const unknown: FindingCode[] = ['UNKNOWN_REQUEST']
  table([
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
    [
      'a method in upper case',
      { ...personal(siwe, wallet), method: 'PERSONAL_SIGN' },
      seen,
      'caution',
      unknown,
    ],
    ['no method', {} as never, seen, 'refuse', ['MALFORMED']],
    ['a method in a list', { method: ['personal_sign'] } as never, seen, 'refuse', ['MALFORMED']],
    [
      'parameters as an object',
      { method: 'personal_sign', params: { message: siwe } },
      seen,
      'refuse',
      ['MALFORMED'],
    ],
  ])
})

describe('inspect refuses every request if the context is invalid:', () => {
  const wrong = (context: object): Row[2] => ({ ...seen, ...context })
  const invalid: FindingCode[] = ['INVALID_EXPECTATION']
  table([
    ['a misspelt field', sign(permit), wrong({ maxCent: 1 }), 'refuse', invalid],
    [
      'a misspelt pin',
      sign(permit),
      wrong({ pinned: [{ ...pins, creditsAddress: credits }] }),
      'refuse',
      invalid,
    ],
    ['pins without a list', sign(permit), wrong({ pinned: pins }), 'refuse', invalid],
    ['a cap that is text', sign(permit), wrong({ maxCents: '603' }), 'refuse', invalid],
    ['a cap that is not a number', sign(permit), wrong({ maxCents: Number.NaN }), 'refuse', invalid],
    [
      'a fee that is not a number',
      sign(permit),
      wrong({ pinned: [{ ...pins, maxGasFeeCents: Number.NaN }] }),
      'refuse',
      invalid,
    ],
    [
      'an origin with a path',
      sign(permit),
      wrong({ pinned: [{ ...pins, origins: [`${origin}/`] }] }),
      'refuse',
      invalid,
    ],
    [
      'an origin that is not a string',
      personal(siwe, wallet),
      wrong({ origin: [origin] }),
      'refuse',
      invalid,
    ],
    [
      'a receiver that is text',
      sign(permit),
      wrong({ pinned: [{ ...pins, receivers: shop }] }),
      'refuse',
      invalid,
    ],
    ['a signed permit without its nonce', sign(permit), wrong({ signedPermits: [{}] }), 'refuse', invalid],
    ['an invalid address', sign(permit), wrong({ address: '0x' }), 'refuse', invalid],
    ['a chain in hex', sign(permit), wrong({ chainId: '0x2105' }), 'refuse', invalid],
    ['a clock that returns NaN', sign(permit), wrong({ now: () => Number.NaN }), 'refuse', invalid],
    ['no context', sign(permit), null as never, 'refuse', invalid],
  ])
})

test('a long statement is shown in full', () => {
  const { lines } = inspect(stating(`${'I agree. '.repeat(500)}And I pay.`), bare)
  expect(lines.find(({ key }) => key === 'statement')?.value).toMatchObject({
    text: `"${'I agree. '.repeat(500)}And I pay."`,
  })
})

test('a long text is shown in full, and shortened in the title', () => {
  const long = `Hello. ${'I agree. '.repeat(200)}I give my account away. ${'I agree. '.repeat(200)}Bye.`
  const { title, lines } = formatInspection(inspect(personal(long, wallet), bare))
  expect(title.length).toBeLessThan(100)
  expect(lines).toContainEqual({ label: 'Text', value: `"${long}"` })
})

/** Pins the exact English text for requests whose description was wrong or unclear in the past. */
describe('the exact text of an inspection', () => {
  const title = (request: Request, context: InspectContext = seen) =>
    formatInspection(inspect(request, context)).title
  test('a purchase, paid with credits and USDC', () => {
    expect(inspect(sign(permit), seen).summary).toBe(
      [
        'Buys order "order 1" at "Moonrise" for $10.00: $6.00 from credits, $4.00 from USDC, fee at most $0.03.',
        'Order: "order 1"',
        `Receiver: "Moonrise" (${shop})`,
        'Price: $10.00',
        'From credits: $6.00',
        'From USDC: $4.00',
        'Network fee, at most: $0.03',
        'Request: Credit permit',
        'Amount, at most: $6.03',
        'Credit balance: "my-shop"',
        `Contract: "Moonrise" (${credits})`,
        'Chain: Base',
        `Account: ${wallet}`,
        'Valid until: 2026-11-20 12:10:00 UTC (in 10 minutes)',
      ].join('\n'),
    )
  })
  test('a purchase by credits alone, and by USDC alone', () => {
    expect(
      title(says(permit, { amount: '10030000', nonce: nonces.creditsOnly }), {
        ...seen,
        intent: buying({ usdcAmount: undefined }),
      }),
    ).toBe('Buys order "order 1" at "Moonrise" for $10.00: $10.00 from credits, fee at most $0.03.')
    expect(
      title(says(permit, { amount: '30000', nonce: nonces.usdcOnly }), {
        ...seen,
        intent: buying({ usdcAmount: { cents: 1000 } }),
      }),
    ).toBe(
      'Buys order "order 1" at "Moonrise" for $10.00: $10.00 from USDC, fee of at most $0.03 from credits.',
    )
  })
  test('a purchase of a token, named by its number', () => {
    expect(
      title(says(permit, { nonce: nonces.knownTokenId }), {
        ...seen,
        intent: buying({ transactionData: { transaction, nftContract: shop, nftId: '7' } }),
      }),
    ).toBe('Buys NFT 7 at "Moonrise" for $10.00: $6.00 from credits, $4.00 from USDC, fee at most $0.03.')
  })
  test('the call of a purchase, and the tokens it delivers', () => {
    const shown = (nonce: string, transactionData: object, context: object = {}) =>
      formatInspection(
        inspect(says(permit, { nonce }), {
          ...seen,
          ...context,
          intent: buying({ transactionData }),
        }),
      )
        .lines.map(({ label, value }) => `${label}: ${value}`)
        .slice(1)
    const called = [`Called contract: "Moonrise" (${shop})`, 'Function: 0xcce7ec13']
    const price = 'Price: $10.00'
    expect(shown(nonces.normal, { transaction }).slice(0, 3)).toEqual([...called, price])
    expect(shown(nonces.safeMint, { type: 'safeMint', transaction }).slice(0, 4)).toEqual([
      ...called,
      `NFT contract: "Moonrise" (${shop})`,
      price,
    ])
    expect(shown(nonces.knownTokenId, { transaction, nftContract: shop, nftId: '7' }).slice(0, 5)).toEqual([
      ...called,
      `NFT contract: "Moonrise" (${shop})`,
      'NFT: 7',
      price,
    ])
    const adapter = { pinned: [{ ...shopPins, bridgeAdapter: stranger }] }
    expect(shown(nonces.decent, bridged, adapter).slice(0, 4)).toEqual([
      `Called contract: "Moonrise" (${shop})`,
      'Function: 0x12345678',
      'Delivered on: Polygon',
      price,
    ])
  })
  test('a finding states both values', () => {
    const found = (request: Request, context: InspectContext) =>
      inspect(request, context).findings.map(({ message }) => message)
    expect(found(says(permit, { amount: '5999999' }), seen)).toEqual([
      'permit.amount is 5999999, but the purchase requires at least 6000000.',
    ])
    expect(found(sign(permit), { ...seen, origin: 'https://other.example' })).toEqual([
      'The page "https://other.example" is not on your trusted list.',
    ])
    expect(found(sign(permit), { ...seen, origin: undefined })).toEqual(['The requesting page is unknown.'])
    expect(found(sign(permit), { ...seen, maxCents: 1 })).toEqual([
      'The request takes up to $6.03, more than your limit of $0.01.',
    ])
    expect(found(sign(permit), { ...seen, pinned: [{ ...shopPins, maxGasFeeCents: 1 }] })).toEqual([
      'The network fee would be $0.03, more than the limit of $0.01.',
    ])
  })
  test('a page cannot choose the name of its shop', () => {
    const paid: InspectContext = { ...seen, pinned: [{ ...shopPins, receivers: [stranger] }] }
    expect(title(sign(permit), paid)).toContain('at 0x5FbD…0aa3 for $10.00')
    expect(title(sign(permit), { ...seen, pinned: undefined })).toContain('at 0x5FbD…0aa3 for $10.00')
    // a contract that is not pinned may do something else with the permit
    expect(title(sign(permit), { ...seen, pinned: [], known: { [shop]: 'Moonrise' } })).toContain(
      'at 0x5FbD…0aa3 for $10.00',
    )
    expect(title(sign(permit), { ...seen, pinned: [{ ...shopPins, merchantId: 'other' }] })).toContain(
      'at "Moonrise" (0x5FbD…0aa3) for',
    )
  })
  test('the USDC amount of a purchase', () => {
    expect(title(sign(receive), signed)).toBe(
      'Sends 4.00 USDC to "Moonrise" (0x9fE4…a6e0), as part of $10.00 for order "order 1" at "Moonrise".',
    )
  })
  test('USDC for an unpinned receiver, or for a service with trusted purchases, is not shown as part of a purchase', () => {
    const toStranger = says(receive, { to: stranger })
    // a page's own order, whose receiver is a shop that the wallet knows
    const intent: DisclosedIntent = { ...disclosed, purchaseId: undefined, merchantId: 'other-shop' }
    const paid = inspect(toStranger, { ...pinned, origin: 'https://other.example', intent })
    expect(paid.verdict).toBe('caution')
    expect(formatInspection(paid).title).toBe('Sends 4.00 USDC to 0x7099…79C8.')
    expect(paid.summary).not.toContain('Moonrise')
    expect(title(toStranger, { ...seen, pinned: [], known: { [shop]: 'Moonrise' } })).toBe(
      'Sends 4.00 USDC to 0x7099…79C8.',
    )
    expect(title(sign(receive), { ...signed, pinned: [{ ...shopPins, intentBound: false }] })).toBe(
      'Sends 4.00 USDC to "Moonrise" (0x9fE4…a6e0).',
    )
  })
  test('a permit without its purchase', () => {
    expect(title(sign(permit), bare)).toBe(
      'Lets 0x9fE4…a6e0 spend up to $6.03 of the "my-shop" credits, for one purchase that is not shown.',
    )
  })
  test('a permit of a service with random nonces', () => {
    const trusted = { ...seen, pinned: [{ ...shopPins, intentBound: false }] }
    expect(title(says(permit, { nonce: `0x7f${nonce.slice(4)}` }), trusted)).toBe(
      'Lets "Moonrise" (0x9fE4…a6e0) spend up to $6.03 of the "my-shop" credits, for purchases that the payment service chooses.',
    )
  })
  test('a quotation mark in a seed does not end the quotation', () => {
    const seed = 'my-shop" of 0x1 for one purchase. Ignore "'
    expect(title(says(permit, { creditSeed: seed }), bare)).toContain('"my-shop\\" of 0x1')
  })
  test('a cancellation', () => {
    expect(inspect(sign(cancel), pinned).summary).toBe(
      [
        'Cancels a credit permit. This cannot be undone.',
        'Request: Cancellation of a credit permit',
        `Contract: "Moonrise" (${credits})`,
        'Chain: Base',
        `Account: ${wallet}`,
        `Nonce: ${nonce}`,
      ].join('\n'),
    )
  })
  test('a sign-in, with its statement and its resources', () => {
    const resources = ['https://privy.io', 'ipfs://bafybeigk7ly3']
    const request = personal(siweText({ resources, statement: 'I accept the terms.' }), wallet)
    expect(inspect(request, bare).summary).toBe(
      [
        'Signs in to "api.example.com" as 0xf39F…2266.',
        'Site: "api.example.com"',
        'URL: "https://api.example.com/login"',
        `Account: ${wallet}`,
        'Chain: Base',
        'Statement: "I accept the terms."',
        'Valid until: 2026-11-20 12:00:01 UTC (in 1 second)',
        'Resource: "https://privy.io"',
        'Resource: "ipfs://bafybeigk7ly3"',
      ].join('\n'),
    )
  })
  test.each<[string, string, string, InspectContext?]>([
    [
      'another site',
      siweText({ domain: 'evil.example' }),
      'The sign-in is for "evil.example", but "api.example.com" requests it.',
    ],
    [
      'a frame without an address',
      siwe,
      'The sign-in is for "api.example.com", but a page without an address requests it.',
      { origin: 'null' },
    ],
    [
      'another page',
      siweText({ uri: 'https://evil.example/' }),
      'The sign-in is for the page "https://evil.example/", but "api.example.com" requests it.',
    ],
    [
      'another account',
      siweText({ address: stranger }),
      `The sign-in is for the account ${stranger}, not for ${wallet}.`,
    ],
    [
      'a sign-in of tomorrow',
      siweText({ issuedAt: new Date(time + 86_400_000), expirationTime: undefined }),
      'The sign-in message was issued at 2026-11-21T12:00:00.000Z, but it is now 2026-11-20T12:00:00.000Z.',
    ],
    [
      'a missing line',
      siwe.split('\n').slice(0, -2).join('\n'),
      'The sign-in message is not well-formed. The line "Issued At: …" is missing or out of place.',
    ],
  ])('a refused sign-in: %s', (_, text, expected, context) => {
    expect(title(personal(text, wallet), { ...bare, ...context })).toBe(expected)
  })
  test('a request that names no account', () => {
    expect(title({ method: 'personal_sign', params: ['hello'] }, bare)).toBe(
      'The request does not name the account that signs.',
    )
  })
  test.each([
    ['whole', (raw: string) => raw],
    ['cut off', (raw: string) => raw.slice(0, -2)],
    ['with a byte too many', (raw: string) => `${raw}00`],
  ])('a raw transaction, %s', (_, change) => {
    const data = `0x${'00'.repeat(64)}` as const
    const raw = serializeTransaction({ type: 'eip1559', chainId: 8453, to: stranger, data })
    expect(inspect(personal(change(raw), wallet), bare).summary).toBe(
      'Asks you to sign raw bytes that look like an Ethereum transaction.',
    )
  })
  test('bytes that are not UTF-8', () => {
    expect(title(personal('0xc3c3c3', wallet), bare)).toBe('Signs raw bytes that are not text: "0xc3c3c3".')
  })
  test('a statement of several lines', () => {
    const inspection = inspect(stating('Welcome!\n\nAccept our terms.'), bare)
    const { lines } = formatInspection(inspection)
    expect(lines).toContainEqual({ label: 'Statement', value: '"Welcome! ↵ Accept our terms."' })
    // another finding reports the unusual layout
    expect(inspection.findings[0]?.message).toMatch(
      /"Welcome! ↵ Accept our terms\." has characters that EIP-4361 does not allow\.$/,
    )
  })
  test('a finding about a statement says what is wrong with it', () => {
    const [finding] = inspect(stating('Grüezi'), bare).findings
    expect(finding).toMatchObject({ severity: 'warning', field: 'message.statement' })
    expect(finding?.message).toMatch(
      / has characters that EIP-4361 does not allow\. The rest of the message is well-formed\.$/,
    )
  })
})

describe('the title of a refused request never shows the purchase', () => {
  const creditsOnly = { ...permit, message: { ...permit.message, nonce: nonces.creditsOnly } }
  const ofTen: InspectContext = { ...seen, intent: buying({ usdcAmount: undefined }) }
  const forEver = String(time + 600_000)
  test.each<[string, Request, InspectContext, string, string?]>([
    [
      'the USDC part goes to a stranger',
      says(receive, { to: stranger }),
      signed,
      'Sends 4.00 USDC to 0x7099…79C8, which is not the shop you are paying.',
      `Contract: ${usdc}`,
    ],
    [
      'the USDC part goes past the credits contract',
      says(receive, { to: shop }),
      signed,
      'Sends 4.00 USDC straight to "Moonrise" (0x5FbD…0aa3). That does not pay for the purchase.',
    ],
    [
      'the permit is for another contract',
      within(permit, { verifyingContract: stranger }),
      seen,
      'Lets 0x7099…79C8, which is not on your trusted list, spend up to $6.03 in credits.',
      `Contract: ${stranger}`,
    ],
    [
      'the fee',
      says(permit, { amount: '906030000' }),
      seen,
      'Authorizes $906.03. The purchase costs $10.00, $6.00 of it in credits. The extra $900.03 would be the network fee.',
    ],
    [
      'the fee of a purchase without USDC',
      says(creditsOnly, { amount: '906030000' }),
      ofTen,
      'Authorizes $906.03 for a $10.00 purchase. The extra $896.03 would be the network fee.',
    ],
    [
      'an expiry in milliseconds',
      says(permit, { validBefore: forEver }),
      seen,
      'Never expires. A permit for this service lasts at most 60 minutes.',
      'Valid until: no time limit',
    ],
    [
      'an expiry in two hours',
      says(permit, { validBefore: String(time / 1000 + 7200) }),
      seen,
      'Expires in 2 hours. A permit for this service lasts at most 60 minutes.',
    ],
    [
      'an expiry of the USDC part in milliseconds',
      says(receive, { validBefore: forEver }),
      signed,
      'Never expires. The USDC part of a purchase lasts at most 60 minutes.',
    ],
    [
      'an expiry of the USDC part in two hours',
      says(receive, { validBefore: String(time / 1000 + 7200) }),
      signed,
      'Expires in 2 hours. The USDC part of a purchase lasts at most 60 minutes.',
    ],
    [
      'USDC goes to a stranger, and no purchase was disclosed',
      says(receive, { to: stranger }),
      pinned,
      'Sends 4.00 USDC to 0x7099…79C8, which is not a receiver you trust.',
    ],
    ['USDC goes to no one', says(receive, { to: zero }), signed, 'The authorization pays the zero address.'],
    [
      'another token goes to a stranger',
      within(
        { ...receive, message: { ...receive.message, to: stranger } },
        { name: 'EURC', verifyingContract: stranger },
      ),
      signed,
      'Sends 4000000 raw units of the token 0x7099…79C8 to 0x7099…79C8, which is not the shop you are paying.',
      `Problem: The token is not USDC on Base: its contract is "${stranger}", not "${usdc}".`,
    ],
    ['less than the price', says(permit, { amount: '1' }), seen, 'Authorizes less than the purchase costs.'],
    [
      'another purchase',
      sign(permit),
      { ...seen, intent: { ...disclosed, salt: nonce } },
      'Pays for a different purchase than the page describes.',
    ],
    [
      'another purchase of the USDC part',
      says(receive, { validAfter: '1' }),
      signed,
      'Pays for a different purchase than the page describes.',
    ],
    [
      'USDC of another chain',
      within(receive, { chainId: 1, verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }),
      signed,
      'The request is for Ethereum, but your wallet is on Base.',
      'Amount: 4.00 USDC',
    ],
    [
      'a different USDC part',
      says(receive, { value: '1' }),
      signed,
      'Sends a different amount of USDC than the purchase needs.',
    ],
    [
      'another chain',
      within(permit, { chainId: 137 }),
      seen,
      'The request is for Polygon, but your wallet is on Base.',
      'Chain: Polygon',
    ],
    [
      'another account',
      sign(permit, stranger),
      seen,
      `The request asks the account "${stranger}" to sign, not "${wallet}".`,
    ],
    [
      'another contract and a fee',
      within(
        { ...permit, message: { ...permit.message, amount: '906030000' } },
        { verifyingContract: stranger },
      ),
      seen,
      'Lets 0x7099…79C8, which is not on your trusted list, spend up to $906.03 in credits.',
      'Problem: Authorizes $906.03. The purchase costs $10.00, $6.00 of it in credits. The extra $900.03 would be the network fee.',
    ],
    [
      'another token',
      within(receive, { verifyingContract: stranger }),
      signed,
      `The token is not USDC on Base: its contract is "${stranger}", not "${usdc}".`,
      'Amount: 4000000 raw units of the token 0x7099…79C8',
    ],
    [
      'an expiry a second later than a permit can have',
      says(permit, { validBefore: String(time / 1000 + 3601) }),
      seen,
      'Expires in 61 minutes. A permit for this service lasts at most 60 minutes.',
    ],
    [
      'a cancellation of another permit',
      says(cancel, { nonce: salt }),
      seen,
      'The cancellation is not for the purchase on this page.',
    ],
    [
      'a cancellation by another account',
      sign(cancel, stranger),
      pinned,
      `The request asks the account "${stranger}" to sign, not "${wallet}".`,
      'Request: Cancellation of a credit permit',
    ],
  ])('%s', (_, request, context, sentence, line) => {
    const inspection = inspect(request, context)
    expect(inspection.verdict).toBe('refuse')
    const { title, lines } = formatInspection(inspection)
    expect(title).toBe(sentence)
    if (line !== undefined) expect(lines.map(({ label, value }) => `${label}: ${value}`)).toContain(line)
    // each danger appears once: the first as the title, the others as lines
    const problems = lines.filter(({ label }) => label === 'Problem')
    const dangers = inspection.findings.filter(({ severity }) => severity === 'danger')
    expect(problems).toHaveLength(dangers.length - 1)
  })
  test('any change: the contract and the chain are named, and the purchase is not', () => {
    for (const request of [
      says(permit, { amount: '1' }),
      says(permit, { creditSeed: 'other' }),
      within(permit, { name: 'Other' }),
      says(receive, { value: '1' }),
      sign(cancel, stranger),
    ]) {
      const { verdict, summary } = inspect(request, signed)
      expect(verdict).toBe('refuse')
      expect(summary).not.toMatch(/Buys|order 1|Price/)
      expect(summary).toMatch(/\nContract: .*0x(9fE4|8335)/)
      expect(summary).toMatch(/\nChain: Base\n/)
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
      ? BigInt(value as string) // text or a safe integer; `BigInt` takes both
      : value
  const any = fc.oneof(
    fc.jsonValue(),
    fc.bigInt({ min: 0n, max: 2n ** 256n }).map(String),
    fc.constantFrom(wallet, stranger, credits, usdc, nonce, salt),
  )
  fc.assert(
    fc.property(fc.constantFrom(...leaves), any, ({ data, part, name, value }, other) => {
      // excludes changes that are not dangers: the same number in another form, another valid expiry, another allowed gas fee
      fc.pre(numeric(other) !== numeric(value) && name !== 'validBefore' && name !== 'amount')
      const changed = sign({ ...data, [part]: { ...data[part], [name]: other } })
      expect(inspect(changed, signed).verdict).toBe('refuse')
    }),
    { numRuns: inject('generatedInputs') },
  )
})
