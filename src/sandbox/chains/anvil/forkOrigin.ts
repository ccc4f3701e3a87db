import { zeroAddress } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { decoded, hideForkUrl, showForkUrl } from './forkUrl.ts'

/** What to do about each problem of an endpoint. */
const fixes = {
  unreachable: 'Check the host and your network and try again, or use another endpoint.',
  /** It rejects the key, or the request. */
  refused: 'Check the key in its URL, or use another endpoint.',
  rateLimited: 'Wait, or use an endpoint or key with a higher limit.',
  notJsonRpc: 'Pass the URL of an EVM JSON-RPC endpoint, after any redirects.',
  otherChain: 'Pass an endpoint of the chain that "blockchain" and "environment" name.',
  missingBlock: 'Use an archive node, or one of the last 128 blocks.',
}

/** Why an endpoint cannot be forked. */
export type ForkProblem = keyof typeof fixes

/** A chain cannot be forked from the given endpoint. The message names the endpoint's host, but never its API key. */
export class ForkOriginError extends BaseError {
  override readonly name = 'ForkOriginError'
  readonly problem: ForkProblem
  /** Whether a retry in a moment may succeed. */
  readonly isPassing: boolean

  /** @param what what is wrong with the endpoint, such as "serves chain 1, not 8453" */
  constructor(
    forkUrl: string,
    problem: ForkProblem,
    what: string,
    options: { isPassing?: boolean; fix?: string; cause?: unknown } = {},
  ) {
    const { isPassing = false, ...rest } = options
    const field = problem === 'missingBlock' ? 'forkBlockNumber' : 'forkUrl'
    super(`The fork origin ${showForkUrl(forkUrl)} ${what}.`, { field, fix: fixes[problem], ...rest })
    this.problem = problem
    this.isPassing = isPassing
  }
}

/** Checks that an endpoint responds, serves the expected chain, and has the pinned block and its state. */
export async function checkForkOrigin(options: checkForkOrigin.Options): Promise<void> {
  const { forkUrl, chainId, forkBlockNumber, timeoutMs = 10_000 } = options
  const [found, newest] = await Promise.all([
    askNumber(forkUrl, { method: 'eth_chainId', timeoutMs }),
    askNumber(forkUrl, { method: 'eth_blockNumber', timeoutMs }),
  ])
  if (found !== chainId)
    throw new ForkOriginError(forkUrl, 'otherChain', `serves chain ${found}, not ${chainId}`)
  if (forkBlockNumber === undefined) return
  const lacks = `does not have block ${forkBlockNumber}`
  if (forkBlockNumber > newest)
    throw new ForkOriginError(forkUrl, 'missingBlock', `${lacks} yet`, {
      fix: `Pin its newest block, ${newest}, or an earlier one, or omit "forkBlockNumber".`,
    })
  const block = `0x${forkBlockNumber.toString(16)}`
  const answers = await Promise.all([
    askOrigin(forkUrl, { method: 'eth_getBlockByNumber', params: [block, false], timeoutMs }),
    askOrigin(forkUrl, { method: 'eth_getBalance', params: [zeroAddress, block], timeoutMs }),
  ])
  for (const answer of answers)
    if ('error' in answer || answer.result === null)
      throw new ForkOriginError(forkUrl, 'missingBlock', `${lacks} or its state${showFault(answer)}`)
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

/** Quotes the error of a response; empty for a result. */
export function showFault(answer: OriginAnswer): string {
  if (!('error' in answer)) return ''
  const { code, message } = answer.error
  return `${code === undefined ? '' : ` (${code})`}: ${showText(message, 160)}`
}

/** Sends a request to a fork origin and returns the number in its response. */
export async function askNumber(forkUrl: string, request: Request): Promise<number> {
  const answer = await askOrigin(forkUrl, request)
  const wrong = `did not return a number for ${request.method}${showFault(answer)}`
  if ('error' in answer) throw new ForkOriginError(forkUrl, 'refused', wrong)
  const { result } = answer
  if (typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result)) return Number(result)
  throw new ForkOriginError(forkUrl, 'notJsonRpc', wrong)
}

/** Sends one request to a fork origin. JSON-RPC errors are returned, other failures thrown. */
export async function askOrigin(forkUrl: string, request: Request): Promise<OriginAnswer> {
  const { status, text } = await post(forkUrl, request)
  const { result, error } = parse(text)
  const isFault = error !== undefined && error !== null
  if (!isFault && result !== undefined) return { result }
  const { code, message: said } = Object(error) as Record<string, unknown> // each field is checked
  const message = hideForkUrl(typeof said === 'string' ? said : text, forkUrl)
  const answer = { error: { code: typeof code === 'number' ? code : undefined, message } }
  // Some providers reject old blocks with 403, as they reject keys.
  if (isFault && saysStateIsGone(message)) return answer
  const fail = (problem: ForkProblem, what: string, options = {}) =>
    new ForkOriginError(forkUrl, problem, `${what} (status ${status}): ${showText(message, 160)}`, options)
  if (status === 401 || status === 403) throw fail('refused', 'rejected the request')
  if (status === 429 || (isFault && isLimit(answer.error)))
    throw fail('rateLimited', 'reached a rate limit', {
      isPassing: !(isFault && /\b(?:daily|monthly|day|month|quota|billing)\b/i.test(message)),
    })
  if (isFault) return answer
  const isPassing = status >= 500
  const fix = isPassing ? { fix: 'Try again later, or use another endpoint.' } : {}
  throw fail('notJsonRpc', 'did not return JSON-RPC', { isPassing, ...fix })
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
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
    const code = String(cause instanceof Error ? Object(cause.cause).code : undefined)
    const reason = /^[A-Z0-9_]{3,60}$/.test(code) ? ` (${code})` : ''
    const what = isTimeout
      ? `did not answer ${method} within ${timeoutMs / 1000} s`
      : `cannot be reached, or broke off its response to ${method}${reason}`
    throw new ForkOriginError(forkUrl, 'unreachable', what, { isPassing: !isTimeout, cause })
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
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
