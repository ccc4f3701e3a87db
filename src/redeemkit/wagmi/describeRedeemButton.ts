import { type Config, getConnection } from '@wagmi/core'
import type { Address } from 'viem'
import { attempt } from '../core/attempt.ts'
import { type InvalidClockError, readClock } from '../core/clock.ts'
import type { Finding } from '../core/finding/finding.ts'
import { formatUsd, localeOf } from '../core/formatUsd.ts'
import { speakButton } from '../core/userMessage/buttonEnglish.ts'
import type { userMessage } from '../core/userMessage/userMessage.ts'
import { networkOf } from '../evm/networks.ts'
import type { RedeemOutcome } from '../redeem/chain/readLogs.ts'
import type { describeSigning } from '../redeem/describeSigning.ts'
import type { AlreadyRedeemedError } from '../redeem/errors.ts'
import { isOpenRedeemError } from '../redeem/isOpenRedeemError.ts'
import type { CheckedPurchase, ReadyRedeem, RedeemResult } from '../redeem/redeemOptions.ts'
import type { RedeemButtonStep, RedeemStep } from '../redeem/redeemStep.ts'
import { canBeReady, prepareRedeemQueryKey } from './actions/prepareRedeem.ts'
import type { RedeemButtonState } from './createRedeemButton.ts'
import { loadedEngine } from './engine/loadEngine.ts'
import type { RedeemParameters } from './engine/redeem.ts'
import { errorText } from './errorText.ts'
import { meantChainId, type Redeemkit } from './kit.ts'

export type { RedeemButtonStep }

/** Content of a redeem button. */
export type RedeemButtonView = {
  readonly step: RedeemButtonStep
  /** Text for the button in this step, in the kit's language. */
  readonly label: string
  /** Whether a click does something in this step. */
  readonly canClick: boolean
  /** Whether the button waits for the wallet, so that `cancel` has an effect. */
  readonly canCancel: boolean
  /** Text about what the customer is about to sign, with the fee. Set from the first check until the signature. */
  readonly signing: describeSigning.ReturnType | undefined
  /** The wallet prompts that will follow, if known: one for credits, two with USDC. */
  readonly prompts: ReadyRedeem['prompts']
  /**
   * Warnings about the order on other chains: it was used there (`ORDER_USED_ELSEWHERE`) or could not be read (`ORDER_NOT_READ`). Empty once
   * everything is signed.
   */
  readonly elsewhere: readonly Finding[]
  /** Display name of the network, such as `Base`. */
  readonly network: string
  /** Result of the redeem. For an order that was paid before, it is set once the chain has been read. */
  readonly data: RedeemResult | undefined
  /** Account that paid the order, if it is not the connected account. Then `step` is `done`, and `data` is `undefined`. */
  readonly paidBy: Address | undefined
  /** Block explorer link to the transaction; `undefined` before there is one, and on a local chain. */
  readonly explorerUrl: string | undefined
  /** Last error of the check, the network switch or the redeem. */
  readonly error: Error | null
  /** Message for the customer about `error`, or about the wait in step `stillWaiting`. */
  readonly userMessage: string | undefined
}

/**
 * Computes what a redeem button shows from the wallet, the latest check and the latest click. Makes no request. In
 * development, an error that the customer cannot solve is printed to the console once.
 *
 * @param parameters.checked result of the query from `prepareRedeemQueryOptions`
 * @param parameters.state state of the button from `createRedeemButton`
 * @throws UnknownNetworkError for a `chainId` that redeemkit does not know
 * @see PROTOCOL.md 7.5, 7.7
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { createRedeemButton, describeRedeemButton, type Redeemkit } from 'redeemkit/wagmi'
 * const button = createRedeemButton()
 * const show = (config: Config, kit: Redeemkit, checked: describeRedeemButton.Parameters['checked']) =>
 *   describeRedeemButton(config, {
 *     kit,
 *     checked,
 *     state: button.getState(),
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   }).step
 * ```
 */
export function describeRedeemButton(
  config: Config,
  parameters: describeRedeemButton.Parameters,
): RedeemButtonView {
  const { kit, checked } = parameters
  const { purchase, chainId } = purchaseOf(config, parameters)
  const { name: network } = networkOf({ chainId })
  // The state of another account or purchase is not shown.
  const state = parameters.state.purchase === purchase ? parameters.state : undefined
  const step = stepOf(config, { ...parameters, state, chainId })
  const alreadyPaid = paidErrorOf(state, checked)
  const error = alreadyPaid ?? state?.error ?? (step === 'failed' ? checked.error : null)
  const { messages } = kit
  const engine = loadedEngine()
  const ready = checked.data?.state === 'ready' ? checked.data : undefined
  const prepared = state?.prepared ?? ready?.prepared
  const paid = checked.data?.state === 'redeemed' ? checked.data : undefined
  const hash = state?.hash ?? paid?.hash
  const { isClickable = false, asksWallet = false, isSigned = false } = traits[step]
  const canClick = isClickable || (step === 'stillWaiting' && state?.sendNow !== undefined)
  const stepLabel = step === 'stillWaiting' && canClick ? 'sendNow' : step
  return {
    step,
    label: speakButton(messages, `button.${stepLabel}`, { network, amount: amountOf(parameters) }).trim(),
    canClick,
    canCancel: asksWallet,
    signing: prepared && !isSigned ? engine?.describeSigning(prepared, { messages }) : undefined,
    prompts: ready?.prompts ?? [],
    elsewhere: (!isSigned && ready?.elsewhere) || [],
    network,
    data: state?.data ?? resultOf(paid?.outcome, chainId),
    paidBy: alreadyPaid?.paidBy,
    explorerUrl: hash && engine?.explorerUrl({ chainId, hash, baseUrl: kit.client.baseUrl }),
    error,
    userMessage:
      step === 'stillWaiting'
        ? speakButton(messages, 'stillWaiting')
        : errorText(kit, error, { network, about: state?.about }),
  }
}

