import { BaseError } from './baseError.ts'

/** A person declined in the wallet. Final: nothing is asked again. */
export class UserRejectedError extends BaseError {
  override readonly name = 'UserRejectedError'
}

/** The wallet broke, or cannot do what was asked, for a reason other than a person's no. */
export class WalletFailedError extends BaseError {
  override readonly name = 'WalletFailedError'
}

/** The wallet shows one request at a time, and another one waits there for a person's answer. */
export class WalletRequestPendingError extends BaseError {
  override readonly name = 'WalletRequestPendingError'
}

/** The wallet answered with a signature by another key, or of other bytes. */
export class WrongSignatureError extends BaseError {
  override readonly name = 'WrongSignatureError'
}

/** The signer is of another account than the one that must sign, or its signature is not asked for. */
export class WrongSignerError extends BaseError {
  override readonly name = 'WrongSignerError'
}

/** The wallet, or what it is to sign, belongs to another network. */
export class WrongNetworkError extends BaseError {
  override readonly name = 'WrongNetworkError'
}
