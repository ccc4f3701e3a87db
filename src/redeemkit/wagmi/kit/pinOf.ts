import { PinsRequiredError } from '../../redeem/errors.ts'
import type { ChainPins, Redeemkit } from './createRedeemkit.ts'

/**
 * What the kit trusts on a chain.
 *
 * @throws {@link PinsRequiredError} for a chain that it does not pin
 */
export function pinOf({ pins }: Redeemkit, chainId: number): ChainPins {
  const found = pins.find((pin) => pin.chainId === chainId)
  if (found !== undefined) return found
  throw new PinsRequiredError(`Nothing is pinned on chain ${chainId}.`, {
    field: 'chainId',
    fix: `Pin that chain in createRedeemkit, or use ${pins.map((pin) => pin.chainId).join(' or ')}.`,
  })
}

export declare namespace pinOf {
  type ErrorType = PinsRequiredError
}
