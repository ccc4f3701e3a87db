import { zeroAddress } from 'viem'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { basicAuthorization, hideForkUrl, showForkUrl } from './forkUrl.ts'

/** What an endpoint does wrong, and what to do about it. */
const problems = {
  unreachable: ['is unavailable', 'Check the host and your network, and try again later.'],
  refused: [
    'did not return a valid result',
    'Check the key in its URL, and that this is the URL of an EVM JSON-RPC endpoint, after any redirects.',
  ],
  rateLimited: ['reached a rate limit', 'Wait, or use an endpoint or key with a higher limit.'],
  otherChain: ['serves', 'Pass an endpoint of the chain that "blockchain" and "environment" name.'],
  missingBlock: [
    'does not have the block or its state',
    'Use an archive node, pin one of its last 128 blocks, or omit "forkBlockNumber".',
  ],
} as const

/** Why an endpoint cannot be forked. */
export type ForkProblem = keyof typeof problems

/** A chain cannot be forked from the given endpoint. The message names the endpoint's host, but never its API key. */
export class ForkOriginError extends BaseError {
  override readonly name = 'ForkOriginError'
  readonly problem: ForkProblem
  /** Whether a retry in a moment may succeed. */
  readonly isPassing: boolean

  constructor(forkUrl: string, problem: ForkProblem, details: string, cause?: unknown) {
    const [what, fix] = problems[problem]
    const field = problem === 'missingBlock' ? 'forkBlockNumber' : 'forkUrl'
    super(`The fork origin ${showForkUrl(forkUrl)} ${what} ${details}.`, { field, fix, cause })
    this.problem = problem
    const isQuota = /\b(?:daily|monthly|day|month|quota|billing)\b/i.test(details)
    this.isPassing = problem === 'unreachable' || (problem === 'rateLimited' && !isQuota)
  }
}

/** Checks that an endpoint responds, serves the expected chain, and has the pinned block and its state. */
export async function checkForkOrigin(options: checkForkOrigin.Options): Promise<void> {
  const { forkUrl, chainId, forkBlockNumber, timeoutMs = 10_000 } = options
  const { result } = Object(await askOrigin(forkUrl, { method: 'eth_chainId', timeoutMs }))
  const found = Number(result)
  if (found !== chainId) throw new ForkOriginError(forkUrl, 'otherChain', `chain ${found}, not ${chainId}`)
  if (forkBlockNumber === undefined) return
  const block = `0x${forkBlockNumber.toString(16)}`
  await Promise.all([
    askOrigin(forkUrl, { method: 'eth_getBlockByNumber', params: [block, false], timeoutMs }),
    askOrigin(forkUrl, { method: 'eth_getBalance', params: [zeroAddress, block], timeoutMs }),
  ])
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

const quantity = /^"0x[0-9a-f]{1,13}"$/i
const bytes = /^"0x[0-9a-f]*"$/i
/** Results that a fork cannot work without, as JSON. */
const needed: Record<string, RegExp> = {
  eth_chainId: quantity,
  eth_blockNumber: quantity,
  eth_getBlockByNumber: /^\{/,
  eth_getBalance: bytes,
  eth_getCode: bytes,
  eth_getStorageAt: bytes,
  eth_getTransactionCount: bytes,
}

type Request = { method: string; params?: readonly unknown[] | undefined; timeoutMs: number }

/** An origin's response: a result, or a JSON-RPC error that a fork can work with. */
export type OriginAnswer = { result: unknown } | { error: { code: number | undefined; message: string } }

export async function askOrigin(forkUrl: string, request: Request): Promise<OriginAnswer> {
  const { method, params = [] } = request
  const { status, text } = await post(forkUrl, request)
  const { result, error } = Object(attempt(() => JSON.parse(text))) as Record<string, unknown> // each field is checked
  const isError = error !== undefined && error !== null
  const hasResult = !isError && result !== undefined
  const form = needed[method]
  if (hasResult && (form === undefined || form.test(JSON.stringify(result)))) return { result }
  const { code: givenCode, message: given } = Object(error)
  const code = typeof givenCode === 'number' ? givenCode : undefined
  const message = hideForkUrl(typeof given === 'string' ? given : text, forkUrl)
  const block = params.filter((param) => quantity.test(JSON.stringify(param))).at(-1)
  const isAboutBlock = form !== undefined && block !== undefined
  const isFault = status >= 500 || code === -32603
  const cases: [boolean, ForkProblem][] = [
    [status === 429 || (isError && saysLimit.test(`${code} ${message}`)), 'rateLimited'],
    // Before the status: some providers reject old blocks with 403, as they reject keys.
    [isAboutBlock && (isError ? saysMissing.test(message) : hasResult), 'missingBlock'],
    [isFault && (!isError || form !== undefined), 'unreachable'],
    [!isError || form !== undefined || status === 401 || status === 403, 'refused'],
  ]
  const [, problem] = cases.find(([applies]) => applies) ?? []
  if (problem === undefined) return { error: { code, message } }
  const shown = [method, block && `block ${Number(block)}`, `status ${status}`, code && `code ${code}`]
  const details = `(${shown.filter(Boolean).join(', ')}): ${showText(message, 160)}`
  throw new ForkOriginError(forkUrl, problem, details)
}

/** How geth, QuickNode, Infura and Alchemy report a rate limit. -32005 also means that a query has too many results. */
const saysLimit =
  /^429 |^-32005 (?!.*(?:returned more than|block range))|rate.?limit|rate exceeded|too many requests|requests?(?: count)? (?:limit|exceeded)|capacity(?: limit)? exceeded|credits limited|exceeded (?:its|the|your) [^.]{0,40}(?:capacity|limit|quota|RPS)/is

/** How nodes and providers say that they lack a block or its state: each names it. */
const saysMissing = /\b(?:blocks?|states?|trie|archiv\w*|histor\w*|prun\w*|ancient)\b|header not found/i

async function post(forkUrl: string, request: Request): Promise<{ status: number; text: string }> {
  const { method, params = [], timeoutMs } = request
  const url = new URL(forkUrl)
  // `fetch` accepts no credentials in a URL.
  const authorization = basicAuthorization(url)
  url.username = url.password = ''
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    const { name, cause: reason } = Object(cause)
    const timedOut = name === 'TimeoutError' && `no answer within ${timeoutMs / 1000} s`
    const what = timedOut || (Object(reason).code ?? 'connection lost')
    throw new ForkOriginError(forkUrl, 'unreachable', `(${method}, ${what})`, cause)
  }
}
