import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { centsToAmount } from '../../../redeemkit/core/amount.ts'
import { type Blockchain, isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkAddress, checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { isIntentBoundNonce } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { readOrderPaid } from '../../contracts/paymentSettlement.ts'
import type { CarriedByPayment } from '../../store/states.ts'
import { programs } from '../../store/tables/index.ts'
import { readDestinationAuthKey } from '../auth/merchantJwt.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { evmChain } from '../http/customer.ts'
import { invalid, problem } from '../http/problem.ts'
import { checkWhitelist } from '../redeem/checkRedeem.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import type { Service } from '../service.ts'
import { authorizationNonce } from '../settlement/customerAuthorization.ts'
import { isOnStellar, outcomeOf, PaymentNotSettledError, stellarAddress } from '../settlement/outcome.ts'
import { unreachable } from '../transfers/transferChain.ts'

/**
 * Checks, before the customer pays, that the USDC authorization commits to this payment and no other payment has used the order
 * (PROTOCOL.md 10.2). Random nonces do not commit to a payment, so they are not checked.
 */
async function checkCustomerUsdc(
  service: Service,
  options: { customer: CheckoutCustomer; usdCents: bigint; carried: CarriedByPayment },
): Promise<void> {
  const { customer, usdCents, carried } = options
  const { merchant, wallet, blockchain } = customer
  const { orderKey, salt } = carried
  const field = carried.customerUsdcTransferData ? 'customerUsdcTransferData' : 'customerUsdcTransferDataV2'
  const authorization = carried[field]
  if (service.kind === 'randomNonce' || authorization === undefined) return
  const refused = (text: string, name: string) =>
    problem('INVALID_REQUEST', text, { issues: [name], details: { field: name } })
  for (const [name, value] of Object.entries({ orderKey, salt }))
    if (value === undefined) throw refused(`Send the ${name} used for the nonce in ${field}.`, name)
  if (wallet === undefined || blockchain === undefined || orderKey === undefined) return
  if (!isIntentBoundNonce(`${orderKey}${'0'.repeat(40)}`))
    throw refused('The highest bit of orderKey is clear. Set it, as in every order key.', 'orderKey')
  const payment = { usdCents: Number(usdCents), carried, wallet }
  if (isOnStellar(outcomeOf(payment)))
    throw refused('A USDC part requires a receiver on an EVM chain.', 'destinationAuthKey')
  const chain = evmChain(service, blockchain, service.headers.blockchain)
  const { paymentSettlement } = chain
  if (paymentSettlement === undefined) return
  const unfit = (text: string, name: string) =>
    problem('INVALID_USDC_AUTHORIZATION', text, { issues: [name] })
  const nonce = await authorizationNonce(chain, { payment, creditSeed: merchant.creditSeed }).catch(
    (error: unknown) => {
      if (error instanceof PaymentNotSettledError) throw refused(error.shortMessage, field)
      throw error
    },
  )
  if (authorization.nonce.toLowerCase() !== nonce)
    throw unfit(
      `The nonce ${authorization.nonce} is for another payment. Sign an authorization with the nonce ${nonce}.`,
      `${field}.nonce`,
    )
  const isPaid = await readOrderPaid(
    { ...chain, paymentSettlement },
    { customer: checkAddress(wallet, service.headers.wallet), orderKey },
  )
  if (isPaid) throw unfit('This wallet has already paid this order with a USDC authorization.', 'orderKey')
}

/** Checks, before the customer pays, that the payment can settle as requested (PROTOCOL.md 10.2). */
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
    throw invalid(headers.wallet, `Send the headers ${headers.wallet} and ${headers.blockchain}.`)
  if (needsWallet && blockchain !== undefined) {
    const chain = evmChain(service, blockchain, headers.blockchain)
    const executes = service.kind === 'intentBound' || transactionData === undefined
    if (chain.paymentSettlement === undefined || !executes)
      throw invalid(headers.blockchain, `This service cannot settle this payment on ${blockchain}.`)
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

async function checkStellarTransaction(
  service: Service,
  { customer, usdCents, body }: { customer: CheckoutCustomer; usdCents: bigint; body: CarryingBody },
  stellarTransaction: string,
): Promise<void> {
  const { merchant, blockchain, wallet } = customer
  const settlement = await service.stellarSettlement()
  if (settlement === undefined)
    throw invalid(
      'stellarTransaction',
      'This service does not settle payments on Stellar. Omit stellarTransaction.',
    )
  if (body.transactionData !== undefined)
    throw invalid('stellarTransaction', 'Send either transactionData or stellarTransaction, not both.')
  if (body.settlementType === 'Credits') throw invalid('settlementType', 'Stellar has no credits.')
  if (blockchain !== 'stellar' || wallet === undefined)
    throw invalid(service.headers.blockchain, 'Send the wallet and blockchain headers of a Stellar wallet.')
  try {
    const call = settlement.readCall(stellarTransaction)
    await checkStellarWhitelist(service, { merchantId: merchant.merchantId, contract: call.contract })
    if (usdCents === 0n) return
    // Simulates the call with the price that will be settled; nothing is sent.
    const amount = centsToAmount(Number(usdCents)) * 10n
    await settlement.prepare({ paymentId: randomUUID(), amount, call })
  } catch (error) {
    if (!(error instanceof PaymentNotSettledError)) throw unreachable(error) ?? error
    if (error.field !== undefined) throw invalid('stellarTransaction', error.shortMessage)
    throw problem('SIMULATION_FAILED', error.shortMessage, {
      cause: error,
      details: { revertReason: error.shortMessage },
    })
  }
}

/** The service itself stores the whitelist of Stellar contracts. */
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
 * The service pays a Stellar address on Stellar, and any other on the customer's EVM chain or, without one, on its first chain with
 * USDC.
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
    throw invalid('destinationAuthKey', 'This service does not pay Stellar addresses. Use an EVM address.')
  }
  checkNonZeroAddress(destination, 'destinationAuthKey')
  const chain =
    blockchain !== undefined && isEvmBlockchain(blockchain)
      ? evmChain(service, blockchain, service.headers.blockchain)
      : [...service.chains.values()].find(({ usdc }) => usdc !== undefined)
  if (chain?.paymentSettlement === undefined)
    throw invalid(
      chain === undefined ? 'destinationAuthKey' : service.headers.blockchain,
      'This service cannot pay another receiver on this chain. Omit destinationAuthKey, or use another chain.',
    )
}

export type CarryingBody = Omit<CarriedByPayment, 'destination'> & { destinationAuthKey?: string | undefined }
