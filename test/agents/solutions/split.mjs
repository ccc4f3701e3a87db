import { createPaymentsClient, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createPublicClient, http } from 'viem'

export async function pay({ baseUrl, merchantId, signer, rpcUrl, chainId, pinned, shop, orderId, version }) {
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain: 'base' })
  return redeem(client, {
    signer,
    publicClient: createPublicClient({ transport: http(rpcUrl) }),
    chainId,
    pinned,
    purchaseId: orderId,
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    usdcVersion: version === 1 ? 'V1' : 'V2',
    transactionData: token({ destination: shop }),
  })
}
