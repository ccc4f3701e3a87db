import { and, eq } from 'drizzle-orm'
import { concat, type Hex, keccak256, stringToHex } from 'viem'
import { formatAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { type OrderState, orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { readTip } from '../../chains/anvil/chainTime.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { redeemedEvents } from '../../store/tables/index.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'
import type { ResolvedIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import type { OrderClaim } from './claimOrders.ts'
import {
  deepBlock,
  findRedeemedEvent,
  newestBlock,
  type RedeemedEvent,
  readRedeemed,
} from './readRedeemed.ts'

export type OrderTerms = { creditSeed: string; intent: Pick<ResolvedIntent, 'settlement' | 'amount'> }

/**
 * Reports an order as paid only if credit seed, kind, receiver and amount match, because the contract cannot verify what an order key
 * means.
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
    ? `This order is already paid on ${blockchain}.`
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
        paidText: formatAmount(spent, { decimals: usdcDecimals, minimumPlaces: 2 }),
      }),
    },
  })
}

export function orderCancelled(blockchain: string): ServiceProblem {
  return problem(
    'ORDER_CANCELLED',
    `This order was cancelled on ${blockchain} and can no longer be paid there.`,
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

/** Finds the event in its recorded block or, without one, by the time that the contract stored. */
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

/**
 * Rejects an attempt of an order if another attempt has executed or may still execute, on any chain. A reverted transaction does not
 * end an attempt, because anyone may submit the permit again.
 *
 * @returns the claim that this attempt may replace; undefined if there is no claim or it is this attempt's own
 */
export async function checkClaim(
  service: Pick<Service, 'chains' | 'database'>,
  options: { claim: OrderClaim | undefined; attempt: { blockchain: string; nonce: Hex }; terms: OrderTerms },
): Promise<OrderClaim | undefined> {
  const { claim, attempt, terms } = options
  if (claim === undefined) return undefined
  if (claim.blockchain === attempt.blockchain && claim.nonce === attempt.nonce) return undefined
  const chain = service.chains.get(claim.blockchain)
  // The service no longer has this chain, so the recorded state decides.
  if (chain === undefined && claim.redeemedIn !== null) throw paidElsewhere(claim)
  const fate = chain && (await fateOf(chain, claim))
  if (fate === 'ended') return claim
  if (fate === 'underway' || fate === undefined || chain === undefined)
    throw problem(
      'ORDER_UNDERWAY',
      `Another payment of this order was submitted on ${claim.blockchain} and may still execute. Wait for it, or cancel the order there.`,
      {
        details: {
          blockchain: claim.blockchain,
          nonce: claim.nonce,
          validBefore: claim.validBefore.toString(),
        },
      },
    )
  const { wallet, orderKey } = claim
  throw await alreadyPaid(service, chain, { wallet, orderKey, order: fate, terms })
}

/** Returns whether the claimed attempt has ended or, if the order was redeemed, the order's state. */
async function fateOf(chain: EvmChain, claim: OrderClaim): Promise<'ended' | 'underway' | OrderState> {
  const { client, creditsContract, confirmations } = chain
  const { wallet, orderKey } = claim
  const asked = { creditsContract, wallet, orderKey }
  if (confirmations === 0) {
    // Reads the time first, so that the order state, read afterwards, includes every permit executed by then.
    const { nextTime } = await readTip(client)
    const order = await orderState(client, asked)
    if (order.state === 'redeemed') return order
    return order.state === 'cancelled' || nextTime >= claim.validBefore ? 'ended' : 'underway'
  }
  const deep = await deepBlock(chain, await newestBlock(chain))
  const [order, orderThen] = await Promise.all([
    orderState(client, asked),
    deep && orderState(client, { ...asked, blockNumber: deep.number }),
  ])
  if (order.state === 'redeemed') return order
  if (deep === undefined || orderThen === undefined) return 'underway'
  if (orderThen.state === 'cancelled') return 'ended'
  // The cancellation does not have enough confirmations yet.
  if (order.state === 'cancelled') return 'underway'
  return orderThen.state === 'unused' && deep.timestamp >= claim.validBefore ? 'ended' : 'underway'
}

function paidElsewhere({ blockchain, nonce, redeemedIn }: OrderClaim) {
  return problem('ORDER_ALREADY_PAID', `This order was used for a payment on ${blockchain}.`, {
    details: { hash: redeemedIn, nonce, blockchain },
  })
}

/** Timeout per chain, in milliseconds. */
const waitMs = 2_000

/**
 * Reads the newest blocks, because anyone can relay a permit without the service. A chain that does not respond within two seconds is
 * skipped and reported, so that its node cannot stop payments on other chains.
 */
export async function refuseRedeemedElsewhere(
  service: Pick<Service, 'chains' | 'database' | 'onError'>,
  options: { chain: EvmChain; wallet: Hex; orderKey: Hex; terms: OrderTerms },
): Promise<void> {
  const { wallet, orderKey, terms } = options
  const others = [...service.chains.values()].filter((chain) => chain !== options.chain)
  const states = await Promise.allSettled(others.map((chain) => stateWithin(chain, { wallet, orderKey })))
  for (const [index, chain] of others.entries()) {
    const read = states[index]
    if (read?.status === 'rejected') service.onError?.(new OrderNotReadError(chain, read.reason))
    else if (read?.value.state === 'redeemed')
      throw await alreadyPaid(service, chain, { wallet, orderKey, order: read.value, terms })
  }
}

async function stateWithin(
  { client, creditsContract }: EvmChain,
  order: { wallet: Hex; orderKey: Hex },
): Promise<OrderState> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), waitMs)
  })
  try {
    return await Promise.race([orderState(client, { creditsContract, ...order }), late])
  } finally {
    clearTimeout(timer)
  }
}

class OrderNotReadError extends BaseError {
  override readonly name = 'OrderNotReadError'

  constructor({ blockchain }: EvmChain, cause: unknown) {
    super(
      `The order could not be read on ${blockchain}. The redeem is submitted to the other chain anyway.`,
      { cause },
    )
  }
}
