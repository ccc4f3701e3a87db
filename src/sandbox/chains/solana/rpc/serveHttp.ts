import type { IncomingMessage, ServerResponse } from 'node:http'
import { findRefusal } from '../../../servers/findRefusal.ts'

const maxBodyLength = 1_000_000

/**
 * Answers one HTTP request with what `answer` makes of its text. Pages of this machine may ask, and those that are
 * allowed by name.
 */
export function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  options: { answer: (text: string) => string; allowed: findRefusal.Options },
): void {
  const { host, origin } = request.headers
  const refusal = findRefusal({ host, origin }, options.allowed)
  if (refusal !== undefined) return void response.writeHead(403).end(refusal)
  const headers = {
    'content-type': 'application/json',
    ...(origin !== undefined && {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': '*',
      vary: 'origin',
    }),
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
  request.on('end', () =>
    response.writeHead(200, headers).end(options.answer(Buffer.concat(chunks).toString())),
  )
}
