import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import type { InvalidOrderIdError } from '../../core/orderId.ts'
import type { InvalidClockError } from '../../core/time/clock.ts'
import { networkOf } from '../../evm/networks.ts'
import type { Redeemkit } from './createRedeemkit.ts'

/**
 * The kit's client of the service, for one wallet on one chain. All of them share the sign-ins.
 *
 * @throws UnknownNetworkError for a chain that is none of the service's; InvalidOptionError for a wallet that is no address
 */
export function clientOf(
  kit: Redeemkit,
  { wallet, chainId }: { wallet?: string | undefined; chainId: number },
): PaymentsClient {
  const { blockchain } = networkOf({ chainId })
  return kit.client.with({ blockchain, wallet })
}

export declare namespace clientOf {
  type ErrorType = networkOf.ErrorType | InvalidOrderIdError | InvalidClockError
}
