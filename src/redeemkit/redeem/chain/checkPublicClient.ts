import type { EvmClient } from '../../evm/client.ts'
import { clientFix, isClient, whyNoClient } from '../../evm/client.ts'
import { InvalidRedeemRequestError } from '../errors.ts'

/**
 * Takes what reads the chain: anything with `request`. The value is never shown: the address of a node may hold a key.
 *
 * @param field what it is called where the caller gave it
 * @throws InvalidRedeemRequestError
 */
export function checkPublicClient(client: unknown, field = 'publicClient'): EvmClient {
  if (isClient(client)) return client
  throw new InvalidRedeemRequestError(`${field} ${whyNoClient(client)}`, {
    field,
    fix: clientFix,
    docs: 'EIP-1193',
  })
}

export declare namespace checkPublicClient {
  type ErrorType = InvalidRedeemRequestError
}
