import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { type OrderState, orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { Service } from '../service.ts'
import { alreadyPaid, type OrderTerms } from './orderProblems.ts'

/** Time limit for one chain. */
const waitMs = 2_000

/**
 * Refuses an order that was redeemed on another chain of the service. It reads the newest blocks, because anyone can relay a permit
 * without the service. A chain that does not answer within two seconds is skipped and reported, so that its node cannot stop payments
 * on other chains.
 *
 * @throws ServiceProblem `ORDER_ALREADY_PAID`
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
    super(`An order was not read from ${blockchain}, and is submitted to another chain.`, { cause })
  }
}
