import type { Address, Hex } from 'viem'
import { centsToAmount, InvalidAmountError, parseAmount, usdcDecimals } from '../../core/amount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { SendGaslessTxBody } from '../../schema/sendGaslessTxBody.ts'
import type { RedeemSubtotal, Subtotal } from '../../schema/subtotal.ts'
import { networks } from '../networks.ts'
import { type Settlement, settlementOf } from '../transactionData/settlementOf.ts'
import { checkUsdcAuthorizations, type NoUsdcAuthorizationError, pinnedUsdc } from '../usdcToken.ts'
import { checkChainId, sameHex } from '../values.ts'
import { hashSettlement, redeemIntentNonce, type settlementHash } from './redeemIntentNonce.ts'

/** The page's request for a redeem: the records of PROTOCOL.md 11.3, 11.6, 11.9 and 2.2. */
export type RedeemRequest = Pick<
  SendGaslessTxBody,
  'transactionData' | 'usdcAmount' | 'chargebackProtectionData'
> & {
  /** The price in US cents, or in the chain's USDC. */
  subtotal: RedeemSubtotal
}

/** The amounts (raw units) and the nonce that redeemkit computes from the caller's own terms. */
export type RedeemIntent = {
  amount: bigint
  usdcAmount: bigint
  /** The nonce that an intent-bound permit must have. */
  nonce: Hex
  /** `undefined` on a chain without USDC. */
  usdc: { readonly chainId: number; readonly address: Address } | undefined
}

/** Computes the amounts and the nonce from the caller's terms, without any value from the service (PROTOCOL.md 4 and 6). */
export function redeemIntent({
  chainId,
  wallet,
  request,
  orderKey,
  salt,
  bridgeAdapter,
  intentBound,
  token,
  settlement,
}: {
  readonly chainId: number
  readonly wallet: Address
  readonly request: RedeemRequest
  readonly orderKey: Hex
  readonly salt: Hex
  /** The bridge adapter of the credits contract; only `decent` needs it. */
  readonly bridgeAdapter?: Address | undefined
  /** `false` for random nonces: the caller then ignores the returned nonce, and `decent` needs no adapter. */
  readonly intentBound?: boolean | undefined
  /** A test token that replaces the chain's pinned USDC. */
  readonly token?: { readonly address: Address } | undefined
  /** The settlement of `request.transactionData`, if the caller has already computed it. */
  readonly settlement?: Settlement | undefined
}): RedeemIntent {
  const pays = request.usdcAmount !== undefined
  const usdc =
    token !== undefined
      ? { chainId, address: token.address }
      : pays || networks.some((network) => network.chainId === chainId && network.usdc)
        ? usdcOf(chainId)
        : undefined
  const amount = subtotalToAmount(request.subtotal, { usdc: usdc?.address })
  const usdcAmount = centsToAmount(request.usdcAmount?.cents ?? 0, { field: 'usdcAmount.cents' })
  if (usdcAmount > amount)
    throw new InvalidRedeemRequestError(
      `The part paid in USDC, ${usdcAmount}, is more than the subtotal, ${amount}.`,
      { field: 'usdcAmount', fix: 'The subtotal includes the USDC amount: pass at most the subtotal.' },
    )
  if (amount - usdcAmount > BigInt(Number.MAX_SAFE_INTEGER))
    throw new InvalidAmountError(`${amount - usdcAmount} raw units of credits do not fit in a JSON number.`, {
      field: 'subtotal',
      fix: 'Split the redeem: it can spend at most 2^53 - 1 raw units of credits.',
    })
  return {
    amount,
    usdcAmount,
    usdc,
    nonce: redeemIntentNonce({
      orderKey,
      customerWallet: wallet,
      settlementHash: hashSettlement(settlement ?? settlementOf(request.transactionData), {
        bridgeAdapter: bridgeAdapter ?? (intentBound === false ? unusedAdapter : undefined),
      }),
      amount,
      usdcAmount,
      salt,
    }),
  }
}

function usdcOf(chainId: number) {
  checkUsdcAuthorizations(checkChainId(chainId, 'chainId'))
  return { chainId, address: pinnedUsdc(chainId).address }
}

const unusedAdapter = '0x0000000000000000000000000000000000000001'

export declare namespace redeemIntent {
  type ErrorType =
    | NoUsdcAuthorizationError
    | UnknownNetworkError
    | InvalidSubtotalError
    | settlementHash.ErrorType
    | InvalidRedeemRequestError
}

/** The request cannot be prepared: a field is missing, malformed, or contradicts another field. */
export class InvalidRedeemRequestError extends BaseError {
  override readonly name = 'InvalidRedeemRequestError'
}

/** Returns a subtotal in raw units of the chain's USDC: 10.00 USD and 10 USDC are both `10_000_000n`. Never rounds. */
function subtotalToAmount(subtotal: Subtotal, options: { usdc: string | undefined }): bigint {
  const amount = 'cents' in subtotal ? dollars(subtotal) : tokens(subtotal, options.usdc)
  if (amount === 0n)
    throw new InvalidAmountError('The subtotal is 0.', {
      field: 'cents' in subtotal ? 'subtotal.cents' : 'subtotal.amount',
      fix: 'Pass an amount above 0.',
    })
  return amount
}

function dollars(subtotal: Exclude<Subtotal, { address: string }>): bigint {
  if ('currency' in subtotal && subtotal.currency !== 'USD')
    throw new InvalidSubtotalError(`A redeem cannot be priced in ${subtotal.currency}.`, {
      field: 'subtotal.currency',
      fix: 'Pass the price in US cents, or in the USDC of the chain.',
    })
  return centsToAmount(subtotal.cents, { field: 'subtotal.cents' })
}

function tokens(subtotal: Extract<Subtotal, { address: string }>, usdc: string | undefined): bigint {
  const { address, amount, decimals = usdcDecimals } = subtotal
  if (!sameHex(address, usdc))
    throw new InvalidSubtotalError(`Token ${showValue(address)} is not the USDC of this chain.`, {
      field: 'subtotal.address',
      fix:
        usdc === undefined
          ? 'This chain has no USDC: give the price in US cents.'
          : `Use ${usdc}, or US cents.`,
    })
  if (decimals !== 6)
    throw new InvalidSubtotalError(`USDC has 6 decimals, not ${showValue(decimals)}.`, {
      field: 'subtotal.decimals',
      fix: 'Pass 6, or omit it.',
    })
  // `String` writes very small and very large numbers with an exponent, which `parseAmount` rejects
  return parseAmount(String(amount), { decimals: usdcDecimals, field: 'subtotal.amount' })
}

/** The subtotal is neither in US dollars nor in the chain's USDC (PROTOCOL.md 6). */
export class InvalidSubtotalError extends BaseError {
  override readonly name = 'InvalidSubtotalError'
}
