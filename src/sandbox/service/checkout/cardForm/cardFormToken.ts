import * as z from 'zod/mini'
import type { CardToken } from '../../../../redeemkit/schema/cardToken.ts'
import { tokenizeBody } from '../../../../redeemkit/schema/cardToken.ts'
import { checkId } from '../../http/checkId.ts'
import { checkOwnPage } from '../../http/checkOwnPage.ts'
import { checkoutCustomer } from '../../http/checkoutCustomer.ts'
import { readPrivateBody } from '../../http/readPrivateBody.ts'
import type { Route } from '../../http/route.ts'
import { keepToken } from '../card/keepToken.ts'
import { readCard } from '../card/readCard.ts'

const body = z.strictObject({ ...tokenizeBody.shape, purchaseId: z.string() })

/** `POST /card/{merchantId}/token` (PROTOCOL.md 10.8): a token that is good for this customer and this purchase only. */
export const cardFormToken: Route = {
  method: 'POST',
  path: '/card/:merchantId/token',
  handle: async (service, context): Promise<CardToken> => {
    checkOwnPage(service, context)
    const { purchaseId, ...asked } = await readPrivateBody(context, body)
    checkId(purchaseId, 'purchaseId')
    const card = readCard(asked, service.now())
    const merchantId = context.req.param('merchantId') ?? ''
    const { userId, wallet, blockchain } = await checkoutCustomer(service, context, { merchantId })
    return keepToken(service, { card, merchantId, of: { purchaseId, userId, wallet, blockchain } })
  },
}
