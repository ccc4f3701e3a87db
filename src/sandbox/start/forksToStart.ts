import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { checkForkOptions } from '../chains/anvil/fork/forkUrl.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'

/** Where a chain is forked from, and at which block; without a block at the newest. */
export type ForkOrigin = { forkUrl: string; forkBlockNumber: number | undefined }

/**
 * Which of the chains are forks, as the options of `startSandbox` say.
 *
 * @param names the chains that are started; one address without a name is that of the first, not of its bridge destination
 * @throws {@link InvalidSandboxOptionsError}
 */
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
        throw new InvalidSandboxOptionsError(`${option} names ${name}, which is not started.`, {
          field: `${option}.${name}`,
          fix: `Started are ${asked}; name the chain in "blockchains", too, or leave it out here.`,
        })
    return named
  }
  // Given as `undefined` it is told as such; what is not given is a fresh chain.
  const urls = 'forkUrl' in options ? byName('forkUrl', forkUrl) : new Map<string, unknown>()
  const blocks =
    forkBlockNumber === undefined
      ? new Map<string, unknown>()
      : typeof forkBlockNumber !== 'object' && typeof forkUrl === 'object' && urls.size === 1
        ? new Map([...urls.keys()].map((name) => [name, forkBlockNumber]))
        : byName('forkBlockNumber', forkBlockNumber)
  if (typeof forkBlockNumber === 'number' && urls.size > 1)
    throw new InvalidSandboxOptionsError('One forkBlockNumber cannot be the block of several chains.', {
      field: 'forkBlockNumber',
      fix: 'Name the chains: forkBlockNumber: { base: 12345678 }.',
    })
  for (const name of blocks.keys())
    if (!urls.has(name))
      throw new InvalidSandboxOptionsError(
        `forkBlockNumber is given for ${name}, and there is no forkUrl for it.`,
        {
          field: 'forkBlockNumber',
          fix: 'Give the endpoint to fork from as "forkUrl", or leave the block out.',
        },
      )
  return new Map(
    names
      .filter((name) => urls.has(name))
      .map((name) => {
        const isNamed = typeof forkUrl === 'object' && forkUrl !== null
        const fieldOf = (option: string) => (isNamed ? `${option}.${name}` : option)
        const given = { forkUrl: urls.get(name), forkBlockNumber: blocks.get(name) }
        const fields = { forkUrl: fieldOf('forkUrl'), forkBlockNumber: fieldOf('forkBlockNumber') }
        return [name, checkForkOptions(given, fields)]
      }),
  )
}

export declare namespace forksToStart {
  type Options = {
    forkUrl?: string | Partial<Record<EvmBlockchain, string>>
    forkBlockNumber?: number | Partial<Record<EvmBlockchain, number>> | undefined
  }
  type ErrorType = InvalidSandboxOptionsError
}
