import { type Config, getConnection } from '@wagmi/core'
import { explorerUrl } from '../../core/explorerUrl.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { type InvalidClockError, readClock } from '../../core/time/clock.ts'
import { messageKey } from '../../core/userMessage/messageKey.ts'
import { userMessage } from '../../core/userMessage/userMessage.ts'
import { networkOf } from '../../evm/networks.ts'
import type { RedeemOutcome } from '../../redeem/chain/lookUpRedeem.ts'
import { describeSigning } from '../../redeem/describeSigning.ts'
import { isOpenRedeemError } from '../../redeem/openRedeem.ts'
import type { CheckedPurchase, ReadyRedeem } from '../../redeem/readyRedeem.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import type { RedeemStep } from '../../redeem/redeemStep.ts'
import { canBeReady, prepareRedeemQueryKey } from '../actions/prepareRedeem.ts'
import type { RedeemParameters } from '../actions/redeem.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import { meantChainId } from '../readKit.ts'
import type { PressState } from './createRedeemButton.ts'

/** Where a redeem button stands, and so what a press does. */
export type RedeemButtonStep =
  /** There is no wallet: connect one. A press does nothing. */
  | 'notConnected'
  /** The wallet stands on another chain: a press asks it to switch. */
  | 'wrongChain'
  | 'switchingChain'
  /** The service is asked for what is signed. */
  | 'preparing'
  /** It is compared with what was asked for, and nonce and funds are read. */
  | 'checking'
  /** The check before the press failed, and `error` says why: a press checks again. */
  | 'failed'
  /** A press asks the wallet at once. */
  | 'ready'
  /** An earlier press was signed, and may have been sent: a press goes on with it. */
  | 'open'
  /** The same purchase is under way in another page. */
  | 'waitingForOther'
  | 'signingPermit'
  /** The permit is signed: a press asks the wallet for the USDC authorization. */
  | 'secondPress'
  | 'signingUsdc'
  | 'submitting'
  | 'lookingUp'
  | 'confirming'
  | 'done'

/** What a redeem button shows. */
export type RedeemButton = {
  readonly step: RedeemButtonStep
  /** Whether a press does something now: it redeems, goes on, switches the chain, or checks again, as `step` says. */
  readonly canPress: boolean
  /** What is about to be signed, in words, with the fee. There as soon as it was checked, until it is signed. */
  readonly signing: describeSigning.ReturnType | undefined
  /** What the wallet will be asked for, as far as it is known: one prompt for credits, two with USDC. */
  readonly prompts: ReadyRedeem['prompts']
  /**
   * Warnings about the order on other chains: it was used there (`ORDER_USED_ELSEWHERE`), or could not be read (`ORDER_NOT_READ`). Empty when
   * there are none, and once all is signed.
   */
  readonly elsewhere: readonly Finding[]
  /** Name of the network, for people: `Base`. */
  readonly network: string
  /** What the redeem gave. There when a press has made it, and for one that was paid before as soon as the chain has told it. */
  readonly data: RedeemResult | undefined
  /** Where a person looks the transaction up; `undefined` before there is one, and on a local chain. */
  readonly explorerUrl: string | undefined
  /** What failed last: the check before the press, the switch, or the redeem. */
  readonly error: Error | null
  /** What a person is told of `error`. */
  readonly userMessage: string | undefined
}

/**
 * Tells what a redeem button shows, from the wallet, the check before the press, and the last press. Asks nobody, and says the same for the
 * same.
 *
 * @param parameters.checked the result of the query of `prepareRedeemQueryOptions`
 * @param parameters.press the state of `createRedeemPress`
 * @throws UnknownNetworkError for a `chainId` that is none of the service's
 * @see PROTOCOL.md 7.5, 7.7
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { createRedeemPress, type Redeemkit, redeemButton } from 'redeemkit/wagmi'
 * const press = createRedeemPress()
 * const show = (config: Config, kit: Redeemkit, checked: redeemButton.Parameters['checked']) =>
 *   redeemButton(config, {
 *     kit,
 *     checked,
 *     press: press.getState(),
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   }).step
 * ```
 */
export function redeemButton(config: Config, parameters: redeemButton.Parameters): RedeemButton {
  const { kit, checked } = parameters
  const { purchase, chainId } = purchaseOf(config, parameters)
  const { name: network } = networkOf({ chainId })
  // What another account or another purchase was pressed for is not shown.
  const press = parameters.press.purchase === purchase ? parameters.press : undefined
  const step = stepOf(config, { ...parameters, press, chainId })
  const error = press?.error ?? (step === 'failed' ? checked.error : null)
  const { messages } = kit
  const ready = checked.data?.state === 'ready' ? checked.data : undefined
  const prepared = press?.prepared ?? ready?.prepared
  const paid = checked.data?.state === 'redeemed' ? checked.data : undefined
  const hash = press?.hash ?? paid?.hash
  return {
    step,
    canPress: pressable.has(step),
    signing: prepared && !signed.has(step) ? describeSigning(prepared, { messages }) : undefined,
    prompts: ready?.prompts ?? [],
    elsewhere: (!signed.has(step) && ready?.elsewhere) || [],
    network,
    data: press?.data ?? resultOf(paid?.outcome, chainId),
    explorerUrl: hash && explorerUrl({ chainId, hash, baseUrl: kit.client.baseUrl }),
    error,
    userMessage: error === null ? undefined : userMessage(error, { messages, network, about: press?.about }),
  }
}

