import { formatUnits, type Hex } from 'viem'
import { usdcDecimals } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { formatAmount } from '../../../redeemkit/core/amount/formatAmount.ts'
import { settlementKindOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { CallFrame } from '../redeemReport.ts'
import { type AddressNames, addressNames, precompileName } from './addressNames.ts'
import {
  cutText,
  fewestColumns,
  layOutLine,
  layOutParagraph,
  type Page,
  type Piece,
  type Style,
  widthOf,
} from './layOut.ts'

/**
 * Formats a call tree for a terminal: one line per call, with its gas on the right, and the reason below a failed
 * call.
 *
 * A proxy and its implementation share one line (`via`). Repeated calls are counted. In a long tree the deepest calls
 * are omitted and counted, except those that lead to a failure.
 *
 * @example
 * ```ts
 * import { formatCallTree } from './formatCallTree.ts'
 * declare const report: import('../redeemReport.ts').RedeemReport
 * process.stdout.write(`${formatCallTree(report.callTree, { columns: process.stdout.columns })}\n`)
 * ```
 */
export function formatCallTree(root: CallFrame, options: formatCallTree.Options = {}): string {
  const { columns = 100, colour = false, mostCalls = 60, failedAt, usdc } = options
  const page = { columns: Math.max(columns, fewestColumns), colour }
  const names = options.names ?? addressNames([])
  const path = pathOf(root, failedAt)
  const tree: Tree = {
    page,
    names,
    usdc: usdc?.toLowerCase(),
    shown: chooseCalls(root, path, mostCalls),
    proxies: new Set(),
  }
  return [...rowsOf(root, { tree, gutter: '', branch: '' })].join('\n')
}

export declare namespace formatCallTree {
  type Options = {
    /** Width of the terminal. Default 100, minimum 40. */
    columns?: number | undefined
    /** Default false. */
    colour?: boolean | undefined
    /** Display names of addresses. Default: shortened addresses. */
    names?: AddressNames | undefined
    /** Amounts in calls of this contract are shown in dollars. */
    usdc?: Hex | undefined
    /** Where a failure began: indexes from the root. These calls are never omitted. */
    failedAt?: readonly number[] | undefined
    /** Maximum number of calls shown. Default 60. */
    mostCalls?: number | undefined
  }
}

type Tree = {
  page: Page
  names: AddressNames
  usdc: string | undefined
  shown: ReadonlySet<CallFrame>
  /** Proxies whose implementation was already shown. */
  proxies: Set<string>
}

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

/** Selects the calls to show: those that lead to the failure, then level by level. */
function chooseCalls(root: CallFrame, path: ReadonlySet<CallFrame>, most: number): Set<CallFrame> {
  const shown = new Set([...path].slice(0, deepest))
  let level: CallFrame[] = [root]
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: CallFrame[] = []
    for (const frame of level) {
      if (shown.size >= most && !shown.has(frame)) continue
      shown.add(frame)
      const { calls } = unfold(frame)
      next.push(...calls.filter((call, place) => path.has(call) || !repeats(calls, place)))
    }
    level = next
  }
  return shown
}

/** Deeper calls are only counted, because their lines would be indented too far. */
const deepest = 12

/** Whether this is at least the third consecutive call of the same function of the same contract. */
function repeats(calls: readonly CallFrame[], place: number): boolean {
  const [before, last, call] = [calls[place - 2], calls[place - 1], calls[place]]
  return before !== undefined && keyOf(before) === keyOf(last) && keyOf(last) === keyOf(call)
}

const keyOf = (call: CallFrame | undefined) =>
  `${call?.type} ${call?.to} ${call?.input.slice(0, 10)} ${call?.failure !== undefined}`

/** Skips the proxies of a call: returns the inner calls and logs of the implementation. */
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
  if (frame.failure !== undefined && !isPassedOn(frame, calls.at(-1)))
    entries.push({ text: `✗ ${tree.names.in(frame.failure)}`, style: 'red' })
  for (const [place, entry] of entries.entries()) {
    const mark = place === entries.length - 1 ? '└─ ' : '├─ '
    if ('type' in entry) yield* rowsOf(entry, { tree, gutter: inside, branch: mark })
    else yield* layOutParagraph([{ text: inside + mark, style: 'dim' }], entry, page)
  }
}

