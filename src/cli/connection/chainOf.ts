import { oneLine } from '../../core/errors/oneLine.ts'
import { showText } from '../../core/errors/showText.ts'
import { callSandbox } from './callSandbox.ts'
import { SandboxNotKnownError } from './errors.ts'
import type { SandboxAddress } from './findSandbox.ts'

/** An EVM chain of a running sandbox. */
export type SandboxChainFacts = { blockchain: string; chainId: number }

/**
 * The chain that a command is about, as a running sandbox tells of it.
 *
 * @param name default: the sandbox's first
 * @throws {@link SandboxNotKnownError} when it has no such chain; SandboxNotReachedError, SandboxRefusedError
 */
export async function chainOf(sandbox: SandboxAddress, name: string | undefined): Promise<SandboxChainFacts> {
  const { chains } = await callSandbox<{ chains: readonly SandboxChainFacts[] }>(sandbox, { path: '/health' })
  const found = name === undefined ? chains[0] : chains.find(({ blockchain }) => blockchain === name)
  if (found !== undefined) return found
  throw new SandboxNotKnownError(`The sandbox has no chain ${showText(name ?? '')}.`, {
    field: '--chain',
    fix: oneLine(`It has ${chains.map(({ blockchain }) => blockchain).join(', ')}.`),
  })
}
