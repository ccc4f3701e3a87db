import { type Abi, bytesToHex, type Hex } from 'viem'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import type { InvalidOptionError } from '../../redeemkit/core/errors/inputErrors.ts'
import { verdictOf } from '../../redeemkit/core/finding/finding.ts'
import { permitMaximumSeconds } from '../../redeemkit/core/limits.ts'
import type { EvmClient } from '../../redeemkit/evm/client.ts'
import { creditsDomain } from '../../redeemkit/evm/creditPermit/creditPermit.ts'
import { toOrderKey } from '../../redeemkit/evm/creditPermit/orderKey.ts'
import { hashSettlement, redeemIntentNonce } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { signCreditPermit } from '../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../redeemkit/evm/signer/toSigner.ts'
import { settlementOf } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import { hexToBytes } from '../../redeemkit/evm/viem.ts'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import { makeReport } from './makeReport.ts'
import { adapterFor, assumeEntry, creditsFacts, entryKeyOf, entryOf, newestBlock } from './readChain.ts'
import type { RedeemReport } from './redeemReport.ts'
import { assumedRequest, type RedeemRequest, redeemRequest, usdcMethods } from './redeemRequest.ts'
import { type RedeemPlan, runPlan } from './runPlan.ts'
import type { traceCall } from './trace/traceCall.ts'

/**
 * Simulates a redeem without sending it. The report says whether the redeem is whitelisted and succeeds, or where and why it fails,
 * which USDC and tokens move, what it leaves behind, what it costs, and which rules for merchant contracts it breaks.
 *
 * No signature is needed: without a `signer`, a contract that accepts every signature replaces the wallet in the simulation.
 *
 * @param client a client for a node with `debug_traceCall`, such as the sandbox; a viem client works
 * @param options.amount the subtotal in raw units of USDC; 1 USD is `1_000_000n`
 * @throws InvalidOptionError; UnsupportedCreditsContractError; TracingUnavailableError if the node has no
 * `debug_traceCall`; ChainReadError; errors of `settlementOf` and of the signer
 * @see PROTOCOL.md 6
 */
export async function simulateRedeem(
  client: EvmClient,
  options: simulateRedeem.Options,
): Promise<RedeemReport> {
  checkOptions(options, {
    creditsContract: 'string',
    creditSeed: 'string',
    relayer: 'string',
    wallet: 'string',
    amount: 'any',
    usdcAmount: 'any',
    transactionData: 'object',
    abis: 'list?',
    signer: 'object?',
    feeOf: 'function?',
    rules: 'string?',
  })
  const { creditsContract, relayer, abis = [], feeOf, rules = 'economic' } = options
  const { kind } = settlementOf(options.transactionData)
  const at = await chainFacts(client, { creditsContract, kind })
  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const request = await buildRequest({ ...options, ...at, salt })
  const signatures = options.signer === undefined ? 'assumed' : 'real'
  const plan = { client, creditsContract, relayer, request, signatures, ...at } as const
  return reportPlan(plan, { abis, feeOf, rules })
}

export declare namespace simulateRedeem {
  type Options = Omit<simulateRequest.Options, 'request' | 'signatures'> & {
    creditSeed: string
    /** The customer's wallet. */
    wallet: Hex
    /** Price in raw units of USDC. */
    amount: bigint
    /** The part of the amount that the customer pays in USDC. Default 0. */
    usdcAmount?: bigint | undefined
    transactionData: TransactionData
    /** Signs the permit and the USDC authorization. Default: the redeem is simulated without signatures. */
    signer?: EvmSigner | undefined
  }
  type ErrorType =
    | InvalidOptionError
    | creditsFacts.ErrorType
    | traceCall.ErrorType
    | settlementOf.ErrorType
    | redeemIntentNonce.ErrorType
    | signCreditPermit.ErrorType
    | signUsdcAuthorization.ErrorType
}

