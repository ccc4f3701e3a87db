import type { Address, Hex } from 'viem'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import { isHex } from './values.ts'

/**
 * The minimal interface to read a chain. viem clients and EIP-1193 providers implement it.
 *
 * redeemkit calls only read methods: `eth_call`, `eth_getCode`, and for a redeem the methods that read blocks, logs and transactions.
 */
export type EvmClient = {
  request(request: { method: string; params?: unknown }): Promise<unknown>
}

export function isClient(value: unknown): value is EvmClient {
  try {
    return typeof Object(value).request === 'function' && !isPaymentsClient(value)
  } catch {
    // reading a proxy threw
    return false
  }
}

/** A payments client also has a `request` function, but cannot read a chain. */
const isPaymentsClient = (value: unknown) => Object(value).merchantId !== undefined

/** Returns why a value is not a client. Omits the value, because a node's URL may contain an API key. */
export function whyNoClient(value: unknown): string {
  let kind = 'an object'
  try {
    if (isPaymentsClient(value)) return 'is a payments client, which cannot read a chain.'
    kind = kindOf(value)
  } catch {
    // reading a proxy threw
  }
  return `is ${kind}, which has no "request" function.`
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (value instanceof URL) return 'a URL'
  if (typeof value === 'string')
    return /^(?:https?|wss?):/i.test(value) ? 'the address of a node, as text' : 'text'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export const clientFix =
  'Pass a viem public client, such as createPublicClient({ chain, transport: http(url) }), an EIP-1193 provider, or an object with their request({ method, params }).'

/** The node could not be reached, or its response is malformed. */
export class ChainReadError extends BaseError {
  override readonly name = 'ChainReadError'
}

/** Sends a JSON-RPC request to a node. Returns `undefined` for an error that `isAnswer` accepts. */
export async function askNode(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
  options: askNode.Options = {},
): Promise<unknown> {
  const { field = 'client' } = options
  if (!isClient(client))
    throw new ChainReadError(`${field} ${whyNoClient(client)}`, { field, fix: clientFix, source: 'EIP-1193' })
  try {
    return await client.request({ method, params })
  } catch (cause) {
    if (options.isAnswer?.(cause)) return undefined
    throw new ChainReadError(`The node did not respond to ${method}.`, {
      field,
      fix: 'Check the node’s URL and try again. Reading is safe to repeat.',
      cause,
    })
  }
}

export declare namespace askNode {
  type Options = {
    /** The name of the caller's client option, for errors. Default `client`. */
    field?: string | undefined
    /** Whether an error from the node counts as a result, such as a reverted call. */
    isAnswer?: ((error: unknown) => boolean) | undefined
  }
  type ErrorType = ChainReadError
}

export function unusableAnswer(value: unknown, question: string, field = question): ChainReadError {
  return new ChainReadError(`The node responded to ${question} with ${showValue(value)}.`, {
    field,
    fix: 'Check that the URL of the client is a JSON-RPC endpoint of the right chain.',
  })
}

/** Reads a JSON-RPC quantity or a 32-byte word. */
export function toBigInt(value: unknown, field: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw unusableAnswer(value, field)
}

export function toRecord(value: unknown, field: string): Record<string, unknown> {
  // an object that is not null has properties; the type of each value is still unknown
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw unusableAnswer(value, field)
}

export function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** Returns whether an address has code: a contract, or an EOA with an EIP-7702 delegation. */
export async function hasCode(client: EvmClient, address: Address): Promise<boolean> {
  const code = await askBytes(client, 'eth_getCode', [address, 'latest'])
  return code !== '0x'
}

/** Calls a contract with `eth_call`, by default on the latest block. Returns `undefined` if the call reverted. */
export async function callContract(
  client: EvmClient,
  call: { to?: Address | undefined; data: Hex },
  at: { blockNumber?: bigint | undefined; field?: string | undefined } = {},
): Promise<Hex | undefined> {
  const block = at.blockNumber === undefined ? 'latest' : toQuantity(at.blockNumber)
  return askBytes(client, 'eth_call', [call, block], {
    isAnswer: isRevert,
    field: at.field,
  })
}

async function askBytes(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
  options: askNode.Options = {},
): Promise<Hex | undefined> {
  const answer = await askNode(client, method, params, options)
  if (answer === undefined && options.isAnswer !== undefined) return undefined
  if (!isHex(answer)) throw unusableAnswer(answer, method, options.field ?? 'client')
  return answer
}

const revertPattern =
  /revert|invalid opcode|out of gas|VM execution|EVM error|stack (?:under|over)flow|invalid jump/i

/** Whether a node's error means that the call reverted, not that the node failed. */
export function isRevert(error: unknown): boolean {
  return errorSays(error, revertPattern, 3)
}

export function isOutOfGas(error: unknown): boolean {
  return errorSays(error, /out of gas/i)
}

function errorSays(error: unknown, pattern: RegExp, wanted?: number): boolean {
  let current: unknown = error
  try {
    for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
      const { code, message, details } = current as Partial<Record<'code' | 'message' | 'details', unknown>> // read only, each checked
      if (wanted !== undefined && code === wanted) return true
      if ([message, details].some((text) => typeof text === 'string' && pattern.test(text))) return true
      current = 'cause' in current ? current.cause : undefined
    }
  } catch {
    // Reading the error threw.
  }
  return false
}
