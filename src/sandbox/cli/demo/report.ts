import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import { formatAmount } from '../../../redeemkit/core/amount/formatAmount.ts'

export function printTable(
  title: string,
  options: {
    head: readonly string[]
    rows: readonly (readonly string[])[]
    right?: readonly number[]
    note?: string
  },
): void {
  const { head, rows, right = [], note } = options
  const table = new Table({
    head: [...head],
    colWidths: columnWidths([head, ...rows]),
    wordWrap: true,
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
    style: { head: ['bold'], border: ['dim'] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  })
  table.push(...rows.map((row) => [...row]))
  print(`\n${styleText('bold', title)}\n${table}`)
  if (note !== undefined) print(styleText('dim', note))
}

/** Columns are as wide as their text. The last one is limited by the terminal. */
function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const padding = 2
  const widths = (rows[0] ?? []).map(
    (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + padding,
  )
  const last = widths.pop() ?? 0
  const taken = widths.reduce((sum, width) => sum + width + 1, 2)
  const terminal = process.stdout.columns ?? 180
  return [...widths, Math.min(last, Math.max(32, terminal - taken))]
}

/** Prints a line to standard output, without colours if the output is a file. */
export function print(text: string): void {
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text))
}

/** Formats raw units of USDC exactly: `10.00`. */
export function dollars(amount: bigint): string {
  return formatAmount(amount, { decimals: 6, minimumPlaces: 2 })
}

/** Shortens addresses, hashes and words, and limits the text to one line. */
export function shortened(text: string): string {
  // EVM hex, Stellar addresses and values, Solana base58, and hashes without 0x.
  const message = text.replace(/0x[0-9a-fA-F]{40,}|\b[A-Za-z0-9+/]{32,}={0,2}/g, short)
  return message.length > 160 ? `${message.slice(0, 159)}…` : message
}

/** Shortens a hash or address for a table. */
export function short(hex: string): string {
  return `${hex.slice(0, 8)}…${hex.slice(-4)}`
}
