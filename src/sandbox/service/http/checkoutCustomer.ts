import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import type { Service } from '../service.ts'
import {
  checkSession,
  customerOrUser,
  findSession,
  isWalletNamed,
  missingHeader,
  requiredUserId,
  userIdHeader,
} from './customer.ts'
import { authorizedMerchant, findMerchant, type Merchant, unknownMerchant } from './merchant.ts'
import { invalid, problem } from './problem.ts'
import { checkId } from './readBody.ts'
import type { AppEnv } from './route.ts'

/**
 * Identifies the customer of a call with a session key (PROTOCOL.md 1.3, 2.1). Default merchant: the one in the path.
 *
 * @returns `userId` only if the session key names that user. A `wallet` that the session key does not name is a delivery address, not
 * an identity: look up a customer's rows by `userId` first
 */
export async function checkoutCustomer(
  service: Service,
  context: Context<AppEnv>,
  options: checkoutCustomer.Options = {},
): Promise<CheckoutCustomer> {
  const { merchantId = context.req.param('merchantId') ?? '', needs = [] } = options
  const { headers } = service
  checkId(merchantId, 'merchantId')
  const userId = userIdHeader(service, context)
  const stated = { clientIp: clientIpHeader(service, context), deviceId: deviceIdHeader(service, context) }
  const named = isWalletNamed(service, context)
  // On a service with random nonces, the session key alone identifies the customer (PROTOCOL.md 1.3).
  const isKeyEnough = service.kind === 'randomNonce' && !named && !needs.includes('apiKey')
  const needsWallet = needs.includes('wallet') && !isKeyEnough
  const customer = named || needsWallet ? await customerOrUser(service, context) : undefined
  if (userId === undefined && needs.includes('userId') && !isKeyEnough) throw missingHeader(headers.userId)
  const key = context.req.header(headers.sessionKey)
  if (key === undefined)
    throw problem('UNAUTHENTICATED', `The header ${headers.sessionKey} is missing. Send a session key.`)
  const session = await findSession(service, key)
  context.set('merchantId', session.merchantId)
  const seller = needs.includes('apiKey') ? await authorizedMerchant(service, context) : undefined
  if (session.merchantId !== merchantId || (seller !== undefined && seller.merchantId !== merchantId))
    throw problem('FORBIDDEN', 'The credentials belong to another merchant.')
  checkSession(session, { userId, wallet: customer?.wallet, blockchain: customer?.blockchain })
  const merchant = seller ?? (await findMerchant(service, merchantId))
  if (merchant === undefined) throw unknownMerchant(merchantId)
  return {
    merchant,
    userId: session.userId ?? undefined,
    wallet: customer?.wallet ?? session.wallet ?? undefined,
    blockchain: customer?.blockchain ?? session.blockchain ?? undefined,
    ...stated,
  }
}

/** Identifies the customer of a call with the merchant's API key only, by the user id. */
export async function customerOfMerchant(
  service: Service,
  context: Context<AppEnv>,
): Promise<CheckoutCustomer> {
  const stated = { clientIp: clientIpHeader(service, context), deviceId: deviceIdHeader(service, context) }
  const userId = requiredUserId(service, context)
  const customer = isWalletNamed(service, context) ? await customerOrUser(service, context) : undefined
  const merchant = await authorizedMerchant(service, context)
  return { merchant, userId, wallet: customer?.wallet, blockchain: customer?.blockchain, ...stated }
}

function clientIpHeader(service: Service, context: Context<AppEnv>): string | undefined {
  const name = service.headers.clientIp
  const address = context.req.header(name)
  if (address === undefined || isIP(address) !== 0) return address
  throw invalid(name, `The header ${name} is ${showValue(address)}, not an IP address.`)
}

const maxDeviceIdLength = 256

function deviceIdHeader(service: Service, context: Context<AppEnv>): string | undefined {
  const name = service.headers.deviceId
  const deviceId = context.req.header(name)
  if (deviceId === undefined || (deviceId.trim() !== '' && deviceId.length <= maxDeviceIdLength))
    return deviceId
  throw invalid(name, `The header ${name} must have 1 to ${maxDeviceIdLength} characters, not all blank.`)
}

export declare namespace checkoutCustomer {
  type Options = {
    merchantId?: string | undefined
    /** Default: only the session key. */
    needs?: readonly ('wallet' | 'userId' | 'apiKey')[] | undefined
  }
}

export type CheckoutCustomer = {
  merchant: Merchant
  /** The user that the session key names. */
  userId: string | undefined
  wallet: string | undefined
  blockchain: Blockchain | undefined
  /** As sent by the caller. */
  clientIp?: string | undefined
  /** As sent by the caller. */
  deviceId?: string | undefined
}
