import { zeroAddress } from 'viem'
import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../../../redeemkit/core/errors/showText.ts'
import { decoded, hideForkUrl, showForkUrl } from './forkUrl.ts'

/** Why an endpoint cannot be forked, with what to do. */
const fixes = {
  /** No connection. */
  unreachable: 'Check host and port and this machine’s network, then try again.',
  /** No response in time. */
  silent: 'Use another endpoint.',
  /** It rejects the key or the caller. */
  refused: 'Check the key in its URL.',
  rateLimited: 'Wait, or use an endpoint or key with a higher limit.',
  notJsonRpc: 'Pass the URL of an EVM JSON-RPC endpoint, after any redirects.',
  /** The response is an error. */
  failed: 'Check the key in its URL.',
  otherChain: 'Pass an endpoint of the chain that "blockchain" and "environment" name.',
  futureBlock: 'Pin an earlier block, or omit "forkBlockNumber".',
  /** The endpoint lacks the block or its state. */
  missingBlock: 'Use an archive node, or pin a newer block.',
}

/** Why an endpoint cannot be forked. */
export type ForkProblem = keyof typeof fixes

/** A chain cannot be forked from the given endpoint. The message names the endpoint's host, but never its API key. */
export class ForkOriginError extends BaseError {
  override readonly name = 'ForkOriginError'
  readonly problem: ForkProblem
  /** Whether a retry in a moment may succeed. */
  readonly isPassing: boolean

  constructor(
    shortMessage: string,
    options: BaseError.Options & { problem: ForkProblem; isPassing?: boolean | undefined },
  ) {
    const { problem, isPassing = false, ...rest } = options
    super(shortMessage, rest)
    this.problem = problem
    this.isPassing = isPassing
  }
}

/** Checks that an endpoint responds, serves the expected chain, and has the pinned block and its state. */
export async function checkForkOrigin(options: checkForkOrigin.Options): Promise<void> {
  const { forkUrl, chainId, forkBlockNumber, timeoutMs = 10_000 } = options
  const fail = originError(forkUrl)
  const ask = async (method: string): Promise<number> => {
    const answer = await askOrigin(forkUrl, { method, timeoutMs })
    if ('error' in answer) {
      const { code, message } = answer.error
      const shown = `${code === undefined ? '' : ` (${code})`}: ${showText(message, 160)}`
      throw fail('failed', `returned an error for ${method}${shown}`)
    }
    const { result } = answer
    if (typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result)) return Number(result)
    throw fail('notJsonRpc', `did not return a number for ${method}`)
  }
  const [found, newest] = await Promise.all([ask('eth_chainId'), ask('eth_blockNumber')])
  if (found !== chainId) throw fail('otherChain', `serves chain ${found}, not ${chainId}`)
  if (forkBlockNumber === undefined) return
  if (forkBlockNumber > newest)
    throw fail('futureBlock', `does not have block ${forkBlockNumber} yet; its newest block is ${newest}`)
  const block = `0x${forkBlockNumber.toString(16)}`
  const answers = await Promise.all([
    askOrigin(forkUrl, { method: 'eth_getBlockByNumber', params: [block, false], timeoutMs }),
    askOrigin(forkUrl, { method: 'eth_getBalance', params: [zeroAddress, block], timeoutMs }),
  ])
  const missing = answers.find((answer) => 'error' in answer || answer.result === null)
  if (missing === undefined) return
  const message = 'error' in missing ? `: ${showText(missing.error.message, 160)}` : ''
  throw fail('missingBlock', `does not have block ${forkBlockNumber} or its state${message}`)
}

export declare namespace checkForkOrigin {
  type Options = {
    forkUrl: string
    chainId: number
    /** Default: any block. */
    forkBlockNumber?: number | undefined
    /** Timeout of each request. Default 10_000. */
    timeoutMs?: number | undefined
  }
}

/** An origin's response: a result or a JSON-RPC error. */
export type OriginAnswer = { result: unknown } | { error: { code: number | undefined; message: string } }

type Request = { method: string; params?: readonly unknown[] | undefined; timeoutMs: number }

