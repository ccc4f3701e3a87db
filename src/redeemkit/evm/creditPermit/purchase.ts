import type { Hex } from 'viem'
import { centsToAmount } from '../../core/amount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { quote, usd, wrongChain } from '../findingTexts.ts'
import { type Settlement, settlementOf, shapeOf } from '../transactionData/settlementOf.ts'
import type { TypedDataDomain } from '../typedData.ts'
import { sameHex } from '../values.ts'
import { hexToBytes } from '../viem.ts'
import type { DisclosedIntent } from './disclosedIntent.ts'
import type { InspectPins } from './inspectOptions.ts'
import { orderKey, orderKeyOf, toOrderKey } from './orderKey.ts'
import type { InspectTerms } from './pinFor.ts'
import { type RedeemIntent, redeemIntent } from './redeemIntent.ts'

/** The disclosed purchase, with the amounts and the nonce computed from it. */
export type Purchase = RedeemIntent & {
  intent: DisclosedIntent
  settlement: Settlement
}

/** Computes the disclosed purchase; `undefined` if the page disclosed none, or an invalid one, which a finding reports. */
export function readPurchase(
  terms: InspectTerms,
  { chainId, wallet, nonce }: { chainId: number; wallet: TypedDataDomain['verifyingContract']; nonce: Hex },
): { purchase: Purchase | undefined; findings: Finding[] } {
  const { intent, intentError, pin } = terms
  if (intentError !== undefined) return { purchase: undefined, findings: [invalidIntent(intentError)] }
  if (intent === undefined) return { purchase: undefined, findings: [] }
  const { merchantId, purchaseId, salt, request } = intent
  try {
    const settlement = settlementOf(request.transactionData)
    if (isBridge(settlement) && pin?.intentBound !== false && pin?.bridgeAdapter === undefined)
      return { purchase: undefined, findings: [noAdapter()] }
    const { usdcAmount } = request
    const seen = redeemIntent({
      chainId,
      wallet,
      // a redeem treats a USDC part of 0 like an omitted one
      request: { ...request, usdcAmount: usdcAmount?.cents === 0 ? undefined : usdcAmount },
      // a purchase without an id has a random order key, which only the nonce contains
      orderKey:
        purchaseId === undefined ? toOrderKey(hexToBytes(nonce)) : orderKey({ merchantId, purchaseId }),
      salt,
      bridgeAdapter: pin?.bridgeAdapter,
      intentBound: pin?.intentBound,
      token: pin?.usdc,
      settlement,
    })
    return { purchase: { ...seen, intent, settlement }, findings: [] }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return { purchase: undefined, findings: [invalidIntent(error)] }
  }
}

const invalidIntent = ({ shortMessage, field, fix }: BaseError) =>
  finding(
    'danger',
    'INVALID_INTENT',
    `The purchase that the page describes cannot be read: ${shortMessage}`,
    { field, fix },
  )

const isBridge = (settlement: Settlement) => shapeOf(settlement).does === 'bridge'

const noAdapter = () =>
  finding(
    'warning',
    'UNPINNED_ADAPTER',
    'The bridge adapter is not on your trusted list, so the purchase was not checked.',
    { field: 'pinned.bridgeAdapter', fix: 'Pin the adapter of the credits contract.' },
  )

/** Compares a purchase with the pinned merchant, receivers and pages. The permit itself has the contract and the credit seed. */
export function shopFindings({ intent, settlement }: Purchase, terms: InspectTerms): Finding[] {
  const { pin } = terms
  if (pin === undefined) return [] // another finding covers the unpinned contract
  const findings: Finding[] = []
  if (pin.merchantId !== intent.merchantId)
    findings.push(
      finding(
        'warning',
        'UNPINNED_MERCHANT',
        `The merchant ${quote(intent.merchantId)} is not on your trusted list.`,
        { field: 'intent.merchantId', fix: 'Pin `merchantId` in the entry of the contract.' },
      ),
    )
  const { does, nft } = shapeOf(settlement)
  const unknown = unpinnedReceiver(settlement, pin)
  if (unknown !== undefined)
    findings.push(
      finding('warning', 'UNPINNED_RECEIVER', `The receiver ${unknown} is not on your trusted list.`, {
        field: 'intent.request.transactionData',
        fix: 'In `receivers`, pin the addresses that a purchase at this shop may pay or call.',
      }),
    )
  // Transfers name their receiver, and NFTs go to the customer. In any other call, the call data decides who receives what.
  if (does !== 'transfer' && nft === 'none')
    findings.push(
      finding(
        'warning',
        'UNSEEN_RECEIVER',
        'The receiver of the goods is unknown: the contract call decides who receives them.',
        {
          field: 'intent.request.transactionData',
          fix: 'Compare the receiver in the call data with your account.',
        },
      ),
    )
  return [...findings, ...originFindings(terms)]
}

export function originFindings({ pin, origin }: InspectTerms): Finding[] {
  if (pin?.origins?.some((one) => one === origin) === true) return []
  return [
    finding(
      'warning',
      'UNPINNED_ORIGIN',
      origin === undefined
        ? 'The requesting page is unknown.'
        : `The page ${quote(origin)} is not on your trusted list.`,
      {
        field: 'origin',
        fix: 'Pass the origin that the browser reports, and pin `origins` in the entry of the contract.',
      },
    ),
  ]
}

