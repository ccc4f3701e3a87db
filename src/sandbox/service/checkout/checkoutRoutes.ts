import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { centsToAmount } from '../../../redeemkit/core/amount.ts'
import { isIntentBoundNonce } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { type TotalsBody, totalsBody, voidBody } from '../../../redeemkit/schema/checkout.ts'
import type { TotalsResponse } from '../../../redeemkit/schema/totals.ts'
import {
  type UsdcAuthorizationBody,
  type UsdcAuthorizationMessage,
  usdcAuthorizationBody,
} from '../../../redeemkit/schema/usdcAuthorization.ts'
import { nextBlockTime } from '../../chains/anvil/chainTime.ts'
import { type PaymentRail, paymentRails } from '../../store/states.ts'
import { checkCheckoutJwt } from '../auth/checkoutJwt.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../http/checkoutCustomer.ts'
import { checkCredentials, evmCustomer } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint, type Route } from '../http/route.ts'
import { movePayment, paymentWork } from '../payments/movePayment.ts'
import { findPayment, totalsRecord, wrongState } from '../payments/paymentRecord.ts'
import { endOfPermit } from '../redeem/checkRedeem.ts'
import { usdcAuthorizationAnswer } from '../redeem/creditsAuthMsg.ts'
import type { Service } from '../service.ts'
import { cardFormPages, cardFormPurchase, cardFormToken } from './cardForm.ts'
import { cardCheckout, cardOnFileCheckout, savedCardCheckout, zeroAuthorization } from './cardRoutes.ts'
import { savedCards, tokenize } from './cards.ts'
import { challengePages } from './chargeCard.ts'
import { mobileApp, mobileAppPages, pix, wireAccount, wireToken } from './orders.ts'
import { paymentTotals } from './paymentTotals.ts'

/** `POST /api/checkout/void` (PROTOCOL.md 2.6): releases an `authOnly` payment. */
const voidPayment = endpoint('voidPayment', async (service, context) => {
  const { paymentId } = await readBody(context, voidBody)
  const { merchantId } = await authorizedMerchant(service, context)
  await paymentWork(service, async (work) => {
    const payment = await findPayment(work, { merchantId, paymentId })
    if (!payment.authOnly)
      throw wrongState(payment, 'Only a payment that was created with authOnly can be voided.')
    await movePayment(work, { paymentId, to: 'voided', at: new Date(service.now()) })
  })
  return {}
})

/**
 * `POST /api/checkout/evm/usdc-authorization` (PROTOCOL.md 10.2). A service with random nonces generates the nonce itself and may use
 * `TransferWithAuthorization`.
 */
const usdcAuthorization = endpoint(
  'usdcAuthorization',
  async (service, context): Promise<UsdcAuthorizationMessage> => {
    const body = await readBody(context, usdcAuthorizationBody)
    const { chain, wallet } = await evmCustomer(service, context)
    if (chain.usdc === undefined)
      throw invalid(
        service.headers.blockchain,
        `USDC on ${chain.blockchain} does not support authorizations.`,
      )
    if (chain.paymentSettlement === undefined)
      throw invalid(
        service.headers.blockchain,
        `This service does not settle payments on ${chain.blockchain}.`,
      )
    const value = centsToAmount(body.amount.cents, { field: 'amount.cents' })
    if (value === 0n) throw invalid('amount.cents', 'The amount of an authorization must be above zero.')
    const nonce = nonceOf(service, body)
    await checkCredentials(service, context)
    return usdcAuthorizationAnswer({
      chainId: chain.chainId,
      type:
        service.kind === 'randomNonce' ? service.settings.usdcAuthorizationType : 'ReceiveWithAuthorization',
      authorization: {
        from: wallet,
        to: chain.paymentSettlement,
        value,
        validAfter: 0n,
        validBefore: endOfPermit(service, await nextBlockTime(chain.client)),
        nonce,
      },
    })
  },
)

/** @throws ServiceProblem a 400, for a nonce that no payment of this service can use */
function nonceOf({ kind }: Pick<Service, 'kind'>, { nonce }: UsdcAuthorizationBody): Hex {
  if (kind === 'randomNonce') return `0x${randomBytes(32).toString('hex')}`
  if (nonce !== undefined && isIntentBoundNonce(nonce)) return nonce
  throw invalid(
    'nonce',
    nonce === undefined
      ? 'nonce is missing. Compute it with paymentIntentNonce, so that it commits to the payment.'
      : 'The highest bit of nonce is clear, so it does not start with an order key. Compute it with paymentIntentNonce.',
  )
}

/** `POST /api/checkout/totals/{merchantId}` (PROTOCOL.md 2.11): returns the price on each rail and changes nothing. */
const totals = endpoint('getTotals', async (service, context): Promise<TotalsResponse> => {
  const body = await readBody(context, totalsBody)
  const customer = await checkoutCustomer(service, context)
  await checkCheckoutJwt(service, { merchant: customer.merchant, body })
  const ofRails: TotalsResponse = {}
  for (const rail of paymentRails) ofRails[rail] = await ofRail(service, { customer, body, rail })
  return ofRails
})

async function ofRail(
  service: Service,
  { customer, body, rail }: { customer: CheckoutCustomer; body: TotalsBody; rail: PaymentRail },
) {
  const { merchant, blockchain } = customer
  const { lines, currency } = await paymentTotals(service, { merchant, blockchain, rail, body })
  return totalsRecord(
    lines.map(({ cents, ...line }) => ({ ...line, cents: Number(cents) })),
    currency,
  )
}

export const checkoutRoutes: readonly Route[] = [
  usdcAuthorization,
  totals,
  tokenize,
  cardCheckout,
  ...challengePages,
  zeroAuthorization,
  savedCardCheckout,
  cardOnFileCheckout,
  savedCards,
  ...cardFormPages,
  cardFormToken,
  cardFormPurchase,
  wireToken,
  wireAccount,
  pix,
  mobileApp,
  ...mobileAppPages,
  voidPayment,
]
