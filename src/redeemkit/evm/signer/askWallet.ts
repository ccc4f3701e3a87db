import { BaseError } from '../../core/errors/baseError.ts'
import { safeCause } from '../../core/errors/safeCause.ts'
import { describeType, showReason } from '../../core/errors/showValue.ts'
import {
  UserRejectedError,
  WalletFailedError,
  WalletRequestPendingError,
  WrongNetworkError,
} from '../../core/errors/walletErrors.ts'
import { type WalletVerdict, walletVerdict } from '../../core/errors/walletVerdict.ts'

/** An object whose fields must be checked before they are used. */
export type Loose = Readonly<Record<string, unknown>>

/** Calls a wallet function once, and converts its error to a redeemkit error. Errors of redeemkit's own signers stay unchanged. */
export async function askWallet(
  target: Loose,
  name: string,
  ...parameters: readonly unknown[]
): Promise<unknown> {
  try {
    // the caller checked that the function exists
    return await (target[name] as Method).call(target, ...parameters)
  } catch (cause) {
    // `safeCause` first: reading a wallet's error may throw
    if (safeCause(cause) === cause && cause instanceof BaseError) throw cause
    throw said[walletVerdict(cause) ?? 'failed'](cause)
  }
}

export declare namespace askWallet {
  type ErrorType =
    | UserRejectedError
    | WalletFailedError
    | WalletNotConnectedError
    | WalletRequestPendingError
    | WrongNetworkError
}

type Method = (...parameters: readonly unknown[]) => unknown

const said: Readonly<Record<WalletVerdict | 'failed', (cause: unknown) => askWallet.ErrorType>> = {
  rejected: (cause) =>
    new UserRejectedError('The user rejected the request in the wallet.', {
      fix: 'Retry only after another click.',
      source: 'EIP-1193',
      cause,
    }),
  pending: (cause) =>
    new WalletRequestPendingError('Another request is waiting in the wallet.', {
      field: 'signer',
      fix: 'Open the wallet and answer the pending request, then start again.',
      source: 'EIP-1474',
      cause,
    }),
  unconnected: (cause) => notConnected('The wallet is not connected to this page.', cause),
  otherChain: (cause) =>
    otherChain(`The wallet is on another chain: ${reasonOf(cause)}.`, { field: 'signer', cause }),
  windowBlocked: (cause) =>
    new WalletFailedError(`The browser did not open the wallet's window: ${reasonOf(cause)}.`, {
      field: 'signer',
      fix: 'Allow pop-ups for this page, prepare the request beforehand, and ask for the signature directly in a click handler.',
      isWindowBlocked: true,
      cause,
    }),
  failed: (cause) =>
    new WalletFailedError(`The wallet failed: ${reasonOf(cause)}.`, {
      field: 'signer',
      fix: 'Check that the wallet is unlocked and supports this request, then start again. The request was not repeated.',
      cause,
    }),
}

export function notConnected(message: string, cause?: unknown): WalletNotConnectedError {
  return new WalletNotConnectedError(message, {
    field: 'signer',
    fix: 'Connect the wallet first with eth_requestAccounts, and select the account in the wallet.',
    source: 'EIP-1102',
    cause,
  })
}

export function otherChain(message: string, options: { field: string; cause?: unknown }): WrongNetworkError {
  return new WrongNetworkError(message, {
    ...options,
    fix: 'Switch the wallet with wallet_switchEthereumChain, then sign; a WalletConnect session must include this chain.',
    source: 'EIP-3326',
  })
}

/** Returns the first line of a wallet's error message, without possible secrets. */
function reasonOf(error: unknown): string {
  try {
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
    if (typeof message === 'string') return showReason(message.split('\n', 1).join(''))
  } catch {
    // Reading the error threw.
  }
  return describeType(error)
}

/** The wallet gives this page access to no account. */
export class WalletNotConnectedError extends BaseError {
  override readonly name = 'WalletNotConnectedError'
}
