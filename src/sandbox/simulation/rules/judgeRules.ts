import { encodeFunctionData, erc20Abi } from 'viem'
import { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import { TracingUnavailableError } from '../errors.ts'
import { playCalls } from '../node/playCalls.ts'
import type { RedeemReport, ReportedExecution, RuleFinding } from '../redeemReport.ts'
import type { FailedStep } from '../report/executionOf.ts'
import { mostTransactionGas } from '../runPlan.ts'
import { failureOf, sameAddress } from '../trace/frames.ts'
import { dependsOnTime, differsOnSecondCall, usesTxOrigin } from './differsOnRerun.ts'
import { gasAboveLimit, keepsMoneyOnShortGas } from './gas.ts'
import { needsNativeCoin } from './needsNativeCoin.ts'
import { reenters, swallowsFailure } from './nestedCalls.ts'
import { nftShape } from './nftShape.ts'
import { hasOpcode, opcodes } from './opcodes.ts'
import { pulls } from './pulls.ts'
import { pullsFromApproved } from './pullsFromApproved.ts'
import { looksAtWalletCode, payerKept, receiverNotCustomer } from './receiverNotCustomer.ts'
import { type EconomicContext, type EconomicJudge, RuleNotJudgedError, ruleFinding } from './rule.ts'
import { type RuleCode, ruleCatalogue } from './ruleCatalogue.ts'
import { leavesAllowance, nftStaysBehind } from './staysBehind.ts'
import { upgradeable } from './upgradeable.ts'
import { whitelisted } from './whitelisted.ts'

/** A judge, and the rules that it judges. */
export type RuleJudge = { codes: readonly RuleCode[]; judge: EconomicJudge }

/** Judges rules. Of one that this node cannot judge, the reason is kept, and the others are judged. */
export async function judgeRules(
  judges: readonly RuleJudge[],
  context: EconomicContext,
): Promise<{ findings: RuleFinding[]; notJudged: RedeemReport['notJudged'] }> {
  const judged = await Promise.all(
    judges.map(async ({ codes, judge }) => {
      try {
        return { findings: await judge(context), notJudged: [] }
      } catch (error) {
        if (
          error instanceof RuleNotJudgedError ||
          error instanceof ChainReadError ||
          error instanceof TracingUnavailableError
        )
          return { findings: [], notJudged: codes.map((code) => ({ code, reason: error.shortMessage })) }
        throw error
      }
    }),
  )
  return {
    findings: judged.flatMap(({ findings }) => findings),
    notJudged: judged.flatMap(({ notJudged }) => notJudged),
  }
}

/** Judges every rule, and drops findings that a further run cannot prove. */
export async function judgeRedeem(
  context: EconomicContext,
  options: { rules: 'economic' | 'all'; step: FailedStep },
): Promise<Pick<RedeemReport, 'findings' | 'notJudged'>> {
  return withoutDoubt(context, await judge(context, options))
}

async function judge(
  context: EconomicContext,
  { rules, step }: { rules: 'economic' | 'all'; step: FailedStep },
): Promise<Pick<RedeemReport, 'findings' | 'notJudged'>> {
  const [economic, traced] = await Promise.all([
    judgeRules(economicJudges, context),
    judgeRules(rules === 'all' ? traceJudges : [], context),
  ])
  const findings = [...economic.findings]
  if (!context.execution.succeeded && findings.length === 0) {
    const isPlayed = step === 'call' && (await failsByPlayedWallet(context))
    findings.push(
      callReverts(context, { ...context.execution, step, ...(isPlayed && { fix: haveItSigned }) }),
    )
  }
  findings.push(...traced.findings)
  const gravity = ['danger', 'warning', 'info']
  return {
    findings: findings.sort((a, b) => gravity.indexOf(a.severity) - gravity.indexOf(b.severity)),
    notJudged: [...elsewhere(context, rules), ...economic.notJudged, ...traced.notJudged],
  }
}

/**
 * Further runs play the wallet by code, also of a redeem that was signed. Where the contract treats a wallet with code in another
 * way, they show nothing.
 */
async function withoutDoubt(
  { plan, execution, rerun }: EconomicContext,
  judged: Pick<RedeemReport, 'findings' | 'notJudged'>,
): Promise<Pick<RedeemReport, 'findings' | 'notJudged'>> {
  const doubtful = judged.findings.filter(({ code }) => runAgain.includes(code))
  if (plan.signatures === 'assumed' || !execution.succeeded || doubtful.length === 0) return judged
  if ((await rerun({})).succeeded) return judged
  const reason =
    'The contract treats a wallet with code in another way, and further runs play the wallet by code.'
  return {
    findings: judged.findings.filter((finding) => !doubtful.includes(finding)),
    notJudged: [...judged.notJudged, ...doubtful.map(({ code }) => ({ code, reason }))],
  }
}

/** The rules that compare with further runs. */
const runAgain: readonly RuleCode[] = [
  'KEEPS_MONEY_ON_SHORT_GAS',
  'USES_TX_ORIGIN',
  'DEPENDS_ON_TIME',
  'DIFFERS_ON_SECOND_CALL',
]

/** Of a decent redeem the merchant's contract is on another chain: here only its payment is seen. */
function elsewhere(
  { redeem, settlement }: EconomicContext,
  rules: 'economic' | 'all',
): RedeemReport['notJudged'] {
  if (redeem.shape !== 'decent') return []
  const reason = `The call is made on chain ${settlement.bridge.dstChainId}, and this is the chain that pays for it.`
  return ruleCatalogue.flatMap(({ code, judgedBy }) =>
    seenAtPayment.includes(code) || (judgedBy === 'trace' && rules === 'economic') ? [] : [{ code, reason }],
  )
}

const seenAtPayment: readonly RuleCode[] = ['NOT_WHITELISTED', 'SELECTOR_NOT_WHITELISTED', 'CALL_REVERTS']

const haveItSigned =
  'Have it signed (signer; at the terminal the name of a person): the wallet was played by code here, and the call goes through for one without code.'

/** What is left when no rule says why. */
function callReverts(
  { redeem }: EconomicContext,
  { contract, reason, fix, step }: Extract<ReportedExecution, { succeeded: false }> & { step: FailedStep },
): RuleFinding {
  const what = {
    redeem: 'The redeem',
    call: sameAddress(contract, redeem.target) ? 'The call' : `A call of ${contract}`,
    'handing on': 'Handing the token on to the customer',
  }[step]
  return ruleFinding('danger', 'CALL_REVERTS', `${what} fails: ${reason}.`, fix)
}

/** Every economic rule but `CALL_REVERTS`, which is what is left when none of these says why. */
export const economicJudges: readonly RuleJudge[] = [
  { codes: ['NOT_WHITELISTED', 'SELECTOR_NOT_WHITELISTED'], judge: whitelisted },
  { codes: ['PULLS_MORE', 'PULLS_LESS', 'PULLS_NOTHING', 'PULLS_FROM_OTHERS'], judge: pulls },
  { codes: ['PULLS_FROM_OTHERS'], judge: pullsFromApproved },
  { codes: ['NEEDS_NATIVE_COIN'], judge: needsNativeCoin },
  { codes: ['MINTS_WITHOUT_HOOK', 'RETURNS_NO_ID', 'WRONG_NFT_ID'], judge: nftShape },
  { codes: ['NFT_STAYS_BEHIND'], judge: nftStaysBehind },
  { codes: ['REENTERS'], judge: reenters },
  { codes: ['LEAVES_ALLOWANCE'], judge: leavesAllowance },
  { codes: ['KEEPS_MONEY_ON_SHORT_GAS'], judge: keepsMoneyOnShortGas },
]

/** Who is named for the customer says more than whom the contract keeps. */
const receiver: EconomicJudge = async (context) => {
  const named = await receiverNotCustomer(context)
  return named.length === 0 ? payerKept(context) : named
}

/** Every trace rule. */
export const traceJudges: readonly RuleJudge[] = [
  { codes: ['RECEIVER_NOT_CUSTOMER'], judge: receiver },
  { codes: ['RECEIVER_NOT_CUSTOMER'], judge: looksAtWalletCode },
  { codes: ['USES_TX_ORIGIN'], judge: usesTxOrigin },
  { codes: ['DEPENDS_ON_TIME'], judge: dependsOnTime },
  { codes: ['DIFFERS_ON_SECOND_CALL'], judge: differsOnSecondCall },
  { codes: ['GAS_ABOVE_LIMIT'], judge: gasAboveLimit },
  { codes: ['SWALLOWS_FAILURE'], judge: swallowsFailure },
  { codes: ['UPGRADEABLE'], judge: upgradeable },
]

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
