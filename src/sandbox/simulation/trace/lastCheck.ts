import { getAddress, type Hex, numberToHex } from 'viem'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { type SimulatedCall, traceWith } from './traceCall.ts'

/**
 * Describes the last check before a revert without data: the compared values, or the storage that was read, between the last two
 * conditional jumps. `depth` is the number of calls that enclose the call that reverted.
 *
 * @returns a text that follows "it reverted", or `undefined` if the call did neither
 */
export async function lastCheck(
  client: EvmClient,
  { call, depth }: { call: SimulatedCall; depth: number },
): Promise<string | undefined> {
  const answer = await traceWith(client, call, { tracer: checkTracer })
  const steps: unknown = Object(Object(answer)[depth + 1])
  return Array.isArray(steps) ? textOf(steps.map(Object)) : undefined
}

/** An instruction: its opcode, and the words or the data that it used or returned. */
type Step = { op?: unknown; words?: unknown; data?: unknown }

function textOf(steps: readonly Step[]): string | undefined {
  const last = (wanted: readonly number[]) =>
    [...steps].reverse().find(({ op }) => wanted.includes(Number(op)))
  const words = (step: Step | undefined) =>
    (Array.isArray(step?.words) ? step.words : []).flatMap((word) =>
      /^[0-9a-f]+$/i.test(String(word)) ? [BigInt(`0x${word}`)] : [],
    )
  const [time] = words(last([instructions.timestamp]))
  const [one, other] = words(last(instructions.comparisons)).map((word) =>
    word === time ? `${word}, the time of the block,` : wordText(word),
  )
  if (last([instructions.callDataSize]) !== undefined && other !== undefined)
    return 'because the call data is too short for its arguments'
  if (one !== undefined && other !== undefined) return `after it compared ${one} with ${other}`
  const [, value] = words(last([instructions.storageLoad]))
  if (value === undefined) return undefined
  const [, key] = /^0x0{24}([0-9a-f]{40})/i.exec(String(last([instructions.hash])?.data)) ?? []
  return `after it read ${wordText(value)} from its storage${key === undefined ? '' : `, stored for ${getAddress(`0x${key}`)}`}`
}

function wordText(word: bigint): string {
  const hex: Hex = numberToHex(word, { size: 32 })
  if (word >> 160n !== 0n) return `${hex.slice(0, 10)}…`
  return word >> 100n === 0n ? String(word) : getAddress(`0x${hex.slice(-40)}`)
}

const instructions = {
  comparisons: [0x10, 0x11, 0x12, 0x13, 0x14], // LT, GT, SLT, SGT, EQ
  hash: 0x20,
  callDataSize: 0x36,
  timestamp: 0x42,
  storageLoad: 0x54,
} as const

/** A tracer that returns, by call depth, the steps before the last revert without data. */
const checkTracer = `{
  depth: 0, calls: {}, found: {},
  step: function (log) {
    var op = log.op.toNumber(), depth = log.getDepth(), stack = log.stack
    if (depth > this.depth) this.calls[depth] = { before: [], now: [], waits: null }
    this.depth = depth
    var call = this.calls[depth]
    if (call.waits !== null) call.waits.words.push(stack.peek(0).toString(16))
    call.waits = null
    var step = { op: op, words: [] }
    if (op === 0x57) { call.before = call.now; call.now = [] }
    else if (op >= 0x10 && op <= 0x14) {
      step.words = [stack.peek(0).toString(16), stack.peek(1).toString(16)]
      call.now.push(step)
    } else if (op === 0x20 && stack.peek(1).valueOf() <= 256) {
      var start = stack.peek(0).valueOf()
      step.data = toHex(log.memory.slice(start, start + stack.peek(1).valueOf()))
      call.now.push(step)
    } else if (op === 0x36 || op === 0x42 || op === 0x54) {
      if (op === 0x54) step.words = [stack.peek(0).toString(16)]
      call.now.push(step)
      call.waits = step
    } else if (op === 0xfd && stack.peek(1).toString(16) === '0') this.found[depth] = call.before
  },
  fault: function () {},
  result: function () { return this.found }
}`
