import { numberToHex, zeroAddress } from 'viem'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { describeType, showText, showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'

/** Each problem of an endpoint: the text for the error message, and the fix. */
const problems = {
  unreachable: ['is unavailable', 'Check the host, its certificate and your network, and try again later.'],
  refused: ['did not return a valid result', 'Check the key. The URL must serve JSON-RPC without redirects.'],
  rateLimited: ['reached a rate limit', 'Wait, or use an endpoint or key with a higher limit.'],
  otherChain: ['serves', 'Pass an endpoint of the chain that "blockchain" and "environment" name.'],
  missingBlock: ['lacks the block or its state', 'Use an archive node, or one of its last 128 blocks.'],
} as const

/** Why an endpoint cannot be forked. */
export type ForkProblem = keyof typeof problems

/** A chain cannot be forked from the given endpoint. The message names the endpoint's host, but never its API key. */
export class ForkOriginError extends BaseError {
  override readonly name = 'ForkOriginError'
  readonly problem: ForkProblem
  /** Whether a retry a moment later may succeed. */
  readonly isPassing: boolean

  constructor(forkUrl: string, problem: ForkProblem, details: string, cause?: unknown) {
    const [what, fix] = problems[problem]
    const field = problem === 'missingBlock' ? 'forkBlockNumber' : 'forkUrl'
    super(`The fork origin ${showForkUrl(forkUrl)} ${what} ${details}.`, { field, fix, cause })
    this.problem = problem
    const quota = /\b(?:daily|monthly|day|month|quota|billing)\b/i
    this.isPassing = problem === 'unreachable' || (problem === 'rateLimited' && !quota.test(details))
  }
}

/** Checks that an endpoint responds, serves the expected chain, and has the pinned block and its state. */
export async function checkForkOrigin(options: {
  forkUrl: string
  chainId: number
  forkBlockNumber?: number | undefined
  timeoutMs?: number | undefined
}): Promise<void> {
  const { forkUrl, chainId, forkBlockNumber, timeoutMs = 10_000 } = options
  const ask = (method: string, ...params: unknown[]) => askOrigin(forkUrl, { method, params, timeoutMs })
  const found = Number(Object(await ask('eth_chainId')).result)
  if (found !== chainId) throw new ForkOriginError(forkUrl, 'otherChain', `chain ${found}, not ${chainId}`)
  if (forkBlockNumber === undefined) return
  const block = numberToHex(forkBlockNumber)
  await Promise.all([ask('eth_getBlockByNumber', block, false), ask('eth_getBalance', zeroAddress, block)])
}

/** A fork cannot work without these methods. */
const needed = /^eth_(?:chainId|blockNumber|get(?:BlockByNumber|Balance|Code|StorageAt|TransactionCount))$/
const quantity = /^"0x[0-9a-f]{1,13}"$/i
/** Matches the rate limit errors of geth, QuickNode, Infura and Alchemy. -32005 also means that a query has too many results. */
const saysLimit =
  /^429 |^-32005 (?!.*(?:returned more than|block range))|rate.?limit|rate exceeded|too many requests|requests?(?: count)? (?:limit|exceeded)|capacity(?: limit)? exceeded|credits limited|exceeded (?:its|the|your) [^.]{0,40}(?:capacity|limit|quota|RPS)/i
/** How nodes and providers name a missing block or state. */
const saysMissing = /\b(?:blocks?|states?|trie|archiv\w*|histor\w*|prun\w*|ancient)\b|header not found/i

/** Returns a result, or a JSON-RPC error that a fork can work with. */
export async function askOrigin(
  forkUrl: string,
  { method, params, timeoutMs }: { method: string; params: readonly unknown[]; timeoutMs: number },
): Promise<{ result: unknown } | { error: { code: number | undefined; message: string } }> {
  const url = new URL(forkUrl)
  const authorization = basicAuthorization(url)
  url.username = url.password = '' // `fetch` accepts no credentials in a URL
  const [status, text] = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then(async (response) => [response.status, await response.text()] as const)
    .catch((cause) => {
      const timedOut = cause.name === 'TimeoutError' && `no response within ${timeoutMs / 1000} s`
      const what = cause.cause?.code ?? (timedOut || 'connection lost')
      throw new ForkOriginError(forkUrl, 'unreachable', `(${method}, ${what})`, cause)
    })
  const { result, error = null } = Object(attempt(() => JSON.parse(text)))
  const isNeeded = needed.test(method)
  const form = /Block/.test(method) ? /^\{/ : /get/.test(method) ? /^"0x[0-9a-f]*"$/i : quantity
  const isUsable = isNeeded ? form.test(JSON.stringify(result)) : result !== undefined
  if (isUsable && error === null) return { result }
  const code = Number(error?.code) || undefined
  const message = hideForkUrl(String(error?.message ?? text), forkUrl)
  const isLimit = status === 429 || saysLimit.test(`${code} ${message}`)
  if (error !== null && !isNeeded && !isLimit && status !== 401 && status !== 403)
    return { error: { code, message } }
  const block = isNeeded && params.filter((param) => quantity.test(`"${param}"`)).at(-1)
  // Checked before the status, because some providers reject old blocks with 403, as they reject keys.
  const isMissing = block && (error === null ? result !== undefined : saysMissing.test(message))
  const isDown = status >= 500 || code === -32603
  const problem = isLimit ? 'rateLimited' : isMissing ? 'missingBlock' : isDown ? 'unreachable' : 'refused'
  const shown = [method, block && `block ${Number(block)}`, `status ${status}`, code && `code ${code}`]
  const details = `(${shown.filter(Boolean).join(', ')}): ${showText(message, 160)}`
  throw new ForkOriginError(forkUrl, problem, details)
}

/** Checks the options of a fork. `forkUrl` from an unset environment variable is an error, so that no fresh chain starts by mistake. */
export function checkForkOptions(
  { forkUrl, forkBlockNumber: block }: { forkUrl: unknown; forkBlockNumber: unknown },
  fieldOf = (option: string) => option,
): { forkUrl: string; forkBlockNumber: number | undefined } {
  const isUrl = typeof forkUrl === 'string' && /^\s*https?:/i.test(forkUrl) && URL.canParse(forkUrl)
  const isBlock =
    block === undefined || (typeof block === 'number' && Number.isSafeInteger(block) && block >= 0)
  if (isUrl && isBlock) return { forkUrl, forkBlockNumber: block }
  const field = fieldOf(isUrl ? 'forkBlockNumber' : 'forkUrl')
  const value = isUrl ? showValue(block) : `${describeType(forkUrl)}, not a URL`
  const fix = isUrl
    ? 'Pass a block number, or omit the option to use the newest block.'
    : 'Pass an http:// or https:// URL (is an environment variable unset?), or omit the option to start a fresh chain.'
  throw new InvalidSandboxOptionsError(`${field} is ${value}.`, { field, fix })
}

/** A long label in a host name may be an API key. */
const keyLabel = /[^.:]{20,}/g

/** The part of a fork URL that messages may show: scheme, host and port. */
export function showForkUrl(forkUrl: string): string {
  const { protocol, host, pathname, search } = new URL(forkUrl)
  return `${protocol}//${host.replace(keyLabel, '…')}${`${pathname}${search}` === '/' ? '' : '/…'}`
}

/** Removes from a text the fork URL and those parts of it that may be keys, in any encoding. A node's `"result"` loses only the URL. */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const { username, password, pathname, search, hash, hostname } = new URL(forkUrl)
  const words = [...`${pathname}${search}${hash}`.split(/[/?#&=]/), ...(hostname.match(keyLabel) ?? [])]
  // A part such as `v2` or `main` is too short for a key, but a password may be short.
  const secrets = [...words.filter(({ length }) => length >= 6), username, password]
    .flatMap((part) => [part, decoded(part)])
    .flatMap((form) => [form, encodeURIComponent(form), JSON.stringify(form).slice(1, -1)])
    .concat(basicAuthorization({ username, password })?.slice('Basic '.length) ?? '')
    .filter((form) => form !== '' && !text.startsWith('"result"'))
    .sort((a, b) => b.length - a.length) // longest first, because a secret may contain a shorter one
  const sameHost = `https?://[^\\s"'<>()]*${escaped(hostname)}[^\\s"'<>()]*`
  return text.replace(new RegExp([sameHost, ...secrets.map(escaped)].join('|'), 'gi'), '<fork url>')
}

/** Returns the value of the `authorization` header for a URL with credentials (RFC 7617). */
function basicAuthorization(url: Pick<URL, 'username' | 'password'>): string | undefined {
  const user = `${decoded(url.username)}:${decoded(url.password)}`
  return user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
}

/** A text with an invalid encoding stays unchanged. */
const decoded = (text: string) => attempt(() => decodeURIComponent(text)) ?? text

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
