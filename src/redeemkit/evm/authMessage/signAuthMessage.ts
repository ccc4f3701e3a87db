import type { Address } from 'viem'
import {
  type AuthMessageExpiredError,
  type AuthMessageMismatchError,
  claimsSignIn,
  type InvalidAuthMessageError,
  isPlainText,
  PlainTextNotAllowedError,
} from '../../core/authMessage.ts'
import type { SignedAuth } from '../../core/chainAdapter.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import type { Clock, InvalidClockError } from '../../core/clock.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { checkWallet } from '../signer/signTypedData.ts'
import { type EvmSigner, toSigner, type UnsupportedSignerError } from '../signer/toSigner.ts'
import { checkChainId, checkText, type InvalidChainIdError, InvalidTextError } from '../values.ts'
import { parseSiweMessage, siweProblems } from './siweMessage.ts'

/**
 * Signs the service's sign-in message, after checking that the message only signs this wallet in to this site.
 *
 * The message must be a valid EIP-4361 text for this address, chain and site, and must not have expired. With `allowPlainText`, it may
 * also be other text, unless that text claims to be a sign-in message or has invisible characters.
 *
 * @param signer viem account, wallet client, EIP-1193 provider, or ethers v6 signer
 * @returns the signature for the signed-message header, which is a credential, and its expiry in unix seconds
 * @throws before any prompt: InvalidOptionError for an unknown option; PlainTextNotAllowedError, InvalidAuthMessageError,
 * AuthMessageMismatchError, AuthMessageExpiredError, WrongSignerError, WrongNetworkError. From the prompt: UserRejectedError,
 * WalletFailedError, InvalidWalletAnswerError
 * @example
 * ```ts
 * import { signAuthMessage } from 'redeemkit/evm'
 * import type { EvmSigner } from 'redeemkit/evm'
 * const signIn = (wallet: EvmSigner, address: `0x${string}`, message: string) =>
 *   signAuthMessage(wallet, { message, address, chainId: 8453, domains: ['api.example.com'] })
 * ```
 */
export async function signAuthMessage(
  signer: EvmSigner,
  options: signAuthMessage.Options,
): Promise<SignedAuth> {
  checkOptions(options, {
    message: 'any',
    address: 'any',
    chainId: 'any',
    domains: 'any',
    allowPlainText: 'boolean?',
    now: 'any',
  })
  const { allowPlainText = false, now } = options
  const domains = checkDomains(options.domains)
  const message = checkText(options.message, 'message')
  const chainId = checkChainId(options.chainId, 'chainId')
  const wallet = toSigner(signer)
  const address =
    options.address === undefined
      ? await wallet.getAddress()
      : checkNonZeroAddress(options.address, 'address')
  const expirationTime = checkMessage(message, { address, chainId, domains, allowPlainText, now })
  await checkWallet(wallet, { address, addressField: 'address', chainId, chainField: 'chainId' })
  const signedMessage = await wallet.signMessage(message, { address })
  return expirationTime === undefined
    ? { signedMessage }
    : { signedMessage, expiresAt: Math.floor(expirationTime / 1000) }
}

export declare namespace signAuthMessage {
  type Options = {
    /** The `message` from the response of `GET /api/auth`. */
    message: string
    /** The wallet that signs in. Default: the signer's own account. */
    address?: Address | undefined
    chainId: number
    /** Hosts that may request the sign-in, each with its port if it has one: the service's host, or the page's. */
    domains: readonly string[]
    /** Also signs text that is not a sign-in message. Default false. */
    allowPlainText?: boolean | undefined
    /** Returns milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type ReturnType = SignedAuth
  type ErrorType =
    | checkOptions.ErrorType
    | checkWallet.ErrorType
    | AuthMessageExpiredError
    | AuthMessageMismatchError
    | InvalidAuthMessageError
    | InvalidChainIdError
    | InvalidClockError
    | InvalidTextError
    | PlainTextNotAllowedError
    | UnsupportedSignerError
}

/** Callers without TypeScript can omit `domains`; a message from any site would then be accepted. */
function checkDomains(domains: unknown): readonly string[] {
  if (!Array.isArray(domains))
    throw new InvalidTextError(`${showValue(domains)} is not a list of sites.`, {
      field: 'domains',
      fix: 'Pass the allowed hosts, such as ["service.example"].',
    })
  return domains.map((domain, index) => checkText(domain, `domains[${index}]`))
}

/** Returns the message's expiry in unix milliseconds; `undefined` if it has none. */
function checkMessage(
  message: string,
  // every value is required here, so that none is left uncompared
  options: siweProblems.Options & {
    address: Address
    chainId: number
    domains: readonly string[]
    allowPlainText: boolean
  },
): number | undefined {
  if (!claimsSignIn(message)) {
    if (options.allowPlainText && isPlainText(message)) return undefined
    throw new PlainTextNotAllowedError(`The message ${showValue(message)} is not a sign-in message.`, {
      field: 'message',
      fix: 'Ask the service for an EIP-4361 message, or set allowPlainText if it has no other.',
      source: 'EIP-4361',
    })
  }
  const parsed = parseSiweMessage(message)
  const [problem] = siweProblems(parsed, options)
  if (problem !== undefined) throw problem
  return parsed.expirationTime
}
