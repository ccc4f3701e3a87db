import type { Address } from 'viem'
import { RequestAbortedError } from '../../api/errors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { networkOf } from '../../evm/networks.ts'
import { boundClient } from '../boundClient.ts'
import { lookUpRedeem } from '../chain/lookUpRedeem.ts'
import { readOrders } from '../chain/readOrders.ts'
import { checkPaid } from '../check/checkPaid.ts'
import { AlreadyRedeemedError, RedeemCancelledError } from '../errors.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import { intentOf } from '../request/intentOf.ts'
import { readFormerContracts } from '../request/readRedeemTerms.ts'
import { within } from '../within.ts'

/** What is read of an order beside its own contract. */
export type PlacesOptions = Pick<
  RedeemOptions,
  'pinned' | 'publicClient' | 'otherChains' | 'signal' | 'timeoutMs'
>

/**
 * Reads an order from the former contracts of its chain and from the other chains, all at once (PROTOCOL.md 7.5). On its own chain
 * it is closed; elsewhere what is found is a finding, because the service alone guards across chains.
 *
 * @throws AlreadyRedeemedError, OrderUsedError and RedeemCancelledError for a former contract of this chain
 */
export async function checkElsewhere(
  terms: RedeemTerms,
  options: PlacesOptions,
): Promise<readonly Finding[]> {
  const { wallet, orderKey, chainId, pinned } = terms
  if (pinned.intentBound === false) return []
  const { publicClient, otherChains = [], signal } = options
  const toPlaces = (client: NonNullable<typeof publicClient>, chain: number, contracts: readonly Address[]) =>
    contracts.map((creditsContract) => ({
      client: boundClient(client, options),
      chainId: chain,
      creditsContract,
    }))
  const places = [
    ...(publicClient === undefined
      ? []
      : toPlaces(publicClient, chainId, readFormerContracts(options.pinned))),
    ...otherChains.flatMap(
      ({ publicClient: client, chainId: chain, creditsContract, formerContracts = [] }) =>
        toPlaces(client, chain, [creditsContract, ...formerContracts]),
    ),
  ].filter((place) => place.chainId !== chainId || !isSame(place.creditsContract, pinned.creditsContract))
  if (places.length === 0) return []
  const onEnd = () => new RequestAbortedError({ sent: false })
  const states = await within(readOrders(places, { wallet, orderKey }), { signal, onEnd })
  const findings: Finding[] = []
  for (const [at, place] of places.entries()) {
    const state = states[at]
    if (state === 'unused') continue
    const where = `${place.creditsContract} on ${networkOf({ chainId: place.chainId }).name}`
    if (state === undefined) {
      findings.push(
        finding('warning', 'ORDER_NOT_READ', `The order could not be read from ${where}.`, {
          field: 'otherChains',
        }),
      )
      continue
    }
    if (place.chainId === chainId) {
      const { nonce } = intentOf(terms)
      if (state === 'cancelled') throw new RedeemCancelledError({ nonce, wallet })
      const { creditsContract } = place
      const { outcome } = await lookUpRedeem(place.client, { wallet, nonce, creditsContract })
      if (outcome !== undefined) checkPaid(outcome, terms, { contracts: [creditsContract] })
      throw new AlreadyRedeemedError(`The order was redeemed already by ${where}.`, {
        field: 'pinned.formerContracts',
        fix: 'Nothing was signed. Look that redeem up with findRedeem and its credits contract.',
      })
    }
    findings.push(
      finding('warning', 'ORDER_USED_ELSEWHERE', `The order is ${state} at ${where}.`, {
        field: 'otherChains',
        fix: 'Look it up there with findRedeem before you pay again.',
      }),
    )
  }
  return findings
}

export declare namespace checkElsewhere {
  type ErrorType =
    | intentOf.ErrorType
    | lookUpRedeem.ErrorType
    | checkPaid.ErrorType
    | networkOf.ErrorType
    | AlreadyRedeemedError
    | RedeemCancelledError
    | RequestAbortedError
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
