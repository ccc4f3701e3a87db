import { isHex } from 'viem'
import { formatAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { decodeRevert, type Revert, revertDataOf } from '../../contracts/revert.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import type { RedeemRequest } from '../../simulation/redeemRequest.ts'
import { simulateRequest } from '../../simulation/simulateRedeem.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/** Traces a redeem that would fail, to explain why (PROTOCOL.md 7.2). Returns `refusal` if the trace adds nothing. */
export async function explainFailure(
  service: Pick<Service, 'kind' | 'onError'>,
  chain: EvmChain,
  {
    refusal,
    request,
    asWallet,
  }: {
    refusal: ServiceProblem
    request: RedeemRequest
    /** Whether the simulation replaces the wallet with a contract that accepts every signature. */
    asWallet: boolean | undefined
  },
): Promise<ServiceProblem> {
  // Other codes need no explanation. The trace engine supports only the contract of intent-bound permits.
  if (refusal.code !== 'SIMULATION_FAILED' || service.kind === 'randomNonce') return refusal
  try {
    const report = await simulateRequest(chain.client, {
      creditsContract: chain.creditsContract,
      relayer: chain.operator.address,
      request,
      signatures: asWallet ? 'assumed' : 'real',
    })
    return explained(refusal, report)
  } catch (error) {
    // The node does not support traces, so the error has fewer details.
    service.onError?.(error)
    return refusal
  }
}

/** Adds the findings, most severe first. */
export function explained(
  refusal: ServiceProblem,
  { execution, findings }: Pick<RedeemReport, 'execution' | 'findings'>,
): ServiceProblem {
  // A new block has made the redeem succeed.
  if (execution.succeeded) return refusal
  const isTooMuch = findings.some(({ code }) => code === 'PULLS_MORE')
  const [gravest] = findings
  const why = isTooMuch
    ? `${pulledTooMuch}: the contract pulled more USDC than the subtotal.`
    : `The redeem would fail: in ${execution.contract}, ${execution.reason}.`
  const rule =
    gravest === undefined || gravest.code === 'CALL_REVERTS' || isTooMuch ? '' : ` ${gravest.message}`
  return problem('SIMULATION_FAILED', `${why}${rule} What to change: ${gravest?.fix ?? execution.fix}`, {
    details: {
      ...refusal.details,
      revertReason: isTooMuch ? pulledTooMuch : execution.reason,
      contract: execution.contract,
      at: execution.at,
      findings: findings.map(({ severity, code, message, fix }) => ({ severity, code, message, fix })),
    },
  })
}

/** Converts a failed simulation to an error with a fix (PROTOCOL.md 7.2). Returns undefined if the node failed and not the redeem. */
export function simulationProblem(error: unknown): ServiceProblem | undefined {
  const data = revertDataOf(error)
  if (data === undefined) return undefined
  const revert = decodeRevert(data)
  switch (revert.error?.name) {
    case 'PermitExpired':
      return problem('PERMIT_EXPIRED', 'The permit has expired on the chain. Prepare and sign again.')
    case 'InvalidPermitSignature':
      return problem('INVALID_PERMIT', refusedByContract)
    case 'IntentMismatch':
      return problem('INTENT_MISMATCH', 'The nonce belongs to a different redeem. Prepare again.')
    case 'OrderUsed':
      // The redeem executed between the state check and this simulation. The next submit returns the details.
      return Number(revert.error.args.state) === 2
        ? problem(
            'ORDER_CANCELLED',
            'This order was cancelled. Nothing was paid by this request.',
            facts(revert),
          )
        : problem('ORDER_UNDERWAY', 'Another payment of this order was just made.', facts(revert))
    case 'ReceiveAuthorizationRequired':
      return problem('INVALID_USDC_AUTHORIZATION', receiveRequired)
    case 'ExceedsAuthorized':
      return exceedsAuthorized(argument(revert, 'charged'), argument(revert, 'authorized'))
    case 'InsufficientCredits':
      return insufficientCredits()
    case 'MissingUsdcAuthorization':
    case 'UnexpectedUsdcAuthorization':
    case 'InvalidV1SignatureLength':
      return problem(
        'INVALID_USDC_AUTHORIZATION',
        `The USDC authorization does not match the redeem: ${revert.reason}.`,
      )
    case 'NotWhitelisted':
    case 'NftContractNotWhitelisted':
    case 'ForbiddenTarget':
    case 'ForbiddenSelector':
    case 'TargetWithoutCode':
      return problem('NOT_WHITELISTED', `This call is not whitelisted: ${revert.reason}.`, facts(revert))
    case 'CallFailed':
      return callFailed(revert)
  }
  if (/^(?:FiatTokenV2: (?:authorization|invalid signature|caller)|ECRecover)/.test(revert.reason))
    return problem(
      'INVALID_USDC_AUTHORIZATION',
      `The USDC contract rejected the authorization: ${revert.reason}.`,
      facts(revert),
    )
  return problem('SIMULATION_FAILED', `The redeem would fail: ${revert.reason}.`, facts(revert))
}

export const invalidPermit = 'This wallet did not sign the permit for these values. Prepare and sign again.'

export const receiveRequired =
  'The USDC authorization was rejected: an intent-bound permit requires ReceiveWithAuthorization, because anyone could execute a TransferWithAuthorization. Sign ReceiveWithAuthorization.'

const refusedByContract =
  "The credits contract rejected this permit's signature. On Tempo before hardfork T6, contracts cannot verify access keys. Sign with the account's own key."

/** The text that was observed when a contract pulled more than `amount` (PROTOCOL.md 7.2). */
export const pulledTooMuch = 'INSUFFICIENT FUNDS TO REDEEM'

/** Change this text only together with PROTOCOL.md 7.2. */
export function insufficientCredits(): ServiceProblem {
  return problem('INSUFFICIENT_CREDITS', 'Wallet does not have enough credits to complete redeem request')
}

/** In raw units. The charge includes the fee. Change this text only together with PROTOCOL.md 7.2. */
export function exceedsAuthorized(charged: bigint, authorized: bigint): ServiceProblem {
  const text = (amount: bigint) => formatAmount(amount, { decimals: usdcDecimals, minimumPlaces: 2 })
  return problem(
    'EXCEEDS_AUTHORIZED',
    `Total ${text(charged)} exceeds max credits authorized ${text(authorized)}`,
    { details: { total: charged.toString(), authorized: authorized.toString() } },
  )
}

function callFailed(revert: Revert): ServiceProblem {
  const { reason: bytes, target } = revert.error?.args ?? {}
  const inner = decodeRevert(isHex(bytes) ? bytes : '0x')
  // USDC's error if a contract pulls more than its allowance, which equals `amount`.
  const tooMuch =
    inner.reason === 'ERC20: transfer amount exceeds allowance' ||
    inner.error?.name === 'ERC20InsufficientAllowance'
  const reason = tooMuch ? pulledTooMuch : inner.reason
  return problem(
    'SIMULATION_FAILED',
    tooMuch
      ? // The revert data does not name the owner of the allowance.
        `${pulledTooMuch}: the contract pulled more USDC than the subtotal, or from an account other than its caller.`
      : `The call to ${String(target)} would revert: ${reason}.`,
    facts({ ...inner, reason }),
  )
}

function facts(revert: Revert): problem.Options {
  return {
    details: {
      revertReason: revert.reason,
      ...(revert.error === undefined ? {} : { error: revert.error }),
      // Keeps the selector and whole 32-byte words.
      revertData: revert.data.slice(0, 10 + 31 * 64),
    },
  }
}

function argument(revert: Revert, name: string): bigint {
  return BigInt(String(revert.error?.args[name] ?? 0))
}