/** Builds a redeem without a gas fee. Without a signer it is unsigned, and the wallet must run `agreeableCode`. */
export async function buildRequest(options: buildRequest.Options): Promise<RedeemRequest> {
  const { creditSeed, wallet, amount, usdcAmount = 0n, bridgeAdapter, salt, signer } = options
  const settlement = settlementOf(options.transactionData)
  const nonce = redeemIntentNonce({
    // A new salt makes a new order.
    orderKey: toOrderKey(hexToBytes(salt)),
    customerWallet: wallet,
    settlementHash: hashSettlement(settlement, { bridgeAdapter }),
    amount,
    usdcAmount,
    salt,
  })
  const validBefore = options.timestamp + lifeSeconds
  const unsigned = redeemRequest({
    permit: { customerWallet: wallet, creditSeed, amount: amount - usdcAmount, validBefore, nonce },
    signature: '0x',
    salt,
    intent: { settlement, amount, usdcAmount },
    gasFee: 0n,
  })
  return signer === undefined ? assumedRequest(unsigned) : signRequest(signer, unsigned, options)
}

export declare namespace buildRequest {
  type Options = Pick<
    simulateRedeem.Options,
    'creditSeed' | 'wallet' | 'amount' | 'usdcAmount' | 'transactionData' | 'signer' | 'creditsContract'
  > & {
    chainId: number
    bridgeAdapter?: Hex | undefined
    salt: Hex
    /** The chain's clock, in Unix seconds. */
    timestamp: bigint
  }
}

const lifeSeconds = permitMaximumSeconds / 2n

async function signRequest(
  signer: EvmSigner,
  request: RedeemRequest,
  { creditsContract, chainId, timestamp }: { creditsContract: Hex; chainId: number; timestamp: bigint },
): Promise<RedeemRequest> {
  const { signature: _, ...permit } = request.permit
  const now = () => Number(timestamp) * 1_000
  const domain = { ...creditsDomain, chainId, verifyingContract: creditsContract }
  const signature = await signCreditPermit(signer, { domain, permit, now })
  const { usdcAmount } = request.intent
  if (usdcAmount === 0n) return { ...request, permit: { ...permit, signature } }
  const authorization = {
    from: permit.customerWallet,
    to: creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore: permit.validBefore,
    nonce: permit.nonce,
  }
  return {
    ...request,
    permit: { ...permit, signature },
    usdcAuthorization: {
      method: usdcMethods.receiveV2,
      signature: await signUsdcAuthorization(signer, {
        chainId,
        type: 'ReceiveWithAuthorization',
        authorization,
        now,
      }),
    },
  }
}

/**
 * Simulates a redeem request, and reports what it would do.
 *
 * @param options.signatures `assumed`: a contract that accepts every signature replaces the wallet
 */
export async function simulateRequest(
  client: EvmClient,
  options: simulateRequest.Options,
): Promise<RedeemReport> {
  const { creditsContract, relayer, request, signatures = 'real' } = options
  const { abis = [], feeOf, rules = 'economic' } = options
  const at = await chainFacts(client, { creditsContract, kind: request.settlement.kind })
  return reportPlan({ client, creditsContract, relayer, request, signatures, ...at }, { abis, feeOf, rules })
}

async function chainFacts(client: EvmClient, redeem: { creditsContract: Hex; kind: number }) {
  const [facts, block, bridgeAdapter] = await Promise.all([
    creditsFacts(client, redeem.creditsContract),
    newestBlock(client),
    adapterFor(client, redeem),
  ])
  return { ...facts, ...block, bridgeAdapter }
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
async function reportPlan(plan: RedeemPlan, options: Options): Promise<RedeemReport> {
  const [frame, entry] = await Promise.all([runPlan(plan), entryOf(plan)])
  const report = await makeReport({ plan, frame, entry, ...options })
  if (!isStoppedByWhitelist(report)) return report
  const assumed = await assumeEntry(plan.client, entryKeyOf(plan))
  if (assumed === undefined) return report
  const allowed = { plan: { ...plan, assumed }, entry: { ...entry, isAllowed: true } }
  return withRest(report, await makeReport({ ...options, ...allowed, frame: await runPlan(allowed.plan) }))
}

const isStoppedByWhitelist = ({ whitelist, execution }: RedeemReport) =>
  whitelist.isNeeded &&
  !whitelist.isAllowed &&
  whitelist.forbidden === undefined &&
  !execution.succeeded &&
  execution.error === 'NotWhitelisted'

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
