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
import { ChainSetupError } from '../errors.ts'
import { waitForReceipt } from '../waitForReceipt.ts'
import { tempoChainId } from './openTempoAnvil.ts'

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
