import type { Hex } from 'viem'
import type { ChainReadError, EvmClient } from '../../../redeemkit/evm/client.ts'
import { askNode, toQuantity } from '../../../redeemkit/evm/client.ts'
import { TracingUnavailableError } from '../errors.ts'
import type { CallFrame } from '../redeemReport.ts'
import { readFrame } from './readFrame.ts'

export type SimulatedCall = {
  from: Hex
  to: Hex
  data: Hex
  gas: bigint
  blockNumber: bigint
  overrides: Overrides
  block?: BlockOverrides | undefined
  /** Gas price in wei. Default: none. */
  gasPrice?: bigint | undefined
  /** Whether to return only the outermost call. */
  onlyTopCall?: boolean | undefined
}

export type Overrides = Readonly<Record<Hex, Override>>

type Override = {
  code?: Hex | undefined
  balance?: bigint | undefined
  stateDiff?: Readonly<Record<Hex, Hex>> | undefined
}

/** Overrides for the block that the call sees. Omitted fields keep the chain's values. */
export type BlockOverrides = {
  number?: bigint | undefined
  /** Block time, in Unix seconds. */
  time?: bigint | undefined
  feeRecipient?: Hex | undefined
  prevRandao?: Hex | undefined
  gasLimit?: bigint | undefined
  /** Base fee per gas, in wei. */
  baseFeePerGas?: bigint | undefined
}

/** Simulates a call, and returns the call tree with logs (`debug_traceCall`). The logs of failed calls are not included. */
export async function traceCall(client: EvmClient, call: SimulatedCall): Promise<CallFrame> {
  const { block, onlyTopCall = false } = call
  const answer = await traceWith(client, call, {
    ...(onlyTopCall ? topTracer : tracer),
    ...(block !== undefined && { blockOverrides: blockOverridesOf(block) }),
  })
  return readFrame(answer, 'debug_traceCall')
}

export declare namespace traceCall {
  type ErrorType = ChainReadError | TracingUnavailableError
}

export async function traceTransaction(client: EvmClient, hash: Hex): Promise<CallFrame> {
  const answer = await askTracer(client, 'debug_traceTransaction', [hash, tracer])
  return readFrame(answer, 'debug_traceTransaction')
}

const topTracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } } as const
const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } } as const

/** The JSON-RPC transaction object. */
export function callOf({ from, to, data, gas, gasPrice }: SimulatedCall): object {
  return {
    ...{ from, to, data, gas: toQuantity(gas) },
    ...(gasPrice !== undefined && { gasPrice: toQuantity(gasPrice) }),
  }
}

const blockOverridesOf = (block: BlockOverrides): object =>
  Object.fromEntries(
    Object.entries(block).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? toQuantity(value) : value,
    ]),
  )

export function overridesOf({ overrides }: Pick<SimulatedCall, 'overrides'>): object {
  return Object.fromEntries(
    Object.entries(overrides).map(([address, { balance, ...rest }]) => [
      address,
      { ...rest, ...(balance !== undefined && { balance: toQuantity(balance) }) },
    ]),
  )
}

/** Simulates a call with a tracer (`debug_traceCall`) and returns the tracer's result. */
export function traceWith(client: EvmClient, call: SimulatedCall, options: object): Promise<unknown> {
  return askTracer(client, 'debug_traceCall', [
    callOf(call),
    toQuantity(call.blockNumber),
    { ...options, stateOverrides: overridesOf(call) },
  ])
}

async function askTracer(client: EvmClient, method: string, params: readonly unknown[]): Promise<unknown> {
  let refusal: unknown
  const answer = await askNode(client, method, params, {
    isAnswer: (error) => {
      if (!isMissingMethod(error)) return false
      refusal = error
      return true
    },
  })
  if (refusal !== undefined)
    throw new TracingUnavailableError(`The node does not support ${method} with the required tracer.`, {
      field: 'client',
      fix: 'Use a node with the debug methods and callTracer, such as a local fork: npx redeemkit sandbox --chain base --fork-url URL.',
    })
  return answer
}

/**
 * Whether the node lacks the method, or a plan or setting disables it. Most nodes report this with code -32601. Hardhat has
 * the method, but only the default tracer.
 */
function isMissingMethod(error: unknown): boolean {
  let current: unknown = error
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    const { code, message, cause } = current as Record<'code' | 'message' | 'cause', unknown> // each field is checked before use
    if (code === -32601) return true
    if (typeof message === 'string' && missingMethod.test(message)) return true
    current = cause
  }
  return false
}

const missingMethod =
  /method .*(?:not found|not available|not supported|does not exist|not whitelisted|is disabled|not allowed)|unsupported method|unknown method|only supports the default tracer/i
