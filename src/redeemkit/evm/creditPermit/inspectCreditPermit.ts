import type { Address } from 'viem'
import { amountPerCent, centsToAmount, usdcDecimals } from '../../core/amount.ts'
import { unixSeconds } from '../../core/clock.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import {
  absurdAmount,
  defaultMaxGasFeeCents,
  permitMaximumSeconds,
  permitMinimumSeconds,
} from '../../core/limits.ts'
import { zeroAddress } from '../checkAddress.ts'
import { dollars, expiryFindings, invisibleFindings, quote, usd } from '../findingTexts.ts'
import { typedDataDigests } from '../typedData.ts'
import { checkRecord, sameHex } from '../values.ts'
import {
  type CreditPermit,
  type CreditPermitDomain,
  creditPermitTypedData,
  creditPermitTypes,
  creditsDomain,
} from './creditPermit.ts'
import { describeCreditPermit } from './describeCreditPermit.ts'
import { type InspectContext, type ReadContext, readInspectContext } from './inspectOptions.ts'
import { isIntentBoundNonce } from './orderKey.ts'
import { type InspectTerms, pinFor } from './pinFor.ts'
import {
  chainFindings,
  differsFindings,
  orderFindings,
  type Purchase,
  readPurchase,
  relayerFindings,
  shopFindings,
  spendingFindings,
  unbound,
} from './purchase.ts'

/**
 * Describes what a credit permit allows, and lists its problems (PROTOCOL.md 3 and 4).
 *
 * The verdict is `ok` only if the page disclosed the purchase (`intent`), every value matches that purchase, and one pinned entry names
 * the contract, credit seed, merchant, receiver and page. An intent-bound nonce alone is not enough: it hides what it commits to.
 *
 * @param context the wallet's own values, with which the permit is compared
 * @throws for a malformed permit or domain, like `creditPermitTypedData`, and for a malformed context
 * @example
 * ```ts
 * import { inspectCreditPermit, parseCreditPermitMessage } from 'redeemkit/evm'
 * const look = (answer: { message: string }) => inspectCreditPermit(parseCreditPermitMessage(answer.message)).summary
 * ```
 */
export function inspectCreditPermit(
  request: { domain: CreditPermitDomain; permit: CreditPermit },
  context: InspectContext = {},
): Inspection<inspectCreditPermit.Details> {
  const held = readInspectContext(context)
  checkRecord(request, 'request')
  const { domain, message: permit } = creditPermitTypedData(request)
  return judgeCreditPermit({ domain, permit }, held)
}

export declare namespace inspectCreditPermit {
  type Context = InspectContext
  type Details = {
    domain: CreditPermitDomain
    permit: CreditPermit
    /** Whether the nonce commits to a purchase. */
    intentBound: boolean
  }
  type ErrorType = readInspectContext.ErrorType
}

/** Like {@link inspectCreditPermit}, for checked values. `requestFindings` are findings about the request that contains the permit. */
export function judgeCreditPermit(
  { domain, permit }: { domain: CreditPermitDomain; permit: CreditPermit },
  context: ReadContext,
  requestFindings: readonly Finding[] = [],
): Inspection<inspectCreditPermit.Details> {
  const { chainId, verifyingContract } = domain
  const now = unixSeconds(context.now)
  const terms = pinFor(context, { chainId, contract: verifyingContract, creditSeed: permit.creditSeed })
  const trusted = terms.pin?.intentBound === false
  const intentBound = !trusted && isIntentBoundNonce(permit.nonce)
  const { purchase, findings: intentFindings } = readPurchase(terms, {
    chainId,
    wallet: permit.customerWallet,
    nonce: permit.nonce,
  })
  const findings: Finding[] = [
    ...domainFindings(domain, terms),
    ...walletFindings(permit.customerWallet, terms, 'permit.customerWallet'),
    ...expiryFindings(permit.validBefore, now, {
      field: 'permit.validBefore',
      minimum: permitMinimumSeconds,
      maximum: permitMaximumSeconds,
      severity: 'danger',
    }),
    ...seedFindings(permit, terms),
    ...nonceFindings(intentBound, terms),
    ...intentFindings,
    ...(purchase === undefined
      ? []
      : [...comparePurchase(permit, { purchase, intentBound, terms }), ...shopFindings(purchase, terms)]),
    ...spendingFindings(permit.amount, terms, {
      field: 'permit.amount',
      isSeen: purchase !== undefined || intentFindings.length > 0,
    }),
    ...orderFindings({ nonce: permit.nonce, chainId }, terms, 'permit.nonce'),
  ]
  if (permit.amount > absurdAmount)
    findings.push(
      finding(
        'danger',
        'ABSURD_AMOUNT',
        `The permit allows ${dollars(permit.amount)}, more than any purchase costs.`,
        { field: 'permit.amount', fix: 'Sign only the amount that the purchase costs.' },
      ),
    )
  findings.push(...requestFindings)
  return createInspection({
    kind: 'creditPermit',
    ...describeCreditPermit({ domain, permit, purchase, intentBound, now, findings, terms }),
    findings,
    grants: [
      {
        asset: verifyingContract,
        amount: permit.amount,
        decimals: usdcDecimals,
        from: permit.customerWallet,
        to: verifyingContract,
        until: permit.validBefore,
      },
    ],
    digests: () =>
      typedDataDigests({
        domain,
        types: creditPermitTypes,
        primaryType: 'CreditsAuthorization',
        message: permit,
      }),
    details: { domain, permit, intentBound },
  })
}

