import type { Abi, Hex } from 'viem'
import { verdictOf } from '../../redeemkit/core/finding/finding.ts'
import type { EvmClient } from '../../redeemkit/evm/client.ts'
import type { RedeemReport, ReportedEntry } from './redeemReport.ts'
import type { RedeemRequest } from './redeemRequest.ts'
import { makeReport } from './report/makeReport.ts'
import {
  adapterFor,
  assumeEntry,
  creditsFacts,
  entryKeyOf,
  entryOf,
  newestBlock,
} from './report/readChain.ts'
import { type RedeemPlan, runPlan } from './runPlan.ts'

/**
 * Simulates a redeem request, and reports what it would do.
 *
 * @param options.signatures `assumed`: a contract that accepts every signature replaces the wallet
 */
export async function simulateRequest(
  client: EvmClient,
  options: simulateRequest.Options,
): Promise<RedeemReport> {
  const {
    creditsContract,
    relayer,
    request,
    signatures = 'real',
    abis = [],
    feeOf,
    rules = 'economic',
  } = options
  const { kind } = request.settlement
  const [facts, block, bridgeAdapter] = await Promise.all([
    creditsFacts(client, creditsContract),
    newestBlock(client),
    adapterFor(client, { creditsContract, kind }),
  ])
  const plan = { client, creditsContract, relayer, request, signatures, bridgeAdapter, ...facts, ...block }
  return reportPlan(plan, { abis, feeOf, rules })
}

export declare namespace simulateRequest {
  type Options = {
    creditsContract: Hex
    /** The sender, which must be an operator if there is a gas fee. */
    relayer: Hex
    request: RedeemRequest
    /** Whether the request has real signatures. Default `real`. */
    signatures?: 'real' | 'assumed' | undefined
    abis?: readonly Abi[] | undefined
    /** Returns the gas fee in raw USDC units for an amount of gas. */
    feeOf?: ((gas: bigint) => bigint | Promise<bigint>) | undefined
    /** Rules to check. Default `economic`. */
    rules?: 'economic' | 'all' | undefined
  }
}

type Options = Pick<makeReport.Options, 'abis' | 'feeOf' | 'rules'>

/** If only the whitelist blocks the redeem, the other rules are checked as if the call were allowed. */
export async function reportPlan(plan: RedeemPlan, options: Options): Promise<RedeemReport> {
  const [frame, entry] = await Promise.all([runPlan(plan), entryOf(plan)])
  const report = await makeReport({ plan, frame, entry, ...options })
  if (!isStoppedByWhitelist(report)) return report
  const assumed = await assumeEntry(plan.client, entryKeyOf(plan))
  return assumed === undefined
    ? report
    : withRest(report, await ifAllowed({ ...plan, assumed }, { entry, ...options }))
}

const isStoppedByWhitelist = ({ whitelist, execution }: RedeemReport) =>
  whitelist.isNeeded &&
  !whitelist.isAllowed &&
  whitelist.forbidden === undefined &&
  !execution.succeeded &&
  execution.error === 'NotWhitelisted'

async function ifAllowed(
  plan: RedeemPlan,
  options: Options & { entry: ReportedEntry },
): Promise<RedeemReport> {
  const entry = { ...options.entry, isAllowed: true }
  return makeReport({ plan, frame: await runPlan(plan), ...options, entry })
}

function withRest(report: RedeemReport, allowed: RedeemReport): RedeemReport {
  const missing = report.findings.filter(({ code }) => /WHITELISTED$/.test(code))
  const findings = [...missing, ...allowed.findings]
  const { notJudged, usdc, nfts, gas, leftBehind } = allowed
  return {
    ...report,
    ...{ findings, notJudged, usdc, nfts, gas, leftBehind },
    verdict: verdictOf(findings),
    whitelist: { ...report.whitelist, isAssumed: true },
  }
}
