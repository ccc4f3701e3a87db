import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../../core/blockchains.ts'
import { oneLine } from '../../core/errors/oneLine.ts'
import { showText } from '../../core/errors/showText.ts'
import { callSandbox } from './callSandbox.ts'
import { SandboxNotKnownError } from './errors.ts'
import type { SandboxAddress } from './findSandbox.ts'

/** An EVM chain of a running sandbox. */
export type SandboxChainFacts = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  rpcUrl: string
  creditsContract: Hex
  usdc: Hex
  /** Who sends the redeems. */
  operator: Hex
}

/**
 * The chain that a command is about, as a running sandbox tells of it.
 *
 * @param name default: the sandbox's first
 * @throws {@link SandboxNotKnownError} when it has no such chain; SandboxNotReachedError, SandboxRefusedError
 */
export async function chainOf(sandbox: SandboxAddress, name: string | undefined): Promise<SandboxChainFacts> {
  const { chains } = await callSandbox<{ chains: readonly ToldChain[] }>(sandbox, { path: '/sandbox/chains' })
  const withUsdc = chains.filter((chain): chain is ToldChain & { usdc: Hex } => chain.usdc !== undefined)
  const found = name === undefined ? withUsdc[0] : withUsdc.find(({ blockchain }) => blockchain === name)
  if (found === undefined)
    throw new SandboxNotKnownError(`The sandbox has no chain ${showText(name ?? 'with USDC')}.`, {
      field: '--chain',
      fix: oneLine(`It has ${withUsdc.map(({ blockchain }) => blockchain).join(', ')}.`),
    })
  // By the address that the sandbox was found at: its own name for it may be another machine's.
  return { ...found, rpcUrl: new URL(`/rpc/${found.blockchain}`, sandbox.url).href }
}

/** A chain of `GET /sandbox/chains` (PROTOCOL.md 2.10). */
type ToldChain = Omit<SandboxChainFacts, 'usdc'> & { usdc?: Hex }
