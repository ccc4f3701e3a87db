import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { centsToAmount } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { type Blockchain, isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../../redeemkit/schema/usdcAuthorization.ts'
import type { CarriedByPayment } from '../../store/carriedByPayment.ts'
import { programs } from '../../store/tables/index.ts'
import { readDestinationAuthKey } from '../auth/readDestinationAuthKey.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { evmChain } from '../http/customer.ts'
import { problem } from '../http/problem.ts'
import { checkWhitelist } from '../redeem/checkWhitelist.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import { PaymentNotSettledError } from '../settlement/errors.ts'
import { stellarAddress } from '../settlement/outcomeOf.ts'
import { unreachable } from '../transfers/transferProblem.ts'
import { checkCustomerUsdc } from './checkCustomerUsdc.ts'

/**
 * What a payment does once it settles (PROTOCOL.md 10.2), looked at before anybody pays: what could never be done is refused here.
 *
 * @throws ServiceProblem: a 400 for a chain that cannot do it, a 401 for a `destinationAuthKey` that is not the merchant's,
 * a 403 for a call that is not on the merchant's whitelist, a 412 for a USDC authorization that is for another payment
 */
export async function carriedByCheckout(
  service: Service,
  options: { customer: CheckoutCustomer; usdCents: bigint; body: CarryingBody },
): Promise<CarriedByPayment> {
  const { customer, usdCents, body } = options
  const { merchant, wallet, blockchain } = customer
  const { transactionData, stellarTransaction, settlementType, destinationAuthKey } = body
  const { headers } = service
  if (stellarTransaction !== undefined) await checkStellarTransaction(service, options, stellarTransaction)
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
    await checkDestination(service, { destination, settlementType, blockchain })
  const { customerUsdcTransferData, customerUsdcTransferDataV2, orderKey, salt } = body
  const paysUsdc = customerUsdcTransferData !== undefined || customerUsdcTransferDataV2 !== undefined
  const carried: CarriedByPayment = {
    transactionData,
    customerUsdcTransferData,
    customerUsdcTransferDataV2,
    ...(paysUsdc && { orderKey, salt }),
    stellarTransaction,
    settlementType,
    destination,
  }
  await checkCustomerUsdc(service, { customer, usdCents, carried })
  return carried
}

/** A call that the contract of Stellar can make today, of a contract on the merchant's whitelist. */
async function checkStellarTransaction(
  service: Service,
  { customer, usdCents, body }: { customer: CheckoutCustomer; usdCents: bigint; body: CarryingBody },
  stellarTransaction: string,
): Promise<void> {
  const { merchant, blockchain, wallet } = customer
  const refused = (words: string, field = 'stellarTransaction') =>
    problem('INVALID_REQUEST', words, { issues: [field] })
  const settlement = await service.stellarSettlement()
  if (settlement === undefined) throw refused('This service settles no payments on Stellar. Leave it out.')
  if (body.transactionData !== undefined)
    throw refused('A payment does one thing: transactionData or stellarTransaction.')
  if (body.settlementType === 'Credits') throw refused('There are no credits on Stellar.', 'settlementType')
  if (blockchain !== 'stellar' || wallet === undefined)
    throw refused('Name the wallet on Stellar, and its blockchain.', service.headers.blockchain)
  try {
    const call = settlement.readCall(stellarTransaction)
    await checkStellarWhitelist(service, { merchantId: merchant.merchantId, contract: call.contract })
    if (usdCents === 0n) return
    // With the price that it will have. Nobody has paid yet, and nothing is sent.
    const amount = centsToAmount(Number(usdCents)) * 10n
    await settlement.prepare({ paymentId: randomUUID(), amount, call })
  } catch (error) {
    if (!(error instanceof PaymentNotSettledError)) throw unreachable(error) ?? error
    if (error.field !== undefined) throw refused(error.shortMessage)
    throw problem('SIMULATION_FAILED', error.shortMessage, {
      cause: error,
      details: { revertReason: error.shortMessage },
    })
  }
}

/** Of contracts on Stellar the service itself keeps the whitelist. */
async function checkStellarWhitelist(
  service: Service,
  { merchantId, contract }: { merchantId: string; contract: string },
): Promise<void> {
  const database = await service.database()
  const [row] = await database
    .select({ status: programs.status })
    .from(programs)
    .where(
      and(
        eq(programs.merchantId, merchantId),
        eq(programs.blockchain, 'stellar'),
        eq(programs.programId, contract),
      ),
    )
  if (row?.status !== 'approved')
    throw problem('NOT_WHITELISTED', `The contract ${contract} is not on the merchant's whitelist.`, {
      details: { target: contract },
    })
}

/**
 * Another receiver is paid on Stellar when it is there, else on an EVM chain: the customer's, or the service's first with USDC
 * where the customer is on none.
 */
async function checkDestination(
  service: Service,
  options: {
    destination: string
    settlementType: 'Credits' | 'USDC' | undefined
    blockchain: Blockchain | undefined
  },
): Promise<void> {
  const { destination, settlementType, blockchain } = options
  if (settlementType !== 'Credits' && stellarAddress.test(destination)) {
    if ((await service.stellarSettlement()) !== undefined) return
    throw problem('INVALID_REQUEST', 'This service settles no payments on Stellar.', {
      issues: ['destinationAuthKey'],
    })
  }
  checkNonZeroAddress(destination, 'destinationAuthKey')
  const chain =
    blockchain !== undefined && isEvmBlockchain(blockchain)
      ? evmChain(service, blockchain, service.headers.blockchain)
      : [...service.chains.values()].find(({ usdc }) => usdc !== undefined)
  if (chain?.paymentSettlement === undefined)
    throw problem('INVALID_REQUEST', 'This service settles no payments to another receiver here.', {
      issues: [chain === undefined ? 'destinationAuthKey' : service.headers.blockchain],
    })
}

/** The fields of a checkout body that say what its payment does. */
export type CarryingBody = {
  transactionData?: TransactionData | undefined
  customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
  customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
  orderKey?: Hex | undefined
  salt?: Hex | undefined
  stellarTransaction?: string | undefined
  settlementType?: 'Credits' | 'USDC' | undefined
  destinationAuthKey?: string | undefined
}
