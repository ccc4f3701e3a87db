import { type Abi, getAddress, type Hex, zeroAddress } from 'viem'
import { verdictOf } from '../../redeemkit/core/finding/finding.ts'
import {
  type Settlement,
  settlementKindOf,
  settlementKinds,
  settlementShapes,
  shapeOf,
} from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import { type AbisOf, contractAbis } from './abi/buildAbis.ts'
import { describeCall, describeTree } from './abi/describe.ts'
import { executionOf, type FailedStep } from './executionOf.ts'
import type {
  CallFrame,
  RedeemReport,
  ReportedEntry,
  ReportedExecution,
  ReportedNft,
  ReportedRedeem,
  RuleFinding,
} from './redeemReport.ts'
import { redeemCall } from './redeemRequest.ts'
import { suggestedMinimumGas } from './rules/gas.ts'
import { judgeRedeem } from './rules/judgeRules.ts'
import type { RuleContext } from './rules/rule.ts'
import { leftBehindOf } from './rules/staysBehind.ts'
import { createReruns, overridesOf, type RedeemPlan, type Reruns } from './runPlan.ts'
import { type ReadAround, type TokenInTheEnd, tokensOf } from './tokensOf.ts'
import { callInSequence } from './trace/callInSequence.ts'
import { failureOf, targetCall } from './trace/frames.ts'
import { usdcReceived, usdcTransferCalls } from './trace/moves.ts'

export async function makeReport(run: makeReport.Options): Promise<RedeemReport> {
  const { plan, frame: rawFrame, entry, abis, hash } = run
  const { request, usdc, creditsContract, client, relayer, blockNumber } = plan
  // The contract accepts only known settlement numbers.
  const settlement = request.settlement as Settlement
  const readAround = run.readAround ?? readAroundRedeem(plan)
  const step = failedStep(rawFrame, plan)
  const { lastCheck } = createReruns(plan, rawFrame)
  const abisOf = await contractAbis(client, { root: rawFrame, abis, blockNumber })
  const [execution, ends] = await Promise.all([
    executionOf(rawFrame, { client, blockNumber, abisOf, step, usdc, creditsContract, lastCheck }),
    tokensOf(rawFrame, { readAround, usdc, creditsContract, relayer, sold: soldToken(rawFrame, plan) }),
  ])
  const frame = describeTree(rawFrame, abisOf, execution.succeeded ? undefined : execution)
  const found = callIn(frame, plan)
  const redeem = redeemOf(plan, { settlement, abis, hash, blockNumber: run.minedIn ?? blockNumber })
  const left = allowanceLeft(frame, plan)
  const pulled = left === undefined ? undefined : request.intent.amount - left
  const reported = withForbidden(entry, execution)
  const context: RuleContext = {
    client,
    plan,
    creditsContract,
    usdc,
    redeem,
    settlement,
    frame,
    call: found?.frame,
    ...describedReruns(plan, { frame, abisOf }),
    entry: reported,
    execution,
    pulled,
    transferCalls: found === undefined ? [] : usdcTransferCalls(found.frame, usdc),
    ...ends,
  }
  const { findings, notJudged } = await judgeRedeem(context, { rules: run.rules, step })
  const fee = await run.feeOf?.(frame.gasUsed)
  const { amount, usdcAmount } = request.intent
  const succeeded = execution.succeeded
  return {
    verdict: verdictOf(findings),
    findings,
    notJudged,
    redeem,
    whitelist: reported,
    execution: withFix(execution, findings),
    usdc: {
      approved: settlementShapes[redeem.shape].does === 'transfer' ? 0n : amount,
      pulled: succeeded ? (pulled ?? 0n) : 0n,
      refunded: succeeded && left !== undefined ? left : 0n,
      received: usdcReceived(frame, usdc),
      wanted: usdcTransferCalls(frame, usdc)
        .slice(0, maxTransferCalls)
        .map(({ by, from, to, amount, done, given }) => ({ by, from, to, amount, done, given })),
    },
    nfts: ends.tokens.map((token) => reportedNft(token, context)),
    gas: {
      used: frame.gasUsed,
      call: found?.frame.gasUsed,
      suggestedMinimumGas: found && suggestedMinimumGas(found.frame),
      fee,
      charged: fee === undefined ? undefined : amount - usdcAmount + fee,
    },
    leftBehind: leftBehindOf(context),
    callTree: frame,
  }
}

export declare namespace makeReport {
  type Options = {
    plan: RedeemPlan
    frame: CallFrame
    entry: ReportedEntry
    abis: readonly Abi[]
    hash?: Hex | undefined
    minedIn?: bigint | undefined
    feeOf?: ((gas: bigint) => bigint | Promise<bigint>) | undefined
    rules: 'economic' | 'all'
    /** Reads the state before and after a mined redeem, at its blocks. Default: reads before and after the redeem in one simulation. */
    readAround?: ReadAround | undefined
  }
}

const maxTransferCalls = 1_000

/** The credits contract transfers tokens only after the merchant's call. */
function failedStep(root: CallFrame, plan: RedeemPlan): FailedStep {
  const [place] = failureOf(root)?.at ?? []
  if (place === undefined) return 'redeem'
  const call = callIn(root, plan)
  const isTransfer = tokenTransfers.has(root.calls[place]?.input.slice(0, 10) ?? '')
  return call !== undefined && place > call.place && isTransfer ? 'delivery' : 'call'
}

