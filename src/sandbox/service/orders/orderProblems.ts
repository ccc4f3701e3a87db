import { and, eq } from 'drizzle-orm'
import { concat, type Hex, keccak256, stringToHex } from 'viem'
import { formatAmount } from '../../../redeemkit/core/amount/formatAmount.ts'
import { type OrderState, orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { redeemedEvents } from '../../store/tables/index.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'
import type { ResolvedIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import { findRedeemedEvent } from './findRedeemedEvent.ts'
import { type RedeemedEvent, readRedeemed } from './readRedeemed.ts'

/** What a payment of the order has to look like. */
export type OrderTerms = { creditSeed: string; intent: Pick<ResolvedIntent, 'settlement' | 'amount'> }

/**
 * The answer for an order that was redeemed by another attempt. It says "paid" only when credit seed, kind, receiver and amount of
 * the redeem are those of this request: an order key is a claim that the contract cannot check.
 */
export async function alreadyPaid(
  service: Pick<Service, 'database'>,
  chain: EvmChain,
  options: {
    wallet: Hex
    orderKey: Hex
    order: Pick<OrderState, 'commitment'> & { timestamp?: bigint }
    terms: OrderTerms
  },
): Promise<ServiceProblem> {
  const { wallet, orderKey, order, terms } = options
  const { blockchain } = chain
  const nonce = concat([orderKey, order.commitment])
  const event = await eventOf(service, chain, { ...options, nonce })
  const isPaid = event !== undefined && fits(event, terms)
  const spent = event && event.amount - event.refunded
  const message = isPaid
    ? `This order is paid, on ${blockchain}.`
    : `This order was used for another payment, on ${blockchain}. Use a new order id.`
  return problem('ORDER_ALREADY_PAID', message, {
    details: {
      ...(event && { hash: event.hash }),
      nonce,
      blockchain,
      wallet,
      fits: isPaid,
      expected: terms.intent.amount.toString(),
      ...(spent !== undefined && {
        paid: spent.toString(),
        paidText: formatAmount(spent, { decimals: 6, minimumPlaces: 2 }),
      }),
    },
  })
}

/** The order of this wallet is cancelled on this chain. */
export function orderCancelled(blockchain: string): ServiceProblem {
  return problem(
    'ORDER_CANCELLED',
    `This order was cancelled on ${blockchain}, and can no longer be paid there. Nothing was paid.`,
    { details: { blockchain } },
  )
}

function fits(event: RedeemedEvent, { creditSeed, intent }: OrderTerms): boolean {
  const { kind, target } = intent.settlement
  return (
    event.creditSeedHash === keccak256(stringToHex(creditSeed)) &&
    event.kind === kind &&
    event.receiver.toLowerCase() === target.toLowerCase() &&
    event.amount - event.refunded === intent.amount
  )
}

/** From the block that is on record, or else by the time that the contract keeps. */
async function eventOf(
  service: Pick<Service, 'database'>,
  chain: EvmChain,
  options: {
    wallet: Hex
    orderKey: Hex
    nonce: Hex
    order: { timestamp?: bigint }
  },
): Promise<RedeemedEvent | undefined> {
  const { wallet, orderKey, nonce, order } = options
  const database = await service.database()
  const [row] = await database
    .select({ blockNumber: redeemedEvents.blockNumber })
    .from(redeemedEvents)
    .where(
      and(
        eq(redeemedEvents.blockchain, chain.blockchain),
        eq(redeemedEvents.wallet, wallet),
        eq(redeemedEvents.nonce, nonce),
      ),
    )
    .limit(1)
  if (row !== undefined) {
    const { blockNumber } = row
    const [event] = await readRedeemed(chain, {
      wallet,
      orderKey,
      fromBlock: blockNumber,
      toBlock: blockNumber,
    })
    if (event !== undefined) return event
  }
  const { client, creditsContract } = chain
  const timestamp =
    order.timestamp ?? (await orderState(client, { creditsContract, wallet, orderKey })).timestamp
  return findRedeemedEvent(chain, { wallet, orderKey, timestamp })
}
