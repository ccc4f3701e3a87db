import { type CardToken, tokenizeBody } from '../../../../redeemkit/schema/cardToken.ts'
import { authorizedMerchant } from '../../http/merchant.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { keepToken } from './keepToken.ts'
import { readCard } from './readCard.ts'

/** `POST /api/tokenize` (PROTOCOL.md 2.6, 10.3): a random token stands for the card from here on; its number is forgotten. */
export const tokenize: Route = {
  method: 'POST',
  path: '/api/tokenize',
  handle: async (service, context): Promise<CardToken> => {
    const body = await readPrivateBody(context, tokenizeBody)
    const card = readCard(body, service.now())
    const { merchantId } = await authorizedMerchant(service, context)
    return keepToken(service, { card, merchantId })
  },
}
