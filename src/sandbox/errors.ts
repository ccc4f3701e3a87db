import { BaseError } from '../core/errors/baseError.ts'

/** Options of a sandbox that contradict themselves. */
export class InvalidSandboxOptionsError extends BaseError {
  override readonly name = 'InvalidSandboxOptionsError'
}
