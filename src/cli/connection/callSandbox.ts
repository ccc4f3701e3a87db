import { BaseError } from '../../core/errors/baseError.ts'
import { showText } from '../../core/errors/showText.ts'
import type { SandboxAddress } from './findSandbox.ts'

/**
 * Asks a running sandbox.
 *
 * @param call.body without one it is a GET
 * @param call.fixes what to do about an answer, by its status
 * @throws {@link SandboxNotReachedError} when nothing answers there; {@link SandboxRefusedError} with the service's words
 */
export async function callSandbox<answer>(
  sandbox: SandboxAddress,
  call: { path: string; body?: object | undefined; fixes?: Readonly<Record<number, string>> | undefined },
): Promise<answer> {
  const { url, apiKey } = sandbox
  const { path, body, fixes } = call
  let response: Response
  try {
    response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(apiKey !== undefined && { authorization: apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    })
  } catch (cause) {
    throw new SandboxNotReachedError(`Nothing answers at ${new URL(url).origin}.`, {
      cause,
      fix: 'Start it with npx redeemkit sandbox, or name another one with --url.',
    })
  }
  const answer: unknown = await response.json().catch(() => undefined)
  // The sandbox and this command are of one package.
  if (response.ok) return answer as answer
  throw new SandboxRefusedError(response.status, {
    words: wordsOf(answer),
    fix: fixes?.[response.status] ?? usualFixes[response.status],
  })
}

function wordsOf(answer: unknown): string {
  const words = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : ''
  return typeof words === 'string' ? words : ''
}

/** No service at the address. */
export class SandboxNotReachedError extends BaseError {
  override readonly name = 'SandboxNotReachedError'
}

const usualFixes: Readonly<Record<number, string>> = {
  401: 'Give the API key that redeemkit sandbox printed.',
  404: 'See that a sandbox of this version runs there, and no other program.',
}

/** The service's own refusal. */
export class SandboxRefusedError extends BaseError {
  override readonly name = 'SandboxRefusedError'
  readonly status: number

  constructor(status: number, { words, fix }: { words: string; fix: string | undefined }) {
    super(`The sandbox answered ${status}${words === '' ? '.' : `: ${showText(words)}`}`, { fix })
    this.status = status
  }
}
