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

/** What is read by name and checked before it is used. */
export type Loose = Readonly<Record<string, unknown>>

/**
 * Calls a function of a wallet, and says in our words when it refuses or fails. Nothing is asked a second time.
 *
 * @throws UserRejectedError, WalletRequestPendingError, {@link WalletNotConnectedError}, WrongNetworkError, WalletFailedError;
 * what a signer of ours says of itself comes through as it is
 */
export async function askWallet(
  target: Loose,
  name: string,
  ...parameters: readonly unknown[]
): Promise<unknown> {
  try {
    // the caller has checked that there is such a function
    return await (target[name] as Method).call(target, ...parameters)
  } catch (cause) {
    // Its class is asked of ours alone: an error of a wallet may break at that.
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
    new UserRejectedError('The user said no in the wallet.', {
      fix: 'Respect it: ask again only when the user starts again.',
      docs: 'EIP-1193',
      cause,
    }),
  pending: (cause) =>
    new WalletRequestPendingError('Another request is waiting in the wallet.', {
      field: 'signer',
      fix: 'Open the wallet and answer it, then start again. Nothing was asked a second time.',
      docs: 'EIP-1474',
      cause,
    }),
  unconnected: (cause) => notConnected('The wallet is not connected to this page.', cause),
  otherChain: (cause) =>
    otherChain(`The wallet is on another chain: ${reasonOf(cause)}.`, { field: 'signer', cause }),
  windowBlocked: (cause) =>
    new WalletFailedError(`The browser did not open the wallet's window: ${reasonOf(cause)}.`, {
      field: 'signer',
      fix: 'Let this page open windows, and ask for the signature directly after a click: prepare everything before it.',
      cause,
    }),
  failed: (cause) =>
    new WalletFailedError(`The wallet failed: ${reasonOf(cause)}.`, {
      field: 'signer',
      fix: 'Check that the wallet is unlocked and can sign this, then start again. Nothing was asked in another way.',
      cause,
    }),
}

/** The error for a wallet that has not let this page in. */
export function notConnected(message: string, cause?: unknown): WalletNotConnectedError {
  return new WalletNotConnectedError(message, {
    field: 'signer',
    fix: 'Connect it first with eth_requestAccounts, and choose the account in the wallet.',
    docs: 'EIP-1102',
    cause,
  })
}

/** The error for a wallet that stands on another chain than it must. */
export function otherChain(message: string, options: { field: string; cause?: unknown }): WrongNetworkError {
  return new WrongNetworkError(message, {
    ...options,
    fix: 'Switch the wallet with wallet_switchEthereumChain, then sign; a session of WalletConnect has to be opened with this chain.',
    docs: 'EIP-3326',
  })
}

/** The first line of a foreign error; what may be a secret is left out of it. */
function reasonOf(error: unknown): string {
  try {
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
    if (typeof message === 'string') return showReason(message.split('\n', 1).join(''))
  } catch {
    // an error that breaks while it is read says nothing
  }
  return describeType(error)
}

/** The wallet shows no account to this page. */
export class WalletNotConnectedError extends BaseError {
  override readonly name = 'WalletNotConnectedError'
}
