import { and, eq } from 'drizzle-orm'
import { cardsOnFile, cardTokens } from '../../../store/tables/index.ts'
import type { CheckoutCustomer } from '../../http/checkoutCustomer.ts'
import { problem } from '../../http/problem.ts'
import { isStorableText } from '../../http/storableText.ts'
import { ofCustomer } from '../../payments/ofCustomer.ts'
import type { Service } from '../../service.ts'
import type { CardRow } from './chargeCard.ts'

/**
 * A card by the token of a merchant's tokenization, or by the one under which this customer has it on file.
 *
 * @param wanted.field where the token stood, for the error, which does not quote it: it may be a card number
 * @throws ServiceProblem, 400: a token of another merchant, or another customer's card on file, is none
 */
export async function findCard(
  service: Service,
  wanted: { customer: CheckoutCustomer; token: string; field: string },
): Promise<CardRow> {
  const { customer, token, field } = wanted
  const card = isStorableText(token) ? await search(service, customer, token) : undefined
  if (card === undefined) throw problem('INVALID_REQUEST', 'There is no such card.', { issues: [field] })
  return card
}

async function search(service: Service, customer: CheckoutCustomer, token: string) {
  const database = await service.database()
  const { merchantId } = customer.merchant
  const [onFile] = await database
    .select({ cardToken: cardsOnFile.cardToken })
    .from(cardsOnFile)
    .where(and(eq(cardsOnFile.cardId, token), ofCustomer(cardsOnFile, customer)))
  const [card] = await database
    .select()
    .from(cardTokens)
    .where(and(eq(cardTokens.token, onFile?.cardToken ?? token), eq(cardTokens.merchantId, merchantId)))
  return card
}
