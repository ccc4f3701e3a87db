import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import { formatAmount } from '../../../redeemkit/core/amount.ts'

export function printTable(title: string, options: TableOptions & { note?: string }): void {
  print(`\n${styleText('bold', title)}\n${tableText(options)}`)
  if (options.note !== undefined) print(styleText('dim', options.note))
}

type TableOptions = {
  head: readonly string[]
  rows: readonly (readonly string[])[]
  right?: readonly number[]
}

/** @param columns width of the terminal. Default: 100 if the output is a file */
export function tableText(options: TableOptions, columns = process.stdout.columns ?? 100): string {
  const { head, rows, right = [] } = options
  const table = new Table({
    head: [...head],
    colWidths: columnWidths([head, ...rows], columns),
    wordWrap: true,
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
    style: { head: ['bold'], border: ['dim'] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  })
  table.push(...rows.map((row) => [...row]))
  return `${table}`
}

/** Columns are as wide as their text. On a narrow terminal the widest columns wrap between words. */
function columnWidths(rows: readonly (readonly string[])[], columns: number): number[] {
  const padding = 2
  const longest = (parts: (text: string) => number) =>
    (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => parts(row[column] ?? ''))) + padding)
  const longestOf = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length))
  const widths = longest((text) => longestOf(text.split('\n')))
  const least = longest((text) => longestOf(text.split(/\s/)))
  const room = columns - widths.length - 1
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const wrapping = widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0))
    const widest = Math.max(...wrapping)
    if (widest === 0) break
    widths[wrapping.indexOf(widest)] = widest - 1
  }
  return widths
}

/** Omits colours if the output is a file. */
export function print(text: string): void {
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text))
}

/** Formats the exact amount, such as `10.00`. */
export function dollars(amount: bigint): string {
  return formatAmount(amount, { decimals: 6, minimumPlaces: 2 })
}

/** Shortens addresses, hashes and long words, and limits the text to one line. */
export function shortened(text: string): string {
  // Matches EVM hex, Stellar addresses and values, Solana base58, and hashes without 0x.
  const message = text.replace(/0x[0-9a-fA-F]{40,}|\b[A-Za-z0-9+/]{32,}={0,2}/g, short)
  return message.length > 160 ? `${message.slice(0, 159)}…` : message
}

export function short(hex: string): string {
  return `${hex.slice(0, 8)}…${hex.slice(-4)}`
}
