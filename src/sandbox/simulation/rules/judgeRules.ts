import { mostTransactionGas } from '../../../redeemkit/core/limits.ts'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { creditsErrorOf } from '../../../redeemkit/evm/revert/creditsErrors.ts'
import { decodeRevert } from '../../../redeemkit/evm/revert/decodeRevert.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { TracingUnavailableError } from '../errors.ts'
import type { FailedStep } from '../executionOf.ts'
import type { RedeemReport, ReportedExecution, RuleFinding } from '../redeemReport.ts'
import { settlementCalls } from '../runPlan.ts'
import { callInSequence } from '../trace/callInSequence.ts'
import { failureOf, isRead, walkFrames } from '../trace/frames.ts'
import { dependsOnTime, usesTxOrigin } from './differsOnRerun.ts'
import { gasAboveLimit, keepsMoneyOnShortGas } from './gas.ts'
import { needsNativeCoin } from './needsNativeCoin.ts'
import { reenters, swallowsFailure } from './nestedCalls.ts'
import { nftShape } from './nftShape.ts'
import { hasOpcode, opcodes } from './opcodes.ts'
import { pulls, pullsFromApproved } from './pulls.ts'
import { payerKept, readsWalletCode, receiverNotCustomer } from './receiverNotCustomer.ts'
import { type Judge, type RuleContext, RuleNotJudgedError, ruleFinding } from './rule.ts'
import { type RuleCode, ruleCatalogue } from './ruleCatalogue.ts'
import { fixOfRejectedCaller, secondSale, seesOneCustomer } from './seesOneCustomer.ts'
import { leavesAllowance, nftStaysBehind } from './staysBehind.ts'
import { upgradeable } from './upgradeable.ts'
import { whitelisted } from './whitelisted.ts'

type RuleJudge = {
  codes: readonly RuleCode[]
  judge: Judge
  comparesRuns?: true
}

type Judged = Pick<RedeemReport, 'findings' | 'notJudged'>

/** If this node cannot check a rule, the reason is recorded and the other rules are checked. */
async function judgeRules(judges: readonly RuleJudge[], context: RuleContext): Promise<Judged> {
  const judged = await Promise.all(
    judges.map(async ({ codes, judge }) => {
      try {
        return { findings: await judge(context), notJudged: [] }
      } catch (error) {
        if (!isNotJudged(error)) throw error
        return { findings: [], notJudged: codes.map((code) => ({ code, reason: error.shortMessage })) }
      }
    }),
  )
  return {
    findings: judged.flatMap(({ findings }) => findings),
    notJudged: judged.flatMap(({ notJudged }) => notJudged),
  }
}

const isNotJudged = (error: unknown) =>
  error instanceof RuleNotJudgedError ||
  error instanceof ChainReadError ||
  error instanceof TracingUnavailableError

export async function judgeRedeem(
  context: RuleContext,
  options: { rules: 'economic' | 'all'; step: FailedStep },
): Promise<Judged> {
  return dropUnprovable(context, await judge(context, options))
}

async function judge(
  context: RuleContext,
  { rules, step }: { rules: 'economic' | 'all'; step: FailedStep },
): Promise<Judged> {
  const [economic, gas, traced] = await Promise.all([
    judgeRules(economicJudges, context),
    // This rule needs no rerun, so a mined redeem gets the same verdict as its simulation.
    judgeRules([{ codes: ['GAS_ABOVE_LIMIT'], judge: gasAboveLimit }], context),
    judgeRules(rules === 'all' ? traceJudges : [], context),
  ])
  const findings = [...economic.findings]
  const explains = ({ severity }: RuleFinding) => severity === 'danger'
  if (!context.execution.succeeded && ![...findings, ...traced.findings].some(explains)) {
    const fix = step === 'call' ? await fixOfCaller(context) : undefined
    findings.push(callReverts(context, { ...context.execution, step, ...(fix !== undefined && { fix }) }))
  }
  findings.push(...gas.findings, ...traced.findings)
  const gravity = ['danger', 'warning', 'info']
  return {
    findings: findings.sort((a, b) => gravity.indexOf(a.severity) - gravity.indexOf(b.severity)),
    notJudged: [...elsewhere(context, rules), ...economic.notJudged, ...traced.notJudged],
  }
}

/**
 * Moves findings of rules that compare runs to `notJudged` if the contract treats wallets with code differently. Reruns simulate the
 * wallet with code, even if the redeem was signed, so they prove nothing about such a contract.
 */
async function dropUnprovable({ plan, execution, rerun }: RuleContext, judged: Judged): Promise<Judged> {
  const comparing = [...economicJudges, ...traceJudges].filter(({ comparesRuns }) => comparesRuns)
  const doubtful = judged.findings.filter((finding) =>
    comparing.some(({ codes }) => codes.includes(finding.code)),
  )
  if (plan.signatures === 'assumed' || !execution.succeeded || doubtful.length === 0) return judged
  if ((await rerun({})).succeeded) return judged
  const reason =
    'The contract treats wallets with code differently, and reruns simulate the wallet with code.'
  return {
    findings: judged.findings.filter((finding) => !doubtful.includes(finding)),
    notJudged: [...judged.notJudged, ...doubtful.map(({ code }) => ({ code, reason }))],
  }
}

