import { encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex } from 'viem'
import { reader } from '../readChain.ts'
import type { RedeemPlan } from '../runPlan.ts'
import { callInSequence } from '../trace/callInSequence.ts'
import { slotsRead } from '../trace/prestate.ts'
import type { Overrides } from '../trace/traceCall.ts'

type UsdcHolders = {
  owners: readonly Hex[]
  spenders: readonly Hex[]
  /** Minimum of each owner, in raw units. */
  balance: bigint
}

/**
 * Returns state overrides in which the owners have USDC and each spender is approved for any amount. `undefined` if the node does not
 * return the slots, or the token stores values differently.
 */
export async function assumeUsdc(
  plan: RedeemPlan,
  { owners, spenders, balance }: UsdcHolders,
): Promise<Overrides | undefined> {
  const words = await Promise.all(
    owners.flatMap((owner) => [
      wordFor(plan, balanceOf(owner), balance),
      ...spenders.map((spender) => wordFor(plan, allowance(owner, spender), maxUint256)),
    ]),
  )
  const stateDiff: Record<Hex, Hex> = {}
  for (const word of words) {
    if (word === undefined) return undefined
    Object.assign(stateDiff, word)
  }
  return { [plan.usdc]: { stateDiff } }
}

export const balanceOf = (owner: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

const allowance = (owner: Hex, spender: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })

/** Empty if the token already returns at least this value. */
async function wordFor(
  { client, usdc, blockNumber }: RedeemPlan,
  data: Hex,
  value: bigint,
): Promise<Readonly<Record<Hex, Hex>> | undefined> {
  const answerWith = async (overrides: Overrides) => {
    const [answer] = await callInSequence(
      client,
      { blockNumber, overrides },
      { as: reader, calls: [{ to: usdc, data }] },
    )
    return answer?.succeeded && answer.size === 32 ? answer.words[0] : undefined
  }
  const answered = await answerWith({})
  if (answered === undefined || answered >= value) return answered === undefined ? undefined : {}
  const call = { from: reader, to: usdc, data, gas: 1_000_000n, blockNumber, overrides: {} }
  for (const slot of await slotsRead(client, { of: usdc, call })) {
    const stateDiff = { [slot]: numberToHex(value, { size: 32 }) }
    if ((await answerWith({ [usdc]: { stateDiff } })) === value) return stateDiff
  }
  return undefined
}
