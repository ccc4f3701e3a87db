import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { amountPerCent } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { InvalidOrderIdError } from '../../../redeemkit/core/orderId.ts'
import { creditPermitTypedData } from '../../../redeemkit/evm/creditPermit/creditPermitTypedData.ts'
import { isMarkedAsBound } from '../../../redeemkit/evm/creditPermit/isBoundNonce.ts'
import { orderKey as orderKeyOfOrder, toOrderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
} from '../../../redeemkit/schema/creditsAuthMsg.ts'
import { readTip } from '../../chains/anvil/state/readTip.ts'
import { gasPrice } from '../../relayer/gasPrice.ts'
import { redeemRequest, usdcMethods } from '../../simulation/redeemRequest.ts'
import { intents } from '../../store/tables/index.ts'
import { checkStorable } from '../http/checkStorable.ts'
import { checkCredentials, type EvmCustomer, evmCustomer } from '../http/customer.ts'
import { findMerchant, type Merchant, unknownMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { endOfPermit } from './endOfPermit.ts'
import { estimateUnsigned, gasFeeOf } from './gasFee.ts'
import { permitDomain } from './permitDomain.ts'
import { type HashedIntent, hashIntent, resolveIntent } from './resolveIntent.ts'
import { typedDataText } from './typedDataText.ts'
import { usdcAuthorizationAnswer } from './usdcAuthorizationAnswer.ts'
import { refuseBlocked, refusePaused } from './usdcControls.ts'

/**
 * `POST /api/redeem/evm/creditsAuthMsg`: what the customer is to sign for a redeem (PROTOCOL.md 2.2, 3 to 6).
 *
 * The nonce commits to the intent, or says nothing in an unbound service. What it stands for is in the database before the
 * answer leaves.
 */
export const creditsAuthMsg: Route = {
  method: 'POST',
  path: '/api/redeem/evm/creditsAuthMsg',
  handle: async (service, context) => {
    const body = await readBody(context, creditsAuthMsgBody)
    const customer = await evmCustomer(service, context)
    const intent = resolveIntent(customer.chain, body)
    checkStorable({ webhookInfo: body.webhookInfo })
    const orderKey = chosenOrderKey(body)
    await checkCredentials(service, context, { merchantId: body.merchantId })
    const merchant = await findMerchant(service, body.merchantId)
    if (merchant === undefined) throw unknownMerchant(body.merchantId)
    const hashed = await hashIntent(customer.chain, intent)
    return answer(service, { body, customer, intent: hashed, merchant, orderKey })
  },
}

async function answer(
  service: Service,
  options: {
    body: CreditsAuthMsgBody
    customer: EvmCustomer
    intent: HashedIntent
    merchant: Merchant
    orderKey: Hex | undefined
  },
): Promise<CreditsAuthMsgResponse> {
  const { body, customer, intent, merchant } = options
  const { chain, wallet } = customer
  const orderKey = options.orderKey ?? toOrderKey(randomBytes(12))
  const { salt, nonce } =
    service.kind === 'unbound' ? unboundNonce() : boundNonce(body, { wallet, intent, orderKey })
  const [{ gasNeeded, blockTime }] = await Promise.all([
    remember(service, { body, customer, intent, merchant, nonce, salt }),
    refuseBlocked(chain, wallet),
    refusePaused(chain),
  ])
  const validBefore = endOfPermit(service, blockTime)
  const permit = { customerWallet: wallet, creditSeed: merchant.creditSeed, validBefore, nonce }
  const gasFee = await quotedFee(service, { customer, intent, salt, permit, gasNeeded })
  const amount = intent.amount - intent.usdcAmount + gasFee
  const message = typedDataText(
    creditPermitTypedData({ domain: permitDomain(chain), permit: { ...permit, amount } }),
  )
  return {
    message,
    validBefore: validBefore.toString(),
    nonce,
    // `resolveIntent` keeps amounts far below 2^53.
    creditsRawAmount: Number(amount),
    ...(service.kind === 'unbound' ? {} : { salt, orderKey }),
    ...(intent.usdcAmount === 0n || service.kind === 'unbound'
      ? {}
      : {
          usdcAuthorization: usdcAuthorizationAnswer({
            chainId: chain.chainId,
            // Anyone could execute a transfer, of an attempt that was abandoned, too.
            type: 'ReceiveWithAuthorization',
            authorization: {
              from: wallet,
              to: permitDomain(chain).verifyingContract,
              value: intent.usdcAmount,
              validAfter: 0n,
              validBefore,
              nonce,
            },
          }),
        }),
  }
}

/**
 * The order key that the body asks for: its own, or that of its `purchaseId`.
 *
 * @throws ServiceProblem, status 400, when the two do not fit, or an id has characters that no id may have
 */
function chosenOrderKey({ merchantId, purchaseId, orderKey }: CreditsAuthMsgBody): Hex | undefined {
  // Lower case: bytes have one spelling in the database.
  const key = orderKey?.toLowerCase() as Hex | undefined // hex by its schema
  if (key !== undefined && !isMarkedAsBound(key))
    throw problem('INVALID_REQUEST', `${key} is not an order key: its highest bit is clear.`, {
      issues: ['orderKey'],
    })
  if (purchaseId === undefined) return key
  let expected: Hex
  try {
    expected = orderKeyOfOrder({ merchantId, purchaseId })
  } catch (cause) {
    if (!(cause instanceof InvalidOrderIdError)) throw cause
    throw problem('INVALID_REQUEST', `${cause.shortMessage} ${cause.fix ?? ''}`.trim(), {
      cause,
      issues: [cause.field ?? 'purchaseId'],
    })
  }
  if (key !== undefined && key !== expected)
    throw problem(
      'INVALID_REQUEST',
      `This purchaseId has order key ${expected}, not ${key}. Leave orderKey out, or pass the one of this order.`,
      { issues: ['purchaseId'] },
    )
  return expected
}

function boundNonce(
  body: CreditsAuthMsgBody,
  { wallet, intent, orderKey }: { wallet: Hex; intent: HashedIntent; orderKey: Hex },
): { salt: Hex; nonce: Hex } {
  // Lower case: 32 bytes have one spelling in the database.
  const salt = (body.salt?.toLowerCase() ?? random32()) as Hex // hex by its schema
  return {
    salt,
    nonce: redeemIntentNonce({ orderKey, customerWallet: wallet, ...hashedIntent(intent), salt }),
  }
}

const hashedIntent = ({ settlementHash, amount, usdcAmount }: HashedIntent) => ({
  settlementHash,
  amount,
  usdcAmount,
})

/** A request's salt means nothing to such a service. */
function unboundNonce(): { salt: Hex; nonce: Hex } {
  return { salt: `0x${'00'.repeat(32)}`, nonce: random32() }
}

const random32 = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** Writes down what the nonce stands for. @returns gas that a former submit of this intent was found to need, and the next block's time */
async function remember(
  service: Service,
  options: {
    body: CreditsAuthMsgBody
    customer: EvmCustomer
    intent: HashedIntent
    merchant: Merchant
    nonce: Hex
    salt: Hex
  },
): Promise<{ gasNeeded: bigint | undefined; blockTime: bigint }> {
  const { body, customer, intent, merchant, nonce, salt } = options
  const { chain, wallet } = customer
  const { merchantId } = merchant
  const { blockNumber, nextTime: blockTime } = await readTip(chain.client)
  const database = await service.database()
  const { settlementHash, amount, usdcAmount } = intent
  const [row] = await database
    .insert(intents)
    .values({
      blockchain: chain.blockchain,
      wallet,
      nonce,
      merchantId,
      salt,
      purchaseId: body.purchaseId,
      webhookInfo: body.webhookInfo,
      settlementHash,
      amount,
      usdcAmount,
      blockNumber,
      createdAt: new Date(service.now()),
    })
    .onConflictDoUpdate({
      target: [intents.blockchain, intents.wallet, intents.nonce],
      // What was said first stays.
      set: {
        purchaseId: sql`coalesce(${intents.purchaseId}, excluded.purchase_id)`,
        webhookInfo: sql`coalesce(${intents.webhookInfo}, excluded.webhook_info)`,
      },
      setWhere: eq(intents.merchantId, merchantId),
    })
    .returning()
  if (row === undefined)
    throw problem(
      'AMBIGUOUS_INTENT',
      'This salt already stands for the same redeem at another merchant. Choose another salt.',
    )
  return { gasNeeded: row.gasNeeded ?? undefined, blockTime }
}

async function quotedFee(
  service: Service,
  options: {
    customer: EvmCustomer
    intent: HashedIntent
    salt: Hex
    permit: { customerWallet: Hex; creditSeed: string; validBefore: bigint; nonce: Hex }
    gasNeeded: bigint | undefined
  },
): Promise<bigint> {
  if (service.settings.gasFeePayer === 'merchant') return 0n
  const { customer, intent, salt, permit, gasNeeded } = options
  const { chain } = customer
  const signature: Hex = `0x${'00'.repeat(65)}`
  const request = redeemRequest({
    permit: { ...permit, amount: intent.amount - intent.usdcAmount + amountPerCent },
    signature,
    salt,
    intent,
    // The least there is: booking it takes gas, too.
    gasFee: amountPerCent,
    usdcAuthorization: intent.usdcAmount === 0n ? undefined : { method: usdcMethods.receiveV2, signature },
  })
  const [gas, price] = await Promise.all([
    gasNeeded ?? estimateUnsigned(chain, { request, intent }),
    gasPrice(chain),
  ])
  // The fee is computed again at submit; a quarter on top keeps small moves from costing a second signature.
  return gasFeeOf(chain, (gas * 5n) / 4n, price)
}
