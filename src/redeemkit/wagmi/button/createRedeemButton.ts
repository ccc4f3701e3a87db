import type { Hex } from 'viem'
import type { PreparedRedeem } from '../../redeem/preparedRedeem.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import type { RedeemStep } from '../../redeem/redeemStep.ts'

/** Where the last press stands. */
export type PressState = {
  readonly status: 'idle' | 'switchingChain' | 'running' | 'secondPress' | 'done' | 'failed'
  /** Hash of what was pressed for: account, chain and purchase. What belongs to another one is not shown. */
  readonly purchase: string | undefined
  readonly step: RedeemStep['step'] | undefined
  readonly prompt: 'creditPermit' | 'usdcAuthorization' | undefined
  readonly prepared: PreparedRedeem | undefined
  readonly hash: Hex | undefined
  readonly data: RedeemResult | undefined
  readonly error: Error | null
  /** What `error` is about: a no to another network says nothing about a payment. */
  readonly about: 'payment' | 'other'
}

/** What a press tells `redeem` to do on its way. */
export type PressControl = { onStep: (step: RedeemStep) => Promise<void>; signal: AbortSignal }

/** Runs what a button is pressed for, one at a time, and tells how it stands. */
export type RedeemPress = {
  getState(): PressState
  /** Calls back on every change. Returns what ends it. */
  subscribe(onChange: () => void): () => void
  /** Runs a redeem. Nothing happens while something runs for the same purchase. */
  redeem(options: {
    purchase: string
    run: (control: PressControl) => Promise<RedeemResult>
    /** Whether a second prompt waits for `goOn`. */
    secondPress: boolean
  }): void
  /** Runs a change of the chain. */
  switchChain(options: { purchase: string; run: () => Promise<unknown> }): void
  /** The second press: the second prompt comes. */
  goOn(): void
  /** Forgets how it stands. What is not signed yet is aborted; what is signed goes on by itself. */
  leave(): void
  /** Stays with one purchase. Returns what leaves it, for when another account, another purchase, or nothing is shown. */
  attend(purchase: string): () => void
}

const idle: PressState = {
  status: 'idle',
  purchase: undefined,
  step: undefined,
  prompt: undefined,
  prepared: undefined,
  hash: undefined,
  data: undefined,
  error: null,
  about: 'payment',
}

/**
 * Makes the part of a redeem button that remembers: which press runs, how far it is, and what it ended with. Knows no network, no wallet
 * and no framework.
 */
export function createRedeemPress(): RedeemPress {
  let state = idle
  /** What runs now, if anything does. What another run tells is not listened to. */
  let current: { abort: AbortController; signed: boolean; goOn?: () => void } | undefined
  const listeners = new Set<() => void>()
  const set = (next: PressState) => {
    state = next
    for (const listener of listeners) listener()
  }

  const leave = () => {
    // Once all is signed it may be sent, and then only a look at the chain helps: it goes on.
    if (current?.signed === false) current.abort.abort()
    current = undefined
    if (state !== idle) set(idle)
  }

  /** Begins a run, unless one for the same purchase is under way. */
  const begin = (purchase: string, status: 'running' | 'switchingChain') => {
    if (current !== undefined && state.purchase === purchase) return undefined
    leave()
    const run = { abort: new AbortController(), signed: false }
    current = run
    set({ ...idle, purchase, status, about: status === 'running' ? 'payment' : 'other' })
    return run
  }

  const follow = async <result>(
    run: NonNullable<typeof current>,
    work: () => Promise<result>,
    onDone: (result: result) => PressState,
  ) => {
    let end: PressState
    try {
      end = onDone(await work())
    } catch (cause) {
      // Whatever a wallet or a storage throws.
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
    redeem: ({ purchase, run, secondPress }) => {
      const own = begin(purchase, 'running')
      if (own === undefined) return
      const control = { signal: own.abort.signal, onStep: stepper(own, secondPress) }
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
    goOn: () => current?.goOn?.(),
    leave,
    attend: (purchase) => () => {
      if (state.purchase === purchase) leave()
    },
  }

  function stepper(run: NonNullable<typeof current>, secondPress: boolean): PressControl['onStep'] {
    let permitSigned = false
    return async (told) => {
      const { step } = told
      if (step === 'permitSigned') permitSigned = true
      if (step === 'signed' || (step === 'resuming' && told.signed)) run.signed = true
      if (current !== run) return
      const next: PressState = {
        ...state,
        step,
        prompt: step === 'signing' ? told.prompt : undefined,
        ...(step === 'prepared' && { prepared: told.prepared }),
        ...(step === 'submitted' && { hash: told.submitted.hash }),
      }
      if (secondPress && permitSigned && step === 'signing' && told.prompt === 'usdcAuthorization') {
        set({ ...next, status: 'secondPress' })
        await new Promise<void>((resolve) => {
          run.goOn = resolve
        })
        delete run.goOn
        if (current !== run) return
      }
      set({ ...next, status: 'running' })
    }
  }
}
