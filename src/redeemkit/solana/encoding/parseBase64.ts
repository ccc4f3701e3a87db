import { InvalidBase64Error } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Reads canonical padded base64: no blanks, no missing padding, no stray bits.
 *
 * @throws {@link InvalidBase64Error} for anything else
 */
export function parseBase64(text: string, options: { field: string }): Uint8Array {
  try {
    const binary = atob(text)
    if (text.length <= 4096 && btoa(binary) === text)
      return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    // atob knows no more than that it is not base64
  }
  throw new InvalidBase64Error(`${showValue(text)} is not base64.`, {
    field: options.field,
    fix: 'Give the whole text with its padding; it may be cut off.',
  })
}
