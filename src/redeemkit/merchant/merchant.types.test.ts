import { describe, expectTypeOf, test } from 'vitest'
import type { Blockchain } from '../core/blockchains.ts'
import type { Payment } from '../schema/payment.ts'
import type { MerchantClient } from './createMerchantClient.ts'
import { createMerchantHandler } from './createMerchantHandler.ts'

/** Accepts code that is compiled and never runs. */
const compiled = (_: (client: MerchantClient) => unknown) => {}
const subtotal = { cents: 1000 }
const card = { subtotal, card: { cardToken: 'tok' } }
const session = { sessionKey: 'key' }
const onBase = { wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3', blockchain: 'base' } as const

describe('the type of a call', () => {
  test('requires only the headers, path parameters and body of the call', () => {
    compiled((client) => [
      client.getSessionKey({ userId: 'alice' }),
      client.getSessionKey(onBase),
      client.getSessionKey({ ...onBase, userId: 'alice' }),
      client.cardCheckout({ ...session, body: card }),
      client.cardCheckout({
        ...session,
        ...onBase,
        merchantId: 'other',
        deviceId: 'd',
        clientIp: 'ip',
        body: card,
      }),
      client.cardCheckout({ sessionKey: async () => 'key', body: card }),
      client.getPlans({ ...session, ...onBase }),
      client.getPurchases({ ...session, query: { limit: '5' } }),
      client.getPurchases(session),
      client.createCheckoutJwt({ body: { purchaseId: 'order 1' } }),
      client.createCheckoutJwt({ body: { purchaseId: 'order 1', subtotal, settlementType: 'Bank' } }),
      client.refundPayment({ paymentId: 'p' }),
      client.getJobStatus({ jobId: 7 }),
      client.registerBusiness({
        ...session,
        ...onBase,
        userId: 'a',
        body: { country: 'US', email: 'a@b.c' },
      }),
      client.getPayment({ paymentId: 'p', timeoutMs: 5_000, signal: AbortSignal.timeout(1) }),
    ])
  })

  test('requires each header of the call', () => {
    compiled((client) => [
      // @ts-expect-error the customer is missing
      client.getSessionKey(),
      // @ts-expect-error the customer is missing
      client.getSessionKey({}),
      // @ts-expect-error a wallet without its blockchain
      client.getSessionKey({ wallet: onBase.wallet }),
      // @ts-expect-error sessionKey is missing
      client.cardCheckout({ body: card }),
      // @ts-expect-error the blockchain of the wallet is missing
      client.cardCheckout({ ...session, wallet: onBase.wallet, body: card }),
      // @ts-expect-error wallet and blockchain are missing
      client.getPlans(session),
      // @ts-expect-error sessionKey is missing
      client.getCustomerSubscriptions(onBase),
      // @ts-expect-error userId is missing
      client.pixCheckout({ ...session, ...onBase, body: { subtotal, email: 'a@b.c' } }),
      // @ts-expect-error userId is missing
      client.mobileAppCheckout({ ...session, ...onBase, body: { subtotal } }),
      // @ts-expect-error userId is missing
      client.validateKyc({ body: { firstName: 'a', lastName: 'b' } }),
      // @ts-expect-error userId is missing
      client.createIban({ ...session, ...onBase, body: { number: '1' } }),
      // @ts-expect-error sessionKey is missing
      client.registerBusiness({ ...onBase, userId: 'a', body: { country: 'US', email: 'a@b.c' } }),
      // @ts-expect-error signedMessage is missing
      client.verifyAuth(onBase),
      // @ts-expect-error an unknown chain
      client.getPlans({ ...session, wallet: onBase.wallet, blockchain: 'dogecoin' }),
    ])
  })

  test('requires parameters and body, and rejects unknown ones', () => {
    compiled((client) => [
      // @ts-expect-error paymentId is missing
      client.getPayment(),
      // @ts-expect-error body is missing
      client.cardCheckout(session),
      // @ts-expect-error subtotal is missing
      client.cardCheckout({ ...session, body: { card: card.card } }),
      // @ts-expect-error body is missing
      client.createCheckoutJwt(),
      // @ts-expect-error purchaseId is missing: without it, each JWT could pay the order again
      client.createCheckoutJwt({ body: { subtotal } }),
      // @ts-expect-error purchaseId must be text
      client.createCheckoutJwt({ body: { purchaseId: 7, subtotal } }),
      // @ts-expect-error blockchain is missing
      client.getContractAddress({ query: {} }),
      // @ts-expect-error only the client sends the API key
      client.getPayment({ paymentId: 'p', authorization: 'key' }),
      // @ts-expect-error this call takes no wallet
      client.getPayment({ paymentId: 'p', wallet: onBase.wallet }),
      // @ts-expect-error cents must be a number
      client.mintCredits({ body: { ...onBase, amount: { cents: 1n } } }),
    ])
  })

  test('includes the response of the call', () => {
    compiled(async (client) => {
      expectTypeOf(await client.getPayment({ paymentId: 'p' })).toExtend<Payment>()
      expectTypeOf((await client.getSessionKey({ userId: 'a' })).key).toEqualTypeOf<string>()
      // redeemkit's service always sends this field; others may omit it
      expectTypeOf((await client.cardCheckout({ ...session, body: card })).status).toEqualTypeOf<
        string | undefined
      >()
      const kyc = await client.validateKyc({ userId: 'a', body: { firstName: 'a', lastName: 'b' } })
      expectTypeOf(kyc).toEqualTypeOf<{ valid: boolean; invalidFields: string[] } | null>()
      expectTypeOf(
        await client.createIban({ ...session, ...onBase, userId: 'a', body: { number: '1' } }),
      ).toEqualTypeOf<string>()
    })
  })
})

describe('the type of the handler', () => {
  const authenticate = async () => ({ userId: 'alice', plan: 'gold' })

  test('knows the user of the session, and the options of each call', () => {
    compiled((client) => [
      createMerchantHandler({
        client,
        authenticate,
        expose: {
          getSessionKey: true,
          getPurchases: true,
          createCheckoutJwt: ({ user, body, asked }) => {
            expectTypeOf(user).toEqualTypeOf<{ userId: string; plan: string }>()
            expectTypeOf(body).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
            return { body: { ...asked().body, subtotal, purchaseId: 'order 1' } }
          },
          refundPayment: async ({ asked }) => (Math.random() > 2 ? asked() : false),
          getPlans: () => ({ wallet: onBase.wallet, blockchain: 'base' satisfies Blockchain }),
        },
      }),
      createMerchantHandler({ client, authenticate: () => (Math.random() > 2 ? onBase : null), expose: {} }),
    ])
  })

  test('rejects rules that would expose too much', () => {
    compiled((client) => [
      // @ts-expect-error any user could refund anything
      createMerchantHandler({ client, authenticate, expose: { refundPayment: true } }),
      // @ts-expect-error any user could read any payment
      createMerchantHandler({ client, authenticate, expose: { getPayment: true } }),
      // @ts-expect-error no such call
      createMerchantHandler({ client, authenticate, expose: { getEverything: true } }),
      createMerchantHandler({
        client,
        authenticate,
        // @ts-expect-error purchaseId, which only the server may choose
        expose: { createCheckoutJwt: ({ asked }) => asked() },
      }),
      createMerchantHandler({
        client,
        authenticate,
        // @ts-expect-error the session names the user
        expose: { getSessionKey: () => ({ userId: 'bob' }) },
      }),
      createMerchantHandler({
        client,
        // @ts-expect-error a session names a user
        authenticate: () => ({ name: 'alice' }),
        expose: {},
      }),
    ])
  })
})
