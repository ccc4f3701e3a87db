import { connectEvmChain } from '../chains/connectEvmChain.ts'
import { devAccount } from '../devAccounts.ts'
import { gasPrice } from '../relayer/relayerChain.ts'
import { gasFeeOf } from '../service/redeem/gasFee.ts'
import { localPriorityFee } from '../start/describeChains.ts'
import type { SandboxChainFacts } from './connection/callSandbox.ts'

/** Returns a function from gas to the gas fee of a sandbox, in raw units of USDC, at the current gas price. */
export function gasFeeAt(facts: SandboxChainFacts): (gas: bigint) => Promise<bigint> {
  const { environment, ...options } = facts
  const chain = connectEvmChain(
    { ...options, operatorKey: devAccount('operator').privateKey, maxPriorityFeePerGas: localPriorityFee },
    environment,
  )
  return async (gas) => gasFeeOf(chain, gas, await gasPrice(chain))
}
