import { randomBytes, randomUUID } from 'node:crypto'
import type { CardToken } from '../../../../redeemkit/schema/cardToken.ts'
import { cardTokens } from '../../../store/tables/index.ts'
import type { Service } from '../../service.ts'
import type { CardFacts } from './readCard.ts'

/** Keeps what is known of a card under a new random token, which stands for it from here on. */
export async function keepToken(
  service: Service,
  options: { card: CardFacts; merchantId: string; of?: CardPurchaser | undefined },
): Promise<CardToken> {
  const { card, merchantId, of } = options
  const token = `tok_${randomBytes(24).toString('base64url')}`
  const referenceNumber = randomUUID()
  const database = await service.database()
  await database
    .insert(cardTokens)
    .values({ ...card, ...of, token, merchantId, referenceNumber, createdAt: new Date(service.now()) })
  const { firstSix, lastFour } = card
  return { token, firstSix, lastFour, referenceNumber, success: true, error: '', message: '' }
}

/** Whose token it is, and the one purchase that it pays (PROTOCOL.md 10.8). */
type CardPurchaser = Pick<typeof cardTokens.$inferInsert, 'userId' | 'wallet' | 'blockchain'> & {
  purchaseId: string
}
