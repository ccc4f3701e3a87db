import { and, eq, inArray } from 'drizzle-orm'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readCredits, readUsdcBalance } from '../../contracts/creditsReads.ts'
import { receiptOf } from '../../relayer/relayerChain.ts'
import { openRedeemStates } from '../../store/states.ts'
import { merchants, redeems } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { StoredRedeem } from './redeemRows.ts'
import { insufficientCredits } from './simulationProblem.ts'

/**
 * Refuses a redeem that could be paid for only with what the wallet's redeems under way are about to take. Each of them
 * alone goes through in a simulation; together all but the first would be reverted, and the operator would pay for that.
 *
 * To be called, and what it allowed to be journalled, with one redeem of the wallet at a time.
 *
 * @throws ServiceProblem `INSUFFICIENT_CREDITS`; `SIMULATION_FAILED` when it is USDC that is spoken for
 */
export async function checkUnderway(service: Service, options: checkUnderway.Options): Promise<void> {
  const { chain, wallet, creditSeed, charged, usdcAmount } = options
  const database = await service.database()
  const sending = await database
    .select({ redeem: redeems, creditSeed: merchants.creditSeed })
    .from(redeems)
    .innerJoin(merchants, eq(merchants.merchantId, redeems.merchantId))
    .where(
      and(
        eq(redeems.blockchain, chain.blockchain),
        eq(redeems.wallet, wallet),
        inArray(redeems.status, [...openRedeemStates]),
      ),
    )
  if (sending.length === 0) return
  // All of it as of one block: what is mined a moment later is in neither, or in both.
  const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 })
  const [credits, isOpen] = await Promise.all([
    readCredits(chain, { creditSeed, wallet, blockNumber }),
    Promise.all(sending.map(({ redeem }) => isUnderway(service, { chain, redeem, blockNumber }))),
  ])
  const open = sending.filter((_, index) => isOpen[index])
  const spokenFor = open
    .filter((one) => one.creditSeed === creditSeed)
    .reduce((sum, { redeem }) => sum + redeem.amount - redeem.usdcAmount + redeem.gasFee, 0n)
  if (spokenFor > 0n && credits < spokenFor + charged) throw insufficientCredits()

  const usdcSpokenFor = open.reduce((sum, { redeem }) => sum + redeem.usdcAmount, 0n)
  if (usdcAmount === 0n || usdcSpokenFor === 0n || chain.usdc === undefined) return
  const balance = await readUsdcBalance(chain, { wallet, blockNumber })
  const revertReason = 'ERC20: transfer amount exceeds balance'
  if (balance < usdcSpokenFor + usdcAmount)
    throw problem('SIMULATION_FAILED', `The redeem would fail: ${revertReason}.`, {
      details: { revertReason },
    })
}

export declare namespace checkUnderway {
  type Options = {
    chain: EvmChain
    wallet: `0x${string}`
    creditSeed: string
    /** What this redeem takes from credits, its fee included. */
    charged: bigint
    /** What it takes from the wallet's USDC. */
    usdcAmount: bigint
  }
}

/** Whether a redeem that was sent has not happened as of a block. An unbound contract cannot be asked; its receipt can. */
async function isUnderway(
  service: Service,
  options: { chain: EvmChain; redeem: StoredRedeem; blockNumber: bigint },
): Promise<boolean> {
  const { chain, redeem, blockNumber } = options
  const { wallet, nonce, hash } = redeem
  if (service.kind === 'unbound') {
    const receipt = await receiptOf(chain, hash)
    return receipt === undefined || receipt.blockNumber > blockNumber
  }
  const { client, creditsContract } = chain
  const asked = { creditsContract, wallet, orderKey: orderKeyOf(nonce), blockNumber }
  return (await orderState(client, asked)).state === 'unused'
}
