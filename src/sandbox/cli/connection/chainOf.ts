import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { environments, evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { evmAddress } from '../../../redeemkit/schema/values.ts'
import { callSandbox } from './callSandbox.ts'
import { SandboxNotKnownError } from './errors.ts'
import type { SandboxAddress } from './findSandbox.ts'

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
