import { type Chain, erc20Abi, type Hex, type PublicClient, type Transport } from 'viem'

/** USDC of a wallet in raw units, 0 on a chain without it: of the newest block, or of a named one. */
export async function readUsdcBalance(
  chain: { usdc: Hex | undefined; client: PublicClient<Transport, Chain> },
  options: { wallet: Hex; blockNumber?: bigint },
): Promise<bigint> {
  const { wallet, ...block } = options
  if (chain.usdc === undefined) return 0n
  return chain.client.readContract({
    address: chain.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet],
    ...block,
  })
}
