import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../../store/database.ts'
import { cardsOnFile, cardTokens } from '../../../store/tables/index.ts'
import type { CheckoutCustomer } from '../../http/checkoutCustomer.ts'
import { ofCustomer } from '../../payments/ofCustomer.ts'

/** Keeps a card for a customer, once. @returns the token under which the customer has it */
export async function putOnFile(
  work: DatabaseWork,
  options: { customer: CheckoutCustomer; cardToken: string; at: Date },
): Promise<string> {
  const { customer, cardToken, at } = options
  // One after the other, so that nobody has a card twice.
  await work
    .select({ token: cardTokens.token })
    .from(cardTokens)
    .where(eq(cardTokens.token, cardToken))
    .for('update')
  const [known] = await work
    .select({ cardId: cardsOnFile.cardId })
    .from(cardsOnFile)
    .where(and(eq(cardsOnFile.cardToken, cardToken), ofCustomer(cardsOnFile, customer)))
  if (known !== undefined) return known.cardId
  const cardId = `card_${randomBytes(24).toString('base64url')}`
  const { merchant, userId = null, wallet = null, blockchain = null } = customer
  await work.insert(cardsOnFile).values({
    cardId,
    merchantId: merchant.merchantId,
    userId,
    wallet,
    blockchain,
    cardToken,
    createdAt: at,
  })
  return cardId
}
