import { eq, or } from 'drizzle-orm'
import { amountPerCent } from '../../../core/amount/centsToAmount.ts'
import type { BalancesResponse } from '../../../schema/balances.ts'
import { readCredits } from '../../contracts/creditsReads.ts'
import { readUsdcBalance } from '../../contracts/readUsdcBalance.ts'
import { merchants } from '../../store/tables.ts'
import { checkCredentials, evmCustomer } from '../http/customer.ts'
import { unknownMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'

/** `GET /api/customer/balances/{merchantIdOrCreditSeed}`: whole cents, rounded down. */
export const balances: Route = {
  method: 'GET',
  path: '/api/customer/balances/:merchantIdOrCreditSeed',
  handle: async (service, context): Promise<BalancesResponse> => {
    const { chain, wallet } = await evmCustomer(service, context)
    await checkCredentials(service, context)
    const id = context.req.param('merchantIdOrCreditSeed') ?? ''
    if (!isStorableText(id)) throw unknownMerchant(id)
    const database = await service.database()
    const [merchant] = await database
      .select()
      .from(merchants)
      .where(or(eq(merchants.merchantId, id), eq(merchants.creditSeed, id)))
    if (merchant === undefined) throw unknownMerchant(id)
    const [credits, usdc] = await Promise.all([
      readCredits(chain, { creditSeed: merchant.creditSeed, wallet }),
      readUsdcBalance(chain, { wallet }),
    ])
    return { credits: { cents: wholeCents(credits) }, usdc: { cents: wholeCents(usdc) } }
  },
}

function wholeCents(amount: bigint): number {
  const cents = amount / amountPerCent
  if (cents > BigInt(Number.MAX_SAFE_INTEGER))
    throw problem('INTERNAL', 'The balance is too large to be written in cents.')
  return Number(cents)
}
