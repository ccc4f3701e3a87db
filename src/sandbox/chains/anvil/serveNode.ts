import { attempt } from '../../../redeemkit/core/attempt.ts'
import { findRefusal, isForwarded } from '../../servers/findRefusal.ts'
import { readLimited } from '../../servers/listen.ts'
import type { Pipe } from './connectPipe.ts'

/** Serves programs, and the pages that `findRefusal` accepts, over HTTP POST. There is no WebSocket. */
export function serveNode(
  node: Pick<Pipe, 'ask'>,
  options: serveNode.Options = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const origin = request.headers.get('origin')
    const host = request.headers.get('host') ?? new URL(request.url).host
    const refusal = findRefusal({ host, origin }, options)
    if (refusal !== undefined) return answer(403, refusal)
    // Strangers must not reach the chain through a tunnel: its methods set balances and code, and its accounts are unlocked.
    if (isForwarded(request.headers)) return answer(403, 'The chain is available on this machine only.')
    const cors = origin === null ? {} : { 'access-control-allow-origin': origin, vary: 'origin' }
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { ...cors, ...preflight } })
    if (request.method !== 'POST') return answer(405, 'JSON-RPC requires POST.', { ...cors, allow: 'POST' })
    // With this content type, a page must pass a CORS preflight first.
    if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
      return answer(415, 'The content type must be application/json.', cors)
    const body = await readLimited(request, bodyMaximum)
    if (body === undefined) return answer(413, `The body exceeds ${bodyMaximum} bytes.`, cors)
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...cors }
    return new Response(await answerCalls(node, body.toString('utf8'), options), { headers })
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

/** Large enough for several contract deployments. */
const bodyMaximum = 2_000_000

function answer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32600, message } },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
}

/** Executes a JSON-RPC request or batch. The response body is empty if there are only notifications. */
async function answerCalls(
  node: Pick<Pipe, 'ask'>,
  body: string,
  options: { methods?: readonly string[] | undefined } = {},
): Promise<string> {
  const calls: unknown = attempt(() => JSON.parse(body))
  if (calls === undefined) return failure(null, -32700, 'The body is not JSON.')
  if (!Array.isArray(calls)) return (await answerCall(node, calls, options)) ?? ''
  if (calls.length === 0) return failure(null, -32600, 'The batch is empty.')
  if (calls.length > batchMaximum)
    return failure(null, -32600, `The batch has ${calls.length} calls; the maximum is ${batchMaximum}.`)
  const answers = await Promise.all(calls.map((call) => answerCall(node, call, options)))
  const responses = answers.filter((answer) => answer !== undefined)
  return responses.length === 0 ? '' : `[${responses.join(',')}]`
}

const batchMaximum = 1_000

/** A notification is executed without a response and returns undefined (JSON-RPC 2.0). */
async function answerCall(
  node: Pick<Pipe, 'ask'>,
  call: unknown,
  { methods }: { methods?: readonly string[] | undefined },
): Promise<string | undefined> {
  const { id, method, params } = Object(call) as Record<string, unknown> // each field is checked
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return failure(null, -32600, 'The id is neither a string nor a number.')
  if (typeof method !== 'string') return failure(id ?? null, -32600, 'The request has no method.')
  const answer = isAllowedMethod(method, methods)
    ? await node.ask(method, params ?? []).then(
        (tail) => `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},${tail}`,
        () => failure(id ?? null, -32603, 'The chain does not respond.'),
      )
    : failure(
        id ?? null,
        -32601,
        `The method ${JSON.stringify(method.slice(0, 60))} is not allowed here. Add it to "rpcMethods" of startSandbox.`,
      )
  return id === undefined ? undefined : answer
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/**
 * Rejects methods whose effects go beyond the chain: `anvil_nodeInfo` returns the fork URL with its key, `anvil_reset` and
 * `anvil_setRpcUrl` make the node fetch any URL, `anvil_dumpState` and `anvil_loadState` copy or replace the whole chain.
 */
function isAllowedMethod(method: string, more: readonly string[] = []): boolean {
  return /^(eth|net|web3)_\w+$/.test(method) || allowed.has(method) || more.includes(method)
}

const allowed = new Set([
  'debug_traceTransaction',
  'debug_traceCall',
  'txpool_status',
  'txpool_content',
  'txpool_inspect',
  ...both(['setBalance', 'setCode', 'setNonce', 'setStorageAt']),
  ...both(['impersonateAccount', 'stopImpersonatingAccount', 'autoImpersonateAccount']),
  ...both(['dropTransaction', 'mine', 'setNextBlockBaseFeePerGas', 'setPrevRandao', 'setCoinbase']),
  'anvil_addBalance',
  'anvil_dealErc20',
  'anvil_dropAllTransactions',
  'anvil_removePoolTransactions',
  'anvil_getAutomine',
  'anvil_getIntervalMining',
  'anvil_reorg',
  'anvil_rollback',
  'anvil_increaseTime',
  'anvil_setBlockTimestampInterval',
  'anvil_removeBlockTimestampInterval',
  'evm_mine',
  'evm_increaseTime',
  'evm_setTime',
  'evm_setNextBlockTimestamp',
  'evm_setAutomine',
  'evm_setIntervalMining',
  'evm_setBlockGasLimit',
  'evm_snapshot',
  'evm_revert',
])

/** Anvil accepts both prefixes, and clients use both. */
function both(names: readonly string[]): string[] {
  return names.flatMap((name) => [`anvil_${name}`, `hardhat_${name}`])
}
