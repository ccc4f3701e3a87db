import { formatUnits, type Hex } from 'viem'
import { formatAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import { settlementKindOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { CallFrame } from '../redeemReport.ts'
import { tokenCallOf } from '../trace/usdcMoves.ts'
import { type AddressNames, precompileName } from './addressNames.ts'
import type { Piece, Style } from './layOut.ts'

export type CallNames = {
  names: AddressNames
  /** In lower case. */
  usdc: string | undefined
  /** Proxies whose implementation has already been shown. */
  proxies: Set<string>
}

export function callPieces(frame: CallFrame, via: readonly Hex[], naming: CallNames): Piece[] {
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
      return `${name} = ${name === 'amount' ? dollars(word) : naming.names.of(`0x${word.slice(24)}`)}`
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

function dollars(word: string): string {
  if (!/^[0-9a-f]{64}$/i.test(word)) return 'no amount'
  const amount = BigInt(`0x${word}`)
  return amount > 2n ** 127n
    ? 'unlimited USD'
    : `${formatAmount(amount, { decimals: usdcDecimals, minimumPlaces: 2 })} USD`
}

function answerText(frame: CallFrame, naming: CallNames): string | undefined {
  const { output } = frame
  if (output.length !== 66) return undefined
  if (isUsdc(frame, naming))
    return /^(allowance|balanceOf)$/.test(tokenCallOf(frame)?.[0] ?? '')
      ? dollars(output.slice(2))
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

export function eventText(
  { address, text, topics, data }: CallFrame['logs'][number],
  names: AddressNames,
): string {
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
        .map((half) => dollars(half.padStart(64, '0')))
      return `kind = ${kind}, target = 0x${kindAndTarget.slice(24)}, amount = ${amount}, usdcAmount = ${usdcAmount}, refunded = ${refunded}, gasFee = ${gasFee}`
    },
  )