export declare namespace redeemButton {
  type Parameters = RedeemParameters & {
    checked: {
      readonly data: CheckedPurchase | undefined
      readonly error: Error | null
      readonly isFetching: boolean
    }
    press: PressState
  }
  type ReturnType = RedeemButton
  type ErrorType = networkOf.ErrorType | describeSigning.ErrorType | userMessage.ErrorType | InvalidClockError
}

/** What a redeem that was paid before gave, in the form in which a press tells it. */
function resultOf(outcome: RedeemOutcome | undefined, chainId: number): RedeemResult | undefined {
  if (outcome === undefined) return undefined
  const { wallet, nonce, creditsContract, hash } = outcome
  return { wallet, nonce, creditsContract, chainId, hash, outcome }
}

const pressable: ReadonlySet<RedeemButtonStep> = new Set([
  'wrongChain',
  'failed',
  'ready',
  'open',
  'secondPress',
])
const signed: ReadonlySet<RedeemButtonStep> = new Set([
  'submitting',
  'lookingUp',
  'confirming',
  'done',
  'open',
])

/** Which account, chain and purchase a button is for, as one text. */
export function purchaseOf(
  config: Config,
  parameters: RedeemParameters,
): { purchase: string; chainId: number; walletChainId: number | undefined } {
  const { address, chainId: walletChainId } = getConnection(config)
  const chainId = meantChainId(parameters.kit, { ...parameters, walletChainId })
  const key = prepareRedeemQueryKey({ ...parameters, chainId, wallet: address })
  return { purchase: JSON.stringify(key), chainId, walletChainId }
}

function stepOf(
  config: Config,
  {
    kit,
    checked,
    press,
    chainId,
  }: Pick<redeemButton.Parameters, 'kit' | 'checked'> & { press: PressState | undefined; chainId: number },
): RedeemButtonStep {
  const { address, chainId: walletChainId, status } = getConnection(config)
  if (address === undefined) return 'notConnected'
  if (press !== undefined && press.status !== 'failed') {
    if (press.status === 'running') return runningStep(press)
    if (press.status !== 'idle') return press.status
  }
  const { data, error, isFetching } = checked
  // A wallet may say that it has switched, and stand elsewhere when it is asked to sign.
  const isElsewhere = isOfWrongNetwork(press?.error)
  if (!isElsewhere && press?.error && isOpenRedeemError(press.error)) return 'open'
  if (data?.state === 'redeemed') return 'done'
  if (data?.state === 'open' && !isElsewhere) return 'open'
  const isReady = isFresh(kit, data) || !canBeReady(kit, chainId)
  if (error !== null && !isReady && !isFetching) return 'failed'
  if (walletChainId !== chainId || isElsewhere) return 'wrongChain'
  if (isReady && status === 'connected') return 'ready'
  return data === undefined ? 'preparing' : 'checking'
}

/** Whether a check may be used at this moment. */
function isFresh({ client }: Redeemkit, data: CheckedPurchase | undefined): boolean {
  return data?.state === 'ready' && readClock(client.now) < Number(data.usableUntil) * 1000
}

function runningStep({ step, prompt, hash }: PressState): RedeemButtonStep {
  if (step === undefined) return 'checking'
  // No answer has named a transaction: whether there is one is not known.
  if (step === 'waiting' && hash === undefined) return 'lookingUp'
  if (step === 'signing') return prompt === 'usdcAuthorization' ? 'signingUsdc' : 'signingPermit'
  return steps[step]
}

const steps: Readonly<Record<Exclude<RedeemStep['step'], 'signing'>, RedeemButtonStep>> = {
  waitingForOther: 'waitingForOther',
  resuming: 'lookingUp',
  preparing: 'preparing',
  preparingAgain: 'preparing',
  prepared: 'checking',
  permitSigned: 'signingUsdc',
  signed: 'submitting',
  submitting: 'submitting',
  lookingUp: 'lookingUp',
  submitted: 'confirming',
  waiting: 'confirming',
  redeemed: 'confirming',
  notKept: 'confirming',
}

/** Whether an error says that the wallet, and not a node, is on another chain: also where a permit has left, and another one is needed. */
export function isOfWrongNetwork(error: unknown): boolean {
  const cause = isOpenRedeemError(error) ? error.cause : error
  return messageKey(cause, { isPayment: true }) === 'WrongNetworkError'
}
