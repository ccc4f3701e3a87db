import { eq } from 'drizzle-orm'
import { BaseError, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { webhookEvent } from '../../../redeemkit/schema/webhookEvent.ts'
import { connectEvmChain } from '../../chains/connectEvmChain.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { createPauses } from '../../relayer/createLoop.ts'
import { TransactionTooLarge } from '../../relayer/journalTransaction.ts'
import { payments, stellarSettlements, transactions } from '../../store/tables/index.ts'
import { describeError } from '../http/problem.ts'
import { createPayment, movePayment } from '../payments/movePayment.ts'
import { type TestShop, testShop, wallet } from '../payments/payments.fixture.ts'
import type { Service } from '../service.ts'
import { settleDue } from './settlePayment.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop?.close())

async function eventsOf(more: object = {}) {
  const cardToken = await shop.tokenOf('approved')
  const { body } = await shop.post(
    '/api/checkout/card/shop',
    { subtotal: { cents: 1000, currency: 'USD' }, card: { cardToken }, ...more },
    await shop.customer('alice'),
  )
  return (await shop.events()).filter(({ data }) => data.paymentId === body.paymentId)
}
const typesOf = async (more: object = {}) => (await eventsOf(more)).map(({ type }) => type)

test('emits one event before settlement if the merchant requests it', async () => {
  await shop.set({ sendPresettleWebhooks: true })
  const events = await eventsOf({ webhookInfo: { order: 7 } })
  expect(events.map(({ type, data }) => [type, data.status])).toEqual([
    ['payment.created', 'created'],
    ['payment.authorized', 'authorized'],
    ['payment.presettle', 'authorized'],
    ['payment.settled', 'settled'],
  ])
  const [, , presettle] = events
  const body = { id: presettle?.id, type: presettle?.type, createdAt: presettle?.createdAt.toISOString() }
  expect(parseRecord(webhookEvent, { ...body, data: presettle?.data })).toMatchObject({
    data: { webhookInfo: { order: 7 } },
  })
})

test('emits no event for an authOnly payment, which does not settle', async () => {
  await shop.set({ sendPresettleWebhooks: true })
  expect(await typesOf({ authOnly: true })).toEqual(['payment.created', 'payment.authorized'])
})

test('emits no event if the merchant does not request it', async () => {
  await shop.set({})
  expect(await typesOf()).not.toContain('payment.presettle')
})

describe('a settlement on chain', () => {
  const address: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const operatorKey: Hex = `0x${'11'.repeat(32)}`
  const reverts = Object.assign(new BaseError('execution reverted'), {
    data: encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['sold out'] }),
  })

  /** A chain on which the operator has any amount of USDC. */
  function chainOf(blockchain: 'base' | 'polygon', estimateGas: () => Promise<bigint>) {
    const options = { blockchain, rpcUrl: 'http://127.0.0.1:1', creditsContract: address, operatorKey }
    const chain = connectEvmChain({ ...options, paymentSettlement: address }, 'sandbox')
    const readContract = async ({ functionName }: { functionName: string }) =>
      functionName === 'usdc' ? address : 2n ** 128n
    const client = { ...chain.client, readContract, estimateGas } as never // a payment of credits calls no other function
    return { ...chain, client }
  }
  const serving = (...chains: EvmChain[]): Service => ({
    ...shop.service,
    chains: new Map(chains.map((chain) => [chain.blockchain, chain])),
  })
  async function due(blockchain: 'base' | 'polygon') {
    const at = new Date(shop.service.now())
    const cents = { subtotalCents: 1000, usdCents: 1000, totalCents: 1000, chargedCents: 1000 }
    return (await shop.service.database()).transaction(async (work) => {
      const { paymentId } = await createPayment(work, {
        ...cents,
        merchantId: 'shop',
        wallet,
        blockchain,
        rail: 'card',
        currency: 'USD',
        chargedCurrency: 'USD',
        lines: [],
        carried: { settlementType: 'Credits' },
        at,
      })
      return movePayment(work, { paymentId, to: 'authorized', at })
    })
  }
  const statusOf = async (paymentId: string) => {
    const isIt = eq(payments.paymentId, paymentId)
    return (await (await shop.service.database()).select().from(payments).where(isIt))[0]?.status
  }

  const at = new Date(0)
  const signed = { hash: '0x12', raw: '0x12', createdAt: at } as const
  test.each([
    [
      transactions,
      (paymentId: string) => ({
        ...signed,
        reference: { kind: 'payment', paymentId, attempt: 1 },
        chainId: 84532,
        sender: address,
        nonce: 0,
        status: 'broadcast',
        updatedAt: at,
      }),
    ],
    [
      stellarSettlements,
      (paymentId: string) => ({ ...signed, paymentId, attempt: 1, operator: 'G', status: 'journalled' }),
    ],
  ] as const)('does not fail a payment that another process has already sent', async (table, rowOf) => {
    const database = await shop.service.database()
    const { paymentId } = await due('base')
    let isSent = true
    const chain = chainOf('base', async () => {
      if (isSent) await database.insert(table).values(rowOf(paymentId) as never) // omits columns that have a default
      throw reverts
    })
    const service = serving(chain)
    await settleDue(service, database, createPauses(service.now))
    expect(await statusOf(paymentId)).toBe('authorized')
    await database.delete(table)
    isSent = false
    await settleDue(service, database, createPauses(service.now))
    expect(await statusOf(paymentId)).toBe('failed')
  })

  test('fails a payment whose transaction no node would accept', async () => {
    const database = await shop.service.database()
    const { paymentId } = await due('base')
    const send = () => Promise.reject(new TransactionTooLarge('It has 95,001 bytes.'))
    const service = { ...serving(chainOf('base', async () => 100_000n)), relayer: { send } as never } // no other function is called
    await settleDue(service, database, createPauses(service.now))
    expect(await statusOf(paymentId)).toBe('failed')
    const description = describeError(new TransactionTooLarge('It has 95,001 bytes.'))
    expect(description).toEqual({ code: 'PAYLOAD_TOO_LARGE', message: 'It has 95,001 bytes.' })
  })

  const manyWaiting = () => Promise.all(Array.from({ length: 101 }, () => due('polygon')))
  const otherPaymentsOf = async (service: Service) => {
    const { paymentId } = await due('base')
    const database = await service.database()
    const pauses = createPauses(service.now)
    for (let passes = 0; passes < 3; passes++) await settleDue(service, database, pauses)
    return statusOf(paymentId)
  }

  test('is not delayed by many payments on a chain that does not respond', async () => {
    const [first] = await manyWaiting()
    const down = chainOf('polygon', () => Promise.reject(new Error('the node is down')))
    const base = chainOf('base', () => Promise.reject(reverts))
    expect(await otherPaymentsOf(serving(down, base))).toBe('failed')
    expect(await statusOf(first?.paymentId ?? '')).toBe('authorized')
  })

  test('is not delayed by many payments whose transactions are pending', async () => {
    const database = await shop.service.database()
    const at = new Date(shop.service.now())
    await database.delete(payments)
    const sent = { chainId: 80002, sender: address, hash: '0x12', raw: '0x12', status: 'broadcast' }
    const rows = (await manyWaiting()).map(({ paymentId }, nonce) => {
      const reference = { kind: 'payment', paymentId, attempt: 1 }
      return { ...sent, nonce, reference, createdAt: at, updatedAt: at }
    })
    await database.insert(transactions).values(rows as never) // omits columns that have a default
    expect(await otherPaymentsOf(serving(chainOf('base', () => Promise.reject(reverts))))).toBe('failed')
  })
})
