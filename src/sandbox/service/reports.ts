import { and, desc, eq, inArray, or } from 'drizzle-orm'
import { type Hex, isAddress, parseTransaction, zeroAddress } from 'viem'
import * as z from 'zod/mini'
import { blockchains } from '../../redeemkit/core/blockchains.ts'
import { checkNonZeroAddress } from '../../redeemkit/evm/checkAddress.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import { parseRecord } from '../../redeemkit/schema/parseRecord.ts'
import { purchasesQuery } from '../../redeemkit/schema/purchase.ts'
import { cents, subtotal } from '../../redeemkit/schema/subtotal.ts'
import { transactionData } from '../../redeemkit/schema/transactionData.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { readBridgeAdapter } from '../contracts/creditsReads.ts'
import { gasPrice, receiptOf } from '../relayer/relayerChain.ts'
import { isThisMachine } from '../servers/findRefusal.ts'
import { NoRedeemError, TracingUnavailableError } from '../simulation/errors.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { type RedeemRequest, readRedeems } from '../simulation/redeemRequest.ts'
import { reportTransaction } from '../simulation/reportTransaction.ts'
import { simulateRedeem, simulateRequest } from '../simulation/simulateRedeem.ts'
import { formatReport } from '../simulation/text/formatReport.ts'
import { redeems, transactions } from '../store/tables/index.ts'
import { sandboxControlsOf } from './controls/sandboxControls.ts'
import { evmChain } from './http/customer.ts'
import { authorizedMerchant } from './http/merchant.ts'
import { problem } from './http/problem.ts'
import { readBody } from './http/readBody.ts'
import { type Route, route } from './http/route.ts'
import { gasFeeOf } from './redeem/gasFee.ts'
import type { StoredRedeem } from './redeem/lookUpRedeem.ts'
import { resolveIntent } from './redeem/resolveIntent.ts'
import type { Service } from './service.ts'

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
function reportJson(report: RedeemReport): object {
  return JSON.parse(
    JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  )
}

/** `item` is the index in a batch. */
type RedeemInCall = { request: RedeemRequest; item: number }

/** Returns undefined for a redeem in a third party's transaction. */
async function redeemCalls(
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
const reportQuery = z.strictObject({
  columns: z.optional(z.string().check(z.regex(/^(?:[6-9]\d|1\d\d|200)$/, width))),
})

const redeemReport = route('GET', '/sandbox/redeems/:wallet/:nonce/report', async (service, context) => {
  const { columns } = parseRecord(reportQuery, context.req.query(), { record: 'The query' })
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
})

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

const listQuery = z.strictObject({ limit: purchasesQuery.shape.limit })

const redeemList = route('GET', '/sandbox/redeems', async (service, context) => {
  const { limit = '20' } = parseRecord(listQuery, context.req.query(), { record: 'The query' })
  const { merchantId } = await authorizedMerchant(service, context)
  const database = await service.database()
  const rows = await database
    .select()
    .from(redeems)
    .where(eq(redeems.merchantId, merchantId))
    .orderBy(desc(redeems.createdAt))
    .limit(Number(limit))
  const calls = await redeemCalls(service, rows)
  return { redeems: rows.map((row, index) => redeemRecord(row, calls[index])) }
})

function redeemRecord(row: StoredRedeem, call: RedeemInCall | undefined): object {
  const { blockchain, wallet, nonce, shape, amount, usdcAmount, gasFee, status, attempt, hash } = row
  const { target, data } = call?.request.settlement ?? {}
  return {
    blockchain,
    wallet,
    nonce,
    shape,
    ...(target !== undefined && { target }),
    ...(data !== undefined && data !== '0x' && { selector: data.slice(0, 10) }),
    amount: `${amount}`,
    usdcAmount: `${usdcAmount}`,
    gasFee: `${gasFee}`,
    status,
    attempt,
    hash,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const simulateBody = z.strictObject({
  blockchain: z.enum(blockchains),
  wallet: z.string(),
  subtotal,
  transactionData,
  usdcAmount: z.optional(cents),
  rules: z.optional(z.enum(['economic', 'all'])),
})

/** `POST /sandbox/simulate`: reports what an unsigned redeem of the merchant's credits would do (PROTOCOL.md 2.10). */
const simulate = route('POST', '/sandbox/simulate', async (service, context) => {
  const { blockchain, rules, ...asked } = await readBody(context, simulateBody)
  const chain = evmChain(service, blockchain, 'blockchain')
  const wallet = checkNonZeroAddress(asked.wallet, 'wallet')
  const { amount, usdcAmount } = resolveIntent(chain, asked)
  const { creditSeed } = await authorizedMerchant(service, context)
  return reportJson(
    await runReport(service, () =>
      simulateRedeem(chain.client, {
        creditsContract: chain.creditsContract,
        creditSeed,
        relayer: chain.operator.address,
        wallet,
        amount,
        usdcAmount,
        transactionData: asked.transactionData,
        rules,
        feeOf: async (gas) =>
          service.settings.gasFeePayer === 'customer' ? gasFeeOf(chain, gas, await gasPrice(chain)) : 0n,
      }),
    ),
  )
})

export const chainList = route('GET', '/sandbox/chains', async (service) => {
  sandboxControlsOf(service)
  return { chains: await Promise.all([...service.chains.values()].map(chainRecord)) }
})

async function chainRecord(chain: EvmChain): Promise<object> {
  const { blockchain, environment, chainId, creditsContract, usdc, operator } = chain
  const [rpcUrl] = chain.client.chain.rpcUrls.default.http
  const [bridgeAdapter, forkBlock] = await Promise.all([readBridgeAdapter(chain), forkBlockOf(chain)])
  return {
    blockchain,
    environment,
    chainId,
    name: networkOf({ chainId }).name,
    // Omits the URL of a remote node, which may contain a key.
    ...(rpcUrl !== undefined && isThisMachine(new URL(rpcUrl).hostname) && { rpcUrl }),
    creditsContract,
    ...(usdc !== undefined && { usdc }),
    operator: operator.address,
    ...(bridgeAdapter !== zeroAddress && { bridgeAdapter }),
    ...(forkBlock !== undefined && { forked: forkBlock === null ? false : { blockNumber: forkBlock } }),
  }
}

/** Returns the fork block of a local chain; null if it is not a fork, undefined if the node does not report it. */
async function forkBlockOf({ client }: EvmChain): Promise<number | null | undefined> {
  // viem's client type lacks this method of Anvil.
  const info: unknown = await client.request({ method: 'anvil_nodeInfo' } as never).catch(() => undefined)
  if (info === undefined) return undefined
  const { forkUrl, forkBlockNumber } = Object(Object(info).forkConfig)
  return typeof forkUrl === 'string' ? Number(forkBlockNumber) : null
}

export const reportRoutes: readonly Route[] = [chainList, redeemList, redeemReport, simulate]
