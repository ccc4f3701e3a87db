import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkSession, findSession } from '../auth/session.ts'
import type { Service } from '../service.ts'
import { userIdHeader, walletHeaders } from './customer.ts'
import { authorizedMerchant, findMerchant, type Merchant, unknownMerchant } from './merchant.ts'
import { problem } from './problem.ts'
import { checkId } from './readBody.ts'
import type { AppEnv } from './route.ts'

/**
 * Who buys, and from whom: what checkout and subscription calls with a session key are told by their headers
 * (PROTOCOL.md 1.3, 2.1).
 *
 * @param options.merchantId from the path or the body
 * @param options.needs headers that the endpoint asks for beside the session key
 * @returns `userId` only when the session key names that user. A `wallet` beside it that the session key does not name is where
 * the user wants things delivered, and is no proof of who they are: look up a customer's rows by `userId` first
 * @throws in this order: a 400 for headers that are missing or wrong, a 401 without a good session key, a 403 for the session
 * key of another merchant or customer, a 404 for a merchant that is not there
 */
export async function checkoutCustomer(
  service: Service,
  context: Context<AppEnv>,
  options: checkoutCustomer.Options,
): Promise<CheckoutCustomer> {
  const { merchantId, needs = [] } = options
  const { headers } = service
  checkId(merchantId, 'merchantId')
  const userId = userIdHeader(service, context)
  const clientIp = clientIpHeader(service, context)
  const named = [headers.wallet, headers.blockchain].some((name) => context.req.header(name) !== undefined)
  const customer = named || needs.includes('wallet') ? await walletHeaders(service, context) : undefined
  if (userId === undefined && needs.includes('userId'))
    throw problem('INVALID_REQUEST', `Header ${headers.userId} is missing.`, { issues: [headers.userId] })
  const key = context.req.header(headers.sessionKey)
  if (key === undefined)
    throw problem(
      'UNAUTHENTICATED',
      `Header ${headers.sessionKey} is missing: this call needs a session key.`,
    )
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
    clientIp,
  }
}

/** @throws a 400 for what is no IP address */
function clientIpHeader(service: Service, context: Context<AppEnv>): string | undefined {
  const name = service.headers.clientIp
  const address = context.req.header(name)
  if (address === undefined || isIP(address) !== 0) return address
  throw problem('INVALID_REQUEST', `Header ${name} is no IP address.`, { issues: [name] })
}

export declare namespace checkoutCustomer {
  type Options = {
    merchantId: string
    /** Default: the session key alone. */
    needs?: readonly ('wallet' | 'userId' | 'apiKey')[] | undefined
  }
}

export type CheckoutCustomer = {
  merchant: Merchant
  /** As the session key names them. */
  userId: string | undefined
  wallet: string | undefined
  blockchain: Blockchain | undefined
  /** The end user's IP address, as whoever calls says. */
  clientIp?: string | undefined
}
