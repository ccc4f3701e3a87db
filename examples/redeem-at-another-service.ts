import { createPaymentsClient, type EvmClient, type PurchaseStorage, redeem } from 'redeemkit'
import { type EvmSigner, token } from 'redeemkit/evm'

/** Spends 10 dollars of credits at a service with random nonces. */
export async function payAtAnotherService(options: {
  baseUrl: string // URL with or without a trailing /api
  headerPrefix: string // prefix of the service's header names: `x-svc-` for x-svc-auth-wallet
  merchantId: string
  signer: EvmSigner
  publicClient: EvmClient
  creditsContract: `0x${string}` // from the merchant's own account at the service, never from a response
  domainName: string // EIP-712 domain name of that contract, different for each service
  creditSeed: string
  shop: `0x${string}`
  orderId: string
  storage: PurchaseStorage // prevents a second payment: localStorage, or your own storage with replaceItem
}) {
  const { creditsContract, domainName, creditSeed } = options
  const client = createPaymentsClient({
    baseUrl: options.baseUrl,
    headerPrefix: options.headerPrefix,
    merchantId: options.merchantId,
    blockchain: 'base',
    environment: 'sandbox',
  })
  const { outcome } = await redeem(client, {
    signer: options.signer,
    publicClient: options.publicClient,
    pinned: { creditsContract, domainName, creditSeed, intentBound: false }, // this merchant trusts the relayer
    purchaseId: options.orderId,
    storage: options.storage,
    subtotal: { cents: 1000 },
    transactionData: token({ destination: options.shop }),
  })
  return outcome // transaction and token movements; such a contract does not report the charged credits
}
