import { type Config, getConnection, getEnsName } from '@wagmi/core'
import type { Address } from 'viem'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { shortAddress } from '../../core/shortAddress.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { ChainReadError } from '../../evm/client.ts'
import { notConnected, type WalletNotConnectedError } from '../../evm/signer/askWallet.ts'

/** What an account is called. */
export type AccountName = {
  /** With its EIP-55 checksum. */
  readonly address: Address
  /** Its primary ENS name; `null` when it has none, or one that could be mistaken for another. */
  readonly name: string | null
  /** What a page shows: the name, else the beginning and end of the address, `0x1234…abcd`. */
  readonly text: string
}

/**
 * What people know an account by: its primary ENS name, which leads back to the account, and is written in the one form that names have.
 * Asks nothing where `config` has no Ethereum mainnet; names live there, whatever chain is paid on.
 *
 * A name is for showing. What is paid to is always the address.
 *
 * @param parameters.address default: the connected wallet's
 * @returns plain data
 * @throws {@link ChainReadError} when mainnet, or a gateway that the name asks for, could not be read; InvalidAddressError;
 * WalletNotConnectedError without `address` and wallet
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
    throw new ChainReadError(`The name of ${address} could not be read.`, {
      fix: 'Show the address, and ask again later.',
      cause,
    })
  }
  if (name === null) return null
  // The tables that tell look-alike letters apart are large: only an account with a name pays for them.
  const { normalize } = await import('viem/ens')
  try {
    return normalize(name) === name ? name : null
  } catch {
    // It holds what no name may hold, so it is none that a person could recognise.
    return null
  }
}

const mainnetId = 1
