import type { Redeemkit } from './createRedeemkit.ts'

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
