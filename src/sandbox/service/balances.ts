import { eq, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { amountPerCent } from '../../redeemkit/core/amount.ts'
import { ChainReadError } from '../../redeemkit/evm/client.ts'
import type { BalancesResponse } from '../../redeemkit/schema/purchase.ts'
import { readCredits, readUsdcBalance } from '../contracts/creditsReads.ts'
import { transferBlockchains } from '../store/states.ts'
import { merchants } from '../store/tables/index.ts'
import { checkCredentials, customerWallet, evmCustomer } from './http/customer.ts'
import { unknownMerchant } from './http/merchant.ts'
import { problem } from './http/problem.ts'

import { type AppEnv, endpoint, type Route } from './http/route.ts'
import type { Service } from './service.ts'
import type { TransferChain } from './transfers/transferChain.ts'

/** `GET /api/customer/balances/{merchantIdOrCreditSeed}`: the customer's balances in whole cents, rounded down. */
export const balances: Route = {
  ...endpoint('getBalances'),
  handle: async (service, context): Promise<BalancesResponse> => {
    const readBalances = await balancesReader(service, context)
    const id = context.req.param('merchantIdOrCreditSeed') ?? ''
    const database = await service.database()
    const [merchant] = await database
      .select()
      .from(merchants)
      .where(or(eq(merchants.merchantId, id), eq(merchants.creditSeed, id)))
    await checkCredentials(service, context, { merchantId: merchant?.merchantId })
    if (merchant === undefined) throw unknownMerchant(id)
    const { credits, usdc } = await readBalances(merchant.creditSeed)
    return { credits: { cents: wholeCents(credits) }, usdc: { cents: wholeCents(usdc) } }
  },
}

/** Credits exist on EVM chains only. */
async function balancesReader(
  service: Service,
  context: Context<AppEnv>,
): Promise<(creditSeed: string) => Promise<{ credits: bigint; usdc: bigint }>> {
  const { blockchain, wallet } = await customerWallet(service, context)
  const other = transferBlockchains.find((name) => name === blockchain)
  const transfers = other && (await service.transferChain(other))
  if (transfers !== undefined) return async () => ({ credits: 0n, usdc: await usdcOf(transfers, wallet) })
  const { chain, wallet: address } = await evmCustomer(service, context)
  return async (creditSeed) => {
    const [credits, usdc] = await Promise.all([
      readCredits(chain, { creditSeed, wallet: address }),
      readUsdcBalance(chain, { wallet: address }),
    ])
    return { credits, usdc }
  }
}

async function usdcOf(transfers: TransferChain, wallet: string): Promise<bigint> {
  try {
    return await transfers.usdcOf(wallet)
  } catch (cause) {
    throw new ChainReadError("The node did not return the wallet's USDC balance.", { cause })
  }
}

function wholeCents(amount: bigint): number {
  const cents = amount / amountPerCent
  if (cents > BigInt(Number.MAX_SAFE_INTEGER))
    throw problem('INTERNAL', 'The balance is too large to express in cents.')
  return Number(cents)
}
