import { testCards } from '../../../src/sandbox/index.ts'
import { checkoutSample } from './checkoutSample.ts'
import type { EndpointId, Sample } from './endpointCases.ts'
import type { Stage } from './stage.ts'

export const refusals: readonly {
  id: EndpointId
  when: string
  code: string
  ask: (stage: Stage) => Promise<Sample & { headers?: Record<string, string> }>
}[] = [
  {
    id: 'cardCheckout',
    when: 'declined by the bank',
    code: 'CARD_DECLINED',
    ask: async (stage) => checkout(stage, { card: { cardToken: await cardOf(stage, 'declined') } }),
  },
  {
    id: 'cardCheckout',
    when: 'before its challenge',
    code: 'CHALLENGE_REQUIRED',
    ask: async (stage) => checkout(stage, { card: { cardToken: await cardOf(stage, 'challenge') } }),
  },
  {
    id: 'cardCheckout',
    when: "with another purchase's challenge",
    code: 'INTENT_MISMATCH',
    ask: async (stage) => {
      const cardToken = await cardOf(stage, 'challenge')
      return checkout(stage, {
        card: { cardToken },
        subtotal: { cents: 1234 },
        authentication3DS: { transactionId: await challengeOf(stage, cardToken) },
      })
    },
  },
  {
    id: 'zeroAuthorization',
    when: 'with the challenge of a purchase',
    code: 'INTENT_MISMATCH',
    ask: async (stage) => {
      const cardToken = await cardOf(stage, 'challenge')
      return {
        ...merchantOf(stage),
        body: {
          card: { cardToken },
          authentication3DS: { transactionId: await challengeOf(stage, cardToken) },
        },
      }
    },
  },
  ...(['wireTokenCheckout', 'pixCheckout'] as const).map((id) => ({
    id,
    when: 'with a USDC authorization that has ended',
    code: 'INVALID_USDC_AUTHORIZATION',
    ask: async (stage: Stage) => {
      const { alice, bob } = stage.sandbox.accounts
      const authorization = {
        from: alice.address,
        to: stage.base.paymentSettlement,
        value: '10000',
        validAfter: '0',
        validBefore: '1',
        nonce: `0x${'11'.repeat(32)}`,
        signature: `0x${'22'.repeat(65)}`,
      }
      const shared = checkoutSample({ receiver: bob.address })
      return {
        body: {
          ...shared,
          merchantId: stage.sandbox.merchantId,
          ...(id === 'pixCheckout' ? { email: 'ada@shop.example' } : { token: 'none' }),
          customerUsdcTransferDataV2: authorization,
        },
      }
    },
  })),
  {
    id: 'purchaseSubscription',
    when: 'bought twice',
    code: 'SUBSCRIPTION_STATE',
    ask: async (stage) => {
      const planCode = await stage.plan()
      await stage.subscription(planCode)
      return { ...merchantOf(stage), body: { planCode, token: await stage.card() } }
    },
  },
  {
    id: 'purchaseSubscription',
    when: 'declined by the bank',
    code: 'CARD_DECLINED',
    ask: async (stage) => ({
      ...merchantOf(stage),
      body: { planCode: await stage.plan(), token: await cardOf(stage, 'declined') },
    }),
  },
  {
    id: 'merchantInitiatedTransaction',
    when: 'declined by the bank',
    code: 'CARD_DECLINED',
    ask: async (stage) => {
      const path = `/api/subscription/${stage.sandbox.merchantId}/subscribers/token`
      const { subscriptionId } = await stage.make(path, {
        planCode: await stage.plan({ merchantInitiated: true }),
        token: await cardOf(stage, 'declinedLater'),
      })
      return { body: { subscriptionId } }
    },
  },
]

const merchantOf = ({ sandbox }: Stage) => ({ params: { merchantId: sandbox.merchantId } })

const checkout = (stage: Stage, body: object): Sample => ({
  ...merchantOf(stage),
  body: { subtotal: { cents: 900 }, ...body },
})

async function cardOf(stage: Stage, name: keyof typeof testCards): Promise<string> {
  const { token } = await stage.make('/api/tokenize', { ...testCards[name], expMonth: '12', expYear: '39' })
  return String(token)
}

async function challengeOf(stage: Stage, cardToken: string): Promise<string> {
  const { headers, sandbox, service } = stage
  const { name, value } = headers.sessionKey ?? { name: '', value: '' }
  const answer = await service.post(
    `/api/checkout/card/${sandbox.merchantId}`,
    { subtotal: { cents: 900 }, card: { cardToken } },
    { [name]: value },
  )
  const { transactionId } = answer.body.details
  await stage.make(`/sandbox/3ds/${transactionId}`, { answer: 'approve' })
  return transactionId
}
