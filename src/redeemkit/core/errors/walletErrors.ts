import { BaseError } from './baseError.ts'

/** The user rejected the request in the wallet. redeemkit shows no further prompt. */
export class UserRejectedError extends BaseError {
  override readonly name = 'UserRejectedError'
}

/** The wallet failed, or does not support the request. The user did not reject it. */
export class WalletFailedError extends BaseError {
  override readonly name = 'WalletFailedError'
  /** Whether the browser blocked the wallet's window. Ask the user to allow pop-ups. */
  readonly isWindowBlocked: boolean

  constructor(shortMessage: string, options: BaseError.Options & { isWindowBlocked?: boolean } = {}) {
    super(shortMessage, options)
    this.isWindowBlocked = options.isWindowBlocked === true
  }
}

/** Another request is already pending in the wallet, which shows only one at a time. */
export class WalletRequestPendingError extends BaseError {
  override readonly name = 'WalletRequestPendingError'
}

/** The wallet returned another account's signature, or a signature of other bytes. */
export class WrongSignatureError extends BaseError {
  override readonly name = 'WrongSignatureError'
}

/** The signer is not the account that must sign, or the account's signature is not needed. */
export class WrongSignerError extends BaseError {
  override readonly name = 'WrongSignerError'
}

/** The customer switched accounts or disconnected before all signatures were made. Later signatures are not submitted. */
export class AccountChangedError extends BaseError {
  override readonly name = 'AccountChangedError'
  /** Whether the customer disconnected, so that no account is connected. */
  readonly isDisconnected: boolean

  constructor(options: { isDisconnected: boolean }) {
    const { isDisconnected } = options
    super(
      `The wallet ${isDisconnected ? 'was disconnected' : 'changed its account'} before everything was signed.`,
      { fix: 'Nothing was submitted. Let the customer start again.' },
    )
    this.isDisconnected = isDisconnected
  }
}

/** The wallet, or the data to sign, is for another network. */
export class WrongNetworkError extends BaseError {
  override readonly name = 'WrongNetworkError'
}
