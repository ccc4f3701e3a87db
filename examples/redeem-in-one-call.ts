import { createPaymentsClient, type EvmClient, type RedeemPins, redeem } from 'redeemkit'
import { type EvmSigner, token } from 'redeemkit/evm'

/** Sends 10 dollars to a shop: 6 from credits, 4 in USDC. The wallet signs twice and pays no gas. */
export async function payTenDollars(options: {
  baseUrl: string
  signer: EvmSigner // a viem account, a wallet client, an EIP-1193 provider, an ethers signer
  publicClient: EvmClient // a viem client, or anything with `request`
  pinned: RedeemPins // pinned values from your own configuration: contract, credit seed, maximum gas fee
  shop: `0x${string}`
  orderId: string // paid once, ever
}) {
  const client = createPaymentsClient({
    baseUrl: options.baseUrl,
    merchantId: 'sandbox-shop',
    blockchain: 'base',
    environment: 'sandbox',
  })
  const { outcome } = await redeem(client, {
    signer: options.signer,
    publicClient: options.publicClient,
    pinned: options.pinned,
    purchaseId: options.orderId,
    storage: globalThis.localStorage, // a reload resumes an open payment
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: token({ destination: options.shop }),
  })
  return outcome // read from the chain: charged credits, USDC, gas fee, NFTs
}
