import { and, eq, inArray, or } from 'drizzle-orm'
import { type Hex, isAddress, parseTransaction } from 'viem'
import * as z from 'zod/mini'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { receiptOf } from '../../relayer/relayerChain.ts'
import { NoRedeemError, TracingUnavailableError } from '../../simulation/errors.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import { type RedeemRequest, readRedeems } from '../../simulation/redeemRequest.ts'
import { reportTransaction } from '../../simulation/reportTransaction.ts'
import { simulateRequest } from '../../simulation/simulateRedeem.ts'
import { formatReport } from '../../simulation/text/formatReport.ts'
import { redeems, transactions } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import type { StoredRedeem } from '../redeem/lookUpRedeem.ts'
import type { Service } from '../service.ts'

export async function runReport(
  service: Pick<Service, 'kind'>,
  report: () => Promise<RedeemReport>,
): Promise<RedeemReport> {
  if (service.kind === 'randomNonce')
    throw problem(
      'FORBIDDEN',
      'Reports require intent-bound permits: other contracts emit no event with the outcome.',
    )
  try {
    return await report()
  } catch (error) {
    if (error instanceof TracingUnavailableError)
      throw problem('UNAVAILABLE', 'The node of this chain does not support traces, so there is no report.', {
        cause: error,
      })
    if (error instanceof NoRedeemError) throw problem('NOT_FOUND', error.shortMessage, { cause: error })
    throw error
  }
}

/** Bigints become decimal text. */
export function reportJson(report: RedeemReport): object {
  return JSON.parse(
    JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  )
}

/** `item` is the index in a batch. */
export type RedeemInCall = { request: RedeemRequest; item: number }

/** Returns undefined for a redeem in a third party's transaction. */
export async function redeemCalls(
  service: Pick<Service, 'database' | 'chains'>,
  redeems: readonly StoredRedeem[],
): Promise<(RedeemInCall | undefined)[]> {
  if (redeems.length === 0) return []
  const database = await service.database()
  const hashes = new Map<number, Hex[]>()
  for (const { blockchain, hash } of redeems) {
    const chainId = service.chains.get(blockchain)?.chainId
    if (chainId !== undefined) hashes.set(chainId, [...(hashes.get(chainId) ?? []), hash])
  }
  const sent = await database
    .select({ chainId: transactions.chainId, hash: transactions.hash, raw: transactions.raw })
    .from(transactions)
    .where(
      or(
        ...[...hashes].map(([chainId, some]) =>
          and(eq(transactions.chainId, chainId), inArray(transactions.hash, some)),
        ),
      ),
    )
  return redeems.map((redeem) => {
    const chainId = service.chains.get(redeem.blockchain)?.chainId
    const found = sent.find((one) => one.chainId === chainId && one.hash === redeem.hash)
    return found && redeemIn(parseTransaction(found.raw).data ?? '0x', redeem)
  })
}

function redeemIn(
  data: Hex,
  { wallet, nonce }: Pick<StoredRedeem, 'wallet' | 'nonce'>,
): RedeemInCall | undefined {
  for (const [item, request] of readRedeems(data).entries())
    if (request && sameHex(request.permit.customerWallet, wallet) && sameHex(request.permit.nonce, nonce))
      return { request, item }
  return undefined
}

const width = 'expected a number of columns from 60 to 200'
const query = z.strictObject({
  columns: z.optional(z.string().check(z.regex(/^(?:[6-9]\d|1\d\d|200)$/, width))),
})

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
      throw problem('NOT_FOUND', 'The merchant has no redeem with this wallet and nonce.')
    const report = await runReport(service, () => reportOf(chain, row))
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
    // The pattern guarantees the prefix 0x.
    .where(and(eq(redeems.merchantId, merchantId), eq(redeems.nonce, nonce.toLowerCase() as `0x${string}`)))
  return rows.find((row) => sameHex(row.wallet, wallet))
}

/** Reports a mined redeem as executed; simulates any other redeem now. */
async function reportOf(chain: EvmChain, row: StoredRedeem): Promise<RedeemReport> {
  const { client, creditsContract } = chain
  const { hash } = row
  const [transaction, receipt] = await Promise.all([
    // Fails if the node does not know the transaction. If the node does not respond, reading the receipt fails too.
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
  return simulateRequest(client, {
    creditsContract,
    relayer: transaction.from,
    request: found.request,
    rules: 'all',
  })
}
