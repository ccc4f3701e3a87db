import { sameHex } from '../values.ts'
import type { InspectPins, ReadContext } from './inspectOptions.ts'

export type InspectTerms = ReadContext & {
  pin: InspectPins | undefined
  /** Whether the request claims to be for this entry's shop. If so, a value that differs from the entry is a danger. */
  isLinked: boolean
}

/**
 * Chooses the pinned entry to compare a request with: an entry with the request's contract, or for the shop that the request's credit seed,
 * merchant or page names. An entry without merchant and pages matches every request. An entry with the request's chain is preferred.
 */
export function pinFor(
  context: ReadContext,
  request: {
    chainId: number | undefined
    contract: string
    creditSeed?: string | undefined
  },
): InspectTerms {
  const { pinned = [], origin, intent } = context
  const merchantId = intent?.merchantId
  let best: { pin: InspectPins; isLinked: boolean; score: number } | undefined
  for (const pin of pinned) {
    const isBare = pin.merchantId === undefined && pin.origins === undefined
    const facts = [
      pin.origins?.some((one) => one === origin) === true,
      pin.merchantId !== undefined && pin.merchantId === merchantId,
      pin.creditSeed !== undefined && pin.creditSeed === request.creditSeed,
    ]
    const isHere =
      sameHex(pin.creditsContract, request.contract) &&
      (pin.chainId === undefined || pin.chainId === request.chainId)
    const isLinked = isBare || facts.includes(true)
    const isOfChain = pin.chainId === request.chainId
    const score = [isOfChain, ...facts, isHere].reduce((sum, fact, index) => sum + (fact ? 2 ** index : 0), 0)
    if ((isHere || isLinked) && (best === undefined || score > best.score)) best = { pin, isLinked, score }
  }
  return {
    ...context,
    pinned: pinsOn(request.chainId, context),
    pin: best?.pin,
    isLinked: best?.isLinked ?? false,
  }
}

/** Returns the entries of a chain and those without a chain. On other chains, a stranger may control the contract at a pinned address. */
export const pinsOn = (chainId: number | undefined, { pinned = [] }: Pick<ReadContext, 'pinned'>) =>
  pinned.filter((pin) => [pin.chainId, chainId].includes(undefined) || pin.chainId === chainId)
