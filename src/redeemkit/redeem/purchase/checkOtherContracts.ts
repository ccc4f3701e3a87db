import type { Address, Hex } from 'viem'
import type { RequestAbortedError } from '../../api/errors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { EvmClient } from '../../evm/client.ts'
import { type OrderState, readOrderState } from '../../evm/creditPermit/orderState.ts'
import { networkOf } from '../../evm/networks.ts'
import { sameHex } from '../../evm/values.ts'
import { checkClientChain, lookUpRedeem, type RedeemOutcome } from '../chain/lookUpRedeem.ts'
import { checkPaid } from '../check/checkPaid.ts'
import { AlreadyRedeemedError, OrderUsedError, RedeemCancelledError } from '../errors.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import { intentOf } from '../request/intentOf.ts'
import { readFormerContracts } from '../request/readRedeemTerms.ts'
import { boundClient, within } from '../within.ts'

export type OrderPlace = { client: EvmClient; chainId: number; creditsContract: Address }

/** Short, because reading the order from other chains only adds findings. */
const readOrdersMs = 2_000

/** Returns the states in the same order. `undefined` stands for a contract that could not be read in time. */
function readOrders(
  places: readonly OrderPlace[],
  { wallet, orderKey }: { wallet: Address; orderKey: Hex },
): Promise<(OrderState['state'] | undefined)[]> {
  const readOne = async ({ client, chainId, creditsContract }: OrderPlace) => {
    const [order] = await Promise.all([
      readOrderState(client, { creditsContract, wallet, orderKey }, { field: 'otherChains' }),
      checkClientChain(client, chainId, 'otherChains'),
    ])
    return order.state
  }
  return Promise.all(
    places.map((place) => within(readOne(place), { ms: readOrdersMs }).catch(() => undefined)),
  )
}

export type PlacesOptions = Pick<
  RedeemOptions,
  'pinned' | 'publicClient' | 'otherChains' | 'signal' | 'timeoutMs'
>

/** A used order is an error on its own chain. On other chains, where the service decides, it is a finding (PROTOCOL.md 7.5). */
export async function checkOtherContracts(
  terms: RedeemTerms,
  options: PlacesOptions,
): Promise<readonly Finding[]> {
  const places = placesOf(terms, options)
  if (places.length === 0) return []
  const { wallet, chainId } = terms
  const states = await within(readOrders(places, terms), { signal: options.signal })
  const findings: Finding[] = []
  for (const [at, place] of places.entries()) {
    const state = states[at]
    if (state === 'unused') continue
    const where = nameOf(place)
    if (state === undefined) {
      findings.push(
        finding('warning', 'ORDER_NOT_READ', `The order could not be read from ${where}.`, {
          field: 'otherChains',
        }),
      )
      continue
    }
    if (place.chainId === chainId) {
      if (state === 'cancelled') throw new RedeemCancelledError({ nonce: intentOf(terms).nonce, wallet })
      await readPayment(place, terms)
      throw new AlreadyRedeemedError(`The order is already redeemed on ${where}.`, {
        field: 'pinned.formerContracts',
        fix: 'Look up that redeem with findRedeem and its credits contract. Nothing was signed.',
      })
    }
    findings.push(
      finding('warning', 'ORDER_USED_ELSEWHERE', `The order is already ${state} on ${where}.`, {
        field: 'otherChains',
        fix: 'Look up the order there with findRedeem before you pay again.',
      }),
    )
  }
  return findings
}

export declare namespace checkOtherContracts {
  type ErrorType =
    | intentOf.ErrorType
    | lookUpRedeem.ErrorType
    | checkPaid.ErrorType
    | networkOf.ErrorType
    | AlreadyRedeemedError
    | RedeemCancelledError
    | RequestAbortedError
}

const readPaymentMs = 5_000

/** The service reported that the order is paid (PROTOCOL.md 7.5). Former contracts and other chains show whether that is true. */
export async function verifyPaid(
  terms: RedeemTerms,
  options: PlacesOptions,
): Promise<AlreadyRedeemedError | OrderUsedError | undefined> {
  const verify = async (place: OrderPlace) => {
    const outcome = await readPayment(place, terms)
    return (
      outcome &&
      new AlreadyRedeemedError(`The order was redeemed on ${nameOf(place)} in transaction ${outcome.hash}.`, {
        field: 'otherChains',
      })
    )
  }
  const found = await Promise.all(
    placesOf(terms, options).map((place) =>
      within(verify(place), { ms: readPaymentMs }).catch((error: unknown) =>
        error instanceof OrderUsedError ? error : undefined,
      ),
    ),
  )
  // One payment is enough, even if another redeem has used the order too.
  return found.find((error) => error instanceof AlreadyRedeemedError) ?? found.find(Boolean)
}

function placesOf({ chainId, pinned }: RedeemTerms, options: PlacesOptions): OrderPlace[] {
  if (pinned.intentBound === false) return []
  const { publicClient, otherChains = [] } = options
  const { creditsContract } = pinned
  const formerContracts = readFormerContracts(options.pinned)
  const own = publicClient && { publicClient, chainId, creditsContract, formerContracts }
  return [...(own ? [own] : []), ...otherChains]
    .flatMap((chain) =>
      [chain.creditsContract, ...(chain.formerContracts ?? [])].map((contract) => ({
        client: boundClient(chain.publicClient, options),
        chainId: chain.chainId,
        creditsContract: contract,
      })),
    )
    .filter((place) => place.chainId !== chainId || !sameHex(place.creditsContract, creditsContract))
}

/** Returns `undefined` if the order is not redeemed on this contract. Throws if it was redeemed, but not by its payment. */
async function readPayment(
  { client, chainId, creditsContract }: OrderPlace,
  terms: RedeemTerms,
): Promise<RedeemOutcome | undefined> {
  const key = { wallet: terms.wallet, nonce: intentOf(terms).nonce, creditsContract }
  const { state, outcome } = await lookUpRedeem(client, key, { chainId })
  if (state === 'unused' || state === 'cancelled') return undefined
  checkPaid(outcome, terms, { contracts: [creditsContract] })
  return outcome
}

const nameOf = ({ creditsContract, chainId }: OrderPlace) =>
  `${creditsContract} on ${networkOf({ chainId }).name}`
