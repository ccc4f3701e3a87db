import { mountPurchase, PaymentOutcomeUnknownError } from 'redeemkit'

/** Shows the service's card form for an order that your server has priced. */
export function cardForm(
  element: HTMLElement,
  options: {
    baseUrl: string
    sessionKey: () => Promise<string> // asks your own server, which has the API key
    order: { id: string; checkoutJwtToken: string } // from your server: the JWT pins the price
    onPaid: (paymentId: string) => void // updates the page only; your server relies on webhooks
    onUnclear: () => void // offer no other way to pay until the outcome is known
  },
) {
  const { baseUrl, sessionKey, order } = options
  const { update, unmount } = mountPurchase(element, {
    baseUrl,
    merchantId: 'sandbox-shop',
    sessionKey,
    checkoutJwtToken: order.checkoutJwtToken,
    purchaseId: order.id, // an order is paid once, across tabs and devices; the JWT can contain the ID instead
    theme: { variables: { '--purchase-radius': '12px' } },
    onSuccess: options.onPaid, // called once the funds have settled
    onError: (error) => {
      if (error instanceof PaymentOutcomeUnknownError) options.onUnclear()
    },
  })
  return { update, unmount }
}
