import { BaseError } from '../redeemkit/core/errors/baseError.ts'

/** Options of a sandbox that contradict themselves, or that this machine cannot follow. */
export class InvalidSandboxOptionsError extends BaseError {
  override readonly name = 'InvalidSandboxOptionsError'
}
