/**
 * Reads the body of an answer as UTF-8, at most so many bytes.
 *
 * @param race ends the reading early: its rejection is passed on
 * @throws {@link AnswerTextError} for a body that is too long, or not UTF-8
 */
export async function readText(
  response: Response,
  maxBytes: number,
  race: <value>(promise: Promise<value>) => Promise<value>,
): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await race(reader.read())
      if (done) break
      bytes += value.byteLength
      if (bytes > maxBytes) throw new AnswerTextError(`more than ${maxBytes} bytes`)
      text += decode(decoder, value)
    }
    return text + decode(decoder)
  } catch (error) {
    // Not awaited: a stream that hangs would hang here as well.
    reader.cancel().catch(() => {})
    throw error
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new AnswerTextError('bytes that are not UTF-8')
  }
}

/** Why a body cannot be read as text, in words that fit behind "The service answered 200 with". */
export class AnswerTextError extends Error {}