function isPassedOn({ output }: CallFrame, last: CallFrame | undefined): boolean {
  return last?.failure !== undefined && output.includes(last.output.slice(2))
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

/** Omits USDC events: the calls show the same. */
function logEntries(logs: CallFrame['logs'], { names, usdc }: Tree): Piece[] {
  const others = logs.filter(({ address }) => address.toLowerCase() !== usdc)
  const entries: Piece[] = others.slice(0, mostLogs).map(({ address, text, topics, data }) => {
    const shown = text && withoutTypes(text)
    const isOwn = names.of(address) === 'Credits'
    return {
      text: `event ${shown === undefined ? [...topics, data].join(' ') : names.in(isOwn ? unpacked(shown) : shown)}`,
      style: 'cyan',
    }
  })
  if (others.length > mostLogs)
    entries.push({ text: `… ${others.length - mostLogs} more events`, style: 'dim' })
  return entries
}

const mostLogs = 16

/** Replaces the packed words of `Redeemed` by their parts (PROTOCOL.md 6.6). */
const unpacked = (text: string) =>
  text.replace(
    /\bkindAndTarget = (\d+), amounts = (\d+), refundedAndGasFee = (\d+)/,
    (_, ...words: string[]) => {
      const [kindAndTarget = '', amounts = '', refundedAndGasFee = ''] = words
        .slice(0, 3)
        .map((word) => BigInt(word).toString(16).padStart(64, '0'))
      const kind = settlementKindOf(Number(`0x${kindAndTarget.slice(0, 24)}`)) ?? 'unknown'
      const [amount, usdcAmount, refunded, gasFee] = [amounts, refundedAndGasFee]
        .flatMap((word) => [word.slice(0, 32), word.slice(32)])
        .map((half) => dollars(half.padStart(64, '0')))
      return `kind = ${kind}, target = 0x${kindAndTarget.slice(24)}, amount = ${amount}, usdcAmount = ${usdcAmount}, refunded = ${refunded}, gasFee = ${gasFee}`
    },
  )

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

function callPieces(frame: CallFrame, via: readonly Hex[], tree: Tree): Piece[] {
  const { names } = tree
  const { type, to, value, failure } = frame
  const style: Style | undefined = failure !== undefined ? 'red' : type === 'STATICCALL' ? 'dim' : undefined
  const pieces: Piece[] = []
  if (failure !== undefined) pieces.push({ text: '✗ ', style: 'red' })
  if (callTypeTexts[type] !== '') pieces.push({ text: `${callTypeTexts[type]} `, style: 'dim' })
  if (to !== undefined) pieces.push({ text: names.of(to), style: failure === undefined ? 'bold' : 'red' })
  if (type.startsWith('CREATE') || type === 'SELFDESTRUCT') return pieces
  pieces.push({ text: callText(frame, tree), style })
  if (value > 0n) pieces.push({ text: ` with ${formatUnits(value, 18)} of the native coin`, style: 'yellow' })
  const proxy = `${to} ${via}`
  if (via.length > 0 && !tree.proxies.has(proxy))
    pieces.push({ text: ` via ${via.map(names.of).join(', ')}`, style: 'dim' })
  tree.proxies.add(proxy)
  const answer = failure === undefined ? answerText(frame, tree) : undefined
  if (answer !== undefined) pieces.push({ text: ` → ${answer}`, style })
  return pieces
}

const callTypeTexts: Readonly<Record<CallFrame['type'], string>> = {
  CALL: '',
  DELEGATECALL: 'delegate to',
  STATICCALL: 'read',
  CREATE: 'create',
  CREATE2: 'create',
  CALLCODE: 'delegate to',
  SELFDESTRUCT: 'destroy for',
}

function callText(frame: CallFrame, tree: Tree): string {
  const { to, input, text } = frame
  const bytes = (input.length - 2) / 2
  // Precompiles take plain bytes without a selector.
  if (to !== undefined && precompileName(to) !== undefined) return `(${bytes} bytes)`
  const money = isUsdc(frame, tree) ? usdcCalls[input.slice(0, 10)] : undefined
  if (money !== undefined) {
    const parts = money.slice(1).map((name, place) => {
      const word = input.slice(10 + place * 64, 74 + place * 64)
      return `${name} = ${name === 'amount' ? dollars(word) : tree.names.of(`0x${word.slice(24)}`)}`
    })
    return `.${money[0]}(${parts.join(', ')})`
  }
  // The report shows the details of the redeem.
  const own = /^redeem(?:Token|Batch|Item)?(?=\()/.exec(text ?? '')?.[0]
  if (own !== undefined && to !== undefined && tree.names.of(to) === 'Credits') return `.${own}(…)`
  if (text !== undefined) return `.${tree.names.in(compact(text))}`
  if (bytes < 4) return bytes === 0 ? ' without data' : ` with ${bytes} bytes`
  return `.${input.slice(0, 10)}(${bytes - 4} bytes)`
}

const isUsdc = ({ to }: CallFrame, { usdc }: Tree) => usdc !== undefined && to?.toLowerCase() === usdc

const usdcCalls: Readonly<Record<string, readonly string[]>> = {
  '0x095ea7b3': ['approve', 'spender', 'amount'],
  '0xa9059cbb': ['transfer', 'to', 'amount'],
  '0x23b872dd': ['transferFrom', 'from', 'to', 'amount'],
  '0x39509351': ['increaseAllowance', 'spender', 'amount'],
  '0xa457c2d7': ['decreaseAllowance', 'spender', 'amount'],
  '0xe3ee160e': ['transferWithAuthorization', 'from', 'to', 'amount'],
  '0xcf092995': ['transferWithAuthorization', 'from', 'to', 'amount'],
  '0xef55bec6': ['receiveWithAuthorization', 'from', 'to', 'amount'],
  '0x88b7ab63': ['receiveWithAuthorization', 'from', 'to', 'amount'],
  '0xdd62ed3e': ['allowance', 'owner', 'spender'],
  '0x70a08231': ['balanceOf', 'owner'],
}

const countsMoney = ['0xdd62ed3e', '0x70a08231']

/** Formats a word of raw units: `10.00 USD`. */
function dollars(word: string): string {
  if (!/^[0-9a-f]{64}$/i.test(word)) return 'no amount'
  const amount = BigInt(`0x${word}`)
  return amount > 2n ** 127n
    ? 'unlimited USD'
    : `${formatAmount(amount, { decimals: usdcDecimals, minimumPlaces: 2 })} USD`
}

/** Formats a return value of one word: a number, a named address, or money. */
function answerText(frame: CallFrame, tree: Tree): string | undefined {
  const { input, output } = frame
  if (output.length !== 66) return undefined
  if (isUsdc(frame, tree))
    return countsMoney.includes(input.slice(0, 10)) ? dollars(output.slice(2)) : undefined
  const value = BigInt(output)
  if (value < 2n ** 64n) return value.toString()
  return value < 2n ** 160n ? tree.names.of(`0x${output.slice(26)}`) : `${output.slice(0, 10)}…`
}

/** Omits types where there are names: `buy(receiver = 0x…, price = 10000000)`. Quoted strings stay unchanged. */
const withoutTypes = (text: string) => outsideQuotes(text, (part) => part.replace(typeBeforeName, '$1'))

/** Also shortens hashes. */
const compact = (text: string) => outsideQuotes(withoutTypes(text), (part) => part.replace(hash, '$1…'))

const outsideQuotes = (text: string, change: (part: string) => string) =>
  text
    .split(/("(?:[^"\\]|\\.)*"?)/)
    .map((part, place) => (place % 2 === 1 ? part : change(part)))
    .join('')

/** 32 bytes: the beginning is enough to distinguish them. */
const hash = /\b(0x[0-9a-f]{8})[0-9a-f]{56}\b/g

const typeBeforeName =
  /([(, ])(?:(?:u?int\d*|address|bool|bytes\d*|string)(?:\[\d*\])*|(?:\[\d*\])+) (?=[\w$]+ = )/g
