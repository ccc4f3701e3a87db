import { showValue } from '../../core/errors/showValue.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { ChainReadError } from '../../evm/client/readChain.ts'

/**
 * One JSON-RPC read. What the endpoint says when it fails stays in `cause`: the URLs of endpoints carry keys.
 *
 * @throws {@link ChainReadError} when the endpoint refuses or cannot be reached
 */
export async function askChain(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  try {
    return await client.request({ method, params })
  } catch (cause) {
    throw new ChainReadError(`The node did not answer ${method}.`, {
      cause,
      field: 'publicClient',
      fix: 'Check the address of the node and look again: reading changes nothing.',
    })
  }
}

/** Reads a JSON-RPC quantity or a 32-byte word. */
export function toBigInt(value: unknown, field: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw unusableAnswer(value, field)
}

/** The properties of a JSON-RPC object. */
export function toRecord(value: unknown, field: string): Record<string, unknown> {
  // An object that is not null has properties; their values stay unknown.
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw unusableAnswer(value, field)
}

/** Writes a block number as JSON-RPC wants it. */
export function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

export function unusableAnswer(value: unknown, field: string): ChainReadError {
  return new ChainReadError(`The node answered ${showValue(value)} for ${field}.`, {
    field,
    fix: 'Check that the public client reads the chain of the redeem, then look again.',
  })
}
