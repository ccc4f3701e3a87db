import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { playCalls } from '../node/playCalls.ts'
import { slotsRead } from '../node/slotsRead.ts'
import { reader } from '../report/readChain.ts'
import type { Overrides, RedeemPlan } from './redeemPlan.ts'

/** People, and whom they have approved. */
export type UsdcHolders = {
  owners: readonly Hex[]
  spenders: readonly Hex[]
  /** What each of them has at least, in raw units. */
  balance: bigint
}

/**
 * The state in which people have USDC, and have approved each spender for all of it: the words of USDC's storage that hold
 * balances and allowances, found by what the token reads when it is asked for them.
 *
 * @returns `undefined` when the node does not tell them, or the token keeps them in another way
 * @throws ChainReadError
 */
export async function assumeUsdc(
  plan: RedeemPlan,
  { owners, spenders, balance }: UsdcHolders,
): Promise<Overrides | undefined> {
  const words = await Promise.all(
    owners.flatMap((owner) => [
      wordFor(plan, balanceOf(owner), balance),
      ...spenders.map((spender) => wordFor(plan, allowance(owner, spender), unlimited)),
    ]),
  )
  const stateDiff: Record<Hex, Hex> = {}
  for (const word of words) {
    if (word === undefined) return undefined
    Object.assign(stateDiff, word)
  }
  return { [plan.usdc]: { stateDiff } }
}

export declare namespace assumeUsdc {
  type ErrorType = slotsRead.ErrorType | playCalls.ErrorType
}

const unlimited = 2n ** 256n - 1n

const balanceOf = (owner: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

const allowance = (owner: Hex, spender: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })

/** The word with which the token answers so much; nothing when it answers as much already. */
async function wordFor(
  { client, usdc, blockNumber }: RedeemPlan,
  data: Hex,
  value: bigint,
): Promise<Readonly<Record<Hex, Hex>> | undefined> {
  const answerWith = async (overrides: Overrides) => {
    const [answer] = await playCalls(
      client,
      { blockNumber, overrides },
      { as: reader, calls: [{ to: usdc, data }] },
    )
    return answer?.succeeded && answer.size === 32 ? answer.words[0] : undefined
  }
  const answered = await answerWith({})
  if (answered === undefined || answered >= value) return answered === undefined ? undefined : {}
  const call = { from: reader, to: usdc, data, gas: 1_000_000n, blockNumber, overrides: {} }
  for (const slot of Object.keys(await slotsRead(client, { of: usdc, call }))) {
    const stateDiff = { [slot]: numberToHex(value, { size: 32 }) }
    if ((await answerWith({ [usdc]: { stateDiff } })) === value) return stateDiff
  }
  return undefined
}
