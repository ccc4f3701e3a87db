import { encodeFunctionData, erc20Abi } from 'viem'
import { playCalls } from '../node/playCalls.ts'
import { hasOpcode } from '../opcodes/codeBelow.ts'
import { opcodes } from '../opcodes/opcodesIn.ts'
import type { EconomicContext } from '../rules/economicContext.ts'
import { failureOf } from '../trace/failureOf.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { mostTransactionGas } from './runPlan.ts'

/**
 * Whether a call that failed goes through when the credits contract makes it and the wallet is as it is on the chain: then the
 * contract looks at whether a receiver has code, and the wallet was played by some.
 */
export async function failsByPlayedWallet(context: EconomicContext): Promise<boolean> {
  const { plan, frame, creditsContract, usdc, client } = context
  if (plan.signatures === 'real' || sameAddress(failureOf(frame)?.frame.to, creditsContract)) return false
  // The sender of such a try is the credits contract itself.
  if (await hasOpcode(context, [opcodes.origin])) return false
  const { target, data } = plan.request.settlement
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [target, plan.request.intent.amount],
  })
  const answers = await playCalls(
    client,
    { blockNumber: plan.blockNumber, overrides: { ...plan.assumed } },
    {
      as: creditsContract,
      calls: [
        { to: usdc, data: approve },
        { to: target, data, gas: mostTransactionGas / 2n },
      ],
    },
  )
  return answers[1]?.succeeded === true
}
