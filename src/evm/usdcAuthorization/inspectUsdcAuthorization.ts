import { BaseError } from '../../core/errors/baseError.ts'
import { type Finding, finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { permitMaximumSeconds } from '../../core/limits.ts'
import { type InvalidClockError, unixSeconds } from '../../core/time/clock.ts'
import { checkDomain } from '../eip712/hashDomain.ts'
import type { TypedDataDomain } from '../eip712/typedDataDomain.ts'
import type { InspectOptions } from '../finding/inspectOptions.ts'
import { dollars, expiryFindings, until } from '../finding/words.ts'
import { zeroAddress } from '../values/checkAddress.ts'
import { checkUsdcDomain } from './parseUsdcAuthorizationMessage.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'
import { usdcAuthorizationTypedData } from './usdcAuthorizationTypedData.ts'

/** More than this in one authorization is no purchase: a billion dollars. */
const absurdAmount = 1_000_000_000_000_000n

/**
 * Says in words what a USDC authorization moves, to whom and until when, and what is wrong with it (PROTOCOL.md 5).
 *
 * @param options what it is held against; without `pinned` the receiver is not vouched for, and a finding says so
 * @throws when the authorization or the domain is malformed
 * @example
 * ```ts
 * import { inspectUsdcAuthorization, parseUsdcAuthorizationMessage } from 'redeemkit/evm'
 * const look = (answer: { message: string }) =>
 *   inspectUsdcAuthorization(parseUsdcAuthorizationMessage(answer.message)).summary
 * ```
 */
export function inspectUsdcAuthorization(
  request: { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization },
  options: InspectOptions = {},
): Inspection<inspectUsdcAuthorization.Details> {
  const domain = checkDomain(request.domain)
  const { primaryType: type, message: authorization } = usdcAuthorizationTypedData({
    chainId: 1, // only the message and its type are read here; the domain is judged below
    type: request.type,
    authorization: request.authorization,
  })
  const { from, to, value, validAfter, validBefore } = authorization
  const now = unixSeconds(options.now)
  const tokenFindings = usdcDomainFindings(domain, options)
  const findings: Finding[] = [
    ...tokenFindings,
    ...partyFindings(authorization, type, options),
    ...expiryFindings(validBefore, now, {
      field: 'authorization.validBefore',
      minimum: 0n,
      maximum: permitMaximumSeconds,
      severity: 'warning',
    }),
  ]
  if (validAfter >= now)
    findings.push(
      finding('warning', 'NOT_YET_VALID', `It becomes valid only after ${validAfter} (unix seconds).`, {
        field: 'authorization.validAfter',
      }),
    )
  if (value === 0n)
    findings.push(finding('warning', 'ZERO_AMOUNT', 'It moves nothing.', { field: 'authorization.value' }))
  if (value > absurdAmount)
    findings.push(
      finding('danger', 'ABSURD_AMOUNT', `It moves ${dollars(value, 'USDC')}.`, {
        field: 'authorization.value',
        fix: 'Sign only what the purchase costs.',
      }),
    )
  const what = tokenFindings.some(({ code }) => code === 'NOT_USDC')
    ? `${value} raw units of the token ${domain.verifyingContract}`
    : dollars(value, 'USDC')
  return {
    kind: 'usdcAuthorization',
    summary: `Pay ${what} from ${from} to ${to} on chain ${domain.chainId}, ${type === 'ReceiveWithAuthorization' ? 'taken by the receiver' : 'executed by anyone'} ${until(validBefore, now)}.`,
    verdict: verdictOf(findings),
    findings,
    details: { domain, type, authorization },
  }
}

export declare namespace inspectUsdcAuthorization {
  type Options = InspectOptions
  type Details = { domain: TypedDataDomain; type: UsdcAuthorizationType; authorization: UsdcAuthorization }
  type ErrorType = usdcAuthorizationTypedData.ErrorType | InvalidClockError
}

/** What is wrong with a domain that should be USDC's. */
export function usdcDomainFindings(domain: TypedDataDomain, options: InspectOptions): Finding[] {
  const findings: Finding[] = []
  if (options.chainId !== undefined && options.chainId !== domain.chainId)
    findings.push(
      finding(
        'danger',
        'WRONG_CHAIN',
        `It is for chain ${domain.chainId}, and the wallet is on ${options.chainId}.`,
        {
          field: 'domain.chainId',
          fix: 'Switch the wallet, or do not sign it.',
        },
      ),
    )
  try {
    checkUsdcDomain(domain, options.token)
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    findings.push(
      finding('danger', 'NOT_USDC', error.shortMessage, {
        field: error.field,
        fix: error.fix ?? 'Do not sign it: it is not for USDC on a known chain.',
      }),
    )
  }
  return findings
}

export declare namespace usdcDomainFindings {
  type ErrorType = checkUsdcDomain.ErrorType
}

function partyFindings(
  authorization: UsdcAuthorization,
  type: UsdcAuthorizationType,
  { address, pinned }: InspectOptions,
): Finding[] {
  const { from, to } = authorization
  const findings: Finding[] = []
  if (from === zeroAddress || (address !== undefined && address.toLowerCase() !== from.toLowerCase()))
    findings.push(
      finding(
        'danger',
        'WRONG_WALLET',
        `It pays from ${from}${address === undefined ? '' : `, not from ${address}`}.`,
        {
          field: 'authorization.from',
          fix: 'Do not sign it with this account.',
        },
      ),
    )
  if (to === zeroAddress)
    findings.push(
      finding('danger', 'WRONG_RECEIVER', 'It pays to the zero address.', { field: 'authorization.to' }),
    )
  else if (pinned === undefined)
    findings.push(
      finding('warning', 'UNPINNED_RECEIVER', `The receiver ${to} is not pinned.`, {
        field: 'authorization.to',
        fix: 'In a redeem the receiver is the credits contract: compare, and pin it.',
      }),
    )
  else if (pinned.creditsContract.toLowerCase() !== to.toLowerCase())
    findings.push(
      finding('danger', 'WRONG_RECEIVER', `It pays to ${to}, not to the pinned ${pinned.creditsContract}.`, {
        field: 'authorization.to',
        fix: 'Do not sign it.',
      }),
    )
  if (type === 'TransferWithAuthorization')
    findings.push(
      finding(
        'info',
        'ANYONE_CAN_EXECUTE',
        'Anyone who sees it can execute it, at any time while it is valid.',
        {
          field: 'type',
          fix: 'Prefer ReceiveWithAuthorization.',
        },
      ),
    )
  return findings
}
