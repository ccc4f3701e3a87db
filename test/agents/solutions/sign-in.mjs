import { createPaymentsClient, isServiceError, login, verifyAuth } from 'redeemkit'
import { evmAdapter } from 'redeemkit/evm'
import { solanaAdapter } from 'redeemkit/solana'
import { stellarAdapter } from 'redeemkit/stellar'

const environment = 'sandbox'
const adapters = {
  base: (signer) => evmAdapter({ signer, blockchain: 'base', environment }),
  solana: (signer) => solanaAdapter({ signer, environment }),
  stellar: (signer) => stellarAdapter({ signer, environment }),
}

export async function signIn({ baseUrl, merchantId, blockchain, wallet }) {
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain, environment })
  const signedIn = await login(client, { adapter: adapters[blockchain](wallet) })
  return { address: signedIn.wallet, signedMessage: signedIn.signedMessage }
}

export async function isSignedIn({ baseUrl, merchantId, blockchain, address, signedMessage }) {
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain, environment })
  try {
    await verifyAuth(client, { wallet: address, blockchain, signedMessage })
    return true
  } catch (error) {
    if (isServiceError(error) && error.status === 401) return false
    throw error
  }
}
