import { encodeFunctionData, erc20Abi, formatEther, type Hex } from 'viem'
import { askNode, toQuantity } from '../../../redeemkit/evm/client/askNode.ts'
import { playCalls } from '../node/playCalls.ts'
import { callOf, overridesOf } from '../node/traceCall.ts'
import { redeemCall } from '../redeemRequest.ts'
import { mostTransactionGas, type RedeemPlan, overridesOf as walletOf } from '../runPlan.ts'
import { failureOf, noCoin, sameAddress } from '../trace/frames.ts'
import { type EconomicJudge, ruleFinding } from './rule.ts'

/** `NEEDS_NATIVE_COIN`: the call fails, and goes through when it comes with coins. */
export const needsNativeCoin: EconomicJudge = async ({ call, plan, wishes }) => {
  const failure = call && failureOf(call)
  if (failure === undefined) return []
  if (failure.frame.failure === noCoin)
    return [
      ruleFinding(
        'danger',
        'NEEDS_NATIVE_COIN',
        `${failure.frame.from} sends ${formatEther(failure.frame.value)} of the chain's own coin on, and a redeem brings none.`,
      ),
    ]
  // USDC never asks for coins.
  if (wishes.some(({ done, at }) => !done && at.every((place, depth) => failure.at[depth] === place)))
    return []
  const value = await coinThatHelps(plan)
  if (value === undefined) return []
  return [
    ruleFinding(
      'danger',
      'NEEDS_NATIVE_COIN',
      `The call fails without value, and goes through with ${formatEther(value)} of the chain's own coin.`,
    ),
  ]
}

/**
 * Tries the call of the target, as the credits contract with the allowance, with amounts of the chain's own coin: usual ones,
 * those that stand in the target's code, and those in the storage that it reads.
 *
 * @returns the first with which it goes through, in wei
 */
export async function coinThatHelps(plan: RedeemPlan): Promise<bigint | undefined> {
  const { client, creditsContract, usdc, blockNumber, request } = plan
  const { target, data } = request.settlement
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [target, request.intent.amount],
  })
  const values = await candidates(plan)
  const overrides = { ...walletOf(plan), [creditsContract]: { balance: 10n ** 24n } }
  const answers = await playCalls(
    client,
    { blockNumber, overrides },
    {
      as: creditsContract,
      calls: [
        { to: usdc, data: approve },
        ...values.map((value) => ({ to: target, data, value, gas: mostTriedGas })),
      ],
    },
  )
  return values.find((_, index) => answers[index + 1]?.succeeded)
}

const mostTriedGas = 2_000_000n
const mostValues = 160
const usual = [1n, 10n ** 14n, 10n ** 15n, 10n ** 16n, 10n ** 17n, 10n ** 18n]
/** Nobody asks for more than a thousand coins. */
const mostCoins = 10n ** 21n

async function candidates(plan: RedeemPlan): Promise<bigint[]> {
  const { client, request, blockNumber } = plan
  const [code, stored] = await Promise.all([
    askNode(client, 'eth_getCode', [request.settlement.target, toQuantity(blockNumber)]),
    readStorage(plan),
  ])
  const found = [...stored, ...(typeof code === 'string' ? constantsIn(code) : [])]
  // What looks like a price goes first.
  const sorted = found.sort((a, b) => Number(b >= 10n ** 9n) - Number(a >= 10n ** 9n))
  return [...new Set([...usual, ...sorted])]
    .filter((value) => value > 0n && value <= mostCoins)
    .slice(0, mostValues)
}

/** What the code pushes: constants, and immutable values. */
function constantsIn(code: string): bigint[] {
  const found: bigint[] = []
  for (let at = 2; at < code.length; at += 2) {
    const width = Number.parseInt(code.slice(at, at + 2), 16) - 0x5f
    if (!(width >= 1 && width <= 32)) continue
    // Addresses and hashes are no amounts, and selectors, of 4 bytes, hardly ever.
    const digits = code.slice(at + 2, at + 2 + width * 2)
    if (digits.length === width * 2 && width !== 4 && width !== 20) found.push(BigInt(`0x${digits}`))
    at += width * 2
  }
  return found
}

/** Values in storage that the redeem reads, whole and in the pieces that a compiler packs. None where the node does not tell. */
async function readStorage(plan: RedeemPlan): Promise<bigint[]> {
  const { client, relayer, request, blockNumber } = plan
  const call = {
    from: relayer,
    ...redeemCall(plan, request),
    gas: mostTransactionGas,
    blockNumber,
    overrides: walletOf(plan),
  }
  const answer = await askNode(
    client,
    'debug_traceCall',
    [
      callOf(call),
      toQuantity(blockNumber),
      { tracer: 'prestateTracer', tracerConfig: { disableCode: true }, stateOverrides: overridesOf(call) },
    ],
    { isAnswer: () => true },
  )
  const values: bigint[] = []
  for (const [address, account] of Object.entries(Object(answer))) {
    // the keys of the answer are addresses
    if (sameAddress(address as Hex, plan.creditsContract) || sameAddress(address as Hex, plan.usdc)) continue
    for (const word of Object.values(Object(Object(account).storage))) {
      if (typeof word !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(word)) continue
      const value = BigInt(word)
      values.push(value, ...[64n, 96n, 128n].map((bits) => value % 2n ** bits))
    }
  }
  return values
}
