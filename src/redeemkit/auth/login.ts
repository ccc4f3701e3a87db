import { getAuthMessage, verifyAuth } from '../api/endpoints/auth.ts'
import { RequestAbortedError } from '../api/errors.ts'
import type { CallOptions, PaymentsClient } from '../api/paymentsClient.ts'
import type { Blockchain } from '../core/blockchains.ts'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * Proves to the service that the customer holds the wallet: fetches the message, checks it, lets the wallet
 * sign it, verifies it. The client keeps the credential, and its later calls for this wallet carry it.
 *
 * The wallet is asked only when the message has passed: its address, chain, domain, uri, expiry and format.
 *
 * @param options.adapter the wallet: `evmAdapter`, `solanaAdapter` or `stellarAdapter`
 * @returns the credential: good until `expiresAt`, unix seconds. Never log it
 * @throws {@link NoAdapterError} when there is none; InvalidOptionError for an option that is misspelt or of another type
 * @throws {@link WrongWalletError} when the client is for another wallet
 * @throws {@link InvalidAuthSignatureError} when the wallet signed something else; nothing is sent then
 * @throws the adapter's own errors for a message that must not be signed and for a user's no; those of the
 * endpoints
 *
 * Source: PROTOCOL.md 8.1.
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
    throw new InvalidAuthSignatureError('The wallet signed something else than the sign-in message.', {
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
    /** Takes a message of no known format. Default false. */
    allowPlainText?: boolean | undefined
    /** Hosts that may stand in the message. Default: the service's own, and the page's when there is one. */
    domains?: readonly string[] | undefined
  }
  type ReturnType = {
    wallet: string
    blockchain: Blockchain
    /** The credential, as the header carries it. */
    signedMessage: string
    /** Unix seconds from which on it is worthless, when the message says so. */
    expiresAt: number | undefined
  }
  /**
   * What the adapter throws comes on top: `signAuthMessage.ErrorType` and `verifyAuthMessage.ErrorType` of
   * its chain.
   */
  type ErrorType =
    | NoAdapterError
    | WrongWalletError
    | InvalidAuthSignatureError
    | checkOptions.ErrorType
    | getAuthMessage.ErrorType
    | verifyAuth.ErrorType
}

/** Waits for a wallet, which may never answer, until the caller has had enough. A late answer is left alone. */
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

/** A caller in JavaScript may give the wallet where its adapter belongs. */
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
  throw new NoAdapterError('No adapter says which wallet signs in, and on which chain.', {
    field: 'adapter',
    fix: 'Make evmAdapter, solanaAdapter or stellarAdapter, each of its own entry point, with the wallet.',
  })
}

function expectedDomains(client: PaymentsClient): string[] {
  const page = globalThis.location?.host
  const own = new URL(client.baseUrl).host
  return page ? [own, page] : [own]
}

/** The wallet at hand is not the one that the client is for. */
export class WrongWalletError extends BaseError {
  override readonly name = 'WrongWalletError'
}

/** What the wallet gave is not its signature of the message. */
export class InvalidAuthSignatureError extends BaseError {
  override readonly name = 'InvalidAuthSignatureError'
}

/** A login without an adapter. */
export class NoAdapterError extends BaseError {
  override readonly name = 'NoAdapterError'
}
