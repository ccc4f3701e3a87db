import { createPaymentsClient, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const baseUrl = 'http://127.0.0.1:4242' // npx redeemkit sandbox
const client = createPaymentsClient({
  baseUrl,
  merchantId: 'sandbox-shop',
  blockchain: 'base',
  environment: 'sandbox',
})
const publicClient = createPublicClient({ transport: http(`${baseUrl}/rpc/base`) })
const { outcome } = await redeem(client, {
  signer: privateKeyToAccount('0x103e7500307a0e53eb8bc2e49f9aedbb50d942788d50724a57ed228f072bb0ee'), // alice
  publicClient,
  dryRun: publicClient, // refuses what would fail, before the wallet is asked
  // trusted values from your own configuration, never from the service's responses;
  // those of the sandbox are fixed, and it prints them when it starts
  pinned: { creditsContract: '0xaeFe2d281E200A64cE33030aa3CfC3c79B1Dc1d9', creditSeed: 'sandbox-shop' },
  purchaseId: 'order 1', // your order id: it is paid once
  subtotal: { cents: 1000 },
  transactionData: token({ destination: '0x5e376587B63a5d43154d7F34170f76BD48CB3ea7' }), // bob
})
console.log(outcome)
