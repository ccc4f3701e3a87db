import { and, eq } from 'drizzle-orm'
import { isAddress } from 'viem'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { receiptOf } from '../../relayer/relayerChain.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import { reportTransaction } from '../../simulation/reportTransaction.ts'
import { simulateRequest } from '../../simulation/simulateRequest.ts'
import { formatReport } from '../../simulation/text/formatReport.ts'
import { redeems } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import type { StoredRedeem } from '../redeem/redeemRows.ts'
import type { Service } from '../service.ts'
import { judged } from './judged.ts'
import { redeemIn } from './redeemCalls.ts'
import { reportJson } from './reportJson.ts'

const width = 'expected a number of columns from 60 to 200'
const query = z.strictObject({
  columns: z.optional(z.string().check(z.regex(/^(?:[6-9]\d|1\d\d|200)$/, width))),
})

/** `GET /sandbox/redeems/{wallet}/{nonce}/report`: what a redeem of the merchant did, or would do (PROTOCOL.md 2.10). */
export const redeemReport: Route = {
  method: 'GET',
  path: '/sandbox/redeems/:wallet/:nonce/report',
  handle: async (service, context) => {
    const { columns } = parseRecord(query, context.req.query(), { record: 'The query' })
    const { merchantId } = await authorizedMerchant(service, context)
    const { wallet = '', nonce = '' } = context.req.param()
    const row = await findRow(service, { merchantId, wallet, nonce })
    const chain = row && service.chains.get(row.blockchain)
    if (row === undefined || chain === undefined)
      throw problem('NOT_FOUND', 'This merchant has no such redeem.')
    const report = await judged(service, () => reportOf(chain, row))
    return {
      ...reportJson(report),
      ...(columns !== undefined && { text: formatReport(report, { columns: Number(columns) }) }),
    }
  },
}

async function findRow(
  service: Service,
  { merchantId, wallet, nonce }: { merchantId: string; wallet: string; nonce: string },
): Promise<StoredRedeem | undefined> {
  if (!isAddress(wallet, { strict: false }) || !/^0x[0-9a-f]{64}$/i.test(nonce)) return undefined
  const database = await service.database()
  const rows = await database
    .select()
    .from(redeems)
    // The pattern has proved the 0x.
    .where(and(eq(redeems.merchantId, merchantId), eq(redeems.nonce, nonce.toLowerCase() as `0x${string}`)))
  return rows.find((row) => row.wallet.toLowerCase() === wallet.toLowerCase())
}

/** Of what is mined what it did; of the rest what it would do now. */
async function reportOf(chain: EvmChain, row: StoredRedeem): Promise<RedeemReport> {
  const { client, creditsContract } = chain
  const { hash } = row
  const [transaction, receipt] = await Promise.all([
    client.getTransaction({ hash }).catch(() => undefined),
    receiptOf(chain, hash),
  ])
  const found = transaction && redeemIn(transaction.input, row)
  if (transaction === undefined || found === undefined)
    throw problem(
      'NOT_FOUND',
      `The node of ${row.blockchain} does not know transaction ${hash} of this redeem.`,
    )
  if (receipt !== undefined) return reportTransaction(client, { hash, creditsContract, item: found.item })
  return simulateRequest(client, { creditsContract, relayer: transaction.from, request: found.request })
}
