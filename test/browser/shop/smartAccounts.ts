import { encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { smartWalletAbi, smartWalletBytecode } from '../../../contracts/generated/SmartWallet.ts'
import {
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../../contracts/generated/SmartWalletFactory.ts'
import type { RunningShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import type { SmartAccount } from '../../../src/sandbox/testing/wallet/honestWallet.ts'
import { anvil } from '../../service/sandboxClient.ts'

/** Accounts with code on the shop's chain, each owned by a key. */
export function smartAccounts({ sandbox, config }: RunningShop) {
  const { client, rpc } = anvil(config.rpcUrl)
  const deployWallet = (owner: LocalAccount) =>
    sandbox.deploy({ abi: smartWalletAbi, bytecode: smartWalletBytecode, args: [owner.address] })
  return {
    /** Deployed: signs with ERC-1271. */
    deployed: async (owner: LocalAccount): Promise<SmartAccount> => ({
      kind: 'erc1271',
      address: await deployWallet(owner),
    }),
    /** The key's own account, delegated to code (EIP-7702). */
    delegated: async (owner: LocalAccount): Promise<SmartAccount> => {
      const code: Hex = `0xef0100${(await deployWallet(owner)).slice(2)}`
      await rpc('anvil_setCode', [owner.address, code])
      return { kind: 'eip7702' }
    },
    /** Not deployed yet: its signatures contain the deployment (ERC-6492), by a factory that client and service know. */
    counterfactual: async (owner: LocalAccount): Promise<SmartAccount> => {
      const deployed = await sandbox.deploy({
        abi: smartWalletFactoryAbi,
        bytecode: smartWalletFactoryBytecode,
      })
      const factory = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'
      await rpc('anvil_setCode', [factory, await client.getCode({ address: deployed })])
      const call = { abi: smartWalletFactoryAbi, args: [owner.address, 7n] } as const
      return {
        kind: 'erc6492',
        address: await client.readContract({ ...call, address: factory, functionName: 'walletOf' }),
        factory,
        factoryData: encodeFunctionData({ ...call, functionName: 'createWallet' }),
      }
    },
  }
}
