import { amountPerCent } from '../../../../redeemkit/core/amount/centsToAmount.ts'
import type { Blockchain } from '../../../../redeemkit/core/blockchains.ts'
import { checkAddress } from '../../../../redeemkit/evm/checkAddress.ts'
import type {
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from '../../../../redeemkit/schema/usdcAuthorization.ts'
import { evmChain } from '../../http/customer.ts'
import { problem } from '../../http/problem.ts'
import type { Service } from '../../service.ts'
import { convertCents } from './convertCents.ts'
import type { PaymentTotals } from './paymentTotals.ts'

/**
 * What is left to pay on the rail when the customer pays a part in USDC (PROTOCOL.md 2.3, 10.2).
 *
 * @returns cents of the totals' currency; all of the total without an authorization
 * @throws ServiceProblem for an authorization that is not this customer's to this service, has no whole cents, or covers
 * the whole total
 */
export function centsOnRail(
  service: Service,
  options: {
    totals: PaymentTotals
    wallet: string | undefined
    blockchain: Blockchain | undefined
    body: {
      customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
      customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
    }
  },
): bigint {
  const { totals, wallet, blockchain, body } = options
  const { totalCents, currency } = totals
  const field = body.customerUsdcTransferData ? 'customerUsdcTransferData' : 'customerUsdcTransferDataV2'
  const authorization = body[field]
  if (authorization === undefined) return totalCents
  if (blockchain === undefined || wallet === undefined)
    throw problem('INVALID_REQUEST', `${field} needs headers ${service.headers.wallet} and blockchain.`, {
      issues: [service.headers.wallet],
    })
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  if (chain.usdc === undefined || chain.paymentSettlement === undefined)
    throw problem('INVALID_REQUEST', `No payment on ${blockchain} takes a part in USDC.`, {
      issues: [field],
    })
  const invalid = (words: string) => problem('INVALID_USDC_AUTHORIZATION', words, { issues: [field] })
  if (checkAddress(authorization.from, `${field}.from`) !== checkAddress(wallet, service.headers.wallet))
    throw invalid('The USDC authorization is from another wallet.')
  if (checkAddress(authorization.to, `${field}.to`) !== chain.paymentSettlement)
    throw invalid(`The USDC authorization is not to this service, ${chain.paymentSettlement}.`)
  const seconds = BigInt(Math.floor(service.now() / 1000))
  if (seconds <= BigInt(authorization.validAfter) || seconds >= BigInt(authorization.validBefore))
    throw invalid('The USDC authorization is not valid at this time.')
  const value = BigInt(authorization.value)
  if (value === 0n || value % amountPerCent !== 0n)
    throw problem('INVALID_REQUEST', 'The USDC part is whole cents, and more than none.', {
      issues: [`${field}.value`],
    })
  const usdc = convertCents(value / amountPerCent, { from: 'USD', to: currency, round: 'down', field })
  if (usdc >= totalCents)
    throw problem('INVALID_REQUEST', 'The USDC part is less than the total; the rest is paid here.', {
      issues: [`${field}.value`],
    })
  return totalCents - usdc
}
