import { encodeFunctionData, type Hex } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import { smartWalletFactoryAbi } from '../../../../contracts/generated/smartWallets.ts'
import type { AccountSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { token } from '../../../redeemkit/evm/transactionData/builders.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import { devAccount } from '../../devAccounts.ts'
import { check, clientOf, type DemoPart } from './demoPart.ts'
import { dollars, printTable, short } from './report.ts'

export const smartAccount: DemoPart = {
  title: 'Redeem from a smart account that is not deployed yet (ERC-6492)',
  run: async (demo, progress) => {
    const { sandbox, home, walletFactory } = demo
    const owner = devAccount('demo smart account owner')
    const factoryCall = {
      address: walletFactory,
      abi: smartWalletFactoryAbi,
      args: [owner.account.address, 7n],
    } as const
    const address = await home.client.readContract({ ...factoryCall, functionName: 'walletOf' })
    const factoryData = encodeFunctionData({ ...factoryCall, functionName: 'createWallet' })
    const wrap = (signature: Hex) =>
      serializeErc6492Signature({ address: walletFactory, data: factoryData, signature })
    const signer: AccountSigner = {
      address,
      signTypedData: async (typedData) => wrap(await owner.account.signTypedData(typedData)),
      signMessage: async (message) => wrap(await owner.account.signMessage(message)),
    }
    progress('funding the account')
    await sandbox.mintCredits({ wallet: address, cents: 2000 })
    await sandbox.mintUsdc({ wallet: address, cents: 2000 })
    check((await home.client.getCode({ address })) === undefined, 'the account is not deployed yet')
    progress('redeeming')
    const { hash, outcome } = await redeem(clientOf(demo, { blockchain: 'base' }), {
      signer,
      publicClient: home.client,
      pollingIntervalMs: 20,
      chainId: home.chainId,
      pinned: home.pinned,
      subtotal: { cents: 1000 },
      usdcAmount: { cents: 400 },
      transactionData: token({ destination: sandbox.accounts.bob.address }),
    })
    check(outcome.usdcAmount === 4_000_000n, 'credits and USDC were spent')
    check((await home.client.getCode({ address })) !== undefined, 'the account is deployed now')
    return () =>
      printTable('Smart account: the service deployed it through an allowed factory, then redeemed', {
        head: ['account', 'payment', 'hash', 'fee', 'what moved'],
        rows: [
          [
            short(address),
            'credits + USDC V2',
            short(hash),
            dollars(outcome.gasFee),
            `${dollars(outcome.charged)} credits + ${dollars(outcome.usdcAmount)} USDC → 10.00 USDC to bob`,
          ],
        ],
        right: [3],
      })
  },
}
