import { PaymentOutcomeUnknownError } from 'redeemkit'
import { SvcPurchase } from 'redeemkit/react'

/** Shows the service's card form for an order that your server has priced. */
export function CardForm(props: {
  order: { id: string; checkoutJwtToken: string } // from your server: the JWT pins the price
  onPaid: (paymentId: string) => void // updates the page only; your server relies on webhooks
  onUnclear: () => void // offer no other way to pay until the outcome is known
}) {
  const { order, onPaid, onUnclear } = props
  return (
    <SvcPurchase
      env="sandbox"
      baseUrl="http://127.0.0.1:4242"
      merchantId="sandbox-shop"
      sessionKey={readSessionKey}
      checkoutJwtToken={order.checkoutJwtToken}
      purchaseId={order.id}
      onSuccess={onPaid}
      onError={(error) => {
        if (error instanceof PaymentOutcomeUnknownError) onUnclear()
      }}
    />
  )
}

// #region sessionKey
/** Asks your own server, which has the API key. Called again when the key has expired. */
async function readSessionKey(): Promise<string> {
  const answer = await fetch('/api/redeemkit/getSessionKey')
  if (!answer.ok) throw new Error(`Your server returned ${answer.status}.`)
  return (await answer.json()).key
}
// #endregion