/** Returns the first unpinned address of a purchase: the address that it pays or calls, or the NFT contract. */
export function unpinnedReceiver(
  settlement: Settlement,
  { receivers = [] }: InspectPins,
): string | undefined {
  const { target, nftContract } = settlement
  const pinned = receivers.map((address) => address.toLowerCase())
  const addresses = shapeOf(settlement).nft === 'none' ? [target] : [target, nftContract]
  return addresses.find((address) => !pinned.includes(address.toLowerCase()))
}

export function orderFindings(
  { nonce, chainId }: { nonce: Hex; chainId: number },
  { signedPermits = [] }: InspectTerms,
  field: string,
): Finding[] {
  const order = orderKeyOf(nonce)
  const same = signedPermits.filter((permit) => orderKeyOf(permit.nonce) === order)
  const findings: Finding[] = []
  if (same.some(({ isUsed }) => isUsed === true))
    findings.push(
      finding('warning', 'ORDER_USED', 'This order was already paid or cancelled.', {
        field,
        fix: 'Check your purchases before you pay again.',
      }),
    )
  else if (same.length > 0) {
    // signing the same permit again is harmless: a chain accepts its nonce once
    const isOther = same.some(
      (permit) => !sameHex(permit.nonce, nonce) || ![undefined, chainId].includes(permit.chainId),
    )
    findings.push(
      finding(isOther ? 'warning' : 'info', 'ORDER_SIGNED', 'You already signed a permit for this order.', {
        field,
        fix: 'Check your purchases before you sign again.',
      }),
    )
  }
  return findings
}

/** Warns if the pinned entry has `intentBound: false`: the service, not the signature, then decides what the permit pays for. */
export function relayerFindings({ pin }: InspectTerms, field: string): Finding[] {
  if (pin?.intentBound !== false) return []
  return [finding('warning', 'UNBOUND_NONCE', unbound, { field })]
}

export const unbound =
  'The request is not tied to a purchase: the service that submits it decides what it pays for.'

export function differsFindings(field: string, expected: unknown, actual: unknown): Finding[] {
  const [one, other] = [expected, actual].map((value) => String(value).toLowerCase())
  if (one === other) return []
  return [
    finding('danger', 'WRONG_PURCHASE', `${field} is ${actual}, but the purchase requires ${expected}.`, {
      field,
      fix: 'Do not sign it: it does not pay for what the page describes.',
    }),
  ]
}

export function spendingFindings(
  amount: bigint,
  { maxCents }: InspectTerms,
  { field, isSeen }: { field: string; isSeen: boolean },
): Finding[] {
  const findings: Finding[] = []
  const most = maxCents === undefined ? undefined : centsToAmount(maxCents, { field: 'maxCents' })
  if (most !== undefined && amount > most)
    findings.push(
      finding(
        'danger',
        'ABOVE_CAP',
        `The request takes up to ${usd(amount)}, more than your limit of ${usd(most)}.`,
        { field, fix: 'Sign only the amount that the purchase costs.' },
      ),
    )
  if (!isSeen)
    findings.push(
      finding('warning', 'UNSEEN_PURCHASE', 'The page does not say what this request pays for.', {
        field,
        fix: 'Pass the purchase that the page disclosed as `intent`.',
      }),
    )
  return findings
}

export function chainFindings(domain: TypedDataDomain, { chainId, pin }: InspectTerms): Finding[] {
  const field = 'domain.chainId'
  if (chainId === undefined && pin === undefined)
    return [
      finding(
        'warning',
        'UNPINNED_CHAIN',
        `Chain ${domain.chainId} was not compared with your wallet's chain or a trusted chain.`,
        { field, fix: 'Pass the chain of the wallet as `chainId`, or pin the chain.' },
      ),
    ]
  if (chainId === undefined || chainId === domain.chainId)
    return pinChainFindings(domain.chainId, { pin, field })
  return [wrongChain(domain.chainId, { where: 'your wallet is on', other: chainId, field })]
}

/**
 * Compares the chain with the pinned chain, not with the wallet's: a page can switch the wallet to a chain where the page's own contract
 * has the pinned address.
 */
export function pinChainFindings(
  chainId: number | undefined,
  { pin, field }: { pin: InspectPins | undefined; field: string },
): Finding[] {
  if (pin === undefined) return [] // another finding covers the unpinned contract
  if (pin.chainId === undefined)
    return [
      finding('warning', 'UNPINNED_CHAIN', 'Your trusted list does not say which chain the contract is on.', {
        field,
        fix: 'Set `chainId` in the pinned entry.',
      }),
    ]
  if (chainId === undefined)
    return [
      finding('warning', 'UNPINNED_CHAIN', 'The request does not name its chain.', {
        field,
        fix: 'Pass the chain of the wallet as `chainId`.',
      }),
    ]
  if (pin.chainId === chainId) return []
  return [wrongChain(chainId, { where: 'the trusted contract is on', other: pin.chainId, field })]
}
