import type { Config } from '@wagmi/core'
import { checkRedeem } from '../../redeem/checkRedeem.ts'
import type { CheckedPurchase } from '../../redeem/readyRedeem.ts'
import { connectionOf, signerOf } from '../actions/connectionOf.ts'
import { clientOf, purchaseOptionsOf } from '../readKit.ts'
import type { RedeemParameters } from './redeem.ts'

export async function prepareRedeem(
  config: Config,
  parameters: prepareRedeem.Parameters & { wallet?: string | undefined },
): Promise<CheckedPurchase> {
  const { kit, chainId: _, dryRun, ...options } = parameters
  const { wallet, connector, chainId, pinned } = connectionOf(config, parameters)
  return checkRedeem(clientOf(kit, { wallet, chainId }), {
    ...options,
    ...purchaseOptionsOf(config, kit, { wallet, chainId, pinned }, dryRun),
    signer: await signerOf({ connector, wallet, chainId }),
  })
}

export declare namespace prepareRedeem {
  type Parameters = RedeemParameters &
    Pick<checkRedeem.Options, 'prepared' | 'maxAgeSeconds' | 'signal' | 'timeoutMs'>
  type ErrorType = connectionOf.ErrorType | clientOf.ErrorType | signerOf.ErrorType | checkRedeem.ErrorType
}
