import { startAnvil } from '../anvil/startAnvil.ts'
import { localTempoHardfork } from './localTempoLimits.ts'
import { tempoChainId } from './tempoChainId.ts'

/**
 * Starts Anvil with Tempo's rules: TIP-20 fees, the TIP-1020 precompile, the account keychain, transactions of type 0x76.
 *
 * Its hardfork is named, because Anvil's default lacks the precompile; a block limit of 500 M gas as on the network, because
 * Tempo charges 2500 gas for a byte of code. Accounts 0 to 9 of Anvil's mnemonic hold pathUSD and AlphaUSD.
 *
 * @throws what `startAnvil` throws
 */
export function startTempoAnvil(options: startTempoAnvil.Options = {}): Promise<startAnvil.ReturnType> {
  return startAnvil({
    ...options,
    chainId: tempoChainId,
    baseFeePerGas: 20_000_000_000n,
    extraArguments: ['-n', 'tempo', '--hardfork', localTempoHardfork, '--gas-limit', '500000000'],
  })
}

export declare namespace startTempoAnvil {
  type Options = Pick<startAnvil.Options, 'port' | 'statePath' | 'startTimeoutMs'>
  type ErrorType = startAnvil.ErrorType
}
