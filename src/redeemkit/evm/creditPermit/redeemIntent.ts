import type { Address, Hex } from 'viem'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { SendGaslessTxBody } from '../../schema/sendGaslessTxBody.ts'
import type { RedeemSubtotal } from '../../schema/subtotal.ts'
import { networks } from '../networks.ts'
import { usdcToken } from '../usdcToken.ts'
import { redeemIntentNonce } from './redeemIntentNonce.ts'
import { settlementHash } from './settlementHash.ts'
import { subtotalToAmount } from './subtotalToAmount.ts'

/** What the customer wants: the records of PROTOCOL.md 11.3, 11.6, 11.9 and 2.2. */
export type RedeemRequest = Pick<
  SendGaslessTxBody,
  'transactionData' | 'usdcAmount' | 'chargebackProtectionData'
> & {
  /** US cents, or the chain's own USDC. */
  subtotal: RedeemSubtotal
}

/** Amounts and nonce that follow from the caller's own terms. Raw units. */
export type RedeemIntent = {
  amount: bigint
  usdcAmount: bigint
  /** The nonce that an intent-bound permit must have. */
  nonce: Hex
  /** The chain's USDC; `undefined` where there is none. */
  usdc: { readonly chainId: number; readonly address: Address } | undefined
}

/**
 * Computes amounts and nonce from the caller's own terms alone (PROTOCOL.md 4 and 6).
 *
 * @throws InvalidSubtotalError, InvalidAmountError, {@link InvalidRedeemRequestError}, NoUsdcAuthorizationError, and what
 * `settlementHash` throws for a `transactionData` that is none of the six shapes
 */
export function redeemIntent({
  chainId,
  wallet,
  request,
  orderKey,
  salt,
  bridgeAdapter,
  intentBound,
  token,
}: {
  readonly chainId: number
  readonly wallet: Address
  readonly request: RedeemRequest
  readonly orderKey: Hex
  readonly salt: Hex
  /** The bridge adapter of the credits contract; only `decent` needs it. */
  readonly bridgeAdapter?: Address | undefined
  /** `false` where nonces are random: then the nonce returned here is not used, and `decent` needs no adapter. */
  readonly intentBound?: boolean | undefined
  /** The USDC of the chain, where it is another one than the pinned: a test token. */
  readonly token?: { readonly address: Address } | undefined
}): RedeemIntent {
  const pays = request.usdcAmount !== undefined
  const usdc =
    token !== undefined
      ? { chainId, address: token.address }
      : pays || networks.some((network) => network.chainId === chainId && network.usdc)
        ? usdcToken({ chainId })
        : undefined
  const amount = subtotalToAmount(request.subtotal, { usdc: usdc?.address })
  const usdcAmount = centsToAmount(request.usdcAmount?.cents ?? 0, { field: 'usdcAmount.cents' })
  if (usdcAmount > amount)
    throw new InvalidRedeemRequestError(
      `The part paid in USDC, ${usdcAmount}, is more than the subtotal, ${amount}.`,
      {
        field: 'usdcAmount',
        fix: 'The USDC amount is inside the subtotal, not on top of it.',
      },
    )
  if (amount - usdcAmount > BigInt(Number.MAX_SAFE_INTEGER))
    throw new InvalidAmountError(
      `${amount - usdcAmount} raw units of credits do not fit into a JSON number.`,
      {
        field: 'subtotal',
        fix: 'Split the redeem: one can spend at most 2^53 - 1 raw units of credits.',
      },
    )
  return {
    amount,
    usdcAmount,
    usdc,
    nonce: redeemIntentNonce({
      orderKey,
      customerWallet: wallet,
      settlementHash: settlementHash(request.transactionData, {
        bridgeAdapter: bridgeAdapter ?? (intentBound === false ? unusedAdapter : undefined),
      }),
      amount,
      usdcAmount,
      salt,
    }),
  }
}

const unusedAdapter = '0x0000000000000000000000000000000000000001'

export declare namespace redeemIntent {
  type ErrorType =
    | usdcToken.ErrorType
    | subtotalToAmount.ErrorType
    | settlementHash.ErrorType
    | redeemIntentNonce.ErrorType
    | InvalidRedeemRequestError
}

/** What the caller asked for cannot be prepared: a field is missing, malformed, or contradicts another one. */
export class InvalidRedeemRequestError extends BaseError {
  override readonly name = 'InvalidRedeemRequestError'
}