export function contractFindings(contract: string, { pin }: InspectTerms, field: string): Finding[] {
  const pinned = pin?.creditsContract
  if (pinned === undefined)
    return [
      finding('warning', 'UNPINNED_CONTRACT', `The contract ${contract} is not on your trusted list.`, {
        field,
        fix: 'Compare the address with the one that the merchant publishes, then add it to `pinned`.',
      }),
    ]
  if (sameHex(pinned, contract)) return []
  return [
    finding('danger', 'UNPINNED_CONTRACT', `The contract is ${contract}, not the trusted ${pinned}.`, {
      field,
      fix: 'Do not sign it.',
    }),
  ]
}

export function domainFindings(domain: CreditPermitDomain, terms: InspectTerms): Finding[] {
  const { pin } = terms
  const findings = [
    ...chainFindings(domain, terms),
    ...contractFindings(domain.verifyingContract, terms, 'domain.verifyingContract'),
  ]
  if (pin === undefined)
    return [
      ...findings,
      ...invisibleFindings(domain.name, 'domain.name'),
      ...invisibleFindings(domain.version, 'domain.version'),
    ]
  const { domainName = creditsDomain.name, domainVersion = creditsDomain.version } = pin
  if (domain.name !== domainName)
    findings.push(
      finding(
        'danger',
        'WRONG_DOMAIN_NAME',
        `The contract's name is ${quote(domain.name)}, not ${quote(domainName)}.`,
        { field: 'domain.name', fix: 'Do not sign it.' },
      ),
    )
  if (domain.version !== domainVersion)
    findings.push(
      finding(
        'danger',
        'WRONG_DOMAIN_VERSION',
        `The contract's version is ${quote(domain.version)}, not ${quote(domainVersion)}.`,
        { field: 'domain.version', fix: 'Do not sign it.' },
      ),
    )
  return findings
}

export function walletFindings(wallet: Address, { address }: InspectTerms, field: string): Finding[] {
  if (wallet === zeroAddress)
    return [finding('danger', 'WRONG_WALLET', 'The request is for the zero address.', { field })]
  if (address === undefined || sameHex(address, wallet)) return []
  return [
    finding('danger', 'WRONG_WALLET', `The request is for ${wallet}, not for ${address}.`, {
      field,
      fix: 'Do not sign it with this account.',
    }),
  ]
}

function seedFindings({ creditSeed }: CreditPermit, { pin, isLinked }: InspectTerms): Finding[] {
  const field = 'permit.creditSeed'
  if (pin?.creditSeed === creditSeed) return []
  if (pin?.creditSeed !== undefined && isLinked)
    return [
      finding(
        'danger',
        'WRONG_CREDIT_SEED',
        `The permit spends the credit balance ${quote(creditSeed)}, not ${quote(pin.creditSeed)}.`,
        { field, fix: 'Do not sign it.' },
      ),
    ]
  const hidden = invisibleFindings(creditSeed, field)
  // without a pinned entry, the finding about the contract covers the credit seed
  if (pin === undefined) return hidden
  return [
    ...hidden,
    finding(
      'warning',
      'UNPINNED_CREDIT_SEED',
      `The credit balance ${quote(creditSeed)} is not on your trusted list.`,
      { field, fix: 'If the balance belongs to the merchant, pin it as `creditSeed`.' },
    ),
  ]
}

function nonceFindings(intentBound: boolean, terms: InspectTerms): Finding[] {
  if (intentBound) return []
  if (terms.pin?.intentBound === false) return relayerFindings(terms, 'permit.nonce')
  return [
    finding('danger', 'UNBOUND_NONCE', unbound, {
      field: 'permit.nonce',
      fix: 'Sign only a permit that is tied to your purchase.',
    }),
  ]
}

/** Compares the permit's nonce and amount with the disclosed purchase (PROTOCOL.md 4.1 and 6.1). */
function comparePurchase(
  permit: CreditPermit,
  { purchase, intentBound, terms }: { purchase: Purchase; intentBound: boolean; terms: InspectTerms },
): Finding[] {
  // a random nonce commits to nothing; another finding reports it
  const findings = intentBound ? differsFindings('permit.nonce', purchase.nonce, permit.nonce) : []
  const field = 'permit.amount'
  const gasFee = permit.amount - (purchase.amount - purchase.usdcAmount)
  const most = centsToAmount(terms.pin?.maxGasFeeCents ?? defaultMaxGasFeeCents, {
    field: 'pinned.maxGasFeeCents',
  })
  if (gasFee < 0n)
    return [...findings, ...differsFindings(field, `at least ${permit.amount - gasFee}`, permit.amount)]
  if (gasFee > most)
    findings.push(
      finding(
        'danger',
        'FEE_TOO_HIGH',
        `The network fee would be ${usd(gasFee)}, more than the limit of ${usd(most)}.`,
        { field, fix: 'Wait until the fee is lower, or raise `pinned.maxGasFeeCents`.' },
      ),
    )
  else if (gasFee % amountPerCent !== 0n)
    findings.push(
      finding(
        'warning',
        'GAS_FEE_NOT_WHOLE_CENTS',
        `The network fee of ${dollars(gasFee)} is not a whole number of cents.`,
        { field },
      ),
    )
  return findings
}
