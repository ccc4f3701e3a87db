import { encodeFunctionData, erc20Abi, formatEther, type Hex } from 'viem'
import { mostTransactionGas } from '../../../redeemkit/core/limits.ts'
import { askNode, toQuantity } from '../../../redeemkit/evm/client.ts'
import { callInSequence } from '../node/callInSequence.ts'
import { callOf, overridesOf } from '../node/traceCall.ts'
import { redeemCall } from '../redeemRequest.ts'
import { type RedeemPlan, overridesOf as walletOf } from '../runPlan.ts'
import { failureOf, isRead, noCoin, sameAddress } from '../trace/frames.ts'
import { brokenRule, type EconomicJudge, RuleNotJudgedError } from './rule.ts'

/** `NEEDS_NATIVE_COIN`: the call fails, and succeeds with native coin as value. */
export const needsNativeCoin: EconomicJudge = async ({ call, plan, transferCalls, creditsContract }) => {
  const failure = call && failureOf(call)
  if (failure === undefined) return []
  if (failure.frame.failure === noCoin)
    return brokenRule(
      'danger',
      'NEEDS_NATIVE_COIN',
      `${failure.frame.from} sends ${formatEther(failure.frame.value)} of the native coin, but a redeem provides none.`,
    )
  // USDC never requires native coin.
  if (transferCalls.some(({ done, at }) => !done && at.every((place, depth) => failure.at[depth] === place)))
    return []
  if (call !== undefined && isRead(call, creditsContract))
    throw new RuleNotJudgedError('The contract reads the credits contract, replaced in a run with coins.')
  const value = await findSufficientCoin(plan)
  if (value === undefined) return []
  return brokenRule(
    'danger',
    'NEEDS_NATIVE_COIN',
    `The call fails without value, and succeeds with ${formatEther(value)} of the native coin.`,
  )
}

/**
 * Simulates the call of the target, from the credits contract with the allowance, with amounts of native coin: common
 * ones, constants in the target's code, and values in the storage that it reads.
 *
 * @returns the first amount with which the call succeeds, in wei
 */
async function findSufficientCoin(plan: RedeemPlan): Promise<bigint | undefined> {
  const { client, creditsContract, usdc, blockNumber, request } = plan
  const { target, data } = request.settlement
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [target, request.intent.amount],
  })
  const values = await candidates(plan)
  const overrides = { ...walletOf(plan), [creditsContract]: { balance: 10n ** 24n } }
  const answers = await callInSequence(
    client,
    { blockNumber, overrides },
    {
      as: creditsContract,
      calls: [
        { to: usdc, data: approve },
        ...values.map((value) => ({ to: target, data, value, gas: maxGasPerCall })),
      ],
    },
  )
  return values.find((_, index) => answers[index + 1]?.succeeded)
}

const maxGasPerCall = 2_000_000n
const mostValues = 160
const usual = [1n, 10n ** 14n, 10n ** 15n, 10n ** 16n, 10n ** 17n, 10n ** 18n]
/** A price above a thousand coins is implausible. */
const mostCoins = 10n ** 21n

async function candidates(plan: RedeemPlan): Promise<bigint[]> {
  const { client, request, blockNumber } = plan
  const [code, stored] = await Promise.all([
    askNode(client, 'eth_getCode', [request.settlement.target, toQuantity(blockNumber)]),
    readStorage(plan),
  ])
  const found = [...stored, ...(typeof code === 'string' ? constantsIn(code) : [])]
  // Plausible prices first.
  const sorted = found.sort((a, b) => Number(b >= 10n ** 9n) - Number(a >= 10n ** 9n))
  return [...new Set([...usual, ...sorted])]
    .filter((value) => value > 0n && value <= mostCoins)
    .slice(0, mostValues)
}

/** Values that the code pushes: constants and immutables. */
function constantsIn(code: string): bigint[] {
  const found: bigint[] = []
  for (let at = 2; at < code.length; at += 2) {
    const width = Number.parseInt(code.slice(at, at + 2), 16) - 0x5f
    if (!(width >= 1 && width <= 32)) continue
    // Skips addresses and selectors.
    const digits = code.slice(at + 2, at + 2 + width * 2)
    if (digits.length === width * 2 && width !== 4 && width !== 20) found.push(BigInt(`0x${digits}`))
    at += width * 2
  }
  return found
}

/** Storage values that the redeem reads, whole and in the parts that a compiler packs. Empty if the node has no prestate tracer. */
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
    if (sameAddress(address as Hex, plan.creditsContract) || sameAddress(address as Hex, plan.usdc)) continue
    for (const word of Object.values(Object(Object(account).storage))) {
      if (typeof word !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(word)) continue
      const value = BigInt(word)
      values.push(value, ...[64n, 96n, 128n].map((bits) => value % 2n ** bits))
    }
  }
  return values
}
