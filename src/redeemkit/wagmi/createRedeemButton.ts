import type { Hex } from 'viem'
import { AccountChangedError } from '../core/errors/walletErrors.ts'
import type { PreparedRedeem } from '../redeem/preparedRedeem.ts'
import type { RedeemResult } from '../redeem/redeemOptions.ts'
import type { RedeemStep } from '../redeem/redeemStep.ts'

/** State of the last click. */
export type RedeemButtonState = {
  readonly status: 'idle' | 'switchingChain' | 'running' | 'secondClick' | 'done' | 'failed'
  /** Key of the account, chain and purchase that the click was for. The state of another purchase is not shown. */
  readonly purchase: string | undefined
  readonly step: RedeemStep['step'] | undefined
  readonly prompt: 'creditPermit' | 'usdcAuthorization' | undefined
  readonly prepared: PreparedRedeem | undefined
  readonly hash: Hex | undefined
  readonly data: RedeemResult | undefined
  readonly error: Error | null
  /** `other` if `error` is not about a payment, such as the error of a network switch. */
  readonly about: 'payment' | 'other'
  /** Submits again immediately, while the payment service does not respond. */
  readonly sendNow: (() => void) | undefined
}

/** Options that connect `redeem` to the button. */
export type RunControl = { onStep: (step: RedeemStep) => Promise<void>; signal: AbortSignal }

/** Runs one redeem or network switch at a time, and reports its state. */
export type RedeemButton = {
  getState(): RedeemButtonState
  /** Calls a listener on every change. Returns a function that unsubscribes it. */
  subscribe(onChange: () => void): () => void
  /** Runs a redeem, unless one for the same purchase is running. */
  redeem(options: {
    purchase: string
    run: (control: RunControl) => Promise<RedeemResult>
    /** Whether the second prompt waits for `confirmSecondPrompt`. */
    secondClick: boolean
  }): void
  /** Runs a network switch. The signal is aborted by `cancel` and `reset`. */
  switchChain(options: { purchase: string; run: (signal: AbortSignal) => Promise<unknown> }): void
  /** Opens the second prompt. Call it on the second click. */
  confirmSecondPrompt(): void
  /** Stops waiting for the wallet. A later signature is not submitted. Has no effect once everything is signed. */
  cancel(): void
  /** Clears the state. Aborts a redeem that is not signed yet; a signed one continues. */
  reset(): void
  /**
   * Call it when the button starts to show an account's purchase. Returns a function that resets the button; call it when the button stops
   * showing that purchase. If the account changed while its prompt was open, the next purchase shows an AccountChangedError.
   */
  mount(purchase: string, account?: string | undefined): () => void
}

const idle: RedeemButtonState = {
  status: 'idle',
  purchase: undefined,
  step: undefined,
  prompt: undefined,
  prepared: undefined,
  hash: undefined,
  data: undefined,
  error: null,
  about: 'payment',
  sendNow: undefined,
}

/** Creates the state of a redeem button: the running redeem, its step and its result. Uses no network, wallet or framework. */
export function createRedeemButton(): RedeemButton {
  let state = idle
  /** The current run. Steps and results of earlier runs are ignored. */
  let current: { abort: AbortController; signed: boolean; confirm?: () => void } | undefined
  /** Account whose wallet prompt was open at the unmount. The next mount compares it with its own account. */
  let left: { account: string | undefined } | undefined
  const listeners = new Set<() => void>()
  const set = (next: RedeemButtonState) => {
    state = next
    for (const listener of listeners) listener()
  }

  const reset = () => {
    // A signed redeem may already be submitted, so it must not be aborted.
    if (current?.signed === false) current.abort.abort()
    current = undefined
    if (state !== idle) set(idle)
  }

  /** Starts a run, unless one for the same purchase is running. */
  const begin = (purchase: string, status: 'running' | 'switchingChain') => {
    if (current !== undefined && state.purchase === purchase) return undefined
    reset()
    const run = { abort: new AbortController(), signed: false }
    current = run
    set({ ...idle, purchase, status, about: status === 'running' ? 'payment' : 'other' })
    return run
  }

  const follow = async <result>(
    run: NonNullable<typeof current>,
    work: (signal: AbortSignal) => Promise<result>,
    onDone: (result: result) => RedeemButtonState,
  ) => {
    let end: RedeemButtonState
    try {
      end = onDone(await work(run.abort.signal))
    } catch (cause) {
      // Wallets and storages may throw values that are not errors.
      const error = cause instanceof Error ? cause : new Error(String(cause))
      end = { ...state, status: 'failed', error }
    }
    if (current !== run) return
    current = undefined
    set(end)
  }

  return {
    getState: () => state,
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    redeem: ({ purchase, run, secondClick }) => {
      const own = begin(purchase, 'running')
      if (own === undefined) return
      const control = { signal: own.abort.signal, onStep: stepper(own, secondClick) }
      void follow(
        own,
        () => run(control),
        (data) => ({ ...state, status: 'done', hash: data.hash, data }),
      )
    },
    switchChain: ({ purchase, run }) => {
      const own = begin(purchase, 'switchingChain')
      if (own !== undefined) void follow(own, run, () => idle)
    },
    confirmSecondPrompt: () => current?.confirm?.(),
    cancel: () => {
      if (isAsking()) reset()
    },
    reset,
    mount: (purchase, account) => {
      if (left !== undefined && left.account !== account) {
        const error = new AccountChangedError({ isDisconnected: account === undefined })
        set({ ...idle, purchase, status: 'failed', error })
      }
      left = undefined
      return () => {
        if (state.purchase !== purchase) return
        left = isAsking() ? { account } : undefined
        reset()
      }
    },
  }

  /** Returns whether the wallet shows a request, and nothing can have been submitted yet. */
  function isAsking(): boolean {
    if (current === undefined || current.signed) return false
    const { status, step } = state
    return status === 'switchingChain' || step === 'signing' || step === 'permitSigned'
  }

  function stepper(run: NonNullable<typeof current>, secondClick: boolean): RunControl['onStep'] {
    let permitSigned = false
    return async (update) => {
      const { step } = update
      if (step === 'permitSigned') permitSigned = true
      if (step === 'signed' || (step === 'resuming' && update.signed)) run.signed = true
      if (current !== run) return
      // Keep `stillWaiting` visible during further attempts.
      if (state.step === 'stillWaiting' && (step === 'submitting' || step === 'lookingUp')) return
      const next: RedeemButtonState = {
        ...state,
        step,
        prompt: step === 'signing' ? update.prompt : undefined,
        ...(step === 'prepared' && { prepared: update.prepared }),
        ...(step === 'submitted' && { hash: update.submitted.hash }),
        sendNow: step === 'stillWaiting' ? update.sendNow : undefined,
      }
      if (secondClick && permitSigned && next.prompt === 'usdcAuthorization') {
        set({ ...next, status: 'secondClick' })
        await new Promise<void>((resolve) => {
          run.confirm = resolve
        })
        delete run.confirm
        if (current !== run) return
      }
      set({ ...next, status: 'running' })
    }
  }
}
