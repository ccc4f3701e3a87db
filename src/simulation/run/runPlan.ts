import { type Hex, toFunctionSelector } from 'viem'
import { agreeableCode } from '../call/agreeableCode.ts'
import { redeemCall } from '../call/redeemCall.ts'
import { TracingUnavailableError } from '../errors.ts'
import { playData, playerCode } from '../node/playCalls.ts'
import { traceCall } from '../node/traceCall.ts'
import type { CallFrame } from '../redeemReport.ts'
import type { Circumstances, Run } from '../rules/rule.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { targetCall } from '../trace/targetCall.ts'
import { assumedRequest, nextRequest } from './assumedRequest.ts'
import type { Overrides, RedeemPlan } from './redeemPlan.ts'

/** The most gas that one transaction may have (EIP-7825). */
export const mostTransactionGas = 2n ** 24n

/**
 * Runs a redeem as it is.
 *
 * @throws TracingUnavailableError, also for a node that passes over what is to stand in an account's place; ChainReadError
 */
export async function runPlan(plan: RedeemPlan): Promise<CallFrame> {
  const frame = await traceCall(plan.client, {
    from: plan.relayer,
    ...redeemCall(plan, plan.request),
    gas: mostTransactionGas,
    blockNumber: plan.blockNumber,
    overrides: overridesOf(plan),
  })
  if (plan.signatures === 'assumed' && isWalletRefused(plan, frame))
    throw new TracingUnavailableError('The node passes over the stateOverrides of debug_traceCall.', {
      field: 'client',
      fix: 'Give a signer, or ask a node that takes them. A local fork does: npx redeemkit sandbox --chain base --fork-url URL.',
      docs: 'https://github.com/erigontech/erigon/issues/3495',
    })
  return frame
}

/** Whether the permit's signature was refused, before the target was called: code that agrees to everything never is. */
function isWalletRefused({ request }: RedeemPlan, { output, calls }: CallFrame): boolean {
  return (
    output.startsWith(invalidPermitSignature) &&
    !calls.some(({ to }) => sameAddress(to, request.settlement.target))
  )
}

const invalidPermitSignature = toFunctionSelector('InvalidPermitSignature(address,bytes32)')

/**
 * Runs redeems again under other circumstances; see `Circumstances`.
 *
 * @param first what came of the redeem as it is
 */
export function createRerun(
  plan: RedeemPlan,
  first: CallFrame,
): (circumstances: Circumstances) => Promise<Run> {
  let baseline: Promise<CallFrame> | undefined
  // Gas is counted from a run that differs in nothing else.
  const assumed = () => {
    baseline ??=
      plan.signatures === 'assumed' ? Promise.resolve(first) : trace(plan, {}).then(({ frame }) => frame)
    return baseline
  }
  return async (circumstances) => {
    const { callGas } = circumstances
    if (callGas === undefined) return trace(plan, circumstances)
    const gas = gasFor(plan, { callGas, frame: await assumed() })
    return trace(plan, { ...circumstances, gas })
  }
}

/** Gas of the transaction, for the call of the target to be left with so much. */
function gasFor(plan: RedeemPlan, options: { callGas: bigint; frame: CallFrame }): bigint {
  const { callGas, frame } = options
  const { target, data } = plan.request.settlement
  const call = targetCall(frame, { creditsContract: plan.creditsContract, target, data })?.frame
  if (call === undefined) return mostTransactionGas
  // A call gets all but 1/64 of what is left.
  return mostTransactionGas - leftAt(call.gas) + leftAt(callGas)
}

const leftAt = (callGas: bigint) => (callGas * 64n + 62n) / 63n

async function trace(plan: RedeemPlan, options: Circumstances & { gas?: bigint }): Promise<Run> {
  const {
    relayer = plan.relayer,
    seconds = 0,
    second = false,
    gas = mostTransactionGas,
    onlyTopCall,
  } = options
  const asked = assumedRequest(plan.request)
  const request = relayer === plan.relayer ? asked : { ...asked, gasFee: 0n }
  const overrides = overridesOf({ ...plan, signatures: 'assumed' })
  const timestamp = seconds === 0 ? undefined : plan.timestamp + BigInt(seconds)
  const at = { from: relayer, blockNumber: plan.blockNumber, timestamp, gas, onlyTopCall }
  if (!second) return runOf(await traceCall(plan.client, { ...at, ...redeemCall(plan, request), overrides }))
  const both = await traceCall(plan.client, {
    ...at,
    // The outermost call is that of both.
    onlyTopCall: false,
    to: relayer,
    data: playData([request, nextRequest(request)].map((one) => redeemCall(plan, one))),
    gas: 2n * mostTransactionGas,
    overrides: { ...overrides, [relayer]: { code: playerCode } },
  })
  return runOf(both.calls[1] ?? both)
}

const runOf = (frame: CallFrame): Run => ({ succeeded: frame.failure === undefined, frame })

/** The wallet, when it is played, and what else is assumed. */
export function overridesOf(plan: Pick<RedeemPlan, 'signatures' | 'request' | 'assumed'>): Overrides {
  const wallet: Hex = plan.request.permit.customerWallet
  return { ...plan.assumed, ...(plan.signatures === 'assumed' && { [wallet]: { code: agreeableCode } }) }
}
