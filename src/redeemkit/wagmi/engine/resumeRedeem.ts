import type { Config } from '@wagmi/core'
import { isOpenRedeemError } from '../../redeem/isOpenRedeemError.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import { within } from '../../redeem/within.ts'
import { connectionOf } from '../actions/connectionOf.ts'
import { isWrongNetwork } from './isWrongNetwork.ts'
import { redeem } from './redeem.ts'
import { switchWallet } from './switchWallet.ts'

/** Runs `redeem`. If the wallet is on another network, switches it and runs `redeem` again. */
export async function resumeRedeem(config: Config, parameters: redeem.Parameters): Promise<RedeemResult> {
  try {
    return await redeem(config, parameters)
  } catch (error) {
    if (!isWrongNetwork(error)) throw error
    try {
      await within(switchWallet(config, connectionOf(config, parameters)), { signal: parameters.signal })
    } catch (cause) {
      // Even if the switch is rejected, the redeem may already be submitted.
      throw isOpenRedeemError(error) ? error : cause
    }
    return redeem(config, parameters)
  }
}

export declare namespace resumeRedeem {
  type ErrorType = redeem.ErrorType | switchWallet.ErrorType
}
