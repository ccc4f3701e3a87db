import { type Finding, finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import type { InspectOptions } from '../inspect/inspectOptions.ts'
import { dollars, expiryFindings, quote, until } from '../inspect/words.ts'
import { zeroAddress } from '../values/checkAddress.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import { creditPermitTypedData } from './creditPermitTypedData.ts'
import { isBoundNonce } from './isBoundNonce.ts'

/** More than this in one permit is no purchase: a billion dollars. */
const absurdAmount = 1_000_000_000_000_000n

/**
 * Says in words what a credit permit allows, and what is wrong with it (decisions, sections 3 and 4).
 *
 * @param options what it is held against; without `pinned` nobody has vouched for the contract, and a finding says so
 * @throws when the permit or the domain is malformed, as `creditPermitTypedData`
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
  const { domain, message: permit } = creditPermitTypedData(request)
  const now = unixSeconds(options.now)
  const bound = isBoundNonce(permit.nonce)
  const findings: Finding[] = [
    ...domainFindings(domain, options),
    ...walletFindings(permit, options),
    ...expiryFindings(permit.validBefore, now, {
      field: 'permit.validBefore',
      minimum: permitMinimumSeconds,
      maximum: permitMaximumSeconds,
      severity: 'danger',
    }),
  ]
  if (options.pinned?.creditSeed !== undefined && options.pinned.creditSeed !== permit.creditSeed)
    findings.push(
      finding(
        'danger',
        'WRONG_CREDIT_SEED',
        `It spends the balance ${quote(permit.creditSeed)}, not ${quote(options.pinned.creditSeed)}.`,
        { field: 'permit.creditSeed', fix: 'Do not sign it.' },
      ),
    )
  if (!bound)
    findings.push(
      finding(
        options.allowUnbound === true ? 'warning' : 'danger',
        'UNBOUND_NONCE',
        'It is not bound to a purchase: whoever relays it decides what it pays for.',
        { field: 'permit.nonce', fix: 'Sign only permits whose nonce commits to the purchase.' },
      ),
    )
  if (permit.amount > absurdAmount)
    findings.push(
      finding('danger', 'ABSURD_AMOUNT', `It allows ${dollars(permit.amount)}.`, {
        field: 'permit.amount',
        fix: 'Sign only what the purchase costs.',
      }),
    )
  return {
    kind: 'creditPermit',
    summary: `Spend up to ${dollars(permit.amount)} of the credits ${quote(permit.creditSeed)} of ${permit.customerWallet} ${until(permit.validBefore, now)}, ${bound ? 'for one purchase that the nonce commits to' : 'for whatever the relayer chooses'}.`,
    verdict: verdictOf(findings),
    findings,
    details: { domain, permit, bound },
  }
}

export declare namespace inspectCreditPermit {
  type Options = InspectOptions
  type Details = {
    domain: CreditPermitDomain
    permit: CreditPermit
    /** Whether the nonce commits to an intent. */
    bound: boolean
  }
}

/** What is wrong with the domain of a credits contract. */
export function domainFindings(domain: CreditPermitDomain, options: InspectOptions): Finding[] {
  const { pinned, chainId } = options
  const findings: Finding[] = []
  if (chainId !== undefined && chainId !== domain.chainId)
    findings.push(
      finding(
        'danger',
        'WRONG_CHAIN',
        `It is for chain ${domain.chainId}, and the wallet is on ${chainId}.`,
        {
          field: 'domain.chainId',
          fix: 'Switch the wallet, or do not sign it.',
        },
      ),
    )
  if (pinned === undefined)
    findings.push(
      finding(
        'warning',
        'UNPINNED_CONTRACT',
        `Nobody has vouched for the contract ${domain.verifyingContract}.`,
        {
          field: 'domain.verifyingContract',
          fix: 'Compare it with the address that the merchant publishes, and pin it.',
        },
      ),
    )
  else {
    if (pinned.creditsContract.toLowerCase() !== domain.verifyingContract.toLowerCase())
      findings.push(
        finding(
          'danger',
          'UNPINNED_CONTRACT',
          `The contract is ${domain.verifyingContract}, not the pinned ${pinned.creditsContract}.`,
          { field: 'domain.verifyingContract', fix: 'Do not sign it.' },
        ),
      )
    const name = pinned.domainName ?? 'Credits'
    if (domain.name !== name)
      findings.push(
        finding('danger', 'WRONG_DOMAIN_NAME', `The domain is ${quote(domain.name)}, not ${quote(name)}.`, {
          field: 'domain.name',
          fix: 'Do not sign it.',
        }),
      )
    if (domain.version !== '1')
      findings.push(
        finding(
          'danger',
          'WRONG_DOMAIN_VERSION',
          `The domain's version is ${quote(domain.version)}, not "1".`,
          {
            field: 'domain.version',
            fix: 'Do not sign it.',
          },
        ),
      )
  }
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
