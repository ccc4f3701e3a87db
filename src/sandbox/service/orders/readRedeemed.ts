import { decodeEventLog, encodeEventTopics, getAbiItem, getAddress, type Hex, isHex, type Log } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { firstBlock } from '../../relayer/relayerChain.ts'

export type ChainBlock = { number: bigint; hash: `0x${string}`; parentHash: `0x${string}`; timestamp: bigint }

/** Returns the newest block with at least `confirmations` blocks on top; undefined while the chain has too few blocks. */
export async function deepBlock(
  chain: Pick<EvmChain, 'client' | 'confirmations'>,
  newest: ChainBlock,
): Promise<ChainBlock | undefined> {
  const depth = BigInt(chain.confirmations)
  if (depth === 0n) return newest
  return newest.number < depth ? undefined : readBlock(chain, newest.number - depth)
}

export async function newestBlock(chain: Pick<EvmChain, 'client'>): Promise<ChainBlock> {
  const newest = await readBlock(chain, undefined)
  if (newest === undefined) throw new Error('The node returned no latest block.')
  return newest
}

/** Returns the block with this number or, without one, the newest; undefined if the node does not have it. */
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

/** Searches the blocks for `timestamp`, the block time that the contract stored. */
export async function findRedeemedEvent(
  chain: Pick<EvmChain, 'client' | 'creditsContract'>,
  { timestamp, ...order }: { wallet: Hex; orderKey: Hex; timestamp: bigint },
): Promise<RedeemedEvent | undefined> {
  const newest = await newestBlock(chain)
  if (newest.timestamp < timestamp) return undefined
  // A block that the node no longer has counts as too early.
  const timeOf = async (number: bigint) => (await readBlock(chain, number))?.timestamp ?? -1n
  const fromBlock = await firstBlock(newest.number, async (number) => (await timeOf(number)) >= timestamp)
  // Several blocks may have the same time, so the events of all of them are read.
  const next = await firstBlock(newest.number, async (number) => (await timeOf(number)) > timestamp)
  const toBlock = newest.timestamp > timestamp ? next - 1n : newest.number
  const [event] = await readRedeemed(chain, { ...order, fromBlock, toBlock })
  return event
}

/** A `Redeemed` event of a credits contract (PROTOCOL.md 6.6). Amounts are raw units. */
export type RedeemedEvent = {
  wallet: Hex
  /** 12 bytes. */
  orderKey: Hex
  creditSeedHash: Hex
  nonce: Hex
  /** The contract's number of the transaction type. */
  kind: number
  receiver: Hex
  amount: bigint
  usdcAmount: bigint
  /** Credits that were charged, including the gas fee. */
  charged: bigint
  refunded: bigint
  gasFee: bigint
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
}

/** Oldest first. */
export async function readRedeemed(
  { client, creditsContract }: Pick<EvmChain, 'client' | 'creditsContract'>,
  options: { fromBlock: bigint; toBlock: bigint; wallet?: Hex; orderKey?: Hex },
): Promise<RedeemedEvent[]> {
  const { fromBlock, toBlock, wallet, orderKey } = options
  const topics = encodeEventTopics({
    abi: [redeemed],
    args: { ...(wallet && { customerWallet: wallet }), ...(orderKey && { orderKey }) },
  })
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: creditsContract,
        topics,
        fromBlock: `0x${fromBlock.toString(16)}`,
        toBlock: `0x${toBlock.toString(16)}`,
      },
    ],
  })
  return logs
    .filter((log) => log.removed !== true && isHex(log.blockHash) && isHex(log.transactionHash))
    .map(decodeRedeemed)
    .sort((one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex)
}

const redeemed = getAbiItem({ abi: creditsAbi, name: 'Redeemed' })

type MinedLog = Pick<
  Log<Hex, Hex>,
  'blockHash' | 'blockNumber' | 'data' | 'logIndex' | 'topics' | 'transactionHash'
>

function decodeRedeemed(log: MinedLog): RedeemedEvent {
  const { args } = decodeEventLog({ abi: [redeemed], data: log.data, topics: log.topics })
  const { kindAndTarget, amounts, refundedAndGasFee } = args
  const [amount, usdcAmount] = halves(amounts)
  const [refunded, gasFee] = halves(refundedAndGasFee)
  return {
    wallet: args.customerWallet,
    orderKey: args.orderKey.toLowerCase() as Hex, // decoded hex
    creditSeedHash: args.creditSeedHash.toLowerCase() as Hex, // decoded hex
    nonce: args.nonce.toLowerCase() as Hex, // decoded hex
    kind: Number(kindAndTarget >> 160n),
    receiver: getAddress(`0x${(kindAndTarget & (2n ** 160n - 1n)).toString(16).padStart(40, '0')}`),
    amount,
    usdcAmount,
    charged: amount - usdcAmount + gasFee,
    refunded,
    gasFee,
    hash: log.transactionHash as Hex, // a mined log has a hash
    blockNumber: BigInt(log.blockNumber as Hex), // a mined log has a block number
    blockHash: log.blockHash as Hex, // a mined log has a block hash
    logIndex: Number(log.logIndex),
  }
}

const halves = (word: bigint): [bigint, bigint] => [word >> 128n, word & (2n ** 128n - 1n)]
