import { BaseError } from '../../core/errors/baseError.ts'
import { showText } from '../../core/errors/showText.ts'

/**
 * Asks a running sandbox something about webhooks.
 *
 * @param call.path after `/sandbox/webhooks/`
 * @throws {@link SandboxNotReachedError} when nothing answers there; {@link SandboxRefusedError} with the service's words
 */
export async function callSandbox<answer>(
  sandbox: SandboxAddress,
  call: { path: string; body: object },
): Promise<answer> {
  const { url, apiKey } = sandbox
  let response: Response
  try {
    response = await fetch(new URL(`/sandbox/webhooks/${call.path}`, url), {
      method: 'POST',
      headers: { authorization: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
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
  throw new SandboxRefusedError(response.status, wordsOf(answer))
}

export type SandboxAddress = { url: string; apiKey: string }

function wordsOf(answer: unknown): string {
  const words = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : ''
  return typeof words === 'string' ? words : ''
}

/** No service at the address. */
export class SandboxNotReachedError extends BaseError {
  override readonly name = 'SandboxNotReachedError'
}

const fixes: Record<number, string> = {
  401: 'Give the API key that redeemkit sandbox printed.',
  404: 'Give the id of an event, as listen and trigger print it; GET /sandbox/webhooks/events lists them.',
}

/** The service's own refusal. */
export class SandboxRefusedError extends BaseError {
  override readonly name = 'SandboxRefusedError'
  readonly status: number

  constructor(status: number, words: string) {
    super(`The sandbox answered ${status}${words === '' ? '.' : `: ${showText(words)}`}`, {
      fix: fixes[status],
    })
    this.status = status
  }
}
