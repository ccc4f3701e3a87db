import { createPaymentsClient, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createPublicClient, http } from 'viem'

export async function pay({ baseUrl, merchantId, signer, rpcUrl, chainId, pinned, shop, orderId }) {
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain: 'base' })
  const { hash } = await redeem(client, {
    signer,
    publicClient: createPublicClient({ transport: http(rpcUrl) }),
    chainId,
    pinned,
    purchaseId: orderId,
    subtotal: { cents: 1000 },
    transactionData: token({ destination: shop }),
  })
  return hash
}
