import fc from 'fast-check'
import { stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, inject, test } from 'vitest'
import { cancelCreditPermitTypedData } from '../creditPermit/cancelCreditPermit.ts'
import type { CreditPermitDomain } from '../creditPermit/creditPermit.ts'
import { creditPermitTypedData } from '../creditPermit/creditPermit.ts'
import { typedDataJson } from '../signer/toSigner.ts'
import { cancelUsdcAuthorizationTypedData } from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import { usdcAuthorizationTypedData } from '../usdcAuthorization/usdcAuthorization.ts'
import { inspect } from './inspect.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const credits = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const nonce = '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d'
const time = Date.parse('2026-11-20T12:00:00Z')
const seconds = BigInt(time / 1000)
const domain: CreditPermitDomain = {
  name: 'Credits',
  version: '1',
  chainId: 8453,
  verifyingContract: credits,
}
const options = {
  address: account.address,
  chainId: 8453,
  pinned: [{ creditsContract: credits, creditSeed: 'my-shop' }],
  maxCents: 400,
  origin: 'https://api.example.com',
  now: () => time,
} as const

const permit = creditPermitTypedData({
  domain,
  permit: {
    customerWallet: account.address,
    creditSeed: 'my-shop',
    amount: 1_030_000n,
    validBefore: seconds + 600n,
    nonce,
  },
})
const authorization = usdcAuthorizationTypedData({
  chainId: 8453,
  type: 'ReceiveWithAuthorization',
  authorization: {
    from: account.address,
    to: credits,
    value: 4_000_000n,
    validAfter: 0n,
    validBefore: seconds + 600n,
    nonce,
  },
})
const cancel = cancelCreditPermitTypedData({ domain, customerWallet: account.address, nonce })
const cancelUsdc = cancelUsdcAuthorizationTypedData({ chainId: 8453, authorizer: account.address, nonce })
const siwe = createSiweMessage({
  address: account.address,
  chainId: 8453,
  domain: 'api.example.com',
  nonce: 'k5nD2aQ9x',
  uri: 'https://api.example.com/login',
  version: '1',
  issuedAt: new Date(time),
  expirationTime: new Date(time + 1000),
})
const sign = (typedData: Parameters<typeof typedDataJson>[0], from: string = account.address) => ({
  method: 'eth_signTypedData_v4',
  params: [from, typedDataJson(typedData)],
})
const codes = (request: { method: string; params?: unknown }, more: object = {}) =>
  inspect(request, { ...options, ...more }).findings.map(({ code }) => code)

describe('good requests, in words', () => {
  test.each<[string, { method: string; params?: unknown }, string]>([
    ['creditPermit', sign(permit), `Lets ${credits} on Base spend up to $1.03 of the credits "my-shop"`],
    [
      'usdcAuthorization',
      sign(authorization),
      'Sends 4.00 USDC (0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913) from',
    ],
    ['creditPermitCancel', sign(cancel), 'Cancels the credit permit of'],
    ['usdcAuthorizationCancel', sign(cancelUsdc), 'Cancels the USDC authorization of'],
    [
      'signIn',
      { method: 'personal_sign', params: [stringToHex(siwe), account.address] },
      'Sign in to "api.example.com" as',
    ],
    [
      'signIn',
      { method: 'personal_sign', params: [siwe, account.address.toLowerCase()] },
      'until 2026-11-20T12:00:01',
    ],
  ])('%s', (kind, request, texts) => {
    const inspection = inspect(request, options)
    expect(inspection).toMatchObject({ kind, verdict: 'ok', findings: [] })
    expect(inspection.summary).toContain(texts)
  })
  test('typed data as an object, as some wallets get it', () => {
    const asObject = JSON.parse(typedDataJson(permit))
    expect(
      inspect({ method: 'eth_signTypedData_v4', params: [account.address, asObject] }, options).verdict,
    ).toBe('ok')
  })
})

