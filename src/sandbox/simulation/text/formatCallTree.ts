import { formatUnits, type Hex } from 'viem'
import { dollars } from '../../../redeemkit/evm/findingTexts.ts'
import { settlementKindOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { CallFrame } from '../redeemReport.ts'
import { isPassedOn, pathTo, walkFrames } from '../trace/frames.ts'
import { tokenCallOf } from '../trace/moves.ts'
import { type AddressNames, precompileName } from './addressNames.ts'
import { cutText, layOutLine, layOutParagraph, type Page, type Piece, type Style, widthOf } from './layOut.ts'

/**
 * Prints one line per call, with its gas on the right, and the reason below a failed call. A proxy and its implementation share a line
 * (`via`), and repeated calls are counted. In a long tree, the deepest calls are omitted and counted, except those that lead to a
 * failure.
 */
export function formatCallTree(root: CallFrame, options: formatCallTree.Options): string {
  const { page, names, usdc, failedAt } = options
  const path = new Set(failedAt === undefined ? [] : pathTo(root, failedAt))
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
      hidden += repeated ? 1 : [...walkFrames(call)].length
      continue
    }
    if (hidden > 0) yield note()
    hidden = 0
    repeated = true
    yield call
  }
  if (hidden > 0) yield note()
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

type CallNames = {
  names: AddressNames
  /** In lower case. */
  usdc: string | undefined
  /** Proxies whose implementation has already been shown. */
  proxies: Set<string>
}

function callPieces(frame: CallFrame, via: readonly Hex[], naming: CallNames): Piece[] {
  const { names, proxies } = naming
  const { type, to, value, failure } = frame
  const style: Style | undefined = failure !== undefined ? 'red' : type === 'STATICCALL' ? 'dim' : undefined
  const pieces: Piece[] = []
  if (failure !== undefined) pieces.push({ text: '✗ ', style: 'red' })
  if (callTypeTexts[type] !== '') pieces.push({ text: `${callTypeTexts[type]} `, style: 'dim' })
  if (to !== undefined) pieces.push({ text: names.of(to), style: failure === undefined ? 'bold' : 'red' })
  if (type.startsWith('CREATE') || type === 'SELFDESTRUCT') return pieces
  pieces.push({ text: callText(frame, naming), style })
  if (value > 0n) pieces.push({ text: ` with ${formatUnits(value, 18)} of the native coin`, style: 'yellow' })
  const proxy = `${to} ${via}`
  if (via.length > 0 && !proxies.has(proxy))
    pieces.push({ text: ` via ${via.map(names.of).join(', ')}`, style: 'dim' })
  proxies.add(proxy)
  const answer = failure === undefined ? answerText(frame, naming) : undefined
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

function callText(frame: CallFrame, naming: CallNames): string {
  const { to, input, text } = frame
  const bytes = (input.length - 2) / 2
  // Precompiles take plain bytes without a selector.
  if (to !== undefined && precompileName(to) !== undefined) return `(${bytes} bytes)`
  const money = isUsdc(frame, naming) ? tokenCallOf(frame) : undefined
  if (money !== undefined) {
    const parts = money.slice(1).map((name, place) => {
      const word = input.slice(10 + place * 64, 74 + place * 64)
      return `${name} = ${name === 'amount' ? amountText(word) : naming.names.of(`0x${word.slice(24)}`)}`
    })
    return `.${money[0]}(${parts.join(', ')})`
  }
  // The report shows the details of the redeem, so its arguments are omitted here.
  const own = /^redeem(?:Token|Batch|Item)?(?=\()/.exec(text ?? '')?.[0]
  if (own !== undefined && to !== undefined && naming.names.of(to) === 'Credits') return `.${own}(…)`
  if (text !== undefined) return `.${naming.names.in(compact(text))}`
  if (bytes < 4) return bytes === 0 ? ' without data' : ` with ${bytes} bytes`
  return `.${input.slice(0, 10)}(${bytes - 4} bytes)`
}

const isUsdc = ({ to }: CallFrame, { usdc }: CallNames) => usdc !== undefined && to?.toLowerCase() === usdc

function amountText(word: string): string {
  if (!/^[0-9a-f]{64}$/i.test(word)) return 'no amount'
  const amount = BigInt(`0x${word}`)
  return amount > 2n ** 127n ? 'unlimited USD' : dollars(amount)
}

function answerText(frame: CallFrame, naming: CallNames): string | undefined {
  const { output } = frame
  if (output.length !== 66) return undefined
  if (isUsdc(frame, naming))
    return /^(allowance|balanceOf)$/.test(tokenCallOf(frame)?.[0] ?? '')
      ? amountText(output.slice(2))
      : undefined
  const value = BigInt(output)
  if (value < 2n ** 64n) return value.toString()
  return value < 2n ** 160n ? naming.names.of(`0x${output.slice(26)}`) : `${output.slice(0, 10)}…`
}

/** Omits the types of named values: `buy(receiver = 0x…, price = 10000000)`. Quoted strings are not changed. */
const withoutTypes = (text: string) => outsideQuotes(text, (part) => part.replace(typeBeforeName, '$1'))

const compact = (text: string) => outsideQuotes(withoutTypes(text), (part) => part.replace(hash, '$1…'))

const outsideQuotes = (text: string, change: (part: string) => string) =>
  text
    .split(/("(?:[^"\\]|\\.)*"?)/)
    .map((part, place) => (place % 2 === 1 ? part : change(part)))
    .join('')

/** Matches 32 bytes, whose beginning suffices to distinguish them. */
const hash = /\b(0x[0-9a-f]{8})[0-9a-f]{56}\b/g

const typeBeforeName =
  /([(, ])(?:(?:u?int\d*|address|bool|bytes\d*|string)(?:\[\d*\])*|(?:\[\d*\])+) (?=[\w$]+ = )/g

function eventText({ address, text, topics, data }: CallFrame['logs'][number], names: AddressNames): string {
  if (text === undefined) return [...topics, data].join(' ')
  const shown = withoutTypes(text)
  return names.in(names.of(address) === 'Credits' ? unpacked(shown) : shown)
}

/** Replaces the packed words of `Redeemed` with their parts (PROTOCOL.md 6.6). */
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
        .map((half) => amountText(half.padStart(64, '0')))
      return `kind = ${kind}, target = 0x${kindAndTarget.slice(24)}, amount = ${amount}, usdcAmount = ${usdcAmount}, refunded = ${refunded}, gasFee = ${gasFee}`
    },
  )
