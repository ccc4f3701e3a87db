import * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { NotASandboxError } from './errors.ts'
import type { SandboxAddress } from './findSandbox.ts'

/**
 * Asks a running sandbox.
 *
 * @param call.answer what it answers; without one whatever it is
 * @param call.body without one it is a GET
 * @param call.fixes what to do about an answer, by its status
 * @throws {@link SandboxNotReachedError} when nothing answers there; {@link NotASandboxError} when something else does;
 * {@link SandboxRefusedError} with the service's words
 */
export async function callSandbox<answer extends z.ZodMiniType = z.ZodMiniUnknown>(
  sandbox: SandboxAddress,
  call: {
    path: string
    answer?: answer | undefined
    body?: object | undefined
    fixes?: Readonly<Record<number, string>> | undefined
  },
): Promise<z.infer<answer>> {
  const { url, apiKey } = sandbox
  const { path, body, fixes } = call
  let response: Response
  let said: unknown
  try {
    response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(apiKey !== undefined && { authorization: apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    said = readJson(await response.text())
  } catch (cause) {
    const { origin } = new URL(url)
    const isSilent = cause instanceof Error && cause.name === 'TimeoutError'
    throw new SandboxNotReachedError(
      isSilent ? `${origin} gives no answer within ${timeoutMs / 1000} s.` : `Nothing answers at ${origin}.`,
      { cause, fix: 'Start it with npx redeemkit sandbox, or name another one with --url.' },
    )
  }
  const notASandbox = () =>
    new NotASandboxError(
      oneLine(
        `What runs at ${new URL(url).origin} is no sandbox of this version: it answered ${path} with ${response.status} and ${response.headers.get('content-type') ?? 'no content type'}.`,
      ),
      { fix: 'Give the address that npx redeemkit sandbox printed as its service: --url.' },
    )
  if (response.ok) {
    const read = (call.answer ?? z.unknown()).safeParse(said)
    if (!read.success) throw notASandbox()
    return read.data as z.infer<answer> // parsed by it
  }
  const words = refusal.safeParse(said)
  if (!words.success) throw notASandbox()
  throw new SandboxRefusedError(response.status, {
    words: words.data.message,
    fix: fixes?.[response.status] ?? usualFixes[response.status],
  })
}

const timeoutMs = 15_000

const refusal = z.object({ message: z.string() })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
