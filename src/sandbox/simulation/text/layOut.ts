import { styleText } from 'node:util'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'

export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold'

export type Piece = { text: string; style?: Style | undefined }

export type Page = { columns: number; colour: boolean }

export const fewestColumns = 40

/** Truncates the line to the page, and escapes control characters. */
export function layOutLine(pieces: readonly Piece[], page: Page): string {
  let left = page.columns
  let line = ''
  for (const { text, style } of pieces) {
    const shown = cutText(oneLine(text), left)
    left -= widthOf(shown)
    line += page.colour && style !== undefined && shown !== '' ? styleText(style, shown, always) : shown
  }
  return line.trimEnd()
}

/** The caller, and not the stream of this process, decides whether colours are used. */
const always = { validateStream: false }

/** Wraps the text and indents it below its head. Truncates it to 1,500 columns, because a revert reason can be long. */
export function layOutParagraph(head: readonly Piece[], { text, style }: Piece, page: Page): string[] {
  const indent = head.reduce((sum, piece) => sum + widthOf(oneLine(piece.text)), 0)
  const room = Math.max(page.columns - indent, 20)
  return wrap(cutText(oneLine(text), 1_500), room).map((line, place) =>
    layOutLine(
      place === 0 ? [...head, { text: line, style }] : [{ text: ' '.repeat(indent) }, { text: line, style }],
      page,
    ),
  )
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    let rest = word
    if (line !== '' && widthOf(line) + 1 + widthOf(rest) > room) {
      lines.push(line)
      line = ''
    } else if (line !== '') line += ' '
    while (widthOf(rest) > room) {
      const part = [...takeWidth(rest, room)].join('')
      lines.push(part)
      rest = rest.slice(part.length)
    }
    line += rest
  }
  return [...lines, line]
}

export function cutText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return columns < 1 ? '' : `${takeWidth(text, columns - 1)}…`
}

function takeWidth(text: string, columns: number): string {
  let taken = ''
  let left = columns
  for (const character of text) {
    left -= widthOf(character)
    if (left < 0) break
    taken += character
  }
  return taken
}

/** Counts Latin, Greek, Cyrillic, Hebrew and Arabic characters as one column, and characters with higher code points as two. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    const isWide = (character.codePointAt(0) ?? 0) >= 0x1100 && !ownMarks.includes(character)
    width += isWide ? 2 : 1
  }
  return width
}

const ownMarks = '│├└─…→›✓✗'
