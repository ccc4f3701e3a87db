import type { Hex } from 'viem'
import { type OrderState, orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { readTip } from '../../chains/anvil/chainTime.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { deepBlock, newestBlock } from './chainDepth.ts'
import type { OrderClaim } from './claimOrders.ts'
import { alreadyPaid, type OrderTerms } from './orderProblems.ts'

/**
 * Refuses an attempt of an order while another attempt of it may still execute, on whichever chain, and after one did.
 *
 * The claimed attempt has ended when, at depth, its chain has passed the end of its permits with the order unused, or the order
 * is cancelled there. A transaction that was reverted ends nothing: anyone may send the permit again.
 *
 * @returns the claim that this attempt may replace; undefined when there is none, or it is this attempt's own
 * @throws ServiceProblem `ORDER_UNDERWAY`, `ORDER_ALREADY_PAID`
 */
export async function checkClaim(
  service: Pick<Service, 'chains' | 'database'>,
  options: { claim: OrderClaim | undefined; attempt: { blockchain: string; nonce: Hex }; terms: OrderTerms },
): Promise<OrderClaim | undefined> {
  const { claim, attempt, terms } = options
  if (claim === undefined) return undefined
  if (claim.blockchain === attempt.blockchain && claim.nonce === attempt.nonce) return undefined
  const chain = service.chains.get(claim.blockchain)
  // A chain that this service no longer has cannot be asked.
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

/** The order's state when it was redeemed. */
async function fateOf(chain: EvmChain, claim: OrderClaim): Promise<'ended' | 'underway' | OrderState> {
  const { client, creditsContract, confirmations } = chain
  const { wallet, orderKey } = claim
  const asked = { creditsContract, wallet, orderKey }
  if (confirmations === 0) {
    // The time first: a permit that executed before is in the state that is read after.
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
  // Cancelled since, and not deep enough.
  if (order.state === 'cancelled') return 'underway'
  return orderThen.state === 'unused' && deep.timestamp >= claim.validBefore ? 'ended' : 'underway'
}

function paidElsewhere({ blockchain, nonce, redeemedIn }: OrderClaim) {
  return problem('ORDER_ALREADY_PAID', `This order was used for a payment on ${blockchain}.`, {
    details: { hash: redeemedIn, nonce, blockchain },
  })
}
