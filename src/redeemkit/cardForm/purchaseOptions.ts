import { checkClientOptions } from '../api/clientOptions.ts'
import type { SessionKeySource } from '../api/credentials.ts'
import type { SessionKeyError } from '../api/errors.ts'
import type { PaymentOutcomeUnknownError } from '../api/sendPayment.ts'
import type { Blockchain, Environment } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { CardCheckoutBody } from '../schema/checkout.ts'
import type { CardFormError, CardRefusedError } from './errors.ts'
import { checkTheme, type PurchaseTheme } from './readLook.ts'
import { readPurchaseId } from './readPurchaseId.ts'

/** What is bought: the body of a card checkout (PROTOCOL.md 11.8, 11.10) without what the form adds. */
export type PurchaseOrder = Partial<
  Omit<CardCheckoutBody, 'card' | 'jwtToken' | 'authentication3DS' | 'saveCard'>
>

/**
 * What may be asked of the card form; `update` takes the same anew. The form must know the order: pass `purchaseId`, or a checkout
 * JWT that was made with one.
 */
export type PurchaseOptions = FormOptions & ({ checkoutJwtToken: string } | { purchaseId: string })

export type FormOptions = {
  /** Base address of the service, https, with or without its closing `/api`. Plain http to this machine only. */
  baseUrl: string
  merchantId: string
  /** From the merchant's server, or a function that fetches one: it is asked once more when the first has expired. */
  sessionKey: SessionKeySource
  /** Checkout JWT from the merchant's server: it pins what is bought, and the form shows what it says. */
  checkoutJwtToken?: string | undefined
  /** What is bought, where no JWT pins it; what the JWT pins may be left out. */
  order?: PurchaseOrder | undefined
  /**
   * Your order's id, 1 to 256 visible characters in Unicode NFC. An order is paid once by card, in any number of tabs and devices and
   * after any reload. One id stands for one price and one cart. Default: the `purchaseId` that the checkout JWT was made with.
   */
  purchaseId?: string | undefined
  /** When given, the form shows itself only for a service of this environment. */
  environment?: Environment | undefined
  /** Where what is bought goes. */
  wallet?: string | undefined
  blockchain?: Blockchain | undefined
  /** The merchant's own name of the customer; it has to be the session key's. */
  userId?: string | undefined
  /** Sent as `x-device-id`; needed in practice with chargeback protection. */
  deviceId?: string | undefined
  /** The customer's, for the receipt; the form asks for it when neither this nor the JWT has it. */
  email?: string | undefined
  /** Asks the customer whether the card may be kept for the next purchase. Default false. */
  offersSaving?: boolean | undefined
  /** Language tag; the form speaks English and Brazilian Portuguese. Default that of the page. */
  language?: string | undefined
  theme?: PurchaseTheme | undefined
  /** The form is there. */
  onReady?: (() => void) | undefined
  /** The bank's challenge (3DS) is shown, or is gone again: it needs room. */
  onChallenge?: ((isOpen: boolean) => void) | undefined
  /** The funds have settled. Your server learns it by webhook, which no page can forge. */
  onSuccess?: ((paymentId: string, more: { hash?: string | undefined }) => void) | undefined
  /** Of an order with `authOnly`: the bank has agreed, and nothing settles. */
  onAuthorized?: ((paymentId: string) => void) | undefined
  /** The person has been told already, in the form or in its place. */
  onError?:
    | ((error: CardFormError | CardRefusedError | PaymentOutcomeUnknownError | SessionKeyError) => void)
    | undefined
}

const kinds: OptionKinds<PurchaseOptions> = {
  baseUrl: 'any',
  merchantId: 'any',
  sessionKey: 'any',
  checkoutJwtToken: 'string?',
  order: 'object?',
  purchaseId: 'string?',
  environment: 'any',
  wallet: 'any',
  blockchain: 'any',
  userId: 'any',
  deviceId: 'any',
  email: 'string?',
  offersSaving: 'boolean?',
  language: 'string?',
  theme: 'object?',
  onReady: 'function?',
  onChallenge: 'function?',
  onSuccess: 'function?',
  onAuthorized: 'function?',
  onError: 'function?',
}

/**
 * Checks what a card form is asked for.
 *
 * @returns the base address without `/api` and slashes at its end
 * @throws {@link InvalidOptionError} naming the option, InvalidOrderIdError for an id; credentials are never shown
 */
export function checkPurchaseOptions(options: PurchaseOptions): string {
  checkOptions(options, kinds)
  const { merchantId, sessionKey, wallet, blockchain, environment, userId, deviceId } = options
  const { checkoutJwtToken, order, theme } = options
  if (sessionKey === undefined)
    throw new InvalidOptionError('sessionKey is undefined.', {
      field: 'sessionKey',
      fix: 'Fetch one from your own server, which has the API key, or give the function that does.',
    })
  if ((wallet === undefined) !== (blockchain === undefined))
    throw new InvalidOptionError('A wallet and its blockchain go together.', {
      field: wallet === undefined ? 'wallet' : 'blockchain',
      fix: 'Give both, or neither.',
    })
  if (checkoutJwtToken === undefined && order?.subtotal === undefined)
    throw new InvalidOptionError('Nothing says what is bought.', {
      field: 'checkoutJwtToken',
      fix: 'Give the checkout JWT of your server, or an order with a subtotal.',
    })
  readPurchaseId(options)
  if (theme !== undefined) checkTheme(theme)
  return checkClientOptions({
    baseUrl: options.baseUrl,
    merchantId,
    sessionKey,
    wallet,
    environment,
    userId,
    deviceId,
    blockchain: blockchain ?? 'user',
  })
}

/** What the form is told beside the key and its look, as plain data. */
export function purchaseFacts(options: PurchaseOptions): Record<string, unknown> {
  const { order, checkoutJwtToken: jwtToken, environment, wallet, blockchain } = options
  const { userId, deviceId, email, offersSaving } = options
  const purchaseId = readPurchaseId(options)
  const named = { jwtToken, purchaseId, environment, wallet, blockchain, userId, deviceId, email }
  return JSON.parse(JSON.stringify({ order, offersSaving, ...named }))
}

/** The same text for the same purchase. */
export function purchaseName(options: PurchaseOptions): string {
  return JSON.stringify(purchaseFacts(options))
}
