import { BaseError } from '../redeemkit/core/errors/baseError.ts'

/** Sandbox options contradict each other, or cannot work on this machine. */
export class InvalidSandboxOptionsError extends BaseError {
  override readonly name = 'InvalidSandboxOptionsError'
}
