import {
  blockchains,
  type Environment,
  type EvmBlockchain,
  evmBlockchains,
  isEvmBlockchain,
} from '../../redeemkit/core/blockchains.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { checkForkOptions } from '../chains/anvil/forkOrigin.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { SandboxBlockchain } from '../runningSandbox.ts'

/** Returns the EVM chains with USDC, including any bridge destination, and the other chains. */
export function chainsToStart(options: chainsToStart.Options): chainsToStart.ReturnType {
  const { blockchain, blockchains: listed, bridge = true, environment = 'sandbox', forkUrl } = options
  if (blockchain !== undefined && listed !== undefined)
    throw new InvalidSandboxOptionsError('Both "blockchain" and "blockchains" are set.', {
      field: 'blockchains',
      fix: 'Pass only one of them.',
    })
  const wanted = [...new Set<SandboxBlockchain>(listed ?? [blockchain ?? 'base'])]
  if (wanted.length === 0)
    throw new InvalidSandboxOptionsError('No blockchain is listed.', {
      field: 'blockchains',
      fix: 'Pass at least one, or omit the option to use base.',
    })
  const others = otherBlockchains.filter((name) => listed?.includes(name))
  const names = wanted
    .filter((name) => !others.some((other) => other === name))
    .map((name) => withUsdc(name, environment))
  if (others.length > 0 && environment !== 'sandbox')
    throw new InvalidSandboxOptionsError(
      `The local ${others[0]} chain is available only in environment "sandbox".`,
      {
        field: 'environment',
        fix: `Use environment "sandbox", or omit ${listOf(otherBlockchains)}.`,
      },
    )
  if (typeof forkUrl === 'string' && names.length > 1)
    throw new InvalidSandboxOptionsError('One forkUrl was passed for several chains.', {
      field: 'forkUrl',
      fix: "Pass one per chain: forkUrl: { base: 'https://…' }.",
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
}

/** Chains that are not EVM chains with USDC: Solana, Stellar and Tempo. */
export type OtherBlockchain = Exclude<SandboxBlockchain, EvmBlockchain> | 'tempo'
const otherBlockchains: readonly OtherBlockchain[] = blockchains.filter(
  (name): name is OtherBlockchain => name === 'tempo' || (name !== 'user' && !isEvmBlockchain(name)),
)

function withUsdc(name: SandboxBlockchain, environment: Environment): EvmBlockchain {
  // `networkOf` rejects names that are not EVM chains.
  const blockchain = name as EvmBlockchain
  if (networkOf({ blockchain, environment }).usdc) return blockchain
  const withAuthorizations = evmBlockchains.filter((one) => networkOf({ blockchain: one, environment }).usdc)
  throw new InvalidSandboxOptionsError(`USDC on ${name} does not support authorizations.`, {
    field: 'blockchain',
    fix: `Use ${listOf(withAuthorizations)}, or list ${name} in "blockchains".`,
  })
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
}

/** The endpoint and block to fork from; without a block, the newest block. */
export type ForkOrigin = { forkUrl: string; forkBlockNumber: number | undefined }

/** A single URL applies to the first of `names`, and not to its bridge destination. */
export function forksToStart(
  options: forksToStart.Options,
  { names }: { names: readonly EvmBlockchain[] },
): ReadonlyMap<EvmBlockchain, ForkOrigin> {
  const { forkUrl, forkBlockNumber } = options
  const [first] = names
  const asked = [...new Set(names)].join(', ')
  const byName = (option: 'forkUrl' | 'forkBlockNumber', value: unknown): Map<string, unknown> => {
    if (typeof value !== 'object' || value === null) return new Map(first && [[first, value]])
    const named = new Map<string, unknown>(Object.entries(value))
    for (const name of named.keys())
      if (!names.some((one) => one === name))
        throw new InvalidSandboxOptionsError(
          `${option} names ${name}, but this sandbox does not start that chain.`,
          {
            field: `${option}.${name}`,
            fix: `Add it to "blockchains" (now ${asked}), or remove it from ${option}.`,
          },
        )
    return named
  }
  // `forkUrl: undefined` is an error; an omitted `forkUrl` means a fresh chain.
  const urls = 'forkUrl' in options ? byName('forkUrl', forkUrl) : new Map<string, unknown>()
  const blocks =
    forkBlockNumber === undefined
      ? new Map<string, unknown>()
      : typeof forkBlockNumber !== 'object' && typeof forkUrl === 'object' && urls.size === 1
        ? new Map([...urls.keys()].map((name) => [name, forkBlockNumber]))
        : byName('forkBlockNumber', forkBlockNumber)
  if (typeof forkBlockNumber === 'number' && urls.size > 1)
    throw new InvalidSandboxOptionsError('One forkBlockNumber was passed for several chains.', {
      field: 'forkBlockNumber',
      fix: 'Pass one per chain: forkBlockNumber: { base: 12345678 }.',
    })
  for (const name of blocks.keys())
    if (!urls.has(name))
      throw new InvalidSandboxOptionsError(`forkBlockNumber is set for ${name}, but forkUrl is not.`, {
        field: 'forkBlockNumber',
        fix: 'Pass the endpoint to fork as "forkUrl", or omit the block.',
      })
  return new Map(
    names
      .filter((name) => urls.has(name))
      .map((name) => {
        const isNamed = typeof forkUrl === 'object' && forkUrl !== null
        const given = { forkUrl: urls.get(name), forkBlockNumber: blocks.get(name) }
        return [name, checkForkOptions(given, (option) => (isNamed ? `${option}.${name}` : option))]
      }),
  )
}

export declare namespace forksToStart {
  type Options = {
    forkUrl?: string | Partial<Record<EvmBlockchain, string>>
    forkBlockNumber?: number | Partial<Record<EvmBlockchain, number>> | undefined
  }
}
