import { type Config, getConnection } from '@wagmi/core'
import type { Redeemkit } from './kit.ts'

/** Returns the given chain, the wallet's chain if it is pinned, or the first pinned one. */
export function meantChainId(
  { pins }: Redeemkit,
  { chainId, walletChainId }: { chainId?: number | undefined; walletChainId: number | undefined },
): number {
  if (chainId !== undefined) return chainId
  // createRedeemkit requires at least one pin.
  const [first] = pins as [Redeemkit['pins'][number]]
  return (pins.find((pin) => pin.chainId === walletChainId) ?? first).chainId
}

/** Adds the account and the chain of the call, because both may change while the engine loads. */
export function asConnected<
  parameters extends { kit: Redeemkit; chainId?: number | undefined; wallet?: string | undefined },
>(config: Config, parameters: parameters): parameters & { chainId: number; wallet: string | undefined } {
  const { address, chainId: walletChainId } = getConnection(config)
  const { kit, chainId, wallet = address } = parameters
  return { ...parameters, chainId: meantChainId(kit, { chainId, walletChainId }), wallet }
}
