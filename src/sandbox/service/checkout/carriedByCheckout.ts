import { type Blockchain, isEvmBlockchain } from '../../../core/blockchains.ts'
import { checkNonZeroAddress } from '../../../evm/values/checkAddress.ts'
import type { TransactionData } from '../../../schema/transactionData.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../../schema/usdcAuthorization.ts'
import type { CarriedByPayment } from '../../store/carriedByPayment.ts'
import { readDestinationAuthKey } from '../auth/readDestinationAuthKey.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { evmChain } from '../http/customer.ts'
import { problem } from '../http/problem.ts'
import { checkWhitelist } from '../redeem/checkWhitelist.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'

/**
 * What a payment does once it settles (PROTOCOL.md 10.2), looked at before anybody pays: what could never be done is refused here.
 *
 * @throws ServiceProblem: a 400 for a chain that cannot do it, a 401 for a `destinationAuthKey` that is not the merchant's,
 * a 403 for a call that is not on the merchant's whitelist
 */
export async function carriedByCheckout(
  service: Service,
  options: { customer: CheckoutCustomer; usdCents: bigint; body: CarryingBody },
): Promise<CarriedByPayment> {
  const { customer, usdCents, body } = options
  const { merchant, wallet, blockchain } = customer
  const { transactionData, stellarTransaction, settlementType, destinationAuthKey } = body
  const { headers } = service
  if (stellarTransaction !== undefined)
    throw problem('INVALID_REQUEST', 'This service submits no transactions of Stellar. Leave it out.', {
      issues: ['stellarTransaction'],
    })
  const needsWallet = transactionData !== undefined || settlementType === 'Credits'
  if (needsWallet && (wallet === undefined || blockchain === undefined))
    throw problem('INVALID_REQUEST', 'Name the wallet that receives it, and its blockchain.', {
      issues: [headers.wallet],
    })
  if (needsWallet && blockchain !== undefined) {
    const chain = evmChain(service, blockchain, headers.blockchain)
    const executes = service.kind === 'bound' || transactionData === undefined
    if (chain.paymentSettlement === undefined || !executes)
      throw problem('INVALID_REQUEST', `This service settles no such payment on ${blockchain}.`, {
        issues: [headers.blockchain],
      })
    if (transactionData !== undefined) {
      const intent = resolveIntent(chain, { subtotal: { cents: Number(usdCents) }, transactionData })
      await checkWhitelist(chain, { intent, creditSeed: merchant.creditSeed })
    }
  }
  const destination =
    destinationAuthKey === undefined
      ? undefined
      : await readDestinationAuthKey(service, { merchant, token: destinationAuthKey })
  if (destination !== undefined && transactionData === undefined)
    checkDestination(service, { destination, blockchain })
  const { customerUsdcTransferData, customerUsdcTransferDataV2 } = body
  return {
    transactionData,
    customerUsdcTransferData,
    customerUsdcTransferDataV2,
    settlementType,
    destination,
  }
}

/** Another receiver is paid on an EVM chain: the customer's, or the service's first with USDC where the customer is on none. */
function checkDestination(
  service: Service,
  options: { destination: string; blockchain: Blockchain | undefined },
): void {
  const { destination, blockchain } = options
  checkNonZeroAddress(destination, 'destinationAuthKey')
  const chain =
    blockchain !== undefined && isEvmBlockchain(blockchain)
      ? evmChain(service, blockchain, service.headers.blockchain)
      : [...service.chains.values()].find(({ usdc }) => usdc !== undefined)
  if (chain?.paymentSettlement === undefined)
    throw problem('INVALID_REQUEST', 'This service settles no payments to another receiver here.', {
      issues: [service.headers.blockchain],
    })
}

/** The fields of a checkout body that say what its payment does. */
export type CarryingBody = {
  transactionData?: TransactionData | undefined
  customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
  customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
  stellarTransaction?: string | undefined
  settlementType?: 'Credits' | 'USDC' | undefined
  destinationAuthKey?: string | undefined
}
