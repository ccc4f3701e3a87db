import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { hashMessage, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, inject, test } from 'vitest'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { creditPermitTypedData } from '../creditPermit/creditPermit.ts'
import { typedDataJson } from '../signer/toSigner.ts'
import { inspect } from './inspect.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const credits = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const time = Date.parse('2026-11-20T12:00:00Z')
const permit = creditPermitTypedData({
  domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: credits },
  permit: {
    customerWallet: account.address,
    creditSeed: 'my-shop',
    amount: 1_030_000n,
    validBefore: BigInt(time / 1000) + 600n,
    nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
  },
})
const context = {
  address: account.address,
  chainId: 8453,
  pinned: [{ chainId: 8453, creditsContract: credits, creditSeed: 'my-shop' }],
  maxCents: 400,
  origin: 'https://api.example.com',
  now: () => time,
} as const
const v4 = (data: unknown) => ({ method: 'eth_signTypedData_v4', params: [account.address, data] })

describe('an inspection has the digests of ERC-8213', () => {
  test('of typed data: the EIP-712 digest, the domain hash and the message hash', () => {
    const { EIP712Domain, ...types } = JSON.parse(typedDataJson(permit)).types
    expect(EIP712Domain).toHaveLength(4)
    expect(inspect(v4(typedDataJson(permit)), context).digests).toEqual({
      eip712: TypedDataEncoder.hash(permit.domain, types, permit.message),
      domainHash: TypedDataEncoder.hashDomain(permit.domain),
      messageHash: TypedDataEncoder.from(types).hash(permit.message),
    })
  })
  test('of typed data of an unknown type', () => {
    const types = { Mail: [{ name: 'to', type: 'address' }] }
    const EIP712Domain = [{ name: 'name', type: 'string' }]
    const [domain, message] = [{ name: 'Post' }, { to: credits }]
    expect(
      inspect(v4({ domain, primaryType: 'Mail', message, types: { EIP712Domain, ...types } }), context)
        .digests.eip712,
    ).toBe(TypedDataEncoder.hash(domain, types, message))
  })
  test('of a text that is passed as text, as hex, or as bytes that are not text', () => {
    for (const data of ['Grüezi', stringToHex('Grüezi')])
      expect(inspect({ method: 'personal_sign', params: [data, account.address] }, context).digests).toEqual({
        eip191: hashMessage('Grüezi'),
      })
    const bytes = '0xff00'
    expect(inspect({ method: 'personal_sign', params: [bytes, account.address] }, context).digests).toEqual({
      eip191: hashMessage({ raw: bytes }),
    })
  })
  test('of each call with call data', () => {
    // the test case of ERC-8213
    const data =
      '0xa9059cbb0000000000000000000000004675c7e5baafbffbca748158becba61ef3b0a2630000000000000000000000000000000000000000000000000de0b6b3a7640000'
    const calldata = '0x812cee5d9cc7461c04bbcd7b70af9c28b243ac5d74d3453b008b93b7dac69985'
    const call = { to: credits, data }
    expect(inspect({ method: 'eth_sendTransaction', params: [call] }, context).digests).toEqual({
      calldata: [calldata],
    })
    const calls = [call, { to: credits }, call]
    expect(inspect({ method: 'wallet_sendCalls', params: [{ calls }] }, context).digests).toEqual({
      calldata: [calldata, calldata],
    })
  })
})

test('invisible characters of plain text are shown as escapes', () => {
  const inspection = inspect(
    { method: 'personal_sign', params: ['pay\u202e 1\u0000', account.address] },
    context,
  )
  expect(inspection).toMatchObject({ kind: 'text', verdict: 'caution' })
  expect(formatInspection(inspection).title).toBe('Signs the text "pay\\u{202e} 1\\u{0}".')
})

test('a JSON number above 2^53 - 1 is refused', () => {
  const text = typedDataJson(permit).replace('"1030000"', '9007199254740993')
  const good = JSON.parse(typedDataJson(permit))
  const rounded = { ...good, message: { ...good.message, amount: 2 ** 60, validBefore: '1' } }
  for (const data of [text, rounded])
    expect(inspect(v4(data), context)).toMatchObject({
      kind: 'unknown',
      verdict: 'refuse',
      findings: [{ code: 'MALFORMED' }],
    })
})

test('an inspection can be cloned with structuredClone', () => {
  const inspection = inspect(v4(typedDataJson(permit)), context)
  expect(structuredClone(inspection)).toEqual(inspection)
})

test('inspect never throws, and never returns ok for random input', () => {
  const good = JSON.parse(typedDataJson(permit))
  const broken = fc
    .tuple(fc.constantFrom('domain', 'types', 'primaryType', 'message'), fc.anything())
    .map(([key, value]) => v4({ ...good, [key]: value }))
  const text = fc
    .oneof(fc.string(), fc.anything())
    .map((some) => ({ method: 'personal_sign', params: [some, account.address] }))
  const transaction = fc
    .tuple(fc.constantFrom('to', 'data', 'value', 'chainId', 'calls'), fc.anything())
    .map(([key, value]) => ({
      method: key === 'calls' ? 'wallet_sendCalls' : 'eth_sendTransaction',
      params: [{ to: credits, data: '0x', [key]: value }],
    }))
  fc.assert(
    fc.property(fc.oneof(broken, text, transaction, fc.anything()), fc.anything(), (request, intent) => {
      for (const given of [context, { ...context, intent }, intent]) {
        // a page may send anything, and callers without TypeScript can pass any context
        const inspection = inspect(request as never, given as never)
        expect(inspection.verdict).not.toBe('ok')
        expect(inspection.summary.length).toBeLessThan(7000)
      }
    }),
    { numRuns: inject('generatedInputs') },
  )
})
