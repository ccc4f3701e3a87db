import {
  describeSigning,
  type EvmClient,
  explorerUrl,
  type PaymentsClient,
  prepareRedeem,
  type RedeemPins,
  signRedeem,
  submitRedeem,
  userMessage,
  waitForRedeem,
} from 'redeemkit'
import { type EvmSigner, token } from 'redeemkit/evm'
import { ptBr } from 'redeemkit/languages'

/** Pays 10 dollars. Describes the signature, the fee and the outcome in Portuguese. */
export async function payInPortuguese(
  client: PaymentsClient,
  options: {
    wallet: `0x${string}`
    signer: EvmSigner
    publicClient: EvmClient
    pinned: RedeemPins
    shop: `0x${string}`
    say: (text: string) => void // shows a text on the page
  },
) {
  const { pinned, publicClient, say, signer, wallet } = options
  const request = { subtotal: { cents: 1000 }, transactionData: token({ destination: options.shop }) }
  try {
    const prepared = await prepareRedeem(client, { ...request, wallet, pinned })
    say(describeSigning(prepared, { messages: ptBr }).text) // before the wallet opens
    const signed = await signRedeem(signer, { prepared, pinned, request, publicClient })
    const submitted = await submitRedeem(client, { signed })
    await waitForRedeem(publicClient, submitted)
    // Undefined for chains without an explorer, such as a local chain.
    const link = explorerUrl({ ...submitted, baseUrl: client.baseUrl })
    say(link === undefined ? 'Pago.' : `Pago. ${link}`)
  } catch (error) {
    // 'Você recusou a solicitação na sua carteira. Nada foi cobrado.'
    say(userMessage(error, { messages: ptBr }))
  }
}