describe('what is wrong', () => {
  test('another account is asked', () => {
    for (const typedData of [permit, authorization, cancel, cancelUsdc])
      expect(codes(sign(typedData, stranger))).toEqual(['WRONG_ACCOUNT'])
    expect(codes({ method: 'personal_sign', params: [siwe, stranger] })).toEqual(['WRONG_ACCOUNT'])
    expect(codes(sign(permit, stranger), { address: undefined })).toEqual(['WRONG_ACCOUNT'])
    expect(codes(sign(permit, stranger), { address: stranger })).toEqual(['WRONG_WALLET', 'WRONG_ACCOUNT'])
  })
  test('another chain', () => {
    for (const typedData of [permit, authorization, cancel, cancelUsdc])
      expect(codes(sign(typedData), { chainId: 1 })).toEqual(['WRONG_CHAIN'])
    expect(codes({ method: 'personal_sign', params: [siwe, account.address] }, { chainId: 1 })).toEqual([
      'SIGN_IN',
    ])
  })
  test('nothing is pinned', () => {
    expect(codes(sign(cancel), { pinned: undefined })).toEqual(['UNPINNED_CONTRACT'])
    expect(codes(sign(permit), { pinned: undefined })).toEqual(['UNPINNED_CONTRACT', 'UNSEEN_PURCHASE'])
    expect(codes(sign(authorization), { pinned: undefined })).toEqual([
      'UNPINNED_RECEIVER',
      'UNSEEN_PURCHASE',
    ])
    expect(inspect(sign(permit), { ...options, pinned: undefined }).verdict).toBe('caution')
  })
  test('another token', () => {
    const fake = {
      ...authorization,
      domain: { ...authorization.domain, verifyingContract: stranger },
    } as const
    expect(codes(sign(fake))).toEqual(['NOT_USDC'])
    expect(codes(sign({ ...cancelUsdc, domain: { ...cancelUsdc.domain, name: 'USDC' } }))).toEqual([
      'NOT_USDC',
    ])
    expect(
      codes(sign({ ...authorization, domain: { ...authorization.domain, chainId: 4217 } }), {
        chainId: 4217,
      }),
    ).toEqual(['NOT_USDC'])
  })
  test('a sign-in for another account', () => {
    const text = siwe.replace('api.example.com wants', 'evil.example wants')
    const inspection = inspect({ method: 'personal_sign', params: [text, account.address] }, options)
    expect(inspection).toMatchObject({
      kind: 'signIn',
      verdict: 'refuse',
      findings: [{ code: 'SIGN_IN', field: 'message.domain' }],
    })
    expect(
      codes({ method: 'personal_sign', params: [siwe, account.address] }, { origin: undefined }),
    ).toEqual(['UNCHECKED_SITE'])
    expect(codes({ method: 'personal_sign', params: [`${siwe}\nx`, account.address] })).toEqual(['MALFORMED'])
  })
  test('plain text is shown with everything that cannot be seen', () => {
    const inspection = inspect(
      { method: 'personal_sign', params: ['pay\u202e 1\u0000', account.address] },
      options,
    )
    expect(inspection).toMatchObject({ kind: 'text', verdict: 'caution' })
    expect(inspection.summary).toBe('Sign the text "pay\\u{202e} 1\\u{0}".')
  })
  test('unknown typed data needs caution and shows its fields', () => {
    const eip2612 = {
      domain,
      primaryType: 'Permit',
      types: {
        EIP712Domain: JSON.parse(typedDataJson(permit)).types.EIP712Domain,
        Permit: [
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      message: { spender: stranger, value: '1' },
    }
    const inspection = inspect(
      { method: 'eth_signTypedData_v4', params: [account.address, JSON.stringify(eip2612)] },
      options,
    )
    expect(inspection).toMatchObject({
      kind: 'unknown',
      verdict: 'caution',
      details: { fields: ['address spender', 'uint256 value'] },
      findings: [{ code: 'UNKNOWN_TYPED_DATA' }],
      lines: [
        { label: 'Contract', value: credits },
        { label: 'Chain', value: 'Base' },
        { label: 'spender', value: stranger },
        { label: 'value', value: '1' },
      ],
    })
  })
  test('a number that was rounded on the way', () => {
    const text = typedDataJson(permit).replace('"1030000"', '9007199254740993')
    expect(
      inspect({ method: 'eth_signTypedData_v4', params: [account.address, text] }, options),
    ).toMatchObject({
      kind: 'unknown',
      verdict: 'refuse',
      findings: [{ code: 'MALFORMED' }],
    })
    const asObject = {
      ...JSON.parse(typedDataJson(permit)),
      message: { ...permit.message, amount: 2 ** 60, validBefore: '1' },
    }
    expect(
      inspect({ method: 'eth_signTypedData_v4', params: [account.address, asObject] }, options).verdict,
    ).toBe('refuse')
  })
  test.each([
    ['eth_sign', 'refuse'],
    ['eth_signTypedData', 'refuse'],
    ['eth_sendTransaction', 'caution'],
    ['wallet_sendCalls', 'caution'],
  ])('%s: %s', (method, verdict) => {
    expect(inspect({ method, params: [] }, options)).toMatchObject({ kind: 'unknown', verdict })
  })
})

test('never throws and never says yes to anything else', () => {
  const good = JSON.parse(typedDataJson(permit))
  const broken = fc
    .tuple(fc.constantFrom('domain', 'types', 'primaryType', 'message'), fc.anything())
    .map(([key, value]) => ({
      method: 'eth_signTypedData_v4',
      params: [account.address, { ...good, [key]: value }],
    }))
  const text = fc
    .oneof(fc.string(), fc.anything())
    .map((some) => ({ method: 'personal_sign', params: [some, account.address] }))
  fc.assert(
    fc.property(fc.oneof(broken, text, fc.anything()), (request) => {
      // what a page may send
      const inspection = inspect(request as never, options)
      expect(inspection.verdict).not.toBe('ok')
      expect(inspection.summary.length).toBeLessThan(1000)
    }),
    { numRuns: inject('generatedInputs') },
  )
})