/** A `decent` redeem is checked only in part, because it calls the merchant's contract on another chain. */
function elsewhere(
  { redeem, settlement }: RuleContext,
  rules: 'economic' | 'all',
): RedeemReport['notJudged'] {
  if (settlementShapes[redeem.shape].does !== 'bridge') return []
  const reason = `The call is made on chain ${settlement.bridge.dstChainId}; this chain only pays for it.`
  return ruleCatalogue.flatMap(({ code, judgedBy }) =>
    seenAtPayment.includes(code) || (judgedBy === 'trace' && rules === 'economic') ? [] : [{ code, reason }],
  )
}

const seenAtPayment: readonly RuleCode[] = ['NOT_WHITELISTED', 'SELECTOR_NOT_WHITELISTED', 'CALL_REVERTS']

const haveItSigned =
  'Simulate with a signature (option signer; on the command line, a test account): this run simulated the wallet with code, and the call succeeds for a wallet without code.'

/** Returns the fix for a call that fails only for a wallet with code, or only for the credits contract as caller. */
async function fixOfCaller(context: RuleContext): Promise<string | undefined> {
  const { frame } = failureOf(context.frame) ?? {}
  // The credits contract accepts tokens only from its own redeems.
  if (sameHex(frame?.to, context.creditsContract)) return undefined
  const refused = fixOfRefusedToken(context)
  if (refused !== undefined) return refused
  try {
    return (await failsByWalletCode(context)) ? haveItSigned : await fixOfRejectedCaller(context)
  } catch (error) {
    // Without this fix, the report still contains the reason of the failure.
    if (isNotJudged(error)) return undefined
    throw error
  }
}

/** Returns the fix for a token that the credits contract rejected, if the merchant's contract replaces that error with its own. */
function fixOfRefusedToken({ frame: root, creditsContract }: RuleContext): string | undefined {
  for (const { frame, parent } of walkFrames(root)) {
    if (parent === undefined || frame.failure === undefined || !sameHex(frame.to, creditsContract)) continue
    const fix = creditsErrorOf(decodeRevert({ data: frame.output }).name)?.fix
    if (fix !== undefined) return fix
  }
  return undefined
}

function callReverts(
  { redeem }: RuleContext,
  { contract, reason, fix, step }: Extract<ReportedExecution, { succeeded: false }> & { step: FailedStep },
): RuleFinding {
  const what = {
    redeem: 'The redeem',
    call: sameHex(contract, redeem.target) ? 'The call' : `A call of ${contract}`,
    delivery: 'Forwarding the token to the customer',
  }[step]
  return ruleFinding('danger', 'CALL_REVERTS', `${what} fails: ${reason}.`, fix)
}

/** All economic rules except `CALL_REVERTS`, which applies if no other rule explains a failure. */
const economicJudges: readonly RuleJudge[] = [
  { codes: ['NOT_WHITELISTED', 'SELECTOR_NOT_WHITELISTED'], judge: whitelisted },
  { codes: ['PULLS_MORE', 'PULLS_LESS', 'PULLS_NOTHING', 'PULLS_FROM_OTHERS'], judge: pulls },
  { codes: ['PULLS_FROM_OTHERS'], judge: pullsFromApproved },
  { codes: ['NEEDS_NATIVE_COIN'], judge: needsNativeCoin },
  { codes: ['MINTS_WITHOUT_HOOK', 'RETURNS_NO_ID', 'WRONG_NFT_ID'], judge: nftShape },
  { codes: ['NFT_STAYS_BEHIND'], judge: nftStaysBehind },
  { codes: ['REENTERS'], judge: reenters },
  { codes: ['LEAVES_ALLOWANCE'], judge: leavesAllowance },
  { codes: ['KEEPS_MONEY_ON_SHORT_GAS'], judge: keepsMoneyOnShortGas, comparesRuns: true },
]

/** The receiver in the call data is stronger evidence than a stored receiver. */
const receiver: Judge = async (context) => {
  const named = await receiverNotCustomer(context)
  return named.length === 0 ? payerKept(context) : named
}

const traceJudges: readonly RuleJudge[] = [
  { codes: ['RECEIVER_NOT_CUSTOMER'], judge: receiver },
  { codes: ['RECEIVER_NOT_CUSTOMER'], judge: readsWalletCode },
  { codes: ['USES_TX_ORIGIN'], judge: usesTxOrigin, comparesRuns: true },
  { codes: ['DEPENDS_ON_TIME'], judge: dependsOnTime, comparesRuns: true },
  { codes: ['SEES_ONE_CUSTOMER'], judge: seesOneCustomer, comparesRuns: true },
  { codes: ['DIFFERS_ON_SECOND_CALL'], judge: secondSale, comparesRuns: true },
  { codes: ['SWALLOWS_FAILURE'], judge: swallowsFailure },
  { codes: ['UPGRADEABLE'], judge: upgradeable },
]

/** If the failed call succeeds with the wallet's real code, it failed only because the wallet was simulated with code. */
async function failsByWalletCode(context: RuleContext): Promise<boolean> {
  const { plan, creditsContract, usdc, client, call } = context
  if (plan.signatures === 'real') return false
  // This run replaces the credits contract's code.
  if (call !== undefined && isRead(call, creditsContract)) return false
  // This run is sent from the credits contract, so tx.origin would differ.
  if (await hasOpcode(context, [opcodes.origin])) return false
  const [approval, asked] = settlementCalls(plan.request, usdc)
  const answers = await callInSequence(
    client,
    { blockNumber: plan.blockNumber, overrides: { ...plan.assumed } },
    { as: creditsContract, calls: [approval, { ...asked, gas: mostTransactionGas / 2n }] },
  )
  return answers[1]?.succeeded === true
}
