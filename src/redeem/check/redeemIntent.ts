import type { Hex } from 'viem'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { redeemIntentNonce } from '../../evm/creditPermit/redeemIntentNonce.ts'
import { settlementHash } from '../../evm/creditPermit/settlementHash.ts'
import { networkOf } from '../../evm/networks.ts'
import { type UsdcToken, usdcToken } from '../../evm/usdcToken.ts'
import { InvalidRedeemRequestError } from '../errors.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import { subtotalToAmount } from '../request/subtotalToAmount.ts'

/** What the caller's own terms amount to, before anybody was asked. Raw units. */
export type RedeemIntent = {
  amount: bigint
  usdcAmount: bigint
  /** The nonce that a bound permit must have. */
  nonce: Hex
  /** The chain's pinned USDC; `undefined` where there is none. */
  usdc: UsdcToken | undefined
}

/**
 * Computes amounts and nonce from the terms alone (PROTOCOL.md 4 and 6).
 *
 * @throws InvalidSubtotalError, InvalidAmountError, InvalidRedeemRequestError, NoUsdcAuthorizationError, and what
 * `settlementHash` throws for a `transactionData` that is none of the six shapes
 */
export function redeemIntent({ chainId, wallet, request, salt }: RedeemTerms): RedeemIntent {
  const pays = request.usdcAmount !== undefined
  const usdc = pays || networkOf({ chainId }).usdc ? usdcToken({ chainId }) : undefined
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
      customerWallet: wallet,
      settlementHash: settlementHash(request.transactionData),
      amount,
      usdcAmount,
      salt,
    }),
  }
}

export declare namespace redeemIntent {
  type ErrorType =
    | usdcToken.ErrorType
    | subtotalToAmount.ErrorType
    | settlementHash.ErrorType
    | redeemIntentNonce.ErrorType
    | InvalidRedeemRequestError
}
