import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  cardCheckoutResponse,
  creditsAuthMsgResponse,
  customPayInFee,
  jobStatus,
  loose,
  parseRecord,
  subscriptionPlan,
  wireTokenResponse,
} from './index.ts'

const bytes32 = `0x${'ab'.repeat(32)}`
const asked = { message: '{}', validBefore: '1800000000', nonce: bytes32, creditsRawAmount: 1_030_000 }
const plan = {
  id: '1',
  name: 'Gold',
  code: 'gold',
  interval: 'Monthly',
  amount: { cents: 1000, currency: 'USD' },
  active: true,
}

describe('a null of a service', () => {
  test('is an absent field if the record does not allow null', () => {
    expect(
      parseRecord(loose(creditsAuthMsgResponse), { ...asked, salt: null, usdcAuthorization: null }),
    ).toStrictEqual(asked)
    expect(
      parseRecord(loose(subscriptionPlan), { ...plan, duration: null, settlementChain: null }),
    ).toStrictEqual(plan)
  })

  test('is an absent field at every depth', () => {
    const address = { address1: 'a', city: 'c', state: 's', zip: 'z', country: 'US' }
    const answer = {
      address,
      account_number: '1',
      wireRoutingNumber: '2',
      paymentId: 'p',
      recipientName: 'r',
      memo: 'm',
      amount: { cents: 1, currency: 'USD' },
      expires: '2026-11-20T12:00:00Z',
    }
    expect(
      parseRecord(loose(wireTokenResponse), { ...answer, address: { ...address, address2: null } }),
    ).toStrictEqual(answer)
    expect(parseRecord(loose(z.array(subscriptionPlan)), [{ ...plan, description: null }])).toStrictEqual([
      plan,
    ])
  })

  test('stays where a record allows it, and in unknown fields', () => {
    const fee = { fee: { percent: 1, cents: null }, lineItemLabel: 'Fee' }
    expect(parseRecord(loose(customPayInFee), fee)).toStrictEqual(fee)
    expect(parseRecord(loose(jobStatus), { status: 'completed', value: null })).toStrictEqual({
      status: 'completed',
      value: null,
    })
    expect(parseRecord(loose(creditsAuthMsgResponse), { ...asked, later: null })).toStrictEqual({
      ...asked,
      later: null,
    })
  })

  test('is rejected in a required field', () => {
    expect(() => parseRecord(loose(creditsAuthMsgResponse), { ...asked, nonce: null })).toThrow(
      'nonce is null',
    )
  })

  test('is rejected in what we send', () => {
    expect(() => parseRecord(creditsAuthMsgResponse, { ...asked, salt: null })).toThrow('salt is null')
  })
})

describe('a card answer without status', () => {
  test('is accepted from a service', () => {
    const { status } = parseRecord(loose(cardCheckoutResponse), {
      paymentId: 'p',
      authorizationExpiration: 'x',
    })
    const known: string | undefined = status
    expect(known).toBeUndefined()
  })

  test('is rejected in our own requests', () => {
    expect(() => parseRecord(cardCheckoutResponse, { paymentId: 'p' })).toThrow(
      'status is missing: expected this field',
    )
  })

  test('has text as a status, or none', () => {
    expect(() => parseRecord(loose(cardCheckoutResponse), { paymentId: 'p', status: 1 })).toThrow(
      'status is 1',
    )
  })
})
