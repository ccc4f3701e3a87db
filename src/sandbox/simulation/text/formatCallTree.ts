import type { Hex } from 'viem'
import type { CallFrame } from '../redeemReport.ts'
import { isPassedOn } from '../trace/frames.ts'
import type { AddressNames } from './addressNames.ts'
import { type CallNames, callPieces, eventText } from './callTexts.ts'
import { cutText, layOutLine, layOutParagraph, type Page, type Piece, widthOf } from './layOut.ts'

/**
 * Prints one line per call, with its gas on the right, and the reason below a failed call. A proxy and its implementation share a line
 * (`via`), and repeated calls are counted. In a long tree, the deepest calls are omitted and counted, except those that lead to a
 * failure.
 */
export function formatCallTree(root: CallFrame, options: formatCallTree.Options): string {
  const { page, names, usdc, failedAt } = options
  const path = pathOf(root, failedAt)
  const tree: Tree = {
    page,
    names,
    usdc: usdc?.toLowerCase(),
    shown: chooseCalls(root, path),
    proxies: new Set(),
  }
  return [...rowsOf(root, { tree, gutter: '', branch: '' })].join('\n')
}

export declare namespace formatCallTree {
  type Options = {
    page: Page
    names: AddressNames
    /** Amounts in calls of USDC are shown in dollars. */
    usdc: Hex | undefined
    /** Indexes from the root to the call in which a failure began. The calls on this path are never omitted. */
    failedAt: readonly number[] | undefined
  }
}

type Tree = CallNames & { page: Page; shown: ReadonlySet<CallFrame> }

function pathOf(root: CallFrame, failedAt: readonly number[] | undefined): Set<CallFrame> {
  const path = new Set<CallFrame>()
  if (failedAt === undefined) return path
  let frame: CallFrame | undefined = root
  for (const place of [...failedAt, -1]) {
    if (frame === undefined) break
    path.add(frame)
    frame = frame.calls[place]
  }
  return path
}

/** Selects the calls to show: first those that lead to the failure, then level by level. */
function chooseCalls(root: CallFrame, path: ReadonlySet<CallFrame>): Set<CallFrame> {
  const shown = new Set([...path].slice(0, deepest))
  let level: CallFrame[] = [root]
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: CallFrame[] = []
    for (const frame of level) {
      if (shown.size >= mostCalls && !shown.has(frame)) continue
      shown.add(frame)
      const { calls } = unfold(frame)
      next.push(...calls.filter((call, place) => path.has(call) || !repeats(calls, place)))
    }
    level = next
  }
  return shown
}

/** In addition to the calls that lead to a failure. */
const mostCalls = 60

/** Maximum depth. Deeper calls are only counted, because their lines would be indented too far. */
const deepest = 12

/** Whether a call is at least the third consecutive one to the same function of the same contract. */
function repeats(calls: readonly CallFrame[], place: number): boolean {
  const [before, last, call] = [calls[place - 2], calls[place - 1], calls[place]]
  return before !== undefined && keyOf(before) === keyOf(last) && keyOf(last) === keyOf(call)
}

const keyOf = (call: CallFrame | undefined) =>
  `${call?.type} ${call?.to} ${call?.input.slice(0, 10)} ${call?.failure !== undefined}`

/** Skips the proxies of a call, and returns the inner calls and logs of the implementation. */
function unfold(frame: CallFrame): Pick<CallFrame, 'calls' | 'logs'> & { via: readonly Hex[] } {
  let { calls, logs } = frame
  const via: Hex[] = []
  // A proxy may point to another proxy.
  while (via.length < 4) {
    const last = calls.at(-1)
    // A beacon proxy first reads the implementation address.
    const isForwarded = calls.slice(0, -1).every(({ type }) => type === 'STATICCALL') && calls.length <= 2
    if (!isForwarded || last?.type !== 'DELEGATECALL' || last.input !== frame.input || !last.to) break
    via.push(last.to)
    logs = [...logs, ...last.logs]
    calls = last.calls
  }
  return { calls, logs, via }
}

type Place = { tree: Tree; gutter: string; branch: string }

function* rowsOf(frame: CallFrame, { tree, gutter, branch }: Place): Generator<string> {
  const { page } = tree
  const { calls, logs, via } = unfold(frame)
  const pieces = callPieces(frame, via, tree)
  yield withGas([{ text: gutter + branch, style: 'dim' }, ...pieces], frame.gasUsed, page)

  const inside = gutter + (branch === '' ? '' : branch.startsWith('└') ? '   ' : '│  ')
  const entries = [...callEntries(calls, tree), ...logEntries(logs, tree)]
  const last = calls.at(-1)
  if (frame.failure !== undefined && !(last?.failure !== undefined && isPassedOn(frame, last)))
    entries.push({ text: `✗ ${tree.names.in(frame.failure)}`, style: 'red' })
  for (const [place, entry] of entries.entries()) {
    const mark = place === entries.length - 1 ? '└─ ' : '├─ '
    if ('type' in entry) yield* rowsOf(entry, { tree, gutter: inside, branch: mark })
    else yield* layOutParagraph([{ text: inside + mark, style: 'dim' }], entry, page)
  }
}

function* callEntries(calls: readonly CallFrame[], { shown }: Tree): Generator<CallFrame | Piece> {
  let hidden = 0
  let repeated = true
  const note = (): Piece => ({
    text: `… ${hidden} more ${repeated ? 'like it' : hidden === 1 ? 'call' : 'calls'}`,
    style: 'dim',
  })
  for (const [place, call] of calls.entries()) {
    if (!shown.has(call)) {
      repeated &&= repeats(calls, place)
      hidden += repeated ? 1 : countCalls(call)
      continue
    }
    if (hidden > 0) yield note()
    hidden = 0
    repeated = true
    yield call
  }
  if (hidden > 0) yield note()
}

function countCalls(root: CallFrame): number {
  const stack = [root]
  let count = 0
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    count++
    stack.push(...frame.calls)
  }
  return count
}

/** Omits USDC's events, because the calls show the same. */
function logEntries(logs: CallFrame['logs'], { names, usdc }: Tree): Piece[] {
  const others = logs.filter(({ address }) => address.toLowerCase() !== usdc)
  const entries: Piece[] = others
    .slice(0, mostLogs)
    .map((log) => ({ text: `event ${eventText(log, names)}`, style: 'cyan' }))
  if (others.length > mostLogs)
    entries.push({ text: `… ${others.length - mostLogs} more events`, style: 'dim' })
  return entries
}

const mostLogs = 16

function withGas(pieces: readonly Piece[], gas: bigint, page: Page): string {
  const amount = gas.toLocaleString('en-US')
  const room = page.columns - widthOf(amount) - 2
  let left = room
  const fitting = pieces.map(({ text, style }) => {
    const shown = cutText(text, Math.max(left, 0))
    left -= widthOf(shown)
    return { text: shown, style }
  })
  return layOutLine(
    [...fitting, { text: ' '.repeat(Math.max(left, 0) + 2) }, { text: amount, style: 'dim' }],
    page,
  )
}
