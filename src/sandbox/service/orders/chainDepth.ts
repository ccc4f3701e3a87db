import type { EvmChain } from '../../chains/evmChain.ts'

/** A block of a chain, as far as it identifies a place in the chain. */
export type ChainBlock = { number: bigint; hash: `0x${string}`; parentHash: `0x${string}`; timestamp: bigint }

/** The block with `confirmations` blocks on top, up to the newest; undefined while the chain is shorter. */
export async function deepBlock(
  chain: Pick<EvmChain, 'client' | 'confirmations'>,
  newest: ChainBlock,
): Promise<ChainBlock | undefined> {
  const depth = BigInt(chain.confirmations)
  if (depth === 0n) return newest
  return newest.number < depth ? undefined : readBlock(chain, newest.number - depth)
}

/** @throws when the node has none */
export async function newestBlock(chain: Pick<EvmChain, 'client'>): Promise<ChainBlock> {
  const newest = await readBlock(chain, undefined)
  if (newest === undefined) throw new Error('The node has no newest block.')
  return newest
}

/** The block with this number, by default the newest; undefined when the node does not have it. */
export async function readBlock(
  { client }: Pick<EvmChain, 'client'>,
  blockNumber: bigint | undefined,
): Promise<ChainBlock | undefined> {
  const block = await client.request({
    method: 'eth_getBlockByNumber',
    params: [blockNumber === undefined ? 'latest' : `0x${blockNumber.toString(16)}`, false],
  })
  if (block === null || block.number === null || block.hash === null) return undefined
  const { hash, parentHash } = block
  return { number: BigInt(block.number), hash, parentHash, timestamp: BigInt(block.timestamp) }
}
