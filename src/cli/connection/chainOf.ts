import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../../core/blockchains.ts'
import { oneLine } from '../../core/errors/oneLine.ts'
import { showText } from '../../core/errors/showText.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import { devAccount } from '../../sandbox/devAccounts.ts'
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
  const { environment, chains } = await callSandbox<Health>(sandbox, { path: '/health' })
  const withUsdc = chains.filter(({ blockchain }) => blockchain !== 'tempo')
  const found = name === undefined ? withUsdc[0] : withUsdc.find(({ blockchain }) => blockchain === name)
  if (found === undefined)
    throw new SandboxNotKnownError(`The sandbox has no chain ${showText(name ?? 'with USDC')}.`, {
      field: '--chain',
      fix: oneLine(`It has ${withUsdc.map(({ blockchain }) => blockchain).join(', ')}.`),
    })
  const { blockchain, chainId } = found
  const { address } = await callSandbox<{ address: Hex }>(sandbox, {
    path: `/api/utils/contract-address?blockchain=${blockchain}`,
  })
  return {
    blockchain,
    environment,
    chainId,
    rpcUrl: new URL(`/rpc/${blockchain}`, sandbox.url).href,
    creditsContract: address,
    usdc: usdcToken({ chainId }).address,
    operator: devAccount('operator').account.address,
  }
}

type Health = {
  environment: Environment
  chains: readonly { blockchain: EvmBlockchain; chainId: number }[]
}
