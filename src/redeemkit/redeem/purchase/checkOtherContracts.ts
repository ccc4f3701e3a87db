import type { Address, Hex } from 'viem'
import type { RequestAbortedError } from '../../api/errors.ts'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import { type InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { checkNonZeroAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { type OrderState, readOrderState } from '../../evm/creditPermit/orderState.ts'
import type { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { networkOf } from '../../evm/networks.ts'
import { checkChainId, type InvalidChainIdError, sameHex } from '../../evm/values.ts'
import { checkClientChain, lookUpRedeem } from '../chain/lookUpRedeem.ts'
import type { RedeemOutcome } from '../chain/readLogs.ts'
import { checkPublicClient } from '../chain/redeemKey.ts'
import { checkPaid } from '../check/checkPaid.ts'
import { intentOf } from '../check/intentOf.ts'
import { readFormerContracts } from '../check/readRedeemTerms.ts'
import {
  AlreadyRedeemedError,
  type InvalidRedeemRequestError,
  OrderUsedError,
  RedeemCancelledError,
} from '../errors.ts'
import type { RedeemPins, RedeemTerms } from '../preparedRedeem.ts'
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

export type PlacesOptions = {
  pinned: RedeemPins
  publicClient?: EvmClient | undefined
  otherChains?: readonly OtherChain[] | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

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
    | redeemIntent.ErrorType
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

/** Another chain on which an order may have been paid, and a client for that chain. */
export type OtherChain = {
  readonly publicClient: EvmClient
  readonly chainId: number
  readonly creditsContract: Address
  /** Earlier credits contracts on that chain. */
  readonly formerContracts?: readonly Address[] | undefined
}

const kinds: OptionKinds<OtherChain> = {
  publicClient: 'any',
  chainId: 'any',
  creditsContract: 'any',
  formerContracts: 'any',
}

export function checkOtherChains(given: readonly OtherChain[] | undefined): void {
  if (given === undefined) return
  if (!Array.isArray(given))
    throw new InvalidOptionError('otherChains is not a list.', {
      field: 'otherChains',
      fix: 'Pass a list of { publicClient, chainId, creditsContract }.',
    })
  for (const [at, chain] of given.entries()) {
    const field = `otherChains[${at}]`
    const { publicClient, chainId, creditsContract } = checkOptions(chain as OtherChain, kinds, field)
    checkPublicClient(publicClient, `${field}.publicClient`)
    checkChainId(chainId, `${field}.chainId`)
    checkNonZeroAddress(creditsContract, `${field}.creditsContract`)
    readFormerContracts(chain as OtherChain, `${field}.formerContracts`)
  }
}

export declare namespace checkOtherChains {
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidRedeemRequestError
    | InvalidAddressError
    | InvalidChainIdError
    | InvalidOptionError
}
