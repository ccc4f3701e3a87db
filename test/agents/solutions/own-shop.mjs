import { createPaymentsClient, redeem } from 'redeemkit'
import { safeMint } from 'redeemkit/evm'
import { createPublicClient, http } from 'viem'

export async function sell({ sandbox, artifact }) {
  const { base } = sandbox.chains
  const shop = await sandbox.deploy({ artifact, args: [base.usdc, 5n] })
  await sandbox.whitelist({ target: shop, selector: 'buy(uint256)' })
  const client = createPaymentsClient({
    baseUrl: sandbox.url,
    merchantId: sandbox.merchantId,
    blockchain: 'base',
  })
  await redeem(client, {
    signer: sandbox.accounts.alice.account,
    publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
    chainId: base.chainId,
    pinned: base.pinned,
    purchaseId: 'ticket-1',
    subtotal: { cents: 1000 },
    transactionData: safeMint({ to: shop, abi: artifact.abi, functionName: 'buy', args: [10_000_000n] }),
  })
  return shop
}
