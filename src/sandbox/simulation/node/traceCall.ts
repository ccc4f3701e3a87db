import type { Hex } from 'viem'
import { askNode, toQuantity } from '../../../redeemkit/evm/client/askNode.ts'
import type { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import type { EvmClient } from '../../../redeemkit/evm/client/evmClient.ts'
import { TracingUnavailableError } from '../errors.ts'
import type { CallFrame } from '../redeemReport.ts'
import { readFrame } from './readFrame.ts'

/** A call as a node makes it without sending it. */
export type TriedCall = {
  from: Hex
  to: Hex
  data: Hex
  gas: bigint
  blockNumber: bigint
  /** What stands in an account's place meanwhile. */
  overrides: Overrides
  /** What is different of the block. */
  block?: BlockOverrides | undefined
  /** In wei. Default: nothing is paid for gas. */
  gasPrice?: bigint | undefined
  /** Only the outermost call is answered with. */
  onlyTopCall?: boolean | undefined
}

/** What is different of accounts while a call is tried. */
export type Overrides = Readonly<Record<Hex, Override>>

type Override = {
  code?: Hex | undefined
  balance?: bigint | undefined
  /** Words of storage, by their slots. */
  stateDiff?: Readonly<Record<Hex, Hex>> | undefined
}

/** The block override set; without a field, that of the chain stands. */
type BlockOverrides = {
  number?: bigint | undefined
  /** Unix seconds. */
  time?: bigint | undefined
  feeRecipient?: Hex | undefined
  prevRandao?: Hex | undefined
  gasLimit?: bigint | undefined
  /** In wei. */
  baseFeePerGas?: bigint | undefined
}

/**
 * Makes a call without sending it, and answers with every call inside of it, and their logs (`debug_traceCall`). The logs of
 * calls that failed are not among them.
 *
 * @throws {@link TracingUnavailableError} when the node does not trace; ChainReadError
 */
export async function traceCall(client: EvmClient, call: TriedCall): Promise<CallFrame> {
  const { block, onlyTopCall = false } = call
  const answer = await askTracer(client, 'debug_traceCall', [
    callOf(call),
    toQuantity(call.blockNumber),
    {
      ...(onlyTopCall ? topTracer : tracer),
      stateOverrides: overridesOf(call),
      ...(block !== undefined && { blockOverrides: blockOverridesOf(block) }),
    },
  ])
  return readFrame(answer, 'debug_traceCall')
}

export declare namespace traceCall {
  type ErrorType = ChainReadError | TracingUnavailableError
}

/** The same of a transaction that was mined (`debug_traceTransaction`). */
export async function traceTransaction(client: EvmClient, hash: Hex): Promise<CallFrame> {
  const answer = await askTracer(client, 'debug_traceTransaction', [hash, tracer])
  return readFrame(answer, 'debug_traceTransaction')
}

const topTracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } } as const
const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } } as const

/** The transaction as JSON-RPC writes it. */
export function callOf({ from, to, data, gas, gasPrice }: TriedCall): object {
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

/** The state override set as JSON-RPC writes it. */
export function overridesOf({ overrides }: Pick<TriedCall, 'overrides'>): object {
  return Object.fromEntries(
    Object.entries(overrides).map(([address, { balance, ...rest }]) => [
      address,
      { ...rest, ...(balance !== undefined && { balance: toQuantity(balance) }) },
    ]),
  )
}

export async function askTracer(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  let refusal: unknown
  const answer = await askNode(client, method, params, {
    isAnswer: (error) => {
      if (!isMissingMethod(error)) return false
      refusal = error
      return true
    },
  })
  if (refusal !== undefined)
    throw new TracingUnavailableError(`The node has no ${method} with the tracer that is needed.`, {
      field: 'client',
      fix: 'Ask a node with the debug methods and callTracer. A local fork has them: npx redeemkit sandbox --chain base --fork-url URL.',
    })
  return answer
}

/**
 * Nodes say so with code -32601, and in their own words where a plan or a setting leaves it out. Hardhat's node has the methods,
 * and in them a tracer of its own alone.
 */
function isMissingMethod(error: unknown): boolean {
  let current: unknown = error
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    const { code, message, cause } = current as Record<'code' | 'message' | 'cause', unknown> // read only, each checked
    if (code === -32601) return true
    if (typeof message === 'string' && missingWords.test(message)) return true
    current = cause
  }
  return false
}

const missingWords =
  /method .*(?:not found|not available|not supported|does not exist|not whitelisted|is disabled|not allowed)|unsupported method|unknown method|only supports the default tracer/i
