import { checkClientOptions } from '../api/clientOptions.ts'
import type { PaymentOutcomeUnknownError, SessionKeyError } from '../api/errors.ts'
import type { SessionKeySource } from '../api/readSessionKey.ts'
import type { Blockchain, Environment } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { checkOrderId } from '../core/orderId.ts'
import type { CardCheckoutBody } from '../schema/checkout.ts'
import type { CardFormError, CardRefusedError } from './errors.ts'
import { checkTheme, type PurchaseTheme } from './readLook.ts'

/** The order: the body of a card checkout (PROTOCOL.md 11.8, 11.10) without the fields that the form adds. */
export type PurchaseOrder = Partial<
  Omit<CardCheckoutBody, 'card' | 'jwtToken' | 'authentication3DS' | 'saveCard'>
>

/** Options of the card form. The form needs the order: pass `purchaseId`, or a checkout JWT that contains one. */
export type PurchaseOptions = FormOptions & ({ checkoutJwtToken: string } | { purchaseId: string })

export type FormOptions = {
  /** Base URL of the service, with or without a trailing `/api`. https, or http for localhost. */
  baseUrl: string
  merchantId: string
  /** Session key from the merchant's server, or a function that fetches one. It is called once more after the key has expired. */
  sessionKey: SessionKeySource
  /** Checkout JWT from the merchant's server. It pins the order that the form shows. */
  checkoutJwtToken?: string | undefined
  /** Fields of the order that the JWT does not pin. */
  order?: PurchaseOrder | undefined
  /**
   * Your order's id: 1 to 256 visible characters in Unicode NFC. An order is paid by card only once, regardless of tabs, devices
   * and reloads. Use one id for one price and one cart. Default: the `purchaseId` in the checkout JWT.
   */
  purchaseId?: string | undefined
  /** The form is shown only if the service runs in this environment. */
  environment?: Environment | undefined
  /** Delivery address of the purchase. */
  wallet?: string | undefined
  blockchain?: Blockchain | undefined
  /** Your own id for the customer; must match the session key. */
  userId?: string | undefined
  /** Sent as `x-device-id`, for chargeback protection. Default: a random id that the form keeps in this browser. */
  deviceId?: string | undefined
  /** The customer's email address for the receipt. The form asks for it if neither this nor the JWT contains it. */
  email?: string | undefined
  /** Offers to save the card for later purchases. Default false. */
  offersSaving?: boolean | undefined
  /** Language tag: a language of redeemkit, otherwise English. Default: the page's language. */
  language?: string | undefined
  theme?: PurchaseTheme | undefined
  /** The form is shown. */
  onReady?: (() => void) | undefined
  /** The bank's 3DS challenge opened or closed. An open challenge needs more space. */
  onChallenge?: ((isOpen: boolean) => void) | undefined
  /** The funds have settled. Your server learns this by webhook, which a page cannot forge. */
  onSuccess?: ((paymentId: string, more: { hash?: string | undefined }) => void) | undefined
  /** With `authOnly`: the bank has approved the payment, and no funds settle. */
  onAuthorized?: ((paymentId: string) => void) | undefined
  /** The form already shows the error to the customer. */
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
 * Errors never show a credential.
 *
 * @returns the base URL without a trailing `/api` or slash
 */
export function checkPurchaseOptions(options: PurchaseOptions): string {
  checkOptions(options, kinds)
  const { merchantId, sessionKey, wallet, blockchain, environment, userId, deviceId } = options
  const { checkoutJwtToken, order, theme } = options
  if (sessionKey === undefined)
    throw new InvalidOptionError('sessionKey is undefined.', {
      field: 'sessionKey',
      fix: 'Pass a session key from your own server, or a function that fetches one.',
    })
  if ((wallet === undefined) !== (blockchain === undefined))
    throw new InvalidOptionError('Either the wallet or its blockchain is missing.', {
      field: wallet === undefined ? 'wallet' : 'blockchain',
      fix: 'Pass both or neither.',
    })
  if (checkoutJwtToken === undefined && order?.subtotal === undefined)
    throw new InvalidOptionError('The order is missing.', {
      field: 'checkoutJwtToken',
      fix: 'Pass a checkout JWT from your server, or an order with a subtotal.',
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

/** The purchase as sent to the form, without session key and theme. */
export function purchaseFacts(options: PurchaseOptions): Record<string, unknown> {
  const { order, checkoutJwtToken: jwtToken, environment, wallet, blockchain } = options
  const { userId, deviceId, email, offersSaving } = options
  const purchaseId = readPurchaseId(options)
  const named = { jwtToken, purchaseId, environment, wallet, blockchain, userId, deviceId, email }
  return JSON.parse(JSON.stringify({ order, offersSaving, ...named }))
}

/** Returns the same text for the same purchase. */
export function purchaseName(options: PurchaseOptions): string {
  return JSON.stringify(purchaseFacts(options))
}

/**
 * Returns the order id of the options or of the checkout JWT.
 *
 * @throws {@link InvalidOptionError} for no id or two different ids; InvalidOrderIdError for an invalid id
 */
export function readPurchaseId(options: {
  purchaseId?: string | undefined
  checkoutJwtToken?: string | undefined
}): string {
  const { purchaseId, checkoutJwtToken } = options
  const pinned = pinnedId(checkoutJwtToken)
  if (purchaseId === undefined && pinned === undefined)
    throw new InvalidOptionError('The order has no id, so a second tab or a reload could pay it twice.', {
      field: 'purchaseId',
      fix: 'Pass `purchaseId`, your order’s id, or put it into the checkout JWT on your server: `createCheckoutJwt({ body: { purchaseId, subtotal } })`.',
      source: 'PROTOCOL.md 10.8',
    })
  if (purchaseId !== undefined && pinned !== undefined && purchaseId !== pinned)
    throw new InvalidOptionError(
      `purchaseId is ${showValue(purchaseId)}, but the checkout JWT is for the order ${showValue(pinned)}.`,
      {
        field: 'purchaseId',
        fix: 'Leave `purchaseId` out, or pass the id that the JWT was made with.',
        source: 'PROTOCOL.md 10.8',
      },
    )
  return purchaseId === undefined
    ? checkOrderId(pinned, 'checkoutJwtToken')
    : checkOrderId(purchaseId, 'purchaseId')
}

/** `undefined` also for an unreadable JWT, which the service rejects. */
function pinnedId(jwtToken: string | undefined): unknown {
  try {
    const [, payload = ''] = jwtToken?.split('.') ?? []
    const text = atob(payload.replace(/-/g, '+').replace(/_/g, '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)).checkout?.purchaseId
  } catch {
    return undefined
  }
}
