import { eq } from 'drizzle-orm'
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
import { anyAddress } from '../../../redeemkit/schema/values.ts'
import type { AuthVerifier } from '../../chains/authVerifier.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { hashSecret } from '../../store/setMerchants.ts'
import { sessionKeys } from '../../store/tables/index.ts'
import { acceptSignedMessage } from '../auth/challenges.ts'
import { siteUrl } from '../auth/merchantJwt.ts'
import type { Service } from '../service.ts'
import { invalid, problem, ServiceProblem } from './problem.ts'
import type { AppEnv } from './route.ts'

export const maxUserIdLength = 256

/** Reads the end user's id, which the merchant assigned. Returns undefined without the header. */
export function userIdHeader(service: Service, context: Context<AppEnv>): string | undefined {
  const name = service.headers.userId
  const userId = context.req.header(name)
  if (userId === undefined) return undefined
  if (userId.trim() === '' || userId.length > maxUserIdLength)
    throw invalid(
      name,
      `Header ${name} must be a text of 1 to ${maxUserIdLength} characters and must not be blank.`,
    )
  return userId
}

export function requiredUserId(service: Service, context: Context<AppEnv>): string {
  const userId = userIdHeader(service, context)
  if (userId === undefined) throw missingHeader(service.headers.userId)
  return userId
}

export function missingHeader(name: string): ServiceProblem {
  return invalid(name, `Header ${name} is missing.`)
}

function blockchainHeader(service: Service, context: Context<AppEnv>): Blockchain {
  const name = service.headers.blockchain
  const value = context.req.header(name)
  if (value === undefined) throw missingHeader(name)
  const blockchain = blockchains.find((known) => known === value)
  if (blockchain === undefined)
    throw invalid(name, `Header ${name} is ${showValue(value)}; it must be one of ${blockchains.join(', ')}.`)
  return blockchain
}

export async function walletHeaders(
  service: Service,
  context: Context<AppEnv>,
): Promise<{ blockchain: Blockchain; wallet: string; verifier: AuthVerifier }> {
  const blockchain = blockchainHeader(service, context)
  const verifier = await service.authVerifier(chainFamily(blockchain))
  if (verifier === undefined)
    throw invalid(service.headers.blockchain, `This service does not support sign-in on ${blockchain}.`)
  const text = context.req.header(service.headers.wallet)
  if (text === undefined) throw missingHeader(service.headers.wallet)
  try {
    return { blockchain, wallet: verifier.parseWallet(text), verifier }
  } catch (cause) {
    if (!(cause instanceof BaseError) || cause instanceof ServiceProblem) throw cause
    throw invalid(service.headers.wallet, `${cause.shortMessage} ${cause.fix ?? ''}`.trim(), cause)
  }
}

/** Requires no sign-in. With random nonces, the session key replaces missing headers, as on deployed services (PROTOCOL.md 1.3). */
export async function customerWallet(
  service: Service,
  context: Context<AppEnv>,
): Promise<{ blockchain: Blockchain; wallet: string }> {
  const { headers } = service
  const key = context.req.header(headers.sessionKey)
  if (service.kind === 'randomNonce' && !isWalletNamed(service, context) && key !== undefined) {
    const { wallet, blockchain } = await findSession(service, key)
    if (wallet !== null && blockchain !== null) return { wallet, blockchain }
  }
  return walletHeaders(service, context)
}

export function isWalletNamed({ headers }: Service, context: Context<AppEnv>): boolean {
  return [headers.wallet, headers.blockchain].some((name) => context.req.header(name) !== undefined)
}

/** Reads the customer like `customerWallet`. The blockchain may also be `user`: then the wallet is any name that the merchant chose. */
export async function customerOrUser(
  service: Service,
  context: Context<AppEnv>,
): Promise<{ blockchain: Blockchain; wallet: string }> {
  const { headers } = service
  if (context.req.header(headers.blockchain) !== 'user') return customerWallet(service, context)
  const wallet = anyAddress.safeParse(context.req.header(headers.wallet))
  if (wallet.success) return { blockchain: 'user', wallet: wallet.data }
  throw invalid(headers.wallet, `The header ${headers.wallet} is missing or not printable ASCII.`)
}

export type EvmCustomer = { chain: EvmChain; wallet: `0x${string}` }

/** Reads the customer of a redeem call without checking credentials. */
export async function evmCustomer(service: Service, context: Context<AppEnv>): Promise<EvmCustomer> {
  const { blockchain, wallet } = await customerWallet(service, context)
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  return { chain, wallet: checkNonZeroAddress(wallet, service.headers.wallet) }
}

export function evmChain(service: Service, blockchain: Blockchain, field: string): EvmChain {
  const name: EvmBlockchain | undefined = isEvmBlockchain(blockchain) ? blockchain : undefined
  const chain = name === undefined ? undefined : service.chains.get(name)
  if (chain !== undefined) return chain
  throw invalid(
    field,
    name === undefined
      ? `Credits exist on EVM chains only, not on ${blockchain}.`
      : `This service does not support ${blockchain}. It supports ${[...service.chains.keys()].join(', ')}.`,
  )
}

/**
 * Call this after all checks that cause a 400. Credentials are optional unless the service requires sign-in (PROTOCOL.md 2.2; the
 * signed permit is the proof), but invalid ones are rejected. A session key of another merchant is rejected too.
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
      `Sign in first: send ${service.headers.signedMessage} or ${service.headers.sessionKey}.`,
    )
}

/** The first use of a signed message consumes its nonce. */
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
  { key, merchantId }: { key: string; merchantId?: string | undefined },
): Promise<void> {
  const userId = userIdHeader(service, context)
  const { blockchain, wallet } = await customerWallet(service, context)
  const session = await findSession(service, key)
  context.set('merchantId', session.merchantId)
  if (merchantId !== undefined && session.merchantId !== merchantId)
    throw problem('FORBIDDEN', 'The session key belongs to another merchant.')
  checkSession(session, { userId, wallet, blockchain })
}

/** Checks that a session key belongs to the customer in the headers. Compares the wallet only if the key names one. */
export function checkSession(
  session: Session,
  customer: {
    userId: string | undefined
    wallet: string | undefined
    blockchain: Blockchain | undefined
  },
): void {
  const { userId, wallet, blockchain } = customer
  if (userId !== undefined && userId !== session.userId)
    throw problem('FORBIDDEN', 'The session key belongs to another customer or has no user id.')
  const other = wallet !== session.wallet || blockchain !== session.blockchain
  if (wallet !== undefined && session.wallet !== null && other)
    throw problem('FORBIDDEN', 'The session key belongs to another wallet. Request one for this wallet.')
}

type Session = Omit<typeof sessionKeys.$inferSelect, 'keyHash'>

/** Returns the session of a key; throws if the key is unknown or has expired (PROTOCOL.md 1.3). */
export async function findSession(service: Service, key: string): Promise<Session> {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(sessionKeys)
    .where(eq(sessionKeys.keyHash, hashSecret(key)))
  if (row === undefined || row.expiresAt.getTime() <= service.now())
    throw problem('UNAUTHENTICATED', 'The session key is unknown or has expired. Request a new one.')
  const { keyHash: _, ...session } = row
  return session
}
