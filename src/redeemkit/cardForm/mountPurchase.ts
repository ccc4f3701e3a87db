import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import {
  formAddress,
  keepOptions,
  loadForm,
  openForm,
  removeForm,
  sendLook,
  startPurchase,
} from './openForm.ts'
import { checkPurchaseOptions, type PurchaseOptions, purchaseName } from './purchaseOptions.ts'
import type { PageElement } from './readLook.ts'

/**
 * Shows the service's card form in an element of the page and reports the result. The form is the service's page in an iframe: it
 * takes the card, shows the bank's 3DS challenge, and waits for settlement. Your page never sees the card.
 *
 * The form needs the order: pass `purchaseId`, or a checkout JWT that contains one. An order is paid only once, regardless of
 * clicks, tabs, devices, reloads and lost responses.
 *
 * The form follows the page's language and colors: set CSS variables such as `--purchase-accent` and `--purchase-radius` on the element or
 * an ancestor, or pass `theme`. `onSuccess` is for the customer. On your server, rely on webhooks.
 *
 * @param element container; its existing content stays
 * @returns `update` changes the options; a new purchase is shown once no payment is in progress. `unmount` removes the form, but
 * cancels no payment
 * @throws {@link InvalidOptionError} naming the option; {@link InvalidOrderIdError} for an id
 * @see PROTOCOL.md 10.3 and 10.8
 * @example
 * ```ts
 * import { mountPurchase } from 'redeemkit'
 * const show = (element: HTMLElement, checkoutJwtToken: string) =>
 *   mountPurchase(element, {
 *     baseUrl: 'https://service.example',
 *     merchantId: 'shop',
 *     sessionKey: async () => (await (await fetch('/session-key')).json()).key, // your own server
 *     checkoutJwtToken, // made with your order's `purchaseId`
 *     onSuccess: (paymentId) => console.log('settled', paymentId),
 *   })
 * ```
 */
export function mountPurchase(
  element: PageElement,
  options: mountPurchase.Options,
): mountPurchase.ReturnType {
  checkPurchaseOptions(options)
  checkPage(element)
  let current = options
  const form = openForm(element, () => current)
  const scheme = window.matchMedia('(prefers-color-scheme: dark)')
  const onScheme = () => sendLook(form)
  scheme.addEventListener('change', onScheme)
  return {
    update: (next) => {
      const isElsewhere = formAddress(next) !== formAddress(current)
      const isSame = purchaseName(next) === purchaseName(current)
      keepOptions(form)
      current = next
      if (isElsewhere) return loadForm(form)
      if (isSame) return sendLook(form)
      // the next purchase may belong to another customer
      form.keys = {}
      void startPurchase(form)
    },
    unmount: () => {
      scheme.removeEventListener('change', onScheme)
      removeForm(form)
    },
  }
}

export declare namespace mountPurchase {
  type Options = PurchaseOptions
  type ReturnType = {
    update: (options: Options) => void
    unmount: () => void
  }
  type ErrorType = InvalidOptionError | InvalidOrderIdError
}

/** Files and sandboxed frames have no origin, so the form could not send messages to them. */
function checkPage(element: HTMLElement): void {
  if (!(element instanceof HTMLElement))
    throw new InvalidOptionError('The element for the card form is missing.', {
      field: 'element',
      fix: 'Pass an existing element of the page, such as document.getElementById("pay").',
    })
  if (!/^https?:/.test(window.location.origin))
    throw new InvalidOptionError('This page has no origin, so the card form cannot communicate with it.', {
      field: 'element',
      fix: 'Serve the page over https or from http://localhost, and not in a sandboxed frame.',
    })
}
