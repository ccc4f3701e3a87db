import { type Config, getConnection, getEnsName } from '@wagmi/core'
import type { Address } from 'viem'
import { attempt } from '../../core/attempt.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { shortAddress } from '../../core/shortAddress.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { ChainReadError } from '../../evm/client.ts'
import { notConnected, type WalletNotConnectedError } from '../../evm/signer/askWallet.ts'
import { type QueryOf, type QueryOptionsOf, retry } from '../queryOptions.ts'

/** Display name of an account. */
export type AccountName = {
  /** With its EIP-55 checksum. */
  readonly address: Address
  /** Primary ENS name; `null` if the account has no name, or one that could be mistaken for another. */
  readonly name: string | null
  /** Text to show: the name, or the shortened address, `0x1234…abcd`. */
  readonly text: string
}

/**
 * Reads an account's primary ENS name, which must resolve back to the account and be normalized. Makes no request if `config` does
 * not include Ethereum mainnet, where names are registered. For display only: payments always use the address.
 *
 * @param parameters.address default: the connected wallet's
 * @returns plain data
 * @throws {@link ChainReadError} if mainnet, or a gateway of the name, cannot be read; InvalidAddressError; WalletNotConnectedError
 * without an address and a wallet
 * @see ERC-137, ERC-181, ENSIP-15
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { getAccountName } from 'redeemkit/wagmi'
 * const greet = async (config: Config) => `Hello, ${(await getAccountName(config)).text}`
 * ```
 */
export async function getAccountName(
  config: Config,
  parameters: getAccountName.Parameters = {},
): Promise<AccountName> {
  const { address: given = getConnection(config).address } = parameters
  if (given === undefined) throw notConnected('No wallet is connected.')
  const address = checkAddress(given, 'address')
  const name = await nameOf(config, address)
  return { address, name, text: name ?? shortAddress(address) }
}

export declare namespace getAccountName {
  type Parameters = { address?: string | undefined }
  type ReturnType = AccountName
  type ErrorType = ChainReadError | InvalidAddressError | WalletNotConnectedError
}

async function nameOf(config: Config, address: Address): Promise<string | null> {
  if (!config.chains.some(({ id }) => id === mainnetId)) return null
  let name: string | null
  try {
    name = await getEnsName(config, { address, chainId: mainnetId })
  } catch (cause) {
    throw new ChainReadError(`The ENS name of ${address} could not be read.`, {
      fix: 'Show the address, and retry later.',
      cause,
    })
  }
  if (name === null) return null
  // The tables of confusable letters are large, so they are loaded only for accounts with a name.
  const { normalize } = await import('viem/ens')
  // Invalid characters are treated as no name.
  return attempt(() => normalize(name)) === name ? name : null
}

const mainnetId = 1

/**
 * Returns TanStack Query options that read an account's display name. Cached for an hour.
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { getAccountNameQueryOptions } from 'redeemkit/wagmi'
 * const read = (config: Config) => new QueryClient().fetchQuery(getAccountNameQueryOptions(config))
 * ```
 */
export function getAccountNameQueryOptions(
  config: Config,
  parameters: getAccountNameQueryOptions.Parameters = {},
): getAccountNameQueryOptions.ReturnType {
  const { address = getConnection(config).address, query } = parameters
  return {
    retry,
    staleTime: 3_600_000,
    ...query,
    queryKey: getAccountNameQueryKey({ address }),
    enabled: address !== undefined && (query?.enabled ?? true),
    queryFn: () => getAccountName(config, { address }),
  }
}

export declare namespace getAccountNameQueryOptions {
  type Parameters = getAccountName.Parameters & QueryOf<AccountName, NameKey>
  type ReturnType = QueryOptionsOf<AccountName, NameKey>
}

type NameKey = ReturnType<typeof getAccountNameQueryKey>

/** Returns the query key of an account's name. */
export function getAccountNameQueryKey(parameters: { address: string | undefined }) {
  return ['redeemkit', 'accountName', parameters] as const
}
