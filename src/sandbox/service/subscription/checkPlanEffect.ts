import { evmChain } from '../http/customer.ts'
import { problem } from '../http/problem.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import { PaymentNotSettledError } from '../settlement/errors.ts'
import { planEffect } from './planEffect.ts'
import type { PlanBody } from './setPlan.ts'

/**
 * Refuses a plan whose payments could never do what it carries here (PROTOCOL.md 10.5).
 *
 * @throws ServiceProblem `INVALID_REQUEST`
 */
export async function checkPlanEffect(service: Service, plan: PlanBody): Promise<void> {
  const { settlementChain, amount } = plan
  if (settlementChain === undefined) return
  const refused = (words: string, field: string) => problem('INVALID_REQUEST', words, { issues: [field] })
  const { transactionData, stellarTransaction } = planEffect(plan) ?? {}
  if (transactionData !== undefined) {
    const chain = evmChain(service, settlementChain, 'settlementChain')
    if (chain.paymentSettlement === undefined || service.kind === 'unbound')
      throw refused(`This service settles no such payment on ${settlementChain}.`, 'settlementChain')
    resolveIntent(chain, { subtotal: { cents: amount.cents }, transactionData })
  }
  if (stellarTransaction === undefined) return
  const settlement = await service.stellarSettlement()
  if (settlement === undefined)
    throw refused('This service settles no payments on Stellar.', 'settlementChain')
  try {
    settlement.readCall(stellarTransaction)
  } catch (error) {
    if (!(error instanceof PaymentNotSettledError)) throw error
    throw refused(error.shortMessage, 'transaction')
  }
}
