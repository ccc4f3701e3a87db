import {
  checkRedeem,
  describeSigning,
  type EvmClient,
  type PaymentsClient,
  type RedeemPins,
  redeem,
  userMessage,
} from 'redeemkit'
import { type EvmSigner, token } from 'redeemkit/evm'

/**
 * Prepares the redeem while the page is shown, so that a click opens the wallet without a network request.
 *
 * @returns a function that stops the preparation
 */
export function showPayButton(
  button: HTMLButtonElement,
  options: {
    client: PaymentsClient
    wallet: `0x${string}`
    signer: EvmSigner
    publicClient: EvmClient
    pinned: RedeemPins
    shop: `0x${string}`
    orderId: string
    say: (text: string) => void // shows a text on the page
  },
): () => void {
  const { client, signer, say } = options
  const purchase = {
    wallet: options.wallet,
    publicClient: options.publicClient,
    pinned: options.pinned,
    purchaseId: options.orderId,
    storage: globalThis.localStorage,
    subtotal: { cents: 1000 },
    transactionData: token({ destination: options.shop }),
  }
  let checked: checkRedeem.ReturnType | undefined
  const check = async () => {
    if (document.hidden || button.disabled) return
    try {
      const prepared = checked?.state === 'ready' ? checked.prepared : undefined
      checked = await checkRedeem(client, { ...purchase, prepared })
      if (checked.state === 'ready') say(describeSigning(checked.prepared).text)
    } catch (error) {
      checked = undefined // a click runs the checks again and reports the error
      say(userMessage(error))
    }
  }
  button.onclick = async () => {
    button.disabled = true
    try {
      await redeem(client, { ...purchase, signer, ready: checked })
      say('Paid.')
    } catch (error) {
      say(userMessage(error))
    } finally {
      checked = undefined
      button.disabled = false
    }
  }
  void check()
  const timer = setInterval(check, 45_000) // a check is usable for 60 seconds
  document.addEventListener('visibilitychange', check)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
  }
}
