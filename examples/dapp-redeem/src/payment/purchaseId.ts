import { type Bill, bills } from '../catalogue/bills.ts'
import { hrefOf } from '../routes/route.ts'

/**
 * The id under which a bill is paid once: by one wallet, ever, whatever is pressed, reloaded or opened on another device, since the payment's
 * nonce follows from both. It is the order's own, given when the order is made, and says nothing of the page: the number of the bill,
 * with its month, because numbers come back.
 *
 * That nobody pays the same bill from a second wallet is for the merchant to see to: its server hears of every payment by a webhook, and
 * shows no bill that is paid.
 */
export function billPurchaseId({ month, number }: Bill): string {
  return `bill ${month} ${number}`
}

/** The id under which one moth is bought once: an order of its own each time. */
export function mothPurchaseId({ slug, orderId }: { slug: string; orderId: string }): string {
  return `moth ${slug} ${orderId}`
}

/** The page of an order that was left open; `undefined` for an id that is none of this shop's. */
export function hrefOfPurchase(purchaseId = ''): string | undefined {
  const bill = bills.find((one) => billPurchaseId(one) === purchaseId)
  if (bill !== undefined) return hrefOf({ page: 'bill', number: bill.number })
  const [, slug, orderId] = /^moth (\S+) (\S+)$/.exec(purchaseId) ?? []
  return slug && hrefOf({ page: 'moth', slug, orderId })
}
