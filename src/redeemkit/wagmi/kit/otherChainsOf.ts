import type { Config } from '@wagmi/core'
import type { OtherChain } from '../../redeem/otherChain.ts'
import type { Redeemkit } from './createRedeemkit.ts'

/**
 * The pinned chains, other than one, that the wagmi config has a client for: the order is read there, too, before the wallet is
 * asked. Chains with random nonces have no orders.
 */
export function otherChainsOf(config: Config, { pins }: Redeemkit, chainId: number): readonly OtherChain[] {
  return pins
    .filter((pin) => pin.chainId !== chainId && pin.intentBound !== false)
    .filter((pin) => config.chains.some(({ id }) => id === pin.chainId))
    .map(({ chainId: other, creditsContract, formerContracts }) => ({
      publicClient: config.getClient({ chainId: other }),
      chainId: other,
      creditsContract,
      formerContracts,
    }))
}
