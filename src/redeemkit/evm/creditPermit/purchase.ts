import type { Hex } from 'viem'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { TypedDataDomain } from '../eip712/typedData.ts'
import { chainText, dollars, plainDollars } from '../findingTexts.ts'
import { describeTransactionData } from '../transactionData/decodeTransactionData.ts'
import { hexToBytes } from '../viem.ts'
import type { InspectOptions } from './inspectOptions.ts'
import { toOrderKey } from './orderKey.ts'
import { type RedeemIntent, redeemIntent } from './redeemIntent.ts'

/** What the caller says that is paid for. */
export type Purchase = Omit<RedeemIntent, 'nonce'> & {
  /** The required nonce of an intent-bound permit; `undefined` if random nonces are pinned. */
  nonce: Hex | undefined
  /** Description of the execution. */
  text: string
}

/**
 * Computes the purchase that the caller's own `intent` describes, for the chain and wallet of a request.
 *
 * @returns no purchase without an intent; no purchase and a finding for an invalid intent
 */
export function readPurchase(
  { intent, token, pinned }: InspectOptions,
  {
    chainId,
    wallet,
    nonce: given,
  }: { chainId: number; wallet: TypedDataDomain['verifyingContract']; nonce: Hex },
): { purchase: Purchase | undefined; findings: Finding[] } {
  if (intent === undefined) return { purchase: undefined, findings: [] }
  const { usdcAmount, ...request } = intent.request
  try {
    const seen = redeemIntent({
      chainId,
      wallet,
      // 0 is as good as left out, as in the redeem itself
      request: usdcAmount?.cents === 0 ? request : intent.request,
      // A purchase without an id has a random key, which the nonce shows.
      orderKey: intent.orderKey ?? toOrderKey(hexToBytes(given)),
      // Not used where nonces are random.
      salt: intent.salt ?? zeroHash,
      bridgeAdapter: pinned?.bridgeAdapter,
      intentBound: pinned?.intentBound,
      token,
    })
    const text = describeTransactionData(request.transactionData, plainDollars(seen.amount))
    const nonce = pinned?.intentBound === false ? undefined : seen.nonce
    return { purchase: { ...seen, nonce, text }, findings: [] }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return {
      purchase: undefined,
      findings: [
        finding(
          'danger',
          'INVALID_EXPECTATION',
          `The intent cannot be compared with: ${error.shortMessage}`,
          {
            field: 'intent.request',
            fix: error.fix,
          },
        ),
      ],
    }
  }
}

const zeroHash: Hex = `0x${'0'.repeat(64)}`

/** Another value than the one that follows from the caller's intent; `undefined` expects nothing. */
export function differsFindings(field: string, expected: unknown, actual: unknown): Finding[] {
  if (expected === undefined) return []
  const [one, other] = [expected, actual].map((value) => String(value).toLowerCase())
  if (one === other) return []
  return [
    finding('danger', 'WRONG_PURCHASE', `${field} is ${actual}, and your purchase makes it ${expected}.`, {
      field,
      fix: 'Do not sign it: it does not pay for what you asked for.',
    }),
  ]
}

/** Findings for an amount that no intent or cap with a pinned receiver covers, and for one above the cap. */
export function spendingFindings(
  amount: bigint,
  options: InspectOptions,
  { field, hasReceiver }: { field: string; hasReceiver: boolean },
): Finding[] {
  const { intent, mostCents } = options
  const findings: Finding[] = []
  if (mostCents !== undefined && amount > centsToAmount(mostCents, { field: 'mostCents' }))
    findings.push(
      finding(
        'danger',
        'ABOVE_CAP',
        `It takes up to ${dollars(amount)}, and ${mostCents} cents is the most.`,
        {
          field,
          fix: 'Sign only what the purchase costs.',
        },
      ),
    )
  if (intent === undefined && (mostCents === undefined || !hasReceiver))
    findings.push(
      finding('warning', 'UNSEEN_PURCHASE', 'What it pays for was not seen, and nothing limits it.', {
        field,
        fix: 'Pass the request and the salt as intent, or a cap as mostCents together with a pinned receiver.',
      }),
    )
  return findings
}

/** Compares the chain with the wallet's and the pinned one. */
export function chainFindings(domain: TypedDataDomain, { chainId, pinned }: InspectOptions): Finding[] {
  const field = 'domain.chainId'
  if (chainId === undefined && pinned?.chainId === undefined)
    return [
      finding('warning', 'UNPINNED_CHAIN', `Its chain, ${domain.chainId}, was compared with nothing.`, {
        field,
        fix: 'Pass the chain of the wallet as chainId, or pin it.',
      }),
    ]
  const other = [chainId, pinned?.chainId].find((one) => one !== undefined && one !== domain.chainId)
  if (other === undefined) return []
  return [
    finding(
      'danger',
      'WRONG_CHAIN',
      `It is for ${chainText(domain.chainId)}, and ${other === chainId ? 'your wallet is on' : 'the trusted contract is on'} ${chainText(other)}.`,
      { field, fix: 'Switch the wallet, or do not sign it.' },
    ),
  ]
}
