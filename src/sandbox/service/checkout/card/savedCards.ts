import { desc, eq } from 'drizzle-orm'
import type { SavedCard } from '../../../../redeemkit/schema/checkout.ts'
import { cardsOnFile, cardTokens } from '../../../store/tables/index.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import type { Route } from '../../http/route.ts'
import { ofCustomer } from '../../payments/ofCustomer.ts'

/** `GET /api/customer/cards/{merchantId}` (PROTOCOL.md 2.11): the customer's cards on file, the newest first. */
export const savedCards: Route = {
  method: 'GET',
  path: '/api/customer/cards/:merchantId',
  handle: async (service, context): Promise<SavedCard[]> => {
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
    const database = await service.database()
    const rows = await database
      .select()
      .from(cardsOnFile)
      .innerJoin(cardTokens, eq(cardTokens.token, cardsOnFile.cardToken))
      .where(ofCustomer(cardsOnFile, customer))
      .orderBy(desc(cardsOnFile.createdAt), desc(cardsOnFile.cardId))
    return rows.map(({ cards_on_file: onFile, card_tokens: card }) => ({
      token: onFile.cardId,
      firstSix: card.firstSix,
      lastFour: card.lastFour,
      expMonth: String(card.expMonth).padStart(2, '0'),
      expYear: String(card.expYear),
      createdAt: onFile.createdAt.toISOString(),
    }))
  },
}
