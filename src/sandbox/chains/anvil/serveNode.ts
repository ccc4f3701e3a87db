import { findRefusal } from '../../servers/findRefusal.ts'
import { answerCalls } from './answerCalls.ts'
import type { Pipe } from './connectPipe.ts'

/**
 * The address of a local chain as an HTTP handler: JSON-RPC by POST, for programs and for the pages that `findRefusal` lets
 * through, with the methods of `isAllowedMethod`. There is no websocket.
 *
 * @param options.methods more methods that are answered
 */
export function serveNode(
  node: Pick<Pipe, 'ask'>,
  options: serveNode.Options = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const origin = request.headers.get('origin')
    const host = request.headers.get('host') ?? new URL(request.url).host
    const refusal = findRefusal({ host, origin }, options)
    if (refusal !== undefined) return answer(403, refusal)
    const cors = origin === null ? {} : { 'access-control-allow-origin': origin, vary: 'origin' }
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { ...cors, ...preflight } })
    if (request.method !== 'POST')
      return answer(405, 'JSON-RPC is asked by POST.', { ...cors, allow: 'POST' })
    // What a page may send without being asked for leave is not JSON by its type.
    if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
      return answer(415, 'The content type is application/json.', cors)
    const body = await readText(request)
    if (body === undefined) return answer(413, `A body has at most ${bodyMaximum} bytes.`, cors)
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...cors }
    return new Response(await answerCalls(node, body, options), { headers })
  }
}

export declare namespace serveNode {
  type Options = findRefusal.Options & { methods?: readonly string[] | undefined }
}

const preflight = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
}

/** Deployments and codes of contracts fit in many times. */
const bodyMaximum = 2_000_000

async function readText(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get('content-length')) > bodyMaximum) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > bodyMaximum) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function answer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32600, message } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
}
