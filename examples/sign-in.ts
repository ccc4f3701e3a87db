import { createPaymentsClient, login } from 'redeemkit'
import { type EvmSigner, evmAdapter } from 'redeemkit/evm'

/** Signs a wallet in. The message is checked before the wallet opens: address, chain, site, expiry. */
export async function signIn(options: { baseUrl: string; signer: EvmSigner }) {
  const client = createPaymentsClient({
    baseUrl: options.baseUrl,
    merchantId: 'sandbox-shop',
    blockchain: 'base',
    environment: 'sandbox',
  })
  const adapter = evmAdapter({ signer: options.signer, blockchain: 'base', environment: 'sandbox' })
  return login(client, { adapter }) // later calls of this client carry the credential
}
