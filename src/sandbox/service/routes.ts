import { eq, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { amountPerCent } from '../../redeemkit/core/amount.ts'
import { ChainReadError } from '../../redeemkit/evm/client.ts'
import { type ContractAddressResponse, contractAddressQuery } from '../../redeemkit/schema/contractAddress.ts'
import { parseRecord } from '../../redeemkit/schema/parseRecord.ts'
import type { BalancesResponse } from '../../redeemkit/schema/purchase.ts'
import { readCredits, readUsdcBalance } from '../contracts/creditsReads.ts'
import { transferBlockchains } from '../store/states.ts'
import { merchants } from '../store/tables/index.ts'
import { authRoutes } from './auth/authRoutes.ts'
import { jwtToken } from './auth/checkoutJwt.ts'
import { checkoutRoutes } from './checkout/checkoutRoutes.ts'
import { sandboxRoutes } from './controls/sandboxRoutes.ts'
import { checkCredentials, customerWallet, evmChain, evmCustomer } from './http/customer.ts'
import { unknownMerchant } from './http/merchant.ts'
import { problem } from './http/problem.ts'
import { type AppEnv, endpoint, type Route, route } from './http/route.ts'
import { burn, jobStatus, mint } from './merchant/creditJobs.ts'
import { program, programDecision, programList } from './merchant/program.ts'
import { usdcWithdraw } from './merchant/usdcWithdraw.ts'
import { paymentRoutes } from './payments/paymentRoutes.ts'
import { creditsAuthMsg } from './redeem/creditsAuthMsg.ts'
import { sendGaslessTx } from './redeem/sendGaslessTx.ts'
import { reportRoutes } from './reports.ts'
import type { Service } from './service.ts'
import { subscriptionRoutes } from './subscription/subscriptionRoutes.ts'
import { prepareTransfer } from './transfers/prepareTransfer.ts'
import { submitTransfer } from './transfers/submitTransfer.ts'
import type { TransferChain } from './transfers/transferChain.ts'
import { webhookRoutes } from './webhooks/webhookRoutes.ts'
import { withdrawRoutes } from './withdraw/withdrawRoutes.ts'

/** Only this sandbox has this route. */
const health = route('GET', '/health', async (service) => {
  const database = await service.database()
  await database.execute(sql`select 1`)
  const chains = await Promise.all(
    [...service.chains.values()].map(async ({ blockchain, chainId, client }) => ({
      blockchain,
      chainId,
      blockNumber: Number(await client.getBlockNumber({ cacheTime: 0 })),
    })),
  )
  return { status: 'ok', environment: service.environment, chains }
})

/** `GET /api/utils/contract-address?blockchain=`: for discovery only. Clients must not trust the address (PROTOCOL.md 2.5). */
const contractAddress = endpoint(
  'getContractAddress',
  async (service, context): Promise<ContractAddressResponse> => {
    const { blockchain } = parseRecord(contractAddressQuery, context.req.query(), { record: 'The query' })
    // Stellar has no credits. There, the settlement contract spends the allowances.
    const stellar = blockchain === 'stellar' ? await service.stellarSettlement() : undefined
    if (stellar !== undefined) return { address: stellar.contract }
    return { address: evmChain(service, blockchain, 'blockchain').creditsContract }
  },
)

/** `GET /api/customer/balances/{merchantIdOrCreditSeed}`: the customer's balances in whole cents, rounded down. */
const balances = endpoint('getBalances', async (service, context): Promise<BalancesResponse> => {
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
})

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

export const routes: readonly Route[] = [
  ...authRoutes,
  jwtToken,
  creditsAuthMsg,
  sendGaslessTx,
  ...checkoutRoutes,
  ...paymentRoutes,
  contractAddress,
  balances,
  mint,
  burn,
  jobStatus,
  program,
  programDecision,
  programList,
  usdcWithdraw,
  prepareTransfer,
  submitTransfer,
  health,
  ...subscriptionRoutes,
  ...webhookRoutes,
  ...withdrawRoutes,
  ...sandboxRoutes,
  ...reportRoutes,
]
