import { getAuthMessage, verifyAuth } from '../api/endpoints/auth.ts'
import { RequestAbortedError } from '../api/errors.ts'
import type { CallOptions, PaymentsClient } from '../api/paymentsClient.ts'
import type { Blockchain } from '../core/blockchains.ts'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * Signs the customer in: fetches the sign-in message, checks it, asks the wallet to sign it, and verifies the signature. Later calls
 * of the client with this wallet send the credential.
 *
 * Asks the wallet only after checking the message's address, chain, domain, URI, expiry and format.
 *
 * @param options.adapter the wallet, from `evmAdapter`, `solanaAdapter` or `stellarAdapter`
 * @returns the credential, valid until `expiresAt` (unix seconds). Never log it
 * @throws {@link NoAdapterError} without an adapter; InvalidOptionError for an unknown option or one of the wrong type
 * @throws {@link WrongWalletError} when the client is for another wallet
 * @throws {@link InvalidAuthSignatureError} when the wallet did not sign this message; the signature is not sent
 * @throws the adapter's errors for a message that must not be signed, and for a rejection; the errors of the endpoints
 *
 * @see PROTOCOL.md 8.1
 * @example
 * ```ts
 * import { createPaymentsClient, login } from 'redeemkit'
 * const client = createPaymentsClient({
 *   baseUrl: 'https://service.example',
 *   merchantId: 'shop',
 *   blockchain: 'base',
 * })
 * const enter = (adapter: login.Options['adapter']) => login(client, { adapter })
 * ```
 */
export async function login(client: PaymentsClient, options: login.Options): Promise<login.ReturnType> {
  const { adapter, allowPlainText, signal, timeoutMs } = checkLogin(options)
  const { blockchain } = adapter
  const ask = <answer>(answer: Promise<answer>) => unlessAborted(answer, signal)
  const wallet = await ask(adapter.getAddress())
  const same = adapter.family === 'evm' ? (text: string) => text.toLowerCase() : (text: string) => text
  if (client.wallet !== undefined && client.blockchain === blockchain && same(client.wallet) !== same(wallet))
    throw new WrongWalletError(
      `The wallet is ${showValue(wallet)}; the client is for ${showValue(client.wallet)}.`,
      { field: 'wallet', fix: 'Switch the account in the wallet, or use client.with({ wallet }).' },
    )
  const call = { wallet, blockchain, signal, timeoutMs }
  const challenge = await getAuthMessage(client, call)
  const { now } = client
  const expectation = { domains: options.domains ?? expectedDomains(client), allowPlainText, now }
  const signed = await ask(adapter.signAuthMessage(challenge, expectation))
  if (!(await ask(adapter.verifyAuthMessage(challenge, signed, expectation))))
    throw new InvalidAuthSignatureError('The signature of the sign-in message is not from this wallet.', {
      field: 'signedMessage',
      fix: 'Check which account the wallet signs with, and log in again.',
    })
  const { signedMessage, expiresAt } = signed
  await verifyAuth(client, { ...call, signedMessage })
  client.keepSignedMessage({ wallet, blockchain, signedMessage, expiresAt })
  return { wallet, blockchain, signedMessage, expiresAt }
}

export declare namespace login {
  type Options = Pick<CallOptions, 'signal' | 'timeoutMs'> & {
    /** The wallet on its chain. */
    adapter: ChainAdapter
    /** Accepts a message in an unknown format. Default false. */
    allowPlainText?: boolean | undefined
    /** Hosts that the message may name. Default: the service's and the page's. */
    domains?: readonly string[] | undefined
  }
  type ReturnType = {
    wallet: string
    blockchain: Blockchain
    /** The credential, as sent in the header. */
    signedMessage: string
    /** Unix seconds at which it expires, if the message says so. */
    expiresAt: number | undefined
  }
  /** Also the errors of the adapter: `signAuthMessage.ErrorType` and `verifyAuthMessage.ErrorType` of its chain. */
  type ErrorType =
    | NoAdapterError
    | WrongWalletError
    | InvalidAuthSignatureError
    | checkOptions.ErrorType
    | getAuthMessage.ErrorType
    | verifyAuth.ErrorType
}

async function unlessAborted<answer>(
  answer: Promise<answer>,
  signal: AbortSignal | undefined,
): Promise<answer> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new RequestAbortedError({ sent: false }))
  })
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  try {
    return await Promise.race([aborted, answer])
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Checks the options. The error says how to create an adapter, because a caller may have passed a wallet instead. */
function checkLogin(options: login.Options): login.Options {
  const { family, blockchain, getAddress, signAuthMessage, verifyAuthMessage } = Object(
    Object(options).adapter,
  )
  const isAdapter =
    typeof family === 'string' &&
    typeof blockchain === 'string' &&
    [getAddress, signAuthMessage, verifyAuthMessage].every((method) => typeof method === 'function')
  if (isAdapter)
    return checkOptions(options, {
      adapter: 'object',
      allowPlainText: 'boolean?',
      domains: 'list?',
      signal: 'object?',
      timeoutMs: 'any',
    })
  throw new NoAdapterError('The adapter is missing.', {
    field: 'adapter',
    fix: 'Create one from the wallet with `evmAdapter`, `solanaAdapter` or `stellarAdapter`, each from its own entry point.',
  })
}

function expectedDomains(client: PaymentsClient): string[] {
  const page = globalThis.location?.host
  const own = new URL(client.baseUrl).host
  return page ? [own, page] : [own]
}

/** The wallet differs from the client's. */
export class WrongWalletError extends BaseError {
  override readonly name = 'WrongWalletError'
}

/** The wallet returned something other than its signature of the message. */
export class InvalidAuthSignatureError extends BaseError {
  override readonly name = 'InvalidAuthSignatureError'
}

/** `login` was called without an adapter. */
export class NoAdapterError extends BaseError {
  override readonly name = 'NoAdapterError'
}
