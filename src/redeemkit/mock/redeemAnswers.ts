import type { Address, Hex } from 'viem'
import { centsToAmount, InvalidAmountError } from '../core/amount.ts'
import { unixSeconds } from '../core/clock.ts'
import { formatUsd } from '../core/formatUsd.ts'
import { InvalidOrderIdError } from '../core/orderId.ts'
import { creditPermitTypedData } from '../evm/creditPermit/creditPermit.ts'
import { orderKey as orderKeyFor, orderKeyOf, toOrderKey } from '../evm/creditPermit/orderKey.ts'
import {
  InvalidRedeemRequestError,
  InvalidSubtotalError,
  type RedeemRequest,
  redeemIntent,
} from '../evm/creditPermit/redeemIntent.ts'
import { verifyCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import { settlementOf } from '../evm/transactionData/settlementOf.ts'
import { verifyUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import { usdcAuthorizationTypedData } from '../evm/usdcAuthorization/usdcAuthorization.ts'
import { parseUsdcAuthorization } from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { NoUsdcAuthorizationError } from '../evm/usdcToken.ts'
import { hexToBytes } from '../evm/viem.ts'
import type { CreditsAuthMsgBody, CreditsAuthMsgResponse, SendGaslessTxResponse } from '../schema/redeem.ts'
import type { SendGaslessTxBody } from '../schema/sendGaslessTxBody.ts'
import type { UsdcAuthorizationBody, UsdcAuthorizationMessage } from '../schema/usdcAuthorization.ts'
import { mineRedeems } from './blocks.ts'
import { createMockChain } from './createMockChain.ts'
import { fundsOf, hashOf, keyOf, type MockWorld, minedAttempt, orderOf } from './mockWorld.ts'
import { Refusal } from './refusal.ts'

type Asked<body> = { body: body; wallet: Address }

/** The permit's nonce commits to the request (PROTOCOL.md 3 and 4). */
export function prepareAnswer(
  world: MockWorld,
  { body, wallet }: Asked<CreditsAuthMsgBody>,
): CreditsAuthMsgResponse | Refusal {
  const { merchantId, pinned } = world.terms
  if (body.merchantId !== merchantId)
    return new Refusal('NOT_FOUND', `Merchant ${JSON.stringify(body.merchantId)} does not exist.`)
  const salt = body.salt ?? randomSalt()
  const orderKey = orderKeyIn(body)
  if (orderKey instanceof Refusal) return orderKey
  const intent = intentOf(world, { request: body, wallet, orderKey, salt })
  if (intent instanceof Refusal) return intent
  const { amount, usdcAmount, nonce } = intent
  world.intents.set(keyOf(wallet, nonce), { wallet, nonce, salt, amount, usdcAmount })
  const { settings } = world
  const validBefore = unixSeconds(world.terms.now) + BigInt(settings.permitSeconds)
  const charged = amount - usdcAmount + centsToAmount(settings.gasFeeCents)
  if (settings.laterGasFeeCents !== undefined)
    world.settings = { ...settings, gasFeeCents: settings.laterGasFeeCents, laterGasFeeCents: undefined }
  return {
    message: typedDataText(
      creditPermitTypedData({
        domain: domainOf(world),
        permit: {
          customerWallet: wallet,
          creditSeed: pinned.creditSeed,
          amount: charged,
          validBefore,
          nonce,
        },
      }),
    ),
    validBefore: `${validBefore}`,
    nonce,
    creditsRawAmount: Number(charged),
    salt,
    orderKey,
    ...(usdcAmount > 0n && {
      usdcAuthorization: authorizationOf(world, {
        from: wallet,
        to: pinned.creditsContract,
        value: usdcAmount,
        validBefore,
        nonce,
      }),
    }),
  }
}

/** Derived from the purchase id, taken from the body, or random. */
function orderKeyIn({ merchantId, orderKey, purchaseId }: CreditsAuthMsgBody): Hex | Refusal {
  if (purchaseId === undefined) return orderKey ?? toOrderKey(hexToBytes(randomSalt()))
  try {
    const expected = orderKeyFor({ merchantId, purchaseId })
    if (orderKey === undefined || orderKey.toLowerCase() === expected) return expected
  } catch (error) {
    if (!(error instanceof InvalidOrderIdError)) throw error
    return new Refusal('INVALID_REQUEST', error.shortMessage, { issues: ['purchaseId'] })
  }
  return new Refusal('INVALID_REQUEST', 'The order key does not match the purchaseId.', {
    issues: ['orderKey'],
  })
}

/** A repeated request gets the same hash (PROTOCOL.md 7.4). */
export async function submitAnswer(
  world: MockWorld,
  { body, wallet }: Asked<SendGaslessTxBody>,
): Promise<SendGaslessTxResponse | Refusal> {
  mineRedeems(world)
  const key = keyOf(wallet, body.nonce)
  const known = world.intents.get(key)
  if (known === undefined)
    return new Refusal('UNKNOWN_NONCE', 'The service prepared no redeem with this nonce.')
  const order = orderOf(wallet, body.nonce)
  if (world.cancelled.has(order)) return new Refusal('ORDER_CANCELLED', 'The customer cancelled this order.')
  const { salt } = known
  const intent = intentOf(world, { request: body, wallet, orderKey: orderKeyOf(body.nonce), salt })
  if (intent instanceof Refusal) return intent
  if (intent.nonce !== known.nonce)
    return new Refusal('INTENT_MISMATCH', 'This nonce belongs to another redeem.')
  const sent = world.redeems.get(key)
  if (sent !== undefined && sent.status !== 'reverted') return { hash: sent.hash }
  const claimed = claimOf(world, { wallet, nonce: body.nonce })
  if (claimed !== undefined) return claimed
  const gasFee = centsToAmount(world.settings.gasFeeCents)
  const refusal =
    refusalOfTerms(world, { body, known, gasFee }) ??
    (await refusalOfSignatures(world, { body, wallet })) ??
    refusalOfFunds(world, { known, gasFee }) ??
    // a redeem that reverted is simulated before it is sent again
    (sent !== undefined && world.settings.chain === 'reverts'
      ? wouldRevert('Rejected by the mock.')
      : undefined)
  if (refusal !== undefined) return refusal
  const hash = hashOf(`${key} ${world.redeems.size} ${sent?.hash ?? ''}`)
  const submittedAt = world.terms.now()
  const settlement = settlementOf(body.transactionData)
  world.redeems.set(key, {
    ...known,
    hash,
    settlement,
    gasFee,
    submittedAt,
    validBefore: BigInt(body.validBefore),
    blockNumber: undefined,
    status: 'pending',
  })
  return { hash }
}

/** Rejects a second attempt while another attempt of the order is pending or mined (PROTOCOL.md 7.2). */
function claimOf(world: MockWorld, { wallet, nonce }: { wallet: Address; nonce: Hex }): Refusal | undefined {
  const paid = minedAttempt(world, wallet, nonce)
  if (paid !== undefined)
    return new Refusal('ORDER_ALREADY_PAID', 'Another attempt of this order was redeemed.', {
      details: { hash: paid.hash, nonce: paid.nonce },
    })
  const now = unixSeconds(world.terms.now)
  const isOpen = [...world.redeems.values()].some(
    (one) =>
      one.nonce !== nonce &&
      orderOf(one.wallet, one.nonce) === orderOf(wallet, nonce) &&
      one.validBefore > now,
  )
  return isOpen
    ? new Refusal('ORDER_UNDERWAY', 'Another attempt of this order may still execute.')
    : undefined
}

export function usdcAnswer(
  world: MockWorld,
  { body, wallet }: Asked<UsdcAuthorizationBody>,
): UsdcAuthorizationMessage | Refusal {
  const value = centsToAmount(body.amount.cents)
  if (value === 0n)
    return new Refusal('INVALID_REQUEST', 'The amount must not be zero.', {
      issues: ['amount.cents'],
    })
  const validBefore = unixSeconds(world.terms.now) + BigInt(world.settings.permitSeconds)
  const to = world.terms.settlementContract
  return authorizationOf(world, { from: wallet, to, value, validBefore, nonce: body.nonce ?? randomSalt() })
}

/** Computes the terms of a request with the client's rules, or returns the service's refusal. */
function intentOf(
  { terms }: MockWorld,
  options: {
    request: Pick<CreditsAuthMsgBody, 'subtotal' | 'transactionData' | 'usdcAmount'>
    wallet: Address
    orderKey: Hex
    salt: Hex
  },
): ReturnType<typeof redeemIntent> | Refusal {
  const { subtotal, transactionData, usdcAmount } = options.request
  // the reader rejects subtotals that a redeem does not support
  const request = { subtotal, transactionData, usdcAmount } as RedeemRequest
  try {
    return redeemIntent({
      ...options,
      request,
      chainId: terms.chainId,
      bridgeAdapter: terms.bridgeAdapter,
    })
  } catch (error) {
    if (error instanceof InvalidSubtotalError)
      return new Refusal('UNSUPPORTED_SUBTOTAL', error.shortMessage, { issues: [error.field ?? 'subtotal'] })
    if (error instanceof InvalidAmountError && error.field === 'subtotal.amount')
      return new Refusal('UNSUPPORTED_SUBTOTAL', error.shortMessage, { issues: [error.field] })
    if (
      error instanceof InvalidRedeemRequestError ||
      error instanceof InvalidAmountError ||
      error instanceof NoUsdcAuthorizationError
    )
      return new Refusal('INVALID_REQUEST', error.shortMessage, { issues: [error.field ?? 'body'] })
    throw error
  }
}

function refusalOfTerms(
  { terms }: MockWorld,
  {
    body,
    known,
    gasFee,
  }: { body: SendGaslessTxBody; known: { amount: bigint; usdcAmount: bigint }; gasFee: bigint },
): Refusal | undefined {
  if (BigInt(body.validBefore) <= unixSeconds(terms.now))
    return new Refusal('PERMIT_EXPIRED', `The permit expired at ${body.validBefore}.`)
  const total = known.amount - known.usdcAmount + gasFee
  if (total <= BigInt(body.creditsRawAmount)) return undefined
  const [needed, authorized] = [total, BigInt(body.creditsRawAmount)].map((amount) =>
    formatUsd(amount, { locale: 'en-US' }).replace(/[^\d.]/g, ''),
  )
  return new Refusal('EXCEEDS_AUTHORIZED', `Total ${needed} exceeds max credits authorized ${authorized}`)
}

async function refusalOfSignatures(
  world: MockWorld,
  { body, wallet }: Asked<SendGaslessTxBody>,
): Promise<Refusal | undefined> {
  const { permitCredits, customerUsdcAuthData, customerUsdcAuthDataV2 } = body.signedMessages
  const { chainId, pinned } = world.terms
  const client = createMockChain(world)
  const isPermit = await verifyCreditPermit({
    domain: domainOf(world),
    permit: {
      customerWallet: wallet,
      creditSeed: pinned.creditSeed,
      amount: BigInt(body.creditsRawAmount),
      validBefore: BigInt(body.validBefore),
      nonce: body.nonce,
    },
    signature: permitCredits,
    client,
  })
  if (!isPermit) return new Refusal('INVALID_PERMIT', 'The permit is not signed by this wallet.')
  const record = customerUsdcAuthDataV2 ?? customerUsdcAuthData
  const usdcAmount = centsToAmount(body.usdcAmount?.cents ?? 0)
  if (record === undefined && usdcAmount === 0n) return undefined
  const parsed = record && parseUsdcAuthorization(record)
  const isPaid =
    parsed !== undefined &&
    usdcAmount > 0n &&
    parsed.authorization.value === usdcAmount &&
    keyOf(parsed.authorization.to, parsed.authorization.nonce) ===
      keyOf(pinned.creditsContract, body.nonce) &&
    (await verifyUsdcAuthorization({
      chainId,
      type: 'ReceiveWithAuthorization',
      authorization: parsed.authorization,
      signature: parsed.signature,
      client,
    }))
  return isPaid
    ? undefined
    : new Refusal('INVALID_USDC_AUTHORIZATION', 'The USDC authorization does not match this redeem.')
}

function refusalOfFunds(
  world: MockWorld,
  { known, gasFee }: { known: { wallet: Address; amount: bigint; usdcAmount: bigint }; gasFee: bigint },
): Refusal | undefined {
  const { credits, usdc } = fundsOf(world, known.wallet)
  if (credits < known.amount - known.usdcAmount + gasFee)
    return new Refusal(
      'INSUFFICIENT_CREDITS',
      'Wallet does not have enough credits to complete redeem request',
    )
  if (usdc >= known.usdcAmount) return undefined
  return wouldRevert('ERC20: transfer amount exceeds balance')
}

const wouldRevert = (revertReason: string) =>
  new Refusal('SIMULATION_FAILED', `The redeem would revert: ${revertReason}`, { details: { revertReason } })

function authorizationOf(
  { terms }: MockWorld,
  options: { from: Address; to: Address; value: bigint; validBefore: bigint; nonce: Hex },
): UsdcAuthorizationMessage {
  const typedData = usdcAuthorizationTypedData({
    chainId: terms.chainId,
    type: 'ReceiveWithAuthorization',
    authorization: { ...options, validAfter: 0n },
  })
  const { value, validAfter, validBefore, ...rest } = typedData.message
  return {
    message: typedDataText(typedData),
    messageData: { ...rest, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` },
  }
}

function domainOf({ terms: { chainId, pinned } }: MockWorld) {
  const { domainName: name, domainVersion: version, creditsContract: verifyingContract } = pinned
  return { name, version, chainId, verifyingContract }
}

const randomSalt = (): Hex => hashOf(globalThis.crypto.randomUUID())

/** Serializes typed data for the wire: JSON with `amount` as a number if it fits, other integers as decimal text (PROTOCOL.md 2.2). */
export function typedDataText(typedData: object): string {
  return JSON.stringify(typedData, (key, value: unknown) => {
    if (typeof value !== 'bigint') return value
    return key === 'amount' && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `${value}`
  })
}
