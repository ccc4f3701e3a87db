import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { networkOf, networks } from '../../redeemkit/evm/networks.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { SandboxBlockchain } from '../runningSandbox.ts'

/**
 * Which chains the options of `startSandbox` ask for.
 *
 * @returns EVM chains with USDC, a bridge destination among them, and the others
 * @throws {@link InvalidSandboxOptionsError}
 */
export function chainsToStart(options: chainsToStart.Options): chainsToStart.ReturnType {
  const { blockchain, blockchains, bridge = true, environment = 'sandbox', forkUrl } = options
  if (blockchain !== undefined && blockchains !== undefined)
    throw new InvalidSandboxOptionsError('Both "blockchain" and "blockchains" are given.', {
      field: 'blockchains',
      fix: 'Give one of them.',
    })
  const wanted = [...new Set<SandboxBlockchain>(blockchains ?? [blockchain ?? 'base'])]
  if (wanted.length === 0)
    throw new InvalidSandboxOptionsError('No blockchain is named.', { field: 'blockchains' })
  const others = otherBlockchains.filter((name) => blockchains?.includes(name))
  const names = wanted
    .filter((name) => !others.some((other) => other === name))
    .map((name) => withUsdc(name, environment))
  if (others.length > 0 && environment !== 'sandbox')
    throw new InvalidSandboxOptionsError(
      `The local ${others[0]} chain presents itself as the test network.`,
      {
        field: 'environment',
        fix: 'Use environment "sandbox", or leave solana, stellar and tempo out.',
      },
    )
  if (typeof forkUrl === 'string' && names.length > 1)
    throw new InvalidSandboxOptionsError('One forkUrl cannot be the origin of several chains.', {
      field: 'forkUrl',
      fix: "Name the chains: forkUrl: { base: 'https://…' }.",
    })
  if (names.length === 1 && bridge) names.push(names[0] === 'arbitrum' ? 'base' : 'arbitrum')
  return { names, others }
}

export declare namespace chainsToStart {
  type Options = {
    blockchain?: EvmBlockchain | undefined
    blockchains?: readonly SandboxBlockchain[] | undefined
    bridge?: boolean | undefined
    environment?: Environment | undefined
    forkUrl?: unknown
  }
  type ReturnType = { names: readonly EvmBlockchain[]; others: readonly OtherBlockchain[] }
  type ErrorType = InvalidSandboxOptionsError
}

const otherBlockchains = ['solana', 'stellar', 'tempo'] as const
export type OtherBlockchain = (typeof otherBlockchains)[number]

function withUsdc(name: SandboxBlockchain, environment: Environment): EvmBlockchain {
  // `networkOf` refuses what is no EVM chain.
  const blockchain = name as EvmBlockchain
  if (networkOf({ blockchain, environment }).usdc) return blockchain
  const withIt = new Set(networks.flatMap((network) => (network.usdc ? network.blockchain : [])))
  throw new InvalidSandboxOptionsError(`There is no USDC with authorizations on ${name}.`, {
    field: 'blockchain',
    fix: `Use ${[...withIt].join(', ')}; pass ${otherBlockchains.join(', ')} in "blockchains".`,
  })
}
