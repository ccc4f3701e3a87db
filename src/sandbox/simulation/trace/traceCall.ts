import { getAddress, type Hex, isHex } from 'viem'
import { showText } from '../../../redeemkit/core/errors/showValue.ts'
import {
  askNode,
  type ChainReadError,
  type EvmClient,
  toQuantity,
  unusableAnswer,
} from '../../../redeemkit/evm/client.ts'
import { TracingUnavailableError } from '../errors.ts'
import type { CallFrame } from '../redeemReport.ts'
import { noCoin, outOfGas, reverted } from './frames.ts'

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

/** A node lacks the method, or a plan or setting disables it. Most report code -32601. Hardhat has only the default tracer. */
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

/** Geth, Erigon, Nethermind, Reth and Anvil use the same format. */
export function readFrame(answer: unknown, question: string): CallFrame {
  const frame = answer as Loose | null // each field is checked before use
  if (typeof frame !== 'object' || frame === null || !types.has(frame.type))
    throw unusableAnswer(answer, question)
  const { from, to, input, output = '0x', error } = frame
  if (!isHex(input) || !isHex(output)) throw unusableAnswer(frame.type, question)
  return {
    type: frame.type as CallFrame['type'],
    from: readAddress(from, question),
    to: to === undefined || to === null ? undefined : readAddress(to, question),
    value: readNumber(frame.value ?? '0x0', question),
    input: cut(input),
    output: cut(output),
    gas: readNumber(frame.gas ?? '0x0', question),
    gasUsed: readNumber(frame.gasUsed ?? '0x0', question),
    text: undefined,
    failure: error === undefined || error === null ? undefined : readError(error, question),
    logs: readList(frame.logs, question).map((log) => readLog(log, question)),
    calls: readList(frame.calls, question).map((call) => readFrame(call, question)),
  }
}

type Loose = Readonly<Record<string, unknown>>

const types: ReadonlySet<unknown> = new Set([
  'CALL',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
  'CALLCODE',
  'SELFDESTRUCT',
] satisfies CallFrame['type'][])

/** Limited, because a contract can return megabytes. */
const mostDigits = 2 + 2 * 32_768
const cut = (data: Hex): Hex => (data.length > mostDigits ? (data.slice(0, mostDigits) as Hex) : data)

function readAddress(value: unknown, question: string): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value)) throw unusableAnswer(value, question)
  return getAddress(value.toLowerCase() as Hex)
}

function readError(error: unknown, question: string): string {
  if (typeof error !== 'string') throw unusableAnswer(error, question)
  return failures.find(([message]) => message.test(error))?.[1] ?? `it failed: ${showText(error, 100)}`
}

/** Nodes report the same failure with different texts. A revert reason is in the output. */
const failures = [
  [/out ?of ?gas|gas uint64 overflow/i, outOfGas],
  [/revert/i, reverted],
  [/invalid.*opcode|opcode.*not|InvalidFE/i, 'it hit an invalid opcode'],
  [/depth/i, 'it exceeded the call depth of 1024'],
  [/insufficient balance|out ?of ?funds/i, noCoin],
  [/write protection|static/i, 'it tried to change state in a read-only call'],
] as const

function readNumber(value: unknown, question: string): bigint {
  if (!isHex(value) || value.length > 66 || value.length < 3) throw unusableAnswer(value, question)
  return BigInt(value)
}

function readList(value: unknown, question: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw unusableAnswer(value, question)
  return value
}

function readLog(value: unknown, question: string): CallFrame['logs'][number] {
  const { address, topics, data = '0x' } = Object(value) as Loose // each field is checked before use
  const list = readList(topics, question)
  if (!isHex(data) || !list.every((topic) => isHex(topic))) throw unusableAnswer(value, question)
  return { address: readAddress(address, question), topics: list, data: cut(data), text: undefined }
}
