import type { ContractFunctionArgs } from 'viem'
import type { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import type { CreditPermit } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import type { Settlement } from '../../../redeemkit/evm/transactionData/settlementOf.ts'

/** `ICredits.RedeemRequest`. */
export type RedeemRequest = ContractFunctionArgs<typeof creditsAbi, 'nonpayable', 'redeem'>[0]

/** `ICredits.UsdcAuthorization`. */
export type UsdcAuthorizationArgument = RedeemRequest['usdcAuthorization']

/** `ICredits.UsdcMethod`. */
export const usdcMethods = { none: 0, transferV1: 1, transferV2: 2, receiveV1: 3, receiveV2: 4 } as const

/** Puts a redeem together as the credits contract takes it. */
export function redeemRequest(options: redeemRequest.Options): RedeemRequest {
  const { permit, signature, salt, intent, usdcAuthorization = noAuthorization, gasFee } = options
  return {
    permit: { ...permit, signature },
    intent: { amount: intent.amount, usdcAmount: intent.usdcAmount, salt },
    settlement: intent.settlement,
    usdcAuthorization,
    gasFee,
  }
}

export declare namespace redeemRequest {
  type Options = {
    permit: CreditPermit
    signature: `0x${string}`
    salt: `0x${string}`
    intent: { settlement: Settlement; amount: bigint; usdcAmount: bigint }
    usdcAuthorization?: UsdcAuthorizationArgument | undefined
    gasFee: bigint
  }
}

/** Of a redeem that takes nothing of the customer's USDC. */
export const noAuthorization: UsdcAuthorizationArgument = {
  method: usdcMethods.none,
  signature: '0x',
}
