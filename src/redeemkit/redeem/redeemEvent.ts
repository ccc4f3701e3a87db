import { BaseError } from '../core/errors/baseError.ts'
import type { RedeemStep } from './redeemStep.ts'

/** An event for analytics and error reports. Contains no amount, address or id. */
export type RedeemEvent = {
  /** The step that begins or, with `errorCode`, failed. `starting` and `checking` are reported only if they fail. */
  readonly step: RedeemStep['step'] | 'starting' | 'checking'
  /** Milliseconds since the call. */
  readonly durationMs: number
  /** Name of the error that ended the call, such as `UserRejectedError`. `unknown` if it is not an error of redeemkit. */
  readonly errorCode?: string | undefined
}

/** An error that the listener throws has no effect. `first` is reported if the call fails before any step. */
export async function withEvents<result>(
  { onEvent, onStep }: withEvents.Options,
  first: RedeemEvent['step'],
  run: (onStep: (step: RedeemStep) => void | Promise<void>) => Promise<result>,
): Promise<result> {
  const begun = performance.now()
  let step = first
  const report = (error?: { errorCode: string }) => {
    const send = async () => onEvent?.({ step, durationMs: Math.round(performance.now() - begun), ...error })
    send().catch(() => undefined)
  }
  try {
    return await run((update) => {
      step = update.step
      report()
      return onStep?.(update)
    })
  } catch (error) {
    report({ errorCode: error instanceof BaseError ? error.name : 'unknown' })
    throw error
  }
}

export declare namespace withEvents {
  type Options = {
    onEvent?: ((event: RedeemEvent) => unknown) | undefined
    onStep?: ((step: RedeemStep) => void | Promise<void>) | undefined
  }
}
