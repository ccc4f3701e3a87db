import type { Pipe } from './connectPipe.ts'
import { isAllowedMethod } from './isAllowedMethod.ts'

/**
 * Answers the body of a JSON-RPC request, one call or a batch, by asking the chain what may be asked of it.
 *
 * @param options.methods more methods than `isAllowedMethod` takes by itself
 * @returns the body of the answer; empty for notifications alone
 */
export async function answerCalls(
  node: Pick<Pipe, 'ask'>,
  body: string,
  options: { methods?: readonly string[] | undefined } = {},
): Promise<string> {
  let calls: unknown
  try {
    calls = JSON.parse(body)
  } catch {
    return failure(null, -32700, 'The body is not JSON.')
  }
  if (!Array.isArray(calls)) return (await answerCall(node, calls, options)) ?? ''
  if (calls.length === 0) return failure(null, -32600, 'The batch is empty.')
  if (calls.length > batchMaximum)
    return failure(null, -32600, `A batch has at most ${batchMaximum} calls; this one has ${calls.length}.`)
  const answers = await Promise.all(calls.map((call) => answerCall(node, call, options)))
  const said = answers.filter((answer) => answer !== undefined)
  return said.length === 0 ? '' : `[${said.join(',')}]`
}

const batchMaximum = 1_000

/** One call; undefined for a notification, which is carried out and not answered (JSON-RPC 2.0). */
async function answerCall(
  node: Pick<Pipe, 'ask'>,
  call: unknown,
  { methods }: { methods?: readonly string[] | undefined },
): Promise<string | undefined> {
  const { id, method, params } = Object(call) as Record<string, unknown> // each is checked here
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return failure(null, -32600, 'The id is neither a text nor a number.')
  if (typeof method !== 'string') return failure(id ?? null, -32600, 'The call names no method.')
  const answer = isAllowedMethod(method, methods)
    ? await node.ask(method, params ?? []).then(
        (tail) => `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},${tail}`,
        () => failure(id ?? null, -32603, 'The chain does not answer.'),
      )
    : failure(
        id ?? null,
        -32601,
        `The method ${JSON.stringify(method.slice(0, 60))} is not answered here; name it in "rpcMethods" of startSandbox to allow it.`,
      )
  return id === undefined ? undefined : answer
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