/** Selectors of ERC-721's `transferFrom` and ERC-1155's `safeTransferFrom`. */
const tokenTransfers: ReadonlySet<string> = new Set(['0x23b872dd', '0xf242432a'])

/** Uses the fix of the rule that explains the failure, because it is at least as specific. */
function withFix(execution: ReportedExecution, findings: readonly RuleFinding[]): ReportedExecution {
  if (execution.succeeded || execution.at.length === 0) return execution
  const why = findings.find(({ severity }) => severity === 'danger')
  return why?.fix === undefined ? execution : { ...execution, fix: why.fix }
}

function redeemOf(
  plan: RedeemPlan,
  options: { settlement: Settlement; abis: readonly Abi[]; hash: Hex | undefined; blockNumber: bigint },
): ReportedRedeem {
  const { request, relayer, signatures } = plan
  const { kind, target, data } = options.settlement
  return {
    shape: settlementKindOf(kind),
    wallet: getAddress(request.permit.customerWallet),
    relayer: getAddress(relayer),
    creditSeed: request.permit.creditSeed,
    target: getAddress(target),
    selector: data.length < 10 ? undefined : (data.slice(0, 10).toLowerCase() as Hex),
    signature: describeCall(data, options.abis)?.signature,
    amount: request.intent.amount,
    usdcAmount: request.intent.usdcAmount,
    blockNumber: options.blockNumber,
    hash: options.hash,
    signatures,
  }
}

function soldToken(frame: CallFrame, plan: RedeemPlan): { contract: Hex; id: bigint; to: Hex } | undefined {
  const { kind, nftContract, nftId } = plan.request.settlement
  const token = { contract: nftContract, to: plan.request.permit.customerWallet }
  if (frame.failure !== undefined) return undefined
  if (shapeOf(plan.request.settlement)?.nft === 'token') return { ...token, id: nftId }
  const answer = callIn(frame, plan)?.frame.output ?? '0x'
  return kind === settlementKinds.returned && answer.length >= 66
    ? { ...token, id: BigInt(answer.slice(0, 66)) }
    : undefined
}

/** A decent redeem calls the merchant on another chain. */
function callIn(frame: CallFrame, { creditsContract, request }: RedeemPlan) {
  return targetCall(frame, { creditsContract, settlement: request.settlement })
}

/** Returns the allowance that remained when the credits contract read it, after the call to the merchant or the bridge adapter. */
function allowanceLeft({ calls }: CallFrame, { usdc }: RedeemPlan): bigint | undefined {
  const asked = [...calls]
    .reverse()
    .find(
      ({ to, input, failure }) =>
        sameHex(to, usdc) && input.startsWith(allowanceSelector) && failure === undefined,
    )
  return asked === undefined || asked.output.length < 66 ? undefined : BigInt(asked.output.slice(0, 66))
}

const allowanceSelector = '0xdd62ed3e'

/** Marks the entry if the credits contract's error means that no entry can allow the call. */
function withForbidden(entry: ReportedEntry, execution: ReportedExecution): ReportedEntry {
  if (execution.succeeded || execution.at.length > 0 || execution.error === undefined) return entry
  const forbidden = forbiddenBy[execution.error]
  return forbidden === undefined ? entry : { ...entry, isAllowed: false, forbidden }
}

const forbiddenBy: Readonly<Record<string, string>> = {
  ForbiddenTarget: 'USDC, the credits contract, Permit2, or the bridge adapter',
  TargetWithoutCode: 'an address without code',
  ForbiddenSelector: 'a function that moves tokens or grants rights over them',
}

function readAroundRedeem(plan: RedeemPlan): ReadAround {
  return async (calls) => {
    const { client, relayer, blockNumber, request } = plan
    const answers = await callInSequence(
      client,
      { blockNumber, overrides: overridesOf(plan) },
      { as: relayer, calls: [...calls, redeemCall(plan, request), ...calls] },
    )
    return { before: answers.slice(0, calls.length), after: answers.slice(calls.length + 1) }
  }
}

function describedReruns(plan: RedeemPlan, run: { frame: CallFrame; abisOf: AbisOf }): Reruns {
  const { rerun, traceSequence, ...others } = createReruns(plan, run.frame)
  return {
    traceSequence: async (...sequence) => describeTree(await traceSequence(...sequence), run.abisOf),
    rerun: async (circumstances) => {
      const { succeeded, frame } = await rerun(circumstances)
      return { succeeded, frame: describeTree(frame, run.abisOf) }
    },
    ...others,
  }
}

function reportedNft(
  { claimed: _, wasThere: __, ...token }: TokenInTheEnd,
  context: RuleContext,
): ReportedNft {
  return { ...token, holderIs: roleOf(token.holder, context) }
}

function roleOf(holder: Hex, { redeem, creditsContract, settlement }: RuleContext): ReportedNft['holderIs'] {
  if (sameHex(holder, redeem.wallet)) return 'customer'
  if (sameHex(holder, creditsContract)) return 'credits contract'
  if (sameHex(holder, redeem.relayer)) return 'relayer'
  if (holder === zeroAddress) return 'another account'
  if (sameHex(holder, redeem.target) || sameHex(holder, settlement.nftContract)) return 'merchant'
  // An account that the call data names is the intended receiver.
  if (settlement.data.toLowerCase().includes(holder.slice(2).toLowerCase())) return 'receiver'
  return 'another account'
}
