import { formatEther } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { codeAt } from '../readChain.ts'
import { overridesOf, settlementCalls } from '../runPlan.ts'
import { callInSequence } from '../trace/callInSequence.ts'
import { causeOf, failureOf, isRead, noCoin } from '../trace/frames.ts'
import { isFailedAt } from './pulls.ts'
import { danger, type Judge, type RuleContext, RuleNotJudgedError } from './rule.ts'

/** `NEEDS_NATIVE_COIN`: the call fails, but succeeds with native coin as its value. */
export const needsNativeCoin: Judge = async (context) => {
  const { call, transferCalls, creditsContract } = context
  if (call === undefined) return []
  const failure = failureOf(call)
  if (failure === undefined) return []
  if (failure.frame.failure === noCoin)
    return danger(
      'NEEDS_NATIVE_COIN',
      `${failure.frame.from} sends ${formatEther(failure.frame.value)} of the native coin, but a redeem provides none.`,
    )
  // USDC itself never requires native coin.
  if (transferCalls.some(({ done, at }) => !done && isFailedAt(at, causeOf(call)?.at))) return []
  if (isRead(call, creditsContract))
    throw new RuleNotJudgedError(
      'The contract calls the credits contract, whose code is replaced in a run with native coin.',
    )
  const value = await findSufficientCoin(context)
  if (value === undefined) return []
  return danger(
    'NEEDS_NATIVE_COIN',
    `The call fails without value, but succeeds with ${formatEther(value)} of the native coin.`,
  )
}

/** In wei. Tries common amounts, constants in the target's code, and values in the storage that it reads. */
async function findSufficientCoin(context: RuleContext): Promise<bigint | undefined> {
  const { plan } = context
  const { client, creditsContract, usdc, blockNumber, request } = plan
  const [approval, call] = settlementCalls(request, usdc)
  const values = await candidates(context)
  const overrides = { ...overridesOf(plan), [creditsContract]: { balance: 10n ** 24n } }
  const answers = await callInSequence(
    client,
    { blockNumber, overrides },
    {
      as: creditsContract,
      calls: [approval, ...values.map((value) => ({ ...call, value, gas: maxGasPerCall }))],
    },
  )
  return values.find((_, index) => answers[index + 1]?.succeeded)
}

const maxGasPerCall = 2_000_000n
const mostValues = 160
const usual = [1n, 10n ** 14n, 10n ** 15n, 10n ** 16n, 10n ** 17n, 10n ** 18n]
/** A price above a thousand coins is implausible. */
const mostCoins = 10n ** 21n

async function candidates({ plan, reads }: RuleContext): Promise<bigint[]> {
  const { client, creditsContract, usdc, request, blockNumber } = plan
  const [code, slots] = await Promise.all([codeAt(client, request.settlement.target, blockNumber), reads()])
  const stored = slots.flatMap(({ address, value }) => {
    if (sameHex(address, creditsContract) || sameHex(address, usdc)) return []
    const word = BigInt(value)
    // A packed slot may hold the price in its lowest bits.
    return [word, ...[64n, 96n, 128n].map((bits) => word % 2n ** bits)]
  })
  const found = [...stored, ...constantsIn(code)]
  // Tries plausible prices first.
  const sorted = found.sort((a, b) => Number(b >= 10n ** 9n) - Number(a >= 10n ** 9n))
  return [...new Set([...usual, ...sorted])]
    .filter((value) => value > 0n && value <= mostCoins)
    .slice(0, mostValues)
}

/** Returns the values that the code pushes, such as constants and immutables. */
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
