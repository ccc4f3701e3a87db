import { and, eq, isNull, or } from 'drizzle-orm'
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
 * @param wanted.onFile whether only cards on file will do. Default false
 * @throws ServiceProblem, 400: a token of another merchant, another customer's of the card form, or another customer's card on
 * file, is none
 */
export async function findCard(
  service: Service,
  wanted: { customer: CheckoutCustomer; token: string; field: string; onFile?: boolean },
): Promise<CardRow> {
  const { token, field, onFile = false } = wanted
  const isStorable = isStorableText(token)
  const card =
    (isStorable ? await cardOnFile(service, wanted) : undefined) ??
    (isStorable && !onFile ? await tokenizedCard(service, wanted) : undefined)
  if (card === undefined) throw problem('INVALID_REQUEST', 'There is no such card.', { issues: [field] })
  return card
}

type Wanted = { customer: CheckoutCustomer; token: string }

async function cardOnFile(service: Service, { customer, token }: Wanted): Promise<CardRow | undefined> {
  const database = await service.database()
  const [row] = await database
    .select({ card: cardTokens })
    .from(cardsOnFile)
    .innerJoin(cardTokens, eq(cardTokens.token, cardsOnFile.cardToken))
    .where(and(eq(cardsOnFile.cardId, token), ofCustomer(cardsOnFile, customer)))
  // On file it is charged as often as its customer wants, whatever it was made for.
  return row && { ...row.card, purchaseId: null }
}

async function tokenizedCard(service: Service, { customer, token }: Wanted): Promise<CardRow | undefined> {
  const database = await service.database()
  const [card] = await database
    .select()
    .from(cardTokens)
    .where(
      and(
        eq(cardTokens.token, token),
        eq(cardTokens.merchantId, customer.merchant.merchantId),
        or(isNull(cardTokens.purchaseId), ofCustomer(cardTokens, customer)),
      ),
    )
  return card
}
