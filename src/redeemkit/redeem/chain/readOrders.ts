import type { Address, Hex } from 'viem'
import type { EvmClient } from '../../evm/client.ts'
import { type OrderState, readOrderState } from '../../evm/creditPermit/orderState.ts'
import { within } from '../within.ts'
import { checkClientChain } from './lookUpRedeem.ts'

/** A credits contract that may hold an order. */
export type OrderPlace = { client: EvmClient; chainId: number; creditsContract: Address }

/** How long other chains may take to answer: their answer decides nothing. */
const mostMs = 2_000

/**
 * Reads an order from several credits contracts at once.
 *
 * @returns what each says, in the same order; `undefined` for one that could not be read in two seconds
 */
export function readOrders(
  places: readonly OrderPlace[],
  { wallet, orderKey }: { wallet: Address; orderKey: Hex },
): Promise<(OrderState['state'] | undefined)[]> {
  const readOne = async ({ client, chainId, creditsContract }: OrderPlace) => {
    const [order] = await Promise.all([
      readOrderState(client, { creditsContract, wallet, orderKey }, { field: 'otherChains' }),
      checkClientChain(client, chainId, 'otherChains'),
    ])
    return order.state
  }
  const onEnd = () => new Error('no answer')
  // Whatever fails, the place was not read.
  return Promise.all(
    places.map((place) => within(readOne(place), { ms: mostMs, onEnd }).catch(() => undefined)),
  )
}
