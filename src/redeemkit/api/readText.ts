/** Without a stream or `content-length` (React Native), the size is checked only after reading. `race` rejects to stop reading. */
export async function readText(
  response: Response,
  maxBytes: number,
  race: <value>(promise: Promise<value>) => Promise<value>,
): Promise<string> {
  const reader = response.body?.getReader?.()
  if (!reader) {
    if (Number(response.headers.get('content-length')) > maxBytes) throw tooLong(maxBytes)
    const text = (await race(wholeText(response))).replace(/^\ufeff/, '')
    if (isLonger(text, maxBytes)) throw tooLong(maxBytes)
    return text
  }
  const decoder = utf8()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await race(reader.read())
      if (done) break
      bytes += value.byteLength
      if (bytes > maxBytes) throw tooLong(maxBytes)
      text += decode(decoder, value)
    }
    return text + decode(decoder)
  } catch (error) {
    // not awaited, because the stream may hang
    reader.cancel().catch(() => {})
    throw error
  }
}

/** `text` comes first: where bodies have no stream, `arrayBuffer` is often a stub. */
async function wholeText(response: Response): Promise<string> {
  // such platforms implement only part of Response
  const { text, arrayBuffer, blob, json } = response as Partial<Response>
  if (text) return text.call(response)
  if (arrayBuffer) return decode(utf8(), new Uint8Array(await arrayBuffer.call(response)))
  if (blob) return (await blob.call(response)).text()
  return (json && JSON.stringify(await json.call(response))) ?? ''
}

function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  // A UTF-16 unit takes one byte in UTF-8, two from U+0080 on, three from U+0800 on; each half of a surrogate pair takes two.
  const more = text.match(/[\u0080-\uffff]/g)?.length ?? 0
  const three = text.match(/[\u0800-\ud7ff\ue000-\uffff]/g)?.length ?? 0
  return text.length + more + three > maxBytes
}

function tooLong(maxBytes: number): AnswerTextError {
  return new AnswerTextError(`more than ${maxBytes} bytes`)
}

const utf8 = () => new TextDecoder('utf-8', { fatal: true })

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new AnswerTextError('bytes that are not UTF-8')
  }
}

/** The message continues "The service returned 200 with". */
export class AnswerTextError extends Error {}
