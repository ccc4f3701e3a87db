import { amountPerCent, centsToAmount } from '../../core/amount/centsToAmount.ts'
import { type Finding, finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { defaultMaxGasFeeCents, permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { zeroAddress } from '../checkAddress.ts'
import { dollars, expiryFindings, invisibleFindings, quote, usd } from '../findingTexts.ts'
import { checkRecord } from '../values.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import { creditPermitTypedData } from './creditPermit.ts'
import { describeCreditPermit } from './describeCreditPermit.ts'
import { type InspectOptions, readInspectOptions } from './inspectOptions.ts'
import { isIntentBoundNonce } from './orderKey.ts'
import { chainFindings, differsFindings, type Purchase, readPurchase, spendingFindings } from './purchase.ts'

/** More than this in one permit is no purchase: a billion dollars. */
const absurdAmount = 1_000_000_000_000_000n

/**
 * Describes what a credit permit allows, and lists what is wrong with it (PROTOCOL.md 3 and 4).
 *
 * The verdict is `ok` only when what the permit pays for was seen (`intent`), or when a cap (`mostCents`) limits it on a
 * pinned contract. An intent-bound nonce alone does not show what it commits to.
 *
 * @param options expected values; every given value is compared
 * @throws when the permit or the domain is malformed, as `creditPermitTypedData`, or an option is
 * @example
 * ```ts
 * import { inspectCreditPermit, parseCreditPermitMessage } from 'redeemkit/evm'
 * const look = (answer: { message: string }) => inspectCreditPermit(parseCreditPermitMessage(answer.message)).summary
 * ```
 */
export function inspectCreditPermit(
  request: { domain: CreditPermitDomain; permit: CreditPermit },
  options: InspectOptions = {},
): Inspection<inspectCreditPermit.Details> {
  return judgeCreditPermit(request, readInspectOptions(options))
}

export declare namespace inspectCreditPermit {
  type Options = InspectOptions
  type Details = {
    domain: CreditPermitDomain
    permit: CreditPermit
    /** Whether the nonce commits to an intent. */
    intentBound: boolean
  }
  type ErrorType = creditPermitTypedData.ErrorType | readInspectOptions.ErrorType
}

/** As {@link inspectCreditPermit}, with options that were read and findings about the request that carries the permit. */
export function judgeCreditPermit(
  request: { domain: CreditPermitDomain; permit: CreditPermit },
  held: InspectOptions,
  requestFindings: readonly Finding[] = [],
): Inspection<inspectCreditPermit.Details> {
  checkRecord(request, 'request')
  const { domain, message: permit } = creditPermitTypedData(request)
  const now = unixSeconds(held.now)
  const trusted = held.pinned?.intentBound === false
  const intentBound = !trusted && isIntentBoundNonce(permit.nonce)
  const { purchase, findings: intentFindings } = readPurchase(held, {
    chainId: domain.chainId,
    wallet: permit.customerWallet,
    nonce: permit.nonce,
  })
  const purchaseFindings =
    purchase === undefined
      ? intentFindings
      : comparePurchase(permit, { purchase, intentBound, options: held })
  const findings: Finding[] = [
    ...domainFindings(domain, held),
    ...walletFindings(permit, held),
    ...expiryFindings(permit.validBefore, now, {
      field: 'permit.validBefore',
      minimum: permitMinimumSeconds,
      maximum: permitMaximumSeconds,
      severity: 'danger',
    }),
    ...seedFindings(permit, held),
    ...nonceFindings(intentBound, held),
    ...purchaseFindings,
    ...spendingFindings(permit.amount, held, {
      field: 'permit.amount',
      hasReceiver: held.pinned?.creditsContract !== undefined,
    }),
  ]
  if (permit.amount > absurdAmount)
    findings.push(
      finding('danger', 'ABSURD_AMOUNT', `It allows ${dollars(permit.amount)}.`, {
        field: 'permit.amount',
        fix: 'Sign only what the purchase costs.',
      }),
    )
  findings.push(...requestFindings)
  return {
    kind: 'creditPermit',
    summary: describeCreditPermit({ domain, permit, purchase, intentBound, trusted, now, findings }),
    verdict: verdictOf(findings),
    findings,
    moves: [],
    grants: [
      {
        asset: domain.verifyingContract,
        amount: permit.amount,
        decimals: 6,
        from: permit.customerWallet,
        to: domain.verifyingContract,
        until: permit.validBefore,
      },
    ],
    details: { domain, permit, intentBound },
  }
}

export declare namespace judgeCreditPermit {
  type ErrorType = creditPermitTypedData.ErrorType
}

/** Findings for the domain of a credits contract. */
export function domainFindings(domain: CreditPermitDomain, options: InspectOptions): Finding[] {
  const { pinned } = options
  const findings = chainFindings(domain, options)
  const contract = pinned?.creditsContract
  if (contract === undefined)
    findings.push(
      finding('warning', 'UNPINNED_CONTRACT', `The contract ${domain.verifyingContract} is not pinned.`, {
        field: 'domain.verifyingContract',
        fix: 'Compare it with the address that the merchant publishes, and pin it.',
      }),
    )
  else if (contract.toLowerCase() !== domain.verifyingContract.toLowerCase())
    findings.push(
      finding(
        'danger',
        'UNPINNED_CONTRACT',
        `The contract is ${domain.verifyingContract}, not the pinned ${contract}.`,
        { field: 'domain.verifyingContract', fix: 'Do not sign it.' },
      ),
    )
  if (pinned === undefined)
    return [
      ...findings,
      ...invisibleFindings(domain.name, 'domain.name'),
      ...invisibleFindings(domain.version, 'domain.version'),
    ]
  const { domainName = 'Credits', domainVersion = '1' } = pinned
  if (domain.name !== domainName)
    findings.push(
      finding(
        'danger',
        'WRONG_DOMAIN_NAME',
        `The domain is ${quote(domain.name)}, not ${quote(domainName)}.`,
        { field: 'domain.name', fix: 'Do not sign it.' },
      ),
    )
  if (domain.version !== domainVersion)
    findings.push(
      finding(
        'danger',
        'WRONG_DOMAIN_VERSION',
        `The domain's version is ${quote(domain.version)}, not ${quote(domainVersion)}.`,
        { field: 'domain.version', fix: 'Do not sign it.' },
      ),
    )
  return findings
}

function walletFindings(permit: CreditPermit, options: InspectOptions): Finding[] {
  const field = 'permit.customerWallet'
  if (permit.customerWallet === zeroAddress)
    return [finding('danger', 'WRONG_WALLET', 'It names the zero address as the wallet.', { field })]
  if (options.address !== undefined && options.address.toLowerCase() !== permit.customerWallet.toLowerCase())
    return [
      finding('danger', 'WRONG_WALLET', `It is for ${permit.customerWallet}, not for ${options.address}.`, {
        field,
        fix: 'Do not sign it with this account.',
      }),
    ]
  return []
}

function seedFindings({ creditSeed }: CreditPermit, { pinned }: InspectOptions): Finding[] {
  const field = 'permit.creditSeed'
  if (pinned?.creditSeed === creditSeed) return []
  if (pinned?.creditSeed !== undefined)
    return [
      finding(
        'danger',
        'WRONG_CREDIT_SEED',
        `It spends the balance ${quote(creditSeed)}, not ${quote(pinned.creditSeed)}.`,
        { field, fix: 'Do not sign it.' },
      ),
    ]
  const hidden = invisibleFindings(creditSeed, field)
  // without any pins, the contract that is not pinned says it already
  if (pinned === undefined) return hidden
  return [
    ...hidden,
    finding('warning', 'UNPINNED_CREDIT_SEED', `The balance ${quote(creditSeed)} is not pinned.`, {
      field,
      fix: 'Pin the merchant’s credit seed.',
    }),
  ]
}

function nonceFindings(intentBound: boolean, { allowRandomNonce, pinned }: InspectOptions): Finding[] {
  if (intentBound) return []
  if (pinned?.intentBound === false)
    return [
      finding(
        'warning',
        'UNBOUND_NONCE',
        'It is not bound to a purchase: the service that relays it is trusted with what it pays for.',
        { field: 'permit.nonce' },
      ),
    ]
  return [
    finding(
      allowRandomNonce === true ? 'warning' : 'danger',
      'UNBOUND_NONCE',
      'It is not bound to a purchase: the relayer decides what it pays for.',
      { field: 'permit.nonce', fix: 'Sign only permits whose nonce commits to the purchase.' },
    ),
  ]
}

/** Compares nonce and charge with those of the caller's own purchase (PROTOCOL.md 4.1 and 6.1). */
function comparePurchase(
  permit: CreditPermit,
  { purchase, intentBound, options }: { purchase: Purchase; intentBound: boolean; options: InspectOptions },
): Finding[] {
  // A random nonce commits to nothing, which is a separate finding.
  const findings = intentBound ? differsFindings('permit.nonce', purchase.nonce, permit.nonce) : []
  const field = 'permit.amount'
  const gasFee = permit.amount - (purchase.amount - purchase.usdcAmount)
  const mostCents = options.pinned?.maxGasFeeCents ?? defaultMaxGasFeeCents
  if (gasFee < 0n)
    return [...findings, ...differsFindings(field, `at least ${permit.amount - gasFee}`, permit.amount)]
  if (gasFee > centsToAmount(mostCents, { field: 'pinned.maxGasFeeCents' }))
    findings.push(
      finding(
        'danger',
        'FEE_TOO_HIGH',
        `The network fee would be ${usd(gasFee)}, and ${mostCents} cents is the most.`,
        { field, fix: 'Wait until gas is cheaper, or allow more with pinned.maxGasFeeCents.' },
      ),
    )
  else if (gasFee % amountPerCent !== 0n)
    findings.push(
      finding(
        'warning',
        'GAS_FEE_NOT_WHOLE_CENTS',
        `The gas fee of ${dollars(gasFee)} is not a whole number of cents.`,
        { field },
      ),
    )
  return findings
}
