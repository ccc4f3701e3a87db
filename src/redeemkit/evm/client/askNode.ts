import { showValue } from '../../core/errors/showValue.ts'
import { ChainReadError } from './chainReadError.ts'
import { clientFix, type EvmClient, isClient, whyNoClient } from './evmClient.ts'

/**
 * Asks a node by JSON-RPC. The only place that does.
 *
 * @returns the answer as it came, `undefined` for an error that `isAnswer` says is one
 * @throws {@link ChainReadError} when the node does not answer
 */
export async function askNode(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
  options: askNode.Options = {},
): Promise<unknown> {
  const { field = 'client' } = options
  if (!isClient(client))
    throw new ChainReadError(`${field} ${whyNoClient(client)}`, {
      field,
      fix: clientFix,
      docs: 'EIP-1193',
    })
  try {
    return await client.request({ method, params })
  } catch (cause) {
    if (options.isAnswer?.(cause)) return undefined
    throw new ChainReadError(`The node did not answer ${method}.`, {
      field,
      fix: 'Check the address of the node and try again: reading changes nothing.',
      cause,
    })
  }
}

export declare namespace askNode {
  type Options = {
    /** What the client is called where the caller gave it. Default `client`. */
    field?: string | undefined
    /** Whether an error of the node is its answer: a call that reverted. */
    isAnswer?: ((error: unknown) => boolean) | undefined
  }
  type ErrorType = ChainReadError
}

/** The error for an answer of a node that is not of the form that it must have. */
export function unusableAnswer(value: unknown, question: string, field = question): ChainReadError {
  return new ChainReadError(`The node answered ${question} with ${showValue(value)}.`, {
    field,
    fix: 'Check that it is the JSON-RPC address of an Ethereum node, and of the chain that is meant.',
  })
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
