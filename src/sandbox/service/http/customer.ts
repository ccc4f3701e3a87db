import type { Context } from 'hono'
import {
  type Blockchain,
  blockchains,
  chainFamily,
  type EvmBlockchain,
  isEvmBlockchain,
} from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { AuthVerifier } from '../../chains/authVerifier.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { acceptSignedMessage } from '../auth/challenges.ts'
import { checkSession } from '../auth/checkSession.ts'
import { findSession } from '../auth/findSession.ts'
import { siteUrl } from '../auth/siteUrl.ts'
import type { Service } from '../service.ts'
import { problem, ServiceProblem } from './problem.ts'
import type { AppEnv } from './route.ts'
import { userIdHeader } from './userIdHeader.ts'

/** The blockchain of the end user, from its header. */
function blockchainHeader(service: Service, context: Context<AppEnv>): Blockchain {
  const name = service.headers.blockchain
  const value = context.req.header(name)
  const blockchain = blockchains.find((known) => known === value)
  if (blockchain === undefined)
    throw problem(
      'INVALID_REQUEST',
      value === undefined
        ? `Header ${name} is missing.`
        : `Header ${name} is ${showValue(value)}; it must be one of ${blockchains.join(', ')}.`,
      { issues: [name] },
    )
  return blockchain
}

/** The end user's wallet and chain, from their headers, with the verifier of the chain's family. */
export async function walletHeaders(
  service: Service,
  context: Context<AppEnv>,
): Promise<{ blockchain: Blockchain; wallet: string; verifier: AuthVerifier }> {
  const blockchain = blockchainHeader(service, context)
  const verifier = await service.authVerifier(chainFamily(blockchain))
  if (verifier === undefined)
    throw problem('INVALID_REQUEST', `This service does not sign people in on ${blockchain}.`, {
      issues: [service.headers.blockchain],
    })
  const text = context.req.header(service.headers.wallet)
  if (text === undefined)
    throw problem('INVALID_REQUEST', `Header ${service.headers.wallet} is missing.`, {
      issues: [service.headers.wallet],
    })
  try {
    return { blockchain, wallet: verifier.parseWallet(text), verifier }
  } catch (cause) {
    if (!(cause instanceof BaseError) || cause instanceof ServiceProblem) throw cause
    throw problem('INVALID_REQUEST', `${cause.shortMessage} ${cause.fix ?? ''}`.trim(), {
      cause,
      issues: [service.headers.wallet],
    })
  }
}

/** A customer on an EVM chain that this service serves. */
export type EvmCustomer = { chain: EvmChain; wallet: `0x${string}` }

/** The customer of a redeem call: wallet and blockchain headers, without a look at credentials. */
export async function evmCustomer(service: Service, context: Context<AppEnv>): Promise<EvmCustomer> {
  const { blockchain, wallet } = await walletHeaders(service, context)
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  return { chain, wallet: checkNonZeroAddress(wallet, service.headers.wallet) }
}

/** The served EVM chain of a blockchain name. */
export function evmChain(service: Service, blockchain: Blockchain, field: string): EvmChain {
  const name: EvmBlockchain | undefined = isEvmBlockchain(blockchain) ? blockchain : undefined
  const chain = name === undefined ? undefined : service.chains.get(name)
  if (chain !== undefined) return chain
  throw problem(
    'INVALID_REQUEST',
    name === undefined
      ? `There are no credits on ${blockchain}: a redeem works on EVM chains.`
      : `This service does not serve ${blockchain}; it serves ${[...service.chains.keys()].join(', ')}.`,
    { issues: [field] },
  )
}

/**
 * Checks the credentials that came along: after everything that is a 400. They are not required (PROTOCOL.md 2.2;
 * the signed permit is the proof), unless the service is set so, but a wrong one is refused.
 *
 * @param options.merchantId the merchant that the call is about, where it is about one: a session key of another is refused
 */
export async function checkCredentials(
  service: Service,
  context: Context<AppEnv>,
  options: { merchantId?: string | undefined } = {},
): Promise<void> {
  const key = context.req.header(service.headers.sessionKey)
  const signedMessage = context.req.header(service.headers.signedMessage)
  if (key !== undefined) await checkSessionKey(service, context, { key, ...options })
  if (signedMessage !== undefined) await checkSignedMessage(service, context, signedMessage)
  if (service.settings.requireSignIn && key === undefined && signedMessage === undefined)
    throw problem(
      'UNAUTHENTICATED',
      `Sign in first: this service asks for ${service.headers.signedMessage} or ${service.headers.sessionKey}.`,
    )
}

/** Whether the signed message is this wallet's credential; the first time, this consumes its nonce. */
export async function checkSignedMessage(
  service: Service,
  context: Context<AppEnv>,
  signedMessage: string,
): Promise<void> {
  const customer = await walletHeaders(service, context)
  const { url } = context.req
  const { origin } = siteUrl(service.settings, { url, origin: context.req.header('origin') })
  if (!(await acceptSignedMessage(service, { ...customer, signedMessage, origin })))
    throw problem(
      'UNAUTHENTICATED',
      'The signed message is not valid for this wallet, has expired, or was used with another signature. Sign in again.',
    )
}

async function checkSessionKey(
  service: Service,
  context: Context<AppEnv>,
  options: { key: string; merchantId?: string | undefined },
): Promise<void> {
  const { key, merchantId } = options
  const userId = userIdHeader(service, context)
  const { blockchain, wallet } = await walletHeaders(service, context)
  const session = await findSession(service, key)
  context.set('merchantId', session.merchantId)
  if (merchantId !== undefined && session.merchantId !== merchantId)
    throw problem('FORBIDDEN', 'The session key belongs to another merchant.')
  checkSession(session, { userId, wallet, blockchain })
}
