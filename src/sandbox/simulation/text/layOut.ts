import { styleText } from 'node:util'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'

/** How a piece of a line is shown where there is colour. */
export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold'

/** A piece of a line. */
export type Piece = { text: string; style?: Style | undefined }

/** Where text goes: how wide, and whether in colour. */
export type Page = { columns: number; colour: boolean }

/** Narrower than this a report cannot be read, nor be laid out. */
export const fewestColumns = 40

/** One line: never longer than the page, with nothing in it that a terminal obeys but the colours. */
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

/** The caller has decided on colour, not the stream of this process. */
const always = { validateStream: false }

/**
 * A paragraph on as many lines as it takes, the second and all further ones indented. At most 1,500 columns of it: a reason can
 * have any length.
 */
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

/** Cut to so many columns, with a mark where it was cut. */
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

/**
 * Columns that a text takes at most. Letters of Latin, Greek, Cyrillic, Hebrew and Arabic take one; all that come after, among
 * them those of East Asia and pictures, are counted as two.
 */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    const isWide = (character.codePointAt(0) ?? 0) >= 0x1100 && !ownMarks.includes(character)
    width += isWide ? 2 : 1
  }
  return width
}

/** What is drawn here, each in one column. */
const ownMarks = '│├└─…→›✓✗'
