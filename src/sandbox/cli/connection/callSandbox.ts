import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { environments, evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { evmAddress } from '../../../redeemkit/schema/values.ts'
import { NotASandboxError, SandboxNotKnownError } from './announcedSandboxes.ts'
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

/** An EVM chain of a running sandbox. */
export type SandboxChainFacts = Omit<z.infer<typeof toldChain>, 'usdc'> & { usdc: Hex; rpcUrl: string }

/** A chain of `GET /sandbox/chains` (PROTOCOL.md 2.10). */
const toldChain = z.object({
  blockchain: z.enum(evmBlockchains),
  environment: z.enum(environments),
  chainId: z.int().check(z.positive()),
  creditsContract: evmAddress,
  usdc: z.optional(evmAddress),
  /** Who sends the redeems. */
  operator: evmAddress,
})
const chainsAnswer = z.object({ chains: z.array(toldChain) })

/**
 * The chain that a command is about, as a running sandbox tells of it.
 *
 * @param name default: the sandbox's first
 * @throws {@link SandboxNotKnownError} when it has no such chain; SandboxNotReachedError, NotASandboxError, SandboxRefusedError
 */
export async function chainOf(sandbox: SandboxAddress, name: string | undefined): Promise<SandboxChainFacts> {
  const { chains } = await callSandbox(sandbox, { path: '/sandbox/chains', answer: chainsAnswer })
  const withUsdc = chains.flatMap(({ usdc, ...chain }) => (usdc === undefined ? [] : [{ ...chain, usdc }]))
  const found = name === undefined ? withUsdc[0] : withUsdc.find(({ blockchain }) => blockchain === name)
  if (found === undefined)
    throw new SandboxNotKnownError(`The sandbox has no chain ${showText(name ?? 'with USDC')}.`, {
      field: '--chain',
      fix: oneLine(`It has ${withUsdc.map(({ blockchain }) => blockchain).join(', ')}.`),
    })
  // By the address that the sandbox was found at: its own name for it may be another machine's.
  return { ...found, rpcUrl: new URL(`/rpc/${found.blockchain}`, sandbox.url).href }
}
