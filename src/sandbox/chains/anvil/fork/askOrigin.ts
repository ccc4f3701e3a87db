import { showText } from '../../../../redeemkit/core/errors/showText.ts'
import { ForkOriginError, type ForkProblem } from './errors.ts'
import { hideForkUrl } from './hideForkUrl.ts'
import { saysLimited, saysStateIsGone } from './originWords.ts'
import { showForkUrl } from './showForkUrl.ts'

/** What an origin answered: a result, or that it has an error of its own for this question. */
export type OriginAnswer = { result: unknown } | { error: OriginFault }

type OriginFault = { code: number | undefined; words: string }

/**
 * Asks a fork origin one question.
 *
 * @param options.timeoutMs how long it may take
 * @throws {@link ForkOriginError} when no answer comes, or one that is no JSON-RPC
 */
export async function askOrigin(
  forkUrl: string,
  options: { method: string; params?: readonly unknown[] | undefined; timeoutMs: number },
): Promise<OriginAnswer> {
  const { response, text } = await post(forkUrl, options)
  const { status } = response
  const fail = failing(forkUrl)
  const said = (words = text) => `: ${showText(hideForkUrl(words, forkUrl), 160)}`
  const answer = readAnswer(text)
  const fault =
    answer !== undefined && 'error' in answer
      ? { code: answer.error.code, words: hideForkUrl(answer.error.words, forkUrl) }
      : undefined
  // Some refuse what is old as they refuse a key, with 403.
  if (fault !== undefined && saysStateIsGone(fault.words)) return { error: fault }
  if (status === 401 || status === 403)
    throw fail('refused', `refuses the call with ${status}${said()}`, {
      fix: 'Check the key in its address, and whether it takes calls of programs.',
    })
  const limit = fault === undefined ? undefined : saysLimited(fault)
  if (status === 429 || limit !== undefined)
    throw fail(
      'rateLimited',
      `allows no more calls for now${status === 429 ? ' (429)' : ''}${said(fault?.words)}`,
      {
        fix: 'Wait, or take an endpoint or a key that allows more; a start needs some hundred calls.',
        isPassing: limit !== 'forLong',
      },
    )
  if (fault !== undefined) return { error: fault }
  if (answer === undefined)
    throw fail('notJsonRpc', `answers with something else than JSON-RPC (status ${status})${said()}`, {
      fix: wayOut(response),
      isPassing: status >= 500,
    })
  return answer
}

function wayOut({ status, redirected }: Response): string {
  if (status >= 500)
    return 'It, or what stands before it, has a fault of its own: try again in a while, or take another endpoint.'
  if (redirected) return 'It leads on to another address: give that one.'
  return 'Give the address of a JSON-RPC endpoint, not of a web page.'
}

function failing(forkUrl: string) {
  return (
    problem: ForkProblem,
    what: string,
    more: { fix: string; cause?: unknown; isPassing?: boolean | undefined },
  ) =>
    new ForkOriginError(`The fork origin ${showForkUrl(forkUrl)} ${what}.`, {
      problem,
      field: 'forkUrl',
      ...more,
    })
}

async function post(
  forkUrl: string,
  options: { method: string; params?: readonly unknown[] | undefined; timeoutMs: number },
): Promise<{ response: Response; text: string }> {
  const { method, params = [], timeoutMs } = options
  const fail = failing(forkUrl)
  let response: Response | undefined
  try {
    response = await fetch(withoutUser(forkUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...userOf(forkUrl) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { response, text: await readStart(response) }
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw fail('silent', `gave no answer to ${method} within ${timeoutMs / 1000} s`, {
        fix: 'Try the endpoint with another program, or take another one.',
        cause,
      })
    if (response !== undefined)
      throw fail('unreachable', `broke off its answer to ${method}${reasonOf(cause)}`, {
        fix: 'Try again, or take another endpoint.',
        isPassing: true,
        cause,
      })
    throw fail('unreachable', `cannot be reached${reasonOf(cause)}`, {
      fix: 'Check host and port, and that this machine may connect to it.',
      isPassing: true,
      cause,
    })
  }
}

/** What became of the connection, by the code that Node's `fetch` has in its cause. */
function reasonOf(cause: unknown): string {
  const code = cause instanceof Error ? Object(cause.cause).code : undefined
  if (code === 'ECONNREFUSED') return ': nothing listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ': its host name is not known'
  if (/^ERR_(SSL|TLS)|CERT|SIGNATURE/.test(String(code))) return `: TLS fails (${code})`
  return /^[A-Z0-9_]{3,60}$/.test(String(code)) ? ` (${code})` : ''
}

/** A key pair in an address is sent as RFC 7617 says; `fetch` takes no such address. */
function userOf(forkUrl: string): { authorization?: string } {
  const { username, password } = new URL(forkUrl)
  if (username === '' && password === '') return {}
  const pair = [username, password].map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      // a percent sign that begins no character
      return part
    }
  })
  return { authorization: `Basic ${Buffer.from(pair.join(':')).toString('base64')}` }
}

function withoutUser(forkUrl: string): URL {
  const url = new URL(forkUrl)
  url.username = ''
  url.password = ''
  return url
}

/** What is asked here has short answers; a page without end is not read to it. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > answerMaximum) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

const answerMaximum = 4_000_000

function readAnswer(text: string): OriginAnswer | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  // Somebody else's answer: each part is looked at.
  const { result, error } = Object(value) as Record<string, unknown>
  if (error !== undefined && error !== null) {
    const { code, message } = Object(error) as Record<string, unknown>
    return {
      error: {
        code: typeof code === 'number' ? code : undefined,
        words: typeof message === 'string' ? message : JSON.stringify(error),
      },
    }
  }
  return result === undefined ? undefined : { result }
}