/** Sends one request to a fork origin. JSON-RPC errors are returned, other failures thrown. */
export async function askOrigin(forkUrl: string, request: Request): Promise<OriginAnswer> {
  const fail = originError(forkUrl)
  const { status, text } = await post(forkUrl, request)
  const answer = readAnswer(text)
  const message = hideForkUrl(
    answer !== undefined && 'error' in answer ? answer.error.message : text,
    forkUrl,
  )
  const fault = answer !== undefined && 'error' in answer ? { ...answer.error, message } : undefined
  const shown = `: ${showText(message, 160)}`
  // Some providers reject old blocks with 403, as they reject keys.
  if (fault !== undefined && saysStateIsGone(fault.message)) return { error: fault }
  if (status === 401 || status === 403) throw fail('refused', `rejected the request with ${status}${shown}`)
  if (status === 429 || (fault !== undefined && isLimit(fault)))
    throw fail('rateLimited', `reached a rate limit${shown}`, {
      isPassing: !/\b(?:daily|monthly|day|month|quota|billing)\b/i.test(fault?.message ?? ''),
    })
  if (fault !== undefined) return { error: fault }
  if (answer !== undefined) return answer
  throw fail('notJsonRpc', `did not return JSON-RPC (status ${status})${shown}`, {
    ...(status >= 500 && { fix: 'Try again later, or use another endpoint.', isPassing: true }),
  })
}

function originError(forkUrl: string) {
  return (
    problem: ForkProblem,
    what: string,
    more: { fix?: string; cause?: unknown; isPassing?: boolean } = {},
  ) => {
    const field = problem === 'futureBlock' || problem === 'missingBlock' ? 'forkBlockNumber' : 'forkUrl'
    const message = `The fork origin ${showForkUrl(forkUrl)} ${what}.`
    return new ForkOriginError(message, { problem, field, fix: fixes[problem], ...more })
  }
}

async function post(forkUrl: string, request: Request): Promise<{ status: number; text: string }> {
  const { method, params = [], timeoutMs } = request
  // `fetch` accepts no credentials in a URL, so they are sent as RFC 7617 says.
  const url = new URL(forkUrl)
  const user = [url.username, url.password].map(decoded).join(':')
  url.username = url.password = ''
  const authorization = user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await readStart(response) }
  } catch (cause) {
    const fail = originError(forkUrl)
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw fail('silent', `did not answer ${method} within ${timeoutMs / 1000} s`, { cause })
    const code = String(cause instanceof Error ? Object(cause.cause).code : undefined)
    const reason = /^[A-Z0-9_]{3,60}$/.test(code) ? ` (${code})` : ''
    throw fail('unreachable', `cannot be reached, or broke off its response to ${method}${reason}`, {
      isPassing: true,
      cause,
    })
  }
}

/** Reads at most 4 MB of a response. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > 4_000_000) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readAnswer(text: string): OriginAnswer | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { result, error } = Object(value) as Record<string, unknown> // each field is checked
  if (error === undefined || error === null) return result === undefined ? undefined : { result }
  const { code, message } = Object(error) as Record<string, unknown> // each field is checked
  return {
    error: {
      code: typeof code === 'number' ? code : undefined,
      message: typeof message === 'string' ? message : JSON.stringify(error),
    },
  }
}

/** Whether an error says that a block's state is unavailable (geth, Erigon, Nethermind, Reth, Besu, Monad, paid archives). */
export function saysStateIsGone(message: string): boolean {
  return /missing trie node|header not found|\bstate\b.*available|historical state|\bprun(?:ed|ing)\b|\barchiv(?:e|al)\b|block requested not found/i.test(
    message,
  )
}

/** Whether an error reports a rate limit, as geth, QuickNode, Infura and Alchemy word it. */
function isLimit({ code, message }: { code: number | undefined; message: string }): boolean {
  // -32005 also means that a query has too many results.
  if (code === 429 || (code === -32005 && !/returned more than|block range/i.test(message))) return true
  return /rate.?limit|rate exceeded|too many requests|requests?(?: count)? (?:limit|exceeded)|capacity(?: limit)? exceeded|credits limited|exceeded (?:its|the|your) [^.]{0,40}(?:capacity|limit|quota|RPS)/i.test(
    message,
  )
}
