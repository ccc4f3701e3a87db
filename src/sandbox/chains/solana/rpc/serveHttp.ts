import type { IncomingMessage, ServerResponse } from 'node:http'

const maxBodyLength = 1_000_000

/**
 * Answers one HTTP request with what `answer` makes of its text. Pages of any origin may ask, as they may ask
 * a public node.
 */
export function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (text: string) => string,
): void {
  const headers = {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
  }
  if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
  if (request.method !== 'POST') return void response.writeHead(405, headers).end()
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBodyLength) {
      response.writeHead(413, headers).end()
      request.destroy()
    } else chunks.push(chunk)
  })
  request.on('end', () => response.writeHead(200, headers).end(answer(Buffer.concat(chunks).toString())))
}
