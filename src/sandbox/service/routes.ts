import { sql } from 'drizzle-orm'
import { type ContractAddressResponse, contractAddressQuery } from '../../redeemkit/schema/contractAddress.ts'
import { parseRecord } from '../../redeemkit/schema/parseRecord.ts'
import { authRoutes } from './auth/authRoutes.ts'
import { jwtToken } from './auth/checkoutJwt.ts'
import { balances } from './balances.ts'
import { checkoutRoutes } from './checkout/checkoutRoutes.ts'
import { sandboxRoutes } from './controls/sandboxRoutes.ts'
import { evmChain } from './http/customer.ts'
import { endpoint, type Route, route } from './http/route.ts'
import { burn, jobStatus, mint } from './merchant/creditJobs.ts'
import { program, programDecision, programList } from './merchant/program.ts'
import { usdcWithdraw } from './merchant/usdcWithdraw.ts'
import { paymentRoutes } from './payments/paymentRoutes.ts'
import { creditsAuthMsg } from './redeem/creditsAuthMsg.ts'
import { sendGaslessTx } from './redeem/sendGaslessTx.ts'
import { reportRoutes } from './reports/reportRoutes.ts'
import { subscriptionRoutes } from './subscription/subscriptionRoutes.ts'
import { prepareTransfer } from './transfers/prepareTransfer.ts'
import { submitTransfer } from './transfers/submitTransfer.ts'
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
