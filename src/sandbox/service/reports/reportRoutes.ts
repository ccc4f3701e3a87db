import { desc, eq } from 'drizzle-orm'
import { zeroAddress } from 'viem'
import * as z from 'zod/mini'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { networkOf } from '../../../redeemkit/evm/networks.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { purchasesQuery } from '../../../redeemkit/schema/purchase.ts'
import { cents, subtotal } from '../../../redeemkit/schema/subtotal.ts'
import { transactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { gasPrice } from '../../relayer/relayerChain.ts'
import { isThisMachine } from '../../servers/findRefusal.ts'
import { simulateRedeem } from '../../simulation/simulateRedeem.ts'
import { redeems } from '../../store/tables/index.ts'
import { sandboxControlsOf } from '../controls/sandboxControls.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { readBody } from '../http/readBody.ts'
import { type Route, route } from '../http/route.ts'
import { gasFeeOf } from '../redeem/gasFee.ts'
import type { StoredRedeem } from '../redeem/lookUpRedeem.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import { type RedeemInCall, redeemCalls, redeemReport, reportJson, runReport } from './redeemReport.ts'

const query = z.strictObject({ limit: purchasesQuery.shape.limit })

const redeemList = route('GET', '/sandbox/redeems', async (service, context) => {
  const { limit = '20' } = parseRecord(query, context.req.query(), { record: 'The query' })
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

const body = z.strictObject({
  blockchain: z.enum(blockchains),
  wallet: z.string(),
  subtotal,
  transactionData,
  usdcAmount: z.optional(cents),
  rules: z.optional(z.enum(['economic', 'all'])),
})

/** `POST /sandbox/simulate`: reports what an unsigned redeem of the merchant's credits would do (PROTOCOL.md 2.10). */
const simulate = route('POST', '/sandbox/simulate', async (service, context) => {
  const { blockchain, rules, ...asked } = await readBody(context, body)
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
