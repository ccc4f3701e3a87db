import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  type PrivateKeyAccount,
  type PublicClient,
  type Transport,
} from 'viem'
import { tempoChainIds } from '../../../redeemkit/core/evmNetworks.ts'
import { type OpenAnvil, openAnvil } from '../anvil/openAnvil.ts'
import { ChainSetupError } from '../errors.ts'
import { waitForReceipt } from '../waitForReceipt.ts'

/**
 * Starts Anvil with Tempo's rules: TIP-20 fees, the TIP-1020 precompile, the account keychain, transactions of type 0x76.
 * Accounts 0 to 9 of Anvil's mnemonic hold pathUSD and AlphaUSD.
 *
 * The hardfork is explicit because Anvil's default lacks the precompile. As on the network, blocks have 500 M gas, because
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

/** The local chain's hardfork: the latest one Anvil 1.7 supports. The networks are ahead; see `tempoHardforks` in `redeemkit/tempo`. */
const localTempoHardfork = 'T4'

/** Rules of the public networks that the local chain lacks, because its hardfork is T4. */
const localTempoLimits = {
  T5: 'No key authorizations with a witness; spending tokens always needs an allowance.',
  T6: 'Contracts cannot verify access key signatures (verifyKeychainAdmin), so access keys cannot sign redeems; no admin keys; no receive policies.',
  T7: 'The base fee starts at 2 * 10^10 attodollars per gas and falls as on Ethereum; the networks keep it between 6 * 10^8 and 1.2 * 10^10. There are no storage credits.',
  T11: 'Expiring nonces last 30 seconds, not 5 minutes; precompiles accept input that is not strictly ABI-encoded, and charge 6 gas per word, not 30.',
} as const

export const tempoKeychainSkip = `SKIP: Anvil supports Tempo up to hardfork ${localTempoHardfork}. ${localTempoLimits.T6}`

export type TempoRpc = {
  client: PublicClient<Transport, Chain>
  /** Sends a transaction and waits until it is mined. Gas is estimated unless given. */
  send: (
    account: PrivateKeyAccount,
    call: { to?: Address | undefined; data: Hex; gas?: bigint | undefined },
  ) => Promise<{ hash: Hex; gasUsed: bigint; contractAddress: Address | undefined }>
}

export function connectTempo(transport: Transport): TempoRpc {
  const chain = defineChain({
    id: tempoChainId,
    name: 'Tempo (local)',
    // Gas is priced in dollars; Tempo has no native coin.
    nativeCurrency: { name: 'US dollar', symbol: 'USD', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
  const client = createPublicClient({ chain, transport, pollingInterval: 25 })
  return {
    client,
    send: async (account, call) => {
      const wallet = createWalletClient({ account, chain, transport })
      const hash = await wallet.sendTransaction({ ...call, ...fees })
      const receipt = await waitForReceipt(client, hash)
      if (receipt.status !== 'success')
        throw new ChainSetupError(`Transaction ${hash} on the local Tempo chain reverted.`, {
          fix: 'Trace it with `debug_traceTransaction` before the chain stops.',
        })
      const contractAddress = receipt.contractAddress ? getAddress(receipt.contractAddress) : undefined
      return { hash, gasUsed: receipt.gasUsed, contractAddress }
    },
  }
}

/** Twice the initial base fee and no tip; see `localTempoLimits`. */
const fees = { maxFeePerGas: 40_000_000_000n, maxPriorityFeePerGas: 0n } as const
