import { createPublicClient, http } from 'viem'
import { connectEvmChain } from '../chains/connectEvmChain.ts'
import { devAccount } from '../devAccounts.ts'
import { gasPrice } from '../relayer/relayerChain.ts'
import { gasFeeOf } from '../service/redeem/gasFee.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { simulateRedeem } from '../simulation/simulateRedeem.ts'
import { localPriorityFee } from '../start/describeChains.ts'
import type { SandboxChainFacts } from './connection/callSandbox.ts'

type Redeem = Omit<simulateRedeem.Options, 'creditsContract' | 'relayer' | 'feeOf' | 'rules'>

/** Applies all rules, and the service's gas fee at the current gas price. */
export function simulateOn(facts: SandboxChainFacts, redeem: Redeem): Promise<RedeemReport> {
  const { environment, ...options } = facts
  const chain = connectEvmChain(
    { ...options, operatorKey: devAccount('operator').privateKey, maxPriorityFeePerGas: localPriorityFee },
    environment,
  )
  return simulateRedeem(createPublicClient({ transport: http(facts.rpcUrl) }), {
    ...redeem,
    creditsContract: facts.creditsContract,
    relayer: facts.operator,
    feeOf: async (gas) => gasFeeOf(chain, gas, await gasPrice(chain)),
    rules: 'all',
  })
}
