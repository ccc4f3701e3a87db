import { getAddress, type Hex, isHex } from 'viem'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { unusableAnswer } from '../../../redeemkit/evm/client.ts'
import type { CallFrame } from '../redeemReport.ts'
import { noCoin, outOfGas, reverted } from '../trace/frames.ts'

/** Parses the output of a node's `callTracer`. Geth, Erigon, Nethermind, Reth and Anvil use the same format. */
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

/** Maximum number of digits to keep, because a contract can return megabytes. */
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

/** Texts for failures. Nodes report the same failure with different texts; a revert reason is in the output. */
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
