import type { Hex } from 'viem'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { Service } from '../service.ts'
import { alreadyPaid, type OrderTerms } from './orderProblems.ts'

/** How long a chain may take to answer. */
const waitMs = 2_000

/**
 * Refuses an order that was redeemed on another chain of the service. It reads the newest blocks, because anyone can relay a permit
 * without the service. A chain that does not answer within two seconds is skipped, so that its node cannot stop payments elsewhere.
 *
 * @throws ServiceProblem `ORDER_ALREADY_PAID`
 */
export async function refuseRedeemedElsewhere(
  service: Pick<Service, 'chains' | 'database'>,
  options: { chain: EvmChain; wallet: Hex; orderKey: Hex; terms: OrderTerms },
): Promise<void> {
  const { wallet, orderKey, terms } = options
  const others = [...service.chains.values()].filter((chain) => chain !== options.chain)
  const states = await Promise.all(others.map((chain) => stateWithin(chain, { wallet, orderKey })))
  for (const [index, chain] of others.entries()) {
    const order = states[index]
    if (order?.state === 'redeemed')
      throw await alreadyPaid(service, chain, { wallet, orderKey, order, terms })
  }
}

async function stateWithin({ client, creditsContract }: EvmChain, order: { wallet: Hex; orderKey: Hex }) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, waitMs, undefined)
  })
  try {
    return await Promise.race([orderState(client, { creditsContract, ...order }), late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
