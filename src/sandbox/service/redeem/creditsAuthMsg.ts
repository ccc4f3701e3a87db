import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { amountPerCent } from '../../../redeemkit/core/amount.ts'
import { creditPermitTypedData } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { orderKey as orderKeyOfOrder, toOrderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { usdcAuthorizationTypedData } from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
} from '../../../redeemkit/schema/redeem.ts'
import type { UsdcAuthorizationMessage } from '../../../redeemkit/schema/usdcAuthorization.ts'
import { readTip } from '../../chains/anvil/chainTime.ts'
import { gasPrice, withHeadroom } from '../../relayer/relayerChain.ts'
import { redeemRequest, usdcMethods } from '../../simulation/redeemRequest.ts'
import { intents } from '../../store/tables/index.ts'
import { checkCredentials, type EvmCustomer, evmCustomer } from '../http/customer.ts'
import { findMerchant, type Merchant, unknownMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import type { Service } from '../service.ts'
import { endOfPermit, permitDomain } from './checkRedeem.ts'
import { refuseBlocked, refusePaused } from './dryRunRedeem.ts'
import { estimateUnsigned, gasFeeOf } from './gasFee.ts'
import { type HashedIntent, hashIntent, resolveIntent } from './resolveIntent.ts'

/** `amount` is a JSON number (PROTOCOL.md 2.2), which `resolveIntent` keeps far below 2^53; other integers are decimal text. */
function typedDataText(typedData: { message: object }): string {
  return JSON.stringify(typedData, (key, value: unknown) => {
    if (typeof value !== 'bigint') return value
    return key === 'amount' ? Number(value) : value.toString()
  })
}

/** Returns the wire record of a USDC authorization to sign (PROTOCOL.md 2.3). */
export function usdcAuthorizationAnswer(
  options: usdcAuthorizationTypedData.Options,
): UsdcAuthorizationMessage {
  const typedData = usdcAuthorizationTypedData(options)
  const { from, to, value, validAfter, validBefore, nonce } = typedData.message
  return {
    message: typedDataText(typedData),
    messageData: {
      from,
      to,
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
      nonce,
    },
  }
}

/**
 * `POST /api/redeem/evm/creditsAuthMsg` (PROTOCOL.md 2.2, 3 to 6). The nonce commits to the intent, unless the service has random
 * nonces.
 */
export const creditsAuthMsg = endpoint('creditsAuthMsg', async (service, context) => {
  const body = await readBody(context, creditsAuthMsgBody)
  const customer = await evmCustomer(service, context)
  const intent = resolveIntent(customer.chain, body)
  const orderKey = chosenOrderKey(body)
  await checkCredentials(service, context, { merchantId: body.merchantId })
  const merchant = await findMerchant(service, body.merchantId)
  if (merchant === undefined) throw unknownMerchant(body.merchantId)
  const hashed = await hashIntent(customer.chain, intent)
  return answer(service, { body, customer, intent: hashed, merchant, orderKey })
})

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
    service.kind === 'randomNonce' ? randomNonce() : intentBoundNonce(body, { wallet, intent, orderKey })
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
    ...(service.kind === 'randomNonce' ? {} : { salt, orderKey }),
    ...(intent.usdcAmount === 0n || service.kind === 'randomNonce'
      ? {}
      : {
          usdcAuthorization: usdcAuthorizationAnswer({
            chainId: chain.chainId,
            // Receive authorization, because anyone could execute a transfer authorization, even of an abandoned attempt.
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

function chosenOrderKey({ merchantId, purchaseId, orderKey }: CreditsAuthMsgBody): Hex | undefined {
  // Converted to lower case, so that the database contains one form only.
  const key = orderKey?.toLowerCase() as Hex | undefined // the schema requires hex
  if (purchaseId === undefined) return key
  const expected = orderKeyOfOrder({ merchantId, purchaseId })
  if (key !== undefined && key !== expected)
    throw invalid(
      'purchaseId',
      `This purchaseId has order key ${expected}, not ${key}. Omit orderKey, or pass the order key of this purchaseId.`,
    )
  return expected
}

function intentBoundNonce(
  body: CreditsAuthMsgBody,
  { wallet, intent, orderKey }: { wallet: Hex; intent: HashedIntent; orderKey: Hex },
): { salt: Hex; nonce: Hex } {
  // Converted to lower case, so that the database contains one form only.
  const salt = (body.salt?.toLowerCase() ?? random32()) as Hex // the schema requires hex
  const { settlementHash, amount, usdcAmount } = intent
  const terms = { settlementHash, amount, usdcAmount, salt }
  return { salt, nonce: redeemIntentNonce({ orderKey, customerWallet: wallet, ...terms }) }
}

function randomNonce(): { salt: Hex; nonce: Hex } {
  return { salt: `0x${'00'.repeat(32)}`, nonce: random32() }
}

const random32 = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** Stores the intent that belongs to a nonce. Returns the gas that an earlier submit of this intent used, and the next block's time. */
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
      // Keeps the values of the first request.
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
      'This salt was used for the same redeem at another merchant. Choose another salt.',
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
    // The minimum fee, because charging a fee takes gas too.
    gasFee: amountPerCent,
    usdcAuthorization: intent.usdcAmount === 0n ? undefined : { method: usdcMethods.receiveV2, signature },
  })
  const [gas, price] = await Promise.all([
    gasNeeded ?? estimateUnsigned(chain, { request, intent }),
    gasPrice(chain),
  ])
  // The fee is computed again when the redeem is submitted. The headroom avoids a second signature after a small price change.
  return gasFeeOf(chain, withHeadroom(gas), price)
}
