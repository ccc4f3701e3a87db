import { createPaymentsClient, type EvmClient, type RedeemPins, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { passkeySigner } from 'redeemkit/tempo'

/** Spends credits on Tempo with a passkey. Tempo has no USDC authorizations, so credits pay all of it. */
export async function redeemWithPasskey(options: {
  baseUrl: string
  passkey: passkeySigner.Options // id, public key and domain of the passkey; the browser prompts for it
  publicClient: EvmClient
  pinned: RedeemPins
  shop: `0x${string}`
}) {
  const client = createPaymentsClient({
    baseUrl: options.baseUrl,
    merchantId: 'sandbox-shop',
    blockchain: 'tempo',
    environment: 'sandbox',
  })
  return redeem(client, {
    signer: passkeySigner(options.passkey),
    publicClient: options.publicClient,
    pinned: options.pinned,
    subtotal: { cents: 1000 },
    transactionData: token({ destination: options.shop }),
  })
}
