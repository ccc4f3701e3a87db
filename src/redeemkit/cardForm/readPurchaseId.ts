import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { checkOrderId } from '../core/orderId.ts'

/**
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