export declare namespace describeRedeemButton {
  type Parameters = RedeemParameters & {
    checked: {
      readonly data: CheckedPurchase | undefined
      readonly error: Error | null
      readonly isFetching: boolean
    }
    state: RedeemButtonState
  }
  type ReturnType = RedeemButtonView
  type ErrorType = networkOf.ErrorType | describeSigning.ErrorType | userMessage.ErrorType | InvalidClockError
}

/** Formats a price in cents as dollars. Returns empty text for other or invalid amounts, because rendering must not throw. */
function amountOf({ kit: { messages }, subtotal }: RedeemParameters): string {
  const { cents } = Object(subtotal)
  const locale = localeOf(messages)
  return typeof cents === 'number' ? (attempt(() => formatUsd({ cents }, { locale })) ?? '') : ''
}

function resultOf(outcome: RedeemOutcome | undefined, chainId: number): RedeemResult | undefined {
  if (outcome === undefined) return undefined
  const { wallet, nonce, creditsContract, hash } = outcome
  return { wallet, nonce, creditsContract, chainId, hash, outcome }
}

/** Properties of each step: whether a click has an effect, whether a wallet prompt is open, and whether everything is signed. */
const traits: Readonly<Record<RedeemButtonStep, { isClickable?: true; asksWallet?: true; isSigned?: true }>> =
  {
    notConnected: {},
    wrongChain: { isClickable: true },
    switchingChain: { asksWallet: true },
    preparing: {},
    checking: {},
    failed: { isClickable: true },
    ready: { isClickable: true },
    open: { isClickable: true, isSigned: true },
    waitingForOther: {},
    signingPermit: { asksWallet: true },
    secondClick: { isClickable: true, asksWallet: true },
    signingUsdc: { asksWallet: true },
    submitting: { isSigned: true },
    lookingUp: { isSigned: true },
    stillWaiting: { isSigned: true },
    confirming: { isSigned: true },
    done: { isSigned: true },
  }

/** Returns the key of the account, chain and purchase that a button is for. */
export function purchaseOf(
  config: Config,
  parameters: RedeemParameters,
): { purchase: string; chainId: number; walletChainId: number | undefined; account: string | undefined } {
  const { address, chainId: walletChainId } = getConnection(config)
  const chainId = meantChainId(parameters.kit, { ...parameters, walletChainId })
  const key = prepareRedeemQueryKey({ ...parameters, chainId, wallet: address })
  return { purchase: JSON.stringify(key), chainId, walletChainId, account: address }
}

function stepOf(
  config: Config,
  {
    kit,
    checked,
    state,
    chainId,
  }: Pick<describeRedeemButton.Parameters, 'kit' | 'checked'> & {
    state: RedeemButtonState | undefined
    chainId: number
  },
): RedeemButtonStep {
  const { address, chainId: walletChainId, status } = getConnection(config)
  if (address === undefined) return 'notConnected'
  if (state !== undefined && state.status !== 'failed') {
    if (state.status === 'running') return runningStep(state)
    if (state.status !== 'idle') return state.status
  }
  const { data, error, isFetching } = checked
  // Some wallets report a switch, but still sign for another chain.
  const engine = loadedEngine()
  const isElsewhere = engine?.isWrongNetwork(state?.error) ?? false
  if (!isElsewhere && state?.error && isOpenRedeemError(state.error)) return 'open'
  if (data?.state === 'redeemed' || paidErrorOf(state, checked)) return 'done'
  if (data?.state === 'open' && !isElsewhere) return 'open'
  const isUsed = state?.error?.name === 'OrderUsedError'
  const isRefuted = isUsed || refuting.has(error?.name)
  // A persisted cache can contain a check before the engine is loaded.
  const isReady = (isFresh(kit, data) && engine !== undefined && !isRefuted) || !canBeReady(kit, chainId)
  if ((error !== null || isUsed) && !isReady && !isFetching) return 'failed'
  if (walletChainId !== chainId || isElsewhere) return 'wrongChain'
  if (isReady && status === 'connected') return 'ready'
  return data === undefined ? 'preparing' : 'checking'
}

/** Errors that make an older check unusable. After any other error, the older check stays usable. */
const refuting: ReadonlySet<string | undefined> = /* @__PURE__ */ new Set([
  'InsufficientFundsError',
  'OrderUsedError',
  'RedeemCancelledError',
  'RedeemWouldFailError',
])

function paidErrorOf(
  state: RedeemButtonState | undefined,
  checked: describeRedeemButton.Parameters['checked'],
): AlreadyRedeemedError | undefined {
  return [state?.error, checked.error].find(
    (error): error is AlreadyRedeemedError => error?.name === 'AlreadyRedeemedError',
  )
}

function isFresh({ client }: Redeemkit, data: CheckedPurchase | undefined): boolean {
  return data?.state === 'ready' && readClock(client.now) < Number(data.usableUntil) * 1000
}

function runningStep({ step, prompt, hash }: RedeemButtonState): RedeemButtonStep {
  if (step === undefined) return 'checking'
  // Without a hash it is unknown whether the redeem was submitted.
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
  stillWaiting: 'stillWaiting',
  submitted: 'confirming',
  waiting: 'confirming',
  redeemed: 'confirming',
  notStored: 'confirming',
}
