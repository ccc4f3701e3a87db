import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** No folder, or no key, by which a running sandbox could be asked. */
export class SandboxNotKnownError extends BaseError {
  override readonly name = 'SandboxNotKnownError'
}

/** At the address is another program, or a sandbox of another version. */
export class NotASandboxError extends BaseError {
  override readonly name = 'NotASandboxError'
}
