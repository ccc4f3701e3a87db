import type { EvmClient } from '../../evm/client/evmClient.ts'
import { clientFix, isClient, whyNoClient } from '../../evm/client/evmClient.ts'
import { InvalidRedeemRequestError } from '../errors.ts'

/**
 * Takes what reads the chain: anything with `request`. The value is never shown: the address of a node may hold a key.
 *
 * @throws InvalidRedeemRequestError
 */
export function checkPublicClient(client: unknown): EvmClient {
  if (isClient(client)) return client
  throw new InvalidRedeemRequestError(`publicClient ${whyNoClient(client)}`, {
    field: 'publicClient',
    fix: clientFix,
    docs: 'EIP-1193',
  })
}

export declare namespace checkPublicClient {
  type ErrorType = InvalidRedeemRequestError
}
