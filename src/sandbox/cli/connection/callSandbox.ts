import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { environments, evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { showText } from '../../../redeemkit/core/errors/showValue.ts'
import { evmAddress } from '../../../redeemkit/schema/values.ts'
import { NotASandboxError, type SandboxAddress, SandboxNotKnownError } from './findSandbox.ts'

/**
 * @param call.fixes fixes for the error, by response status
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
    const text = await response.text()
    said = attempt((): unknown => JSON.parse(text))
  } catch (cause) {
    const { origin } = new URL(url)
    const isSilent = cause instanceof Error && cause.name === 'TimeoutError'
    throw new SandboxNotReachedError(
      isSilent ? `${origin} did not respond within ${timeoutMs / 1000} s.` : `Nothing responds at ${origin}.`,
      {
        cause,
        fix: 'Start a sandbox with npx redeemkit sandbox, or pass the address of a running one with --url.',
      },
    )
  }
  const notASandbox = () =>
    new NotASandboxError(
      oneLine(
        `${new URL(url).origin} is not a sandbox of this version: it returned ${response.status} for ${path}, with ${response.headers.get('content-type') ?? 'no content type'}.`,
      ),
      { fix: 'Pass --url with the service address that npx redeemkit sandbox printed.' },
    )
  if (response.ok) {
    const read = (call.answer ?? z.unknown()).safeParse(said)
    if (!read.success) throw notASandbox()
    return read.data as z.infer<answer>
  }
  const texts = refusal.safeParse(said)
  if (!texts.success) throw notASandbox()
  throw new SandboxRefusedError(response.status, {
    texts: texts.data.message,
    fix: fixes?.[response.status] ?? usualFixes[response.status],
  })
}

const timeoutMs = 15_000

const refusal = z.object({ message: z.string() })

export class SandboxNotReachedError extends BaseError {
  override readonly name = 'SandboxNotReachedError'
}

const usualFixes: Readonly<Record<number, string>> = {
  401: 'Pass the API key that redeemkit sandbox printed.',
  404: 'Check that a sandbox of this version runs at the address.',
  503: 'Read what the sandbox prints in its terminal. If a chain has stopped, start the sandbox again.',
}

export class SandboxRefusedError extends BaseError {
  override readonly name = 'SandboxRefusedError'
  readonly status: number

  constructor(status: number, { texts, fix }: { texts: string; fix: string | undefined }) {
    super(`The sandbox returned ${status}${texts === '' ? '.' : `: ${showText(texts)}`}`, { fix })
    this.status = status
  }
}

export type SandboxChainFacts = Omit<z.infer<typeof chainAnswer>, 'usdc'> & { usdc: Hex; rpcUrl: string }

/** An entry of `GET /sandbox/chains` (PROTOCOL.md 2.10). */
const chainAnswer = z.object({
  blockchain: z.enum(evmBlockchains),
  environment: z.enum(environments),
  chainId: z.int().check(z.positive()),
  creditsContract: evmAddress,
  usdc: z.optional(evmAddress),
  operator: evmAddress,
})
const chainsAnswer = z.object({ chains: z.array(chainAnswer) })

/** Returns a clock for the client: the later of the service's and the chain's times. `POST /sandbox/clock` may have advanced both. */
export async function clockOf(sandbox: SandboxAddress, chainId: number): Promise<() => number> {
  const { now, chains } = await callSandbox(sandbox, { path: '/sandbox/clock', answer: clockAnswer })
  const times = [now, ...chains.filter((chain) => chain.chainId === chainId).map((chain) => chain.now)]
  const aheadMs = Math.max(...times.map((time) => Date.parse(time) - Date.now()))
  return () => Date.now() + aheadMs
}

const clockAnswer = z.object({
  now: z.iso.datetime(),
  chains: z.array(z.object({ chainId: z.int(), now: z.iso.datetime() })),
})

/** Without a name, returns the sandbox's first chain. */
export async function chainOf(sandbox: SandboxAddress, name: string | undefined): Promise<SandboxChainFacts> {
  const { chains } = await callSandbox(sandbox, { path: '/sandbox/chains', answer: chainsAnswer })
  const withUsdc = chains.flatMap(({ usdc, ...chain }) => (usdc === undefined ? [] : [{ ...chain, usdc }]))
  const found = name === undefined ? withUsdc[0] : withUsdc.find(({ blockchain }) => blockchain === name)
  const what = name === undefined ? 'with USDC' : showText(name)
  if (found === undefined)
    throw new SandboxNotKnownError(`The sandbox has no chain ${what}.`, {
      field: '--chain',
      fix: oneLine(`Its chains are ${withUsdc.map(({ blockchain }) => blockchain).join(', ')}.`),
    })
  // Uses the address at which the command found the sandbox, because the chain's own URL may not be reachable from here.
  return { ...found, rpcUrl: new URL(`/rpc/${found.blockchain}`, sandbox.url).href }
}
