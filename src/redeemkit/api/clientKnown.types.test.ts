import { describe, expectTypeOf, test } from 'vitest'
import { createPaymentsClient } from './createPaymentsClient.ts'
import { cardCheckout } from './endpoints/cards.ts'
import { pixCheckout } from './endpoints/checkout.ts'
import { getPlans } from './endpoints/subscription.ts'
import type { HasSessionKey, PaymentsClient } from './paymentsClient.ts'

/** Accepts code that is compiled and never runs. */
const compiled = (_: () => unknown) => {}
const least = { baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' } as const
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const pay: cardCheckout.Body = { subtotal: { cents: 1 }, card: { cardToken: 't' } }
const order: pixCheckout.Body = { subtotal: { cents: 1 }, email: 'a@shop.example' }

describe('the type of a client', () => {
  test('says that the client has a session key, as text or as a function', () => {
    compiled(() => {
      cardCheckout(createPaymentsClient({ ...least, sessionKey: 'k' }), pay)
      cardCheckout(createPaymentsClient({ ...least, sessionKey: async () => 'k' }), pay)
      cardCheckout(createPaymentsClient(least).with({ sessionKey: 'k' }), pay)
      // @ts-expect-error the client has no session key
      cardCheckout(createPaymentsClient(least), pay)
      // @ts-expect-error the client may have no session key
      cardCheckout(createPaymentsClient({ ...least, sessionKey: Math.random() > 2 ? 'k' : undefined }), pay)
    })
  })

  test('has no session key if it was removed, or belongs to another service, merchant or customer', () => {
    compiled(() => {
      const client = createPaymentsClient({ ...least, wallet, sessionKey: 'k' })
      cardCheckout(client.with({ blockchain: 'eth' }), pay)
      // @ts-expect-error the session key was removed
      cardCheckout(client.with({ sessionKey: undefined }), pay)
      // @ts-expect-error the session key belongs to another service
      cardCheckout(client.with({ baseUrl: 'https://other.example' }), pay)
      // @ts-expect-error the session key belongs to another merchant
      cardCheckout(client.with({ merchantId: 'other' }), pay)
      // @ts-expect-error the session key belongs to another customer
      cardCheckout(client.with({ userId: 'alice' }).with({ userId: 'bob' }), pay)
      cardCheckout(client.with({ userId: 'alice' }).with({ userId: 'bob', sessionKey: 'k' }), pay)
      expectTypeOf(client.with({ blockchain: 'eth' }).wallet).toEqualTypeOf<string>()
    })
  })

  test('requires a wallet and a user id where the client has none', () => {
    compiled(() => {
      const client = createPaymentsClient({ ...least, sessionKey: 'k' })
      getPlans(client, { wallet })
      pixCheckout(client, order, { wallet, userId: 'u' })
      pixCheckout(client.with({ wallet }), order, { userId: 'u' })
      pixCheckout(client.with({ wallet, userId: 'u' }), order)
      // @ts-expect-error without a wallet
      getPlans(client)
      // @ts-expect-error without a user id
      pixCheckout(client.with({ wallet }), order)
      // @ts-expect-error without either
      pixCheckout(client, order, {})
    })
  })

  test('is accepted by any function', () => {
    const client = createPaymentsClient({ ...least, wallet, sessionKey: 'k' })
    expectTypeOf(client).toExtend<PaymentsClient>()
    expectTypeOf(client).toExtend<PaymentsClient<HasSessionKey>>()
  })

  test('rejects an unknown option', () => {
    compiled(() => {
      // @ts-expect-error misspelled
      createPaymentsClient({ ...least, sesionKey: 'k' })
      // @ts-expect-error misspelled
      createPaymentsClient(least).with({ walet: wallet })
    })
  })
})
