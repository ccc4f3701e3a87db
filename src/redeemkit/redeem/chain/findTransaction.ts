import type { Hex } from 'viem'
import { permitMaximumSeconds } from '../../core/limits.ts'
import { askNode, type EvmClient, toBigInt, toQuantity, toRecord } from '../../evm/client.ts'
import { networks } from '../../evm/networks.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import { isHex } from '../../evm/values.ts'
import { transferTopic } from './movementsOf.ts'
import { readBlock, walkLogs } from './readBlocks.ts'
import type { RedeemKey } from './redeemKey.ts'

/** Range of blocks whose USDC transfers out of the credits contract were all checked. */
export type Searched = {
  fromBlock: bigint
  toBlock: bigint
  /** Whether the range covers the whole lifetime of the permit. */
  complete: boolean
}

export type SearchState = {
  searched?: Searched | undefined
  /** Number of look-ups in which the node returned the receipt but not the transaction. */
  withoutCall?: number | undefined
}

const asked = { field: 'publicClient' } as const
/** The next search reads these recent blocks again, because they may have been reorganised. */
const reorgDepth = 32n
const mostTransactions = 500
const mostRequests = 60
const widest = 1_000n

/**
 * Searches for the transaction that carries the permit, among those that moved USDC out of the credits contract (PROTOCOL.md 4.4).
 *
 * @param options.search progress of earlier searches; updated in place
 */
export async function findTransaction(
  client: EvmClient,
  key: RedeemKey,
  options: findTransaction.Options,
): Promise<Hex | undefined> {
  const { search, last, validBefore, fromBlock } = options
  const chainId =
    options.chainId ?? Number(toBigInt(await askNode(client, 'eth_chainId', [], asked), 'eth_chainId'))
  // Without a known USDC contract there are no transfers to search.
  if (!networks.some((network) => network.chainId === chainId && network.usdc)) return undefined
  const filter = {
    address: usdcToken({ chainId }).address,
    topics: [transferTopic, `0x${key.creditsContract.slice(2).toLowerCase().padStart(64, '0')}`],
  }
  const { searched } = search
  const first = searched && searched.toBlock > reorgDepth ? searched.toBlock - reorgDepth : (fromBlock ?? 0n)
  const born = validBefore === undefined ? undefined : validBefore - permitMaximumSeconds
  const isBeginning = async (block: bigint) =>
    block === 0n || (born !== undefined && (await readBlock(client, toQuantity(block))).timestamp < born)
  const looked = new Set<unknown>()
  for await (const { logs, from } of walkLogs(client, filter, { first, last, widest, mostRequests })) {
    for (const log of logs) {
      const hash = toRecord(log, 'log').transactionHash
      if (looked.has(hash)) continue
      if (looked.add(hash).size > mostTransactions) return undefined
      if (isHex(hash, 32) && (await readCall(client, key, hash))?.carriesPermit) return hash
    }
    if (searched !== undefined) {
      if (from === first) search.searched = { ...searched, toBlock: last }
      continue
    }
    const complete = await isBeginning(from)
    search.searched = { fromBlock: from, toBlock: last, complete }
    if (complete) return undefined
  }
  return undefined
}

export declare namespace findTransaction {
  type Options = {
    search: SearchState
    /** Newest block. */
    last: bigint
    validBefore?: bigint | undefined
    chainId?: number | undefined
    fromBlock?: bigint | undefined
  }
}

type Call = {
  /** Whether the call data contains the wallet and the nonce, which a contract needs to check the permit. */
  carriesPermit: boolean
  /** Whether the transaction calls the credits contract itself. */
  direct: boolean
  pending: boolean
}

export async function readCall(
  client: EvmClient,
  { wallet, nonce, creditsContract }: RedeemKey,
  hash: string,
): Promise<Call | undefined> {
  const found = await askNode(client, 'eth_getTransactionByHash', [hash], asked)
  if (found === null || found === undefined) return undefined
  const transaction = toRecord(found, 'the transaction')
  const { calls, blockNumber } = transaction
  // A Tempo transaction contains several calls.
  const all = [transaction, ...(Array.isArray(calls) ? calls.map(Object) : [])]
  const held = all.map(({ input, data = input }) => `${data}`.toLowerCase()).join(' ')
  return {
    carriesPermit: [wallet, nonce].every((part) => held.includes(part.slice(2).toLowerCase())),
    direct: all.some(({ to }) => `${to}`.toLowerCase() === creditsContract.toLowerCase()),
    pending: blockNumber === null || blockNumber === undefined,
  }
}
