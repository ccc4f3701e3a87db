import { tempoChainIds } from '../../../redeemkit/core/evmNetworks.ts'
import { type OpenAnvil, openAnvil } from '../anvil/openAnvil.ts'
import { localTempoHardfork } from './localTempoLimits.ts'

/**
 * Starts Anvil with Tempo's rules: TIP-20 fees, the TIP-1020 precompile, the account keychain, transactions of type 0x76.
 * Accounts 0 to 9 of Anvil's mnemonic hold pathUSD and AlphaUSD.
 *
 * The hardfork is explicit because Anvil's default lacks the precompile. Blocks have 500 M gas as on the network, because
 * Tempo charges 2500 gas per byte of code.
 */
export function openTempoAnvil(options: openTempoAnvil.Options = {}): Promise<OpenAnvil> {
  return openAnvil({
    ...options,
    chainId: tempoChainId,
    baseFeePerGas: 20_000_000_000n,
    extraArguments: ['-n', 'tempo', '--hardfork', localTempoHardfork, '--gas-limit', '500000000'],
  })
}

export declare namespace openTempoAnvil {
  type Options = Pick<openAnvil.Options, 'statePath' | 'startTimeoutMs'>
  type ErrorType = openAnvil.ErrorType
}

/** The local Tempo chain's id: that of the public test network. */
export const tempoChainId = tempoChainIds[1]
