import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { isBoundNonce } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { readOrderPaid } from '../../contracts/paymentSettlement.ts'
import type { CarriedByPayment } from '../../store/carriedByPayment.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { evmChain } from '../http/customer.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { authorizationNonce } from '../settlement/authorizationNonce.ts'
import { PaymentNotSettledError } from '../settlement/errors.ts'
import { isOnStellar, outcomeOf } from '../settlement/outcomeOf.ts'

/**
 * Checks before anyone pays that the customer's USDC authorization stands for this payment, and that no other has paid the order
 * (PROTOCOL.md 10.2). A service with random nonces has nothing to compare.
 *
 * @throws ServiceProblem: a 400 for a missing `orderKey` or `salt`, a 412 `INVALID_USDC_AUTHORIZATION` for another payment's nonce
 */
export async function checkCustomerUsdc(
  service: Service,
  options: { customer: CheckoutCustomer; usdCents: bigint; carried: CarriedByPayment },
): Promise<void> {
  const { customer, usdCents, carried } = options
  const { merchant, wallet, blockchain } = customer
  const { orderKey, salt } = carried
  const field = carried.customerUsdcTransferData ? 'customerUsdcTransferData' : 'customerUsdcTransferDataV2'
  const authorization = carried[field]
  if (service.kind === 'unbound' || authorization === undefined) return
  const refused = (words: string, name: string) =>
    problem('INVALID_REQUEST', words, { issues: [name], details: { field: name } })
  for (const [name, value] of Object.entries({ orderKey, salt }))
    if (value === undefined) throw refused(`${field} needs the ${name} of its nonce.`, name)
  if (wallet === undefined || blockchain === undefined || orderKey === undefined) return
  if (!isBoundNonce(`${orderKey}${'0'.repeat(40)}`))
    throw refused('The highest bit of orderKey is clear.', 'orderKey')
  const payment = { usdCents: Number(usdCents), carried, wallet }
  if (isOnStellar(outcomeOf(payment)))
    throw refused('A part in USDC pays for a receiver on an EVM chain only.', 'destinationAuthKey')
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  const { paymentSettlement } = chain
  if (paymentSettlement === undefined) return
  const invalid = (words: string, name: string) =>
    problem('INVALID_USDC_AUTHORIZATION', words, { issues: [name] })
  const nonce = await authorizationNonce(chain, { payment, creditSeed: merchant.creditSeed }).catch(
    (error: unknown) => {
      if (error instanceof PaymentNotSettledError) throw refused(error.shortMessage, field)
      throw error
    },
  )
  if (authorization.nonce.toLowerCase() !== nonce)
    throw invalid(
      `The USDC authorization is for another payment: the nonce of this one is ${nonce}.`,
      `${field}.nonce`,
    )
  const isPaid = await readOrderPaid(
    { ...chain, paymentSettlement },
    { customer: checkAddress(wallet, service.headers.wallet), orderKey },
  )
  if (isPaid) throw invalid('A USDC authorization of this wallet has paid this order before.', 'orderKey')
}
