import { BaseError } from './baseError.ts'

/** The user rejected the request in the wallet. Final: no further prompt follows. */
export class UserRejectedError extends BaseError {
  override readonly name = 'UserRejectedError'
}

/** The wallet failed or does not support the request. Not a rejection by the user. */
export class WalletFailedError extends BaseError {
  override readonly name = 'WalletFailedError'
  /** Whether the browser blocked the wallet's window. Ask the user to allow pop-ups. */
  readonly isWindowBlocked: boolean

  constructor(shortMessage: string, options: BaseError.Options & { isWindowBlocked?: boolean } = {}) {
    super(shortMessage, options)
    this.isWindowBlocked = options.isWindowBlocked === true
  }
}

/** Another request is already pending in the wallet, which shows one at a time. */
export class WalletRequestPendingError extends BaseError {
  override readonly name = 'WalletRequestPendingError'
}

/** The wallet returned a signature by another key or of other bytes. */
export class WrongSignatureError extends BaseError {
  override readonly name = 'WrongSignatureError'
}

/** The signer is a different account than the one that must sign, or its signature is not needed. */
export class WrongSignerError extends BaseError {
  override readonly name = 'WrongSignerError'
}

/** The customer switched accounts, or disconnected, before everything was signed. What they sign afterwards is not submitted. */
export class AccountChangedError extends BaseError {
  override readonly name = 'AccountChangedError'
  /** Whether no account is connected any more. */
  readonly isDisconnected: boolean

  constructor(options: { isDisconnected: boolean }) {
    const { isDisconnected } = options
    super(
      `The wallet ${isDisconnected ? 'was disconnected' : 'changed its account'} before everything was signed.`,
      {
        fix: 'Nothing was submitted. Let the customer start again.',
      },
    )
    this.isDisconnected = isDisconnected
  }
}

/** The wallet, or the data to sign, is for another network. */
export class WrongNetworkError extends BaseError {
  override readonly name = 'WrongNetworkError'
}
