import type { Hex } from 'viem'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import {
  askNode,
  ChainReadError,
  type EvmClient,
  toBigInt,
  toQuantity,
  toRecord,
  unusableAnswer,
} from '../../evm/client.ts'
import { commitmentOf, orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import { type OrderState, readOrderState } from '../../evm/creditPermit/orderState.ts'
import { checkChainId, type InvalidChainIdError, isHex } from '../../evm/values.ts'
import type { InvalidRedeemRequestError } from '../errors.ts'
import { blocksAround, readBlock, walkLogs } from './readBlocks.ts'
import {
  type ChainLog,
  decodeRedeemed,
  movementsOf,
  orderTopicOf,
  parseLog,
  paymentsOf,
  type RedeemOutcome,
  redeemedTopic,
} from './readLogs.ts'
import { checkPublicClient, type RedeemKey } from './redeemKey.ts'

/**
 * State of an order on its credits contract: unused, redeemed by this attempt, redeemed by another attempt, or cancelled. All but
 * `unused` are final.
 */
export type RedeemState = 'unused' | 'redeemed' | 'otherAttempt' | 'cancelled'

/** State of a redeem as of one block. */
export type RedeemLookUp = {
  state: RedeemState
  /** Block of the look-up. */
  block: { number: bigint; timestamp: bigint }
  /**
   * Set if `confirmations` were requested: whether the outcome (redeemed, cancelled, or unused after `validBefore`) has that many
   * confirmations.
   */
  settled?: boolean | undefined
  /** Set if `state` is `redeemed` or `otherAttempt` and the event was found. */
  outcome?: RedeemOutcome | undefined
}

/** Only an event of the given contract, wallet and order counts. The contract stores the time of the redeem, which narrows the search. */
export async function lookUpRedeem(
  client: EvmClient,
  key: RedeemKey,
  options: lookUpRedeem.Options = {},
): Promise<RedeemLookUp> {
  if (options.chainId !== undefined) await checkClientChain(client, options.chainId)
  const { number, timestamp } = await readBlock(client, 'latest')
  const block = { number, timestamp }
  const order = await readOrder(client, key, number)
  const state = stateOf(order, key)
  const seen: RedeemLookUp = { state, block }
  if (order.state === 'redeemed') {
    const used = { ...key, commitment: order.commitment }
    const range = await blocksAround(client, order.timestamp, { first: options.fromBlock ?? 0n, head: block })
    const hash = await findHash(client, used, range)
    seen.outcome = hash === undefined ? undefined : await readOutcome(client, used, hash)
  }
  const { confirmations, validBefore } = options
  return confirmations === undefined
    ? seen
    : {
        ...seen,
        settled: await isSettled(client, key, { ...seen, depth: BigInt(confirmations) - 1n, validBefore }),
      }
}

export declare namespace lookUpRedeem {
  type Options = {
    fromBlock?: bigint | undefined
    chainId?: number | undefined
    /** Including the block itself. Requests `settled`. */
    confirmations?: number | undefined
    /** Unix seconds. Without it, an unused nonce is never `settled`. */
    validBefore?: bigint | undefined
  }
  type ErrorType =
    | askNode.ErrorType
    | InvalidRedeemRequestError
    | InvalidChainIdError
    | WrongNetworkError
    | InvalidAddressError
}

const readOrder = (client: EvmClient, { creditsContract, wallet, nonce }: RedeemKey, blockNumber?: bigint) =>
  readOrderState(
    client,
    { creditsContract, wallet, orderKey: orderKeyOf(nonce) },
    { blockNumber, field: 'publicClient' },
  )

export function stateOf({ state, commitment }: OrderState, { nonce }: Pick<RedeemKey, 'nonce'>): RedeemState {
  return state === 'redeemed' && commitment !== commitmentOf(nonce) ? 'otherAttempt' : state
}

async function isSettled(
  client: EvmClient,
  key: RedeemKey,
  seen: RedeemLookUp & { depth: bigint; validBefore: bigint | undefined },
): Promise<boolean> {
  const { state, block, outcome, depth, validBefore } = seen
  const number = block.number - depth
  const isOver = ({ timestamp }: { timestamp: bigint }) =>
    validBefore !== undefined && timestamp >= validBefore
  const isRedeemed = state === 'redeemed' || state === 'otherAttempt'
  if (isRedeemed ? outcome === undefined : state === 'unused' && !isOver(block)) return false
  if (depth <= 0n) return true
  if (number < 0n) return false
  if (outcome !== undefined) return outcome.blockNumber <= number && isCanonical(client, outcome)
  // An unused order was unused in every earlier block.
  if (state === 'unused') return isOver(await readBlock(client, toQuantity(number)))
  try {
    return (await readOrder(client, key, number)).state === state
  } catch (error) {
    // The contract may have been deployed after that block.
    if (error instanceof ChainReadError && error.field === 'creditsContract') return false
    throw error
  }
}

export async function isCanonical(
  client: EvmClient,
  outcome: { blockNumber: bigint; blockHash: Hex },
): Promise<boolean> {
  const { hash } = await readBlock(client, toQuantity(outcome.blockNumber))
  return hash === outcome.blockHash.toLowerCase()
}

export async function checkClientChain(
  client: EvmClient,
  chainId: number,
  field = 'publicClient',
): Promise<void> {
  checkPublicClient(client, field)
  const expected = BigInt(checkChainId(chainId, 'chainId'))
  const own = toBigInt(await askNode(client, 'eth_chainId', [], { field }), 'eth_chainId')
  if (own !== expected)
    throw new WrongNetworkError(
      `The public client is on chain ${own}, but the redeem is on chain ${chainId}.`,
      {
        field,
        fix: 'Pass a public client on the chain of the redeem.',
      },
    )
}

type UsedKey = RedeemKey & { commitment: Hex }

async function findHash(
  client: EvmClient,
  key: UsedKey,
  range: { first: bigint; last: bigint },
): Promise<string | undefined> {
  const topics = [
    redeemedTopic,
    `0x${key.wallet.slice(2).toLowerCase().padStart(64, '0')}`,
    orderTopicOf(key.nonce),
  ]
  for await (const { logs } of walkLogs(client, { address: key.creditsContract, topics }, range))
    for (const entry of logs) {
      const log = parseLog(entry)
      const hash = toRecord(entry, 'log').transactionHash
      if (log !== undefined && isOurs(log, key) && typeof hash === 'string') return hash
    }
  return undefined
}

async function readOutcome(
  client: EvmClient,
  key: UsedKey,
  hash: string,
): Promise<RedeemOutcome | undefined> {
  const receipt = await readSuccess(client, hash)
  if (receipt === undefined) return undefined
  const { logs: parsed, ...mined } = receipt
  const at = parsed.findIndex((log) => isOurs(log, key))
  const ours = parsed[at]
  const event = ours && decodeRedeemed(ours)
  if (event === undefined) return undefined
  return {
    ...event,
    creditsContract: checkAddress(key.creditsContract, 'creditsContract'),
    ...mined,
    movements: [
      ...movementsOf(partOf(parsed, at), key.wallet),
      ...paymentsOf(partOf(parsed.slice(0, at + 1), at), { ...event, creditsContract: key.creditsContract }),
    ],
  }
}

/** Returns `undefined` for a failed or unknown transaction. */
export async function readSuccess(
  client: EvmClient,
  asked: string,
): Promise<{ hash: Hex; blockNumber: bigint; blockHash: Hex; logs: ChainLog[] } | undefined> {
  const receipt = await askNode(client, 'eth_getTransactionReceipt', [asked], { field: 'publicClient' })
  if (receipt === null || receipt === undefined) return undefined
  const { logs, status, blockNumber, blockHash, transactionHash: hash } = toRecord(receipt, 'the receipt')
  if (!Array.isArray(logs) || !isHex(blockHash, 32) || !isHex(hash, 32))
    throw unusableAnswer(receipt, 'the receipt')
  if (status !== '0x1') return undefined
  return {
    hash,
    blockNumber: toBigInt(blockNumber, 'the block number'),
    blockHash,
    logs: logs.map(parseLog).filter((log) => log !== undefined),
  }
}

/** Returns the logs of one redeem. A batch has several redeems in one transaction; the logs of each end with its event. */
function partOf(logs: readonly ChainLog[], at: number): readonly ChainLog[] {
  const contract = logs[at]?.address
  const isEnd = (log: ChainLog) => log.topics[0] === redeemedTopic && log.address === contract
  if (logs.filter(isEnd).length < 2) return logs
  let start = at
  for (let log = logs[start - 1]; log !== undefined && !isEnd(log); log = logs[start - 1]) start--
  return logs.slice(start, at + 1)
}

function isOurs(log: ChainLog, { creditsContract, wallet, nonce, commitment }: UsedKey): boolean {
  return (
    log.address === creditsContract.toLowerCase() &&
    log.topics[0] === redeemedTopic &&
    log.topics[1]?.slice(-40) === wallet.slice(2).toLowerCase() &&
    log.topics[2] === orderTopicOf(nonce) &&
    log.words[0]?.slice(24) === commitment.slice(2)
  )
}
