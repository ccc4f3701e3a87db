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

/**
 * Shows the service's card form in an element of the page, and tells what comes of it. The form is the service's own page in an
 * iframe: it takes the card, asks the bank's challenge (3DS), and waits until the funds have settled. The page never sees the card.
 *
 * The form must know the order: pass `purchaseId`, or a checkout JWT that was made with one. An order is paid once, in any number of
 * clicks, tabs and devices, after a reload and after a lost answer.
 *
 * The form follows the page's language and colours: CSS variables named `--purchase-accent`, `--purchase-radius` and so on, set on the
 * element or above it, or `theme`. redeemkit's CSS does not reach the page. `onSuccess` is for the customer: your server goes by webhooks.
 *
 * @param element where it stands; what is in it stays
 * @returns `update` takes the options anew; what is bought changes once no payment is under way. `unmount` takes the form away, not
 * what was sent
 * @throws {@link InvalidOptionError} naming the option, {@link InvalidOrderIdError} for an id
 * Source: PROTOCOL.md 10.3 and 10.8.
 * @example
 * ```ts
 * import { mountPurchase } from 'redeemkit'
 * const show = (element: HTMLElement, checkoutJwtToken: string) =>
 *   mountPurchase(element, {
 *     baseUrl: 'https://service.example',
 *     merchantId: 'shop',
 *     sessionKey: async () => (await (await fetch('/api/session-key')).json()).key, // your own server
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
      if (isElsewhere) loadForm(form)
      else if (isSame) sendLook(form)
      else void startPurchase(form)
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

/** `HTMLElement`, unnamed: a server's project has no types of the DOM, and reads these declarations, too. */
type PageElement = typeof globalThis extends { HTMLElement: { prototype: infer element } } ? element : never

/** A form talks to the page around it by its origin, which a file and a sandboxed frame do not have. */
function checkPage(element: HTMLElement): void {
  if (!(element instanceof HTMLElement))
    throw new InvalidOptionError('There is no element to show the card form in.', {
      field: 'element',
      fix: 'Give an element of the page, once it is there: document.getElementById("pay").',
    })
  if (!/^https?:/.test(window.location.origin))
    throw new InvalidOptionError('This page has no origin that the card form could answer.', {
      field: 'element',
      fix: 'Serve the page over https, or from http://localhost, and outside of a sandboxed frame.',
    })
}
