import {
  type Abi,
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  getContractAddress,
  type Hex,
  http,
  type PublicClient,
  type Transport,
} from 'viem'
import {
  decentMerchantAbi,
  decentMerchantBytecode,
  knownTokenIdMerchantAbi,
  knownTokenIdMerchantBytecode,
  normalMerchantAbi,
  normalMerchantBytecode,
  returnedMerchantAbi,
  returnedMerchantBytecode,
  safeMintMerchant721Abi,
  safeMintMerchant721Bytecode,
} from '../../../../contracts/generated/merchants.ts'
import {
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../../../contracts/generated/smartWallets.ts'
import type { TransactionDataKind } from '../../../redeemkit/schema/transactionDataKind.ts'
import type { SandboxSolana } from '../../chains/solana/startSandboxSolana.ts'
import type { SandboxStellar } from '../../chains/stellar/startSandboxStellar.ts'
import { waitForReceipt } from '../../chains/waitForReceipt.ts'
import { devAccount } from '../../devAccounts.ts'
import type { RunningSandbox, SandboxChain, SandboxTempo, TestAccounts } from '../../runningSandbox.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { startSandbox } from '../../startSandbox.ts'

export type DemoSandbox<service extends ServiceKind = 'intentBound'> = {
  sandbox: RunningSandbox<service>
  home: DemoChain<service>
  far: SandboxChain<service> & { client: PublicClient<Transport, Chain> }
  solana: SandboxSolana<keyof TestAccounts>
  stellar: SandboxStellar<keyof TestAccounts>
  tempo: SandboxTempo<service> & { client: PublicClient<Transport, Chain> }
  merchants: Record<Exclude<TransactionDataKind, 'token'>, Address>
  walletFactory: Address
  stop: () => Promise<void>
}

export type DemoChain<service extends ServiceKind = 'intentBound'> = DemoSandbox<service>['far'] & {
  /** Sends a call from the merchant, which has native coin for gas. */
  call: (call: Call) => Promise<void>
  /** Sends a call from the merchant without estimating gas, so that the call is mined even if it reverts. */
  sendAnyway: (call: Call) => Promise<Hex>
}

type Call = { address: Address; abi: Abi; functionName: string; args: readonly unknown[] }

/** The merchant's account. Apart from the service's accounts, only this account has native coin for gas. */
export const merchant = devAccount('demo merchant')

/** Deploys and whitelists one merchant contract per transaction type. */
export async function startDemoSandbox<service extends ServiceKind = 'intentBound'>(
  onProgress: (text: string) => void,
  { service, forkUrl }: { service?: service; forkUrl?: { base: string } } = {},
): Promise<DemoSandbox<service>> {
  // The factory is the first contract that the sandbox deploys, so its address is known in advance.
  const walletFactory = getContractAddress({ from: devAccount('deployer').account.address, nonce: 0n })
  const sandbox = await startSandbox({
    blockchains: ['base', 'arbitrum', 'solana', 'stellar', 'tempo'],
    onProgress,
    walletFactories: [walletFactory],
    service,
    ...(forkUrl && { forkUrl }),
  })
  try {
    const { base, arbitrum } = sandbox.chains
    const { solana, stellar, tempo } = sandbox
    if (!base || !arbitrum || !solana || !stellar || !tempo)
      throw new Error('The sandbox started without some of its chains.')
    const home = toDemoChain(base)
    const far = { ...arbitrum, client: clientOf(arbitrum) }
    await sandbox.fund({ wallet: merchant.account.address, coin: 10n ** 20n })
    onProgress('Deploying a merchant contract per transaction type')
    await sandbox.deploy({ abi: smartWalletFactoryAbi, bytecode: smartWalletFactoryBytecode })
    const shop = ({ blockchain, usdc }: SandboxChain<service>, abi: Abi, bytecode: Hex) =>
      sandbox.deploy({ abi, bytecode, args: [usdc], blockchain })
    const merchants = {
      normal: await shop(home, normalMerchantAbi, normalMerchantBytecode),
      safeMint: await shop(home, safeMintMerchant721Abi, safeMintMerchant721Bytecode),
      returned: await shop(home, returnedMerchantAbi, returnedMerchantBytecode),
      knownTokenId: await shop(home, knownTokenIdMerchantAbi, knownTokenIdMerchantBytecode),
      decent: await shop(far, decentMerchantAbi, decentMerchantBytecode),
    }
    onProgress('Whitelisting them')
    for (const [shape, target] of Object.entries(merchants))
      await sandbox.whitelist({ target, ...(shape === 'decent' && { chainId: far.chainId }) })
    return {
      sandbox,
      home,
      far,
      solana,
      stellar,
      tempo: { ...tempo, client: clientOf(tempo) },
      merchants,
      walletFactory,
      stop: sandbox.stop,
    }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

function clientOf(chain: Pick<SandboxChain<ServiceKind>, 'blockchain' | 'chainId' | 'rpcUrl'>) {
  const definition = defineChain({
    id: chain.chainId,
    name: chain.blockchain,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  return createPublicClient({ chain: definition, transport: http(chain.rpcUrl), pollingInterval: 25 })
}

function toDemoChain<service extends ServiceKind>(chain: SandboxChain<service>): DemoChain<service> {
  const client = clientOf(chain)
  const { account } = merchant
  const wallet = createWalletClient({ account, chain: client.chain, transport: http(chain.rpcUrl) })
  return {
    ...chain,
    client,
    call: async (call) => {
      const receipt = await waitForReceipt(client, await wallet.writeContract(call))
      if (receipt.status !== 'success')
        throw new Error(`The merchant's transaction reverted on ${chain.blockchain}.`)
    },
    sendAnyway: (call) => wallet.writeContract({ ...call, gas: 2_000_000n }),
  }
}
