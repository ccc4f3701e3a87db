import type { Redeemkit } from './createRedeemkit.ts'

/** The chain that is meant where none is named: the wallet's, where it is pinned, else the first pinned. */
export function meantChainId(
  { pins }: Redeemkit,
  { chainId, walletChainId }: { chainId?: number | undefined; walletChainId: number | undefined },
): number {
  if (chainId !== undefined) return chainId
  // A kit has a pin: createRedeemkit looks.
  const [first] = pins as [Redeemkit['pins'][number]]
  return (pins.find((pin) => pin.chainId === walletChainId) ?? first).chainId
}
