import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** Something that was asked of the sandbox did not end, so that it cannot be held still. */
export class SandboxBusyError extends BaseError {
  override readonly name = 'SandboxBusyError'

  constructor(waitedMs: number) {
    super(`What was asked of the sandbox is still on its way after ${waitedMs / 1000} s.`, {
      fix: 'Wait for the answers of your own requests first, and mine a block where something waits for one.',
    })
  }
}
