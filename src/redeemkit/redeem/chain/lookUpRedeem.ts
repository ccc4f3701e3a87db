import type { Address, Hex } from 'viem'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { askNode, ChainReadError, toBigInt, toQuantity, toRecord, unusableAnswer } from '../../evm/client.ts'
import { commitmentOf, orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import { type OrderState, readOrderState } from '../../evm/creditPermit/orderState.ts'
import { checkChainId, type InvalidChainIdError } from '../../evm/values.ts'
import { blocksAround } from './blocksAround.ts'
import { checkPublicClient } from './checkPublicClient.ts'
import {
  type ChainLog,
  decodeRedeemed,
  isHex,
  orderTopicOf,
  parseLog,
  type RedeemedEvent,
  redeemedTopic,
} from './decodeRedeemed.ts'
import { movementsOf, paymentsOf, type TokenMovement } from './movementsOf.ts'
import { readBlock } from './readBlock.ts'
import { walkLogs } from './walkLogs.ts'

/** Which redeem to look for. */
export type RedeemKey = {
  /** Who signed the permit. */
  wallet: Address
  /** The permit's nonce: it stays the same when a fee replacement changes the transaction's hash. */
  nonce: Hex
  /** The credits contract that the caller trusts. Events of others do not count. */
  creditsContract: Address
}

/** A redeem that the chain holds: what it charged and what moved. Amounts in raw units; 1 USDC is `1_000_000n`. */
export type RedeemOutcome = RedeemedEvent & {
  creditsContract: Address
  /** The transaction that used the order. It need not be the one that the service named. */
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  /**
   * What moved: tokens that came to the wallet (`in`: NFTs that it received) or left it (`out`: USDC that it paid), and ERC-20
   * tokens that were paid to others (`paid`: what the shop received).
   */
  movements: readonly TokenMovement[]
  /** Absent: the contract told it by its own event. An `UnboundOutcome` has `false` here. */
  intentBound?: undefined
}

/**
 * What happened to the order of a redeem on its credits contract: nothing, this attempt was redeemed, another attempt of the order
 * was redeemed, or the order was cancelled. The last three are final.
 */
export type RedeemState = 'unused' | 'redeemed' | 'otherAttempt' | 'cancelled'

/** What the chain knows about a redeem, seen at one block. */
export type RedeemLookUp = {
  state: RedeemState
  /** The block of the look. */
  block: { number: bigint; timestamp: bigint }
  /**
   * Present when `confirmations` were asked for: whether this is the end, at that depth. Redeemed, cancelled, or unused with `validBefore` passed,
   * already so many blocks ago. A reorganisation of fewer blocks changes nothing of it.
   */
  settled?: boolean | undefined
  /** Present when `state` is `redeemed` or `otherAttempt`, and the event was found. */
  outcome?: RedeemOutcome | undefined
}

/** What the functions of this folder call the client. */
const asked = { field: 'publicClient' } as const

/**
 * Reads the state of the order that a nonce belongs to and, when it was redeemed, the event and the receipt.
 *
 * Only an event of the given contract, wallet and order counts, whatever the endpoint or the service says. The time of the
 * redeem, which the contract stores, narrows the search for it.
 *
 * @throws ChainReadError when the chain cannot be read, or there is no credits contract at the address; what
 * `checkClientChain` throws
 */
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
    /** Asks whether the state is `settled`: blocks that must hold it, its own included. 1 takes the newest block's word. */
    confirmations?: number | undefined
    /** The permit's `validBefore`, unix seconds: without it an unused nonce is never settled. */
    validBefore?: bigint | undefined
  }
  type ErrorType = askNode.ErrorType | checkClientChain.ErrorType | InvalidAddressError
}

const readOrder = (client: EvmClient, { creditsContract, wallet, nonce }: RedeemKey, blockNumber?: bigint) =>
  readOrderState(
    client,
    { creditsContract, wallet, orderKey: orderKeyOf(nonce) },
    { blockNumber, field: 'publicClient' },
  )

/** What the state of an order means for one of its attempts. */
export function stateOf({ state, commitment }: OrderState, { nonce }: Pick<RedeemKey, 'nonce'>): RedeemState {
  return state === 'redeemed' && commitment !== commitmentOf(nonce) ? 'otherAttempt' : state
}

/** Whether what is seen in the newest block is the end, and was `depth` blocks ago. One question more, and only for an end. */
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
  // An order that is unused now was unused then.
  if (state === 'unused') return isOver(await readBlock(client, toQuantity(number)))
  try {
    return (await readOrder(client, key, number)).state === state
  } catch (error) {
    // The contract itself may be younger.
    if (error instanceof ChainReadError && error.field === 'creditsContract') return false
    throw error
  }
}

/** Whether a redeem's block is still the one at its height. */
export async function isCanonical(
  client: EvmClient,
  outcome: { blockNumber: bigint; blockHash: Hex },
): Promise<boolean> {
  const { hash } = await readBlock(client, toQuantity(outcome.blockNumber))
  return hash === outcome.blockHash.toLowerCase()
}

/**
 * Refuses a node of another chain: what it says about the order would be about another contract.
 *
 * @throws {@link WrongNetworkError}; InvalidRedeemRequestError for what is no client; InvalidChainIdError, ChainReadError
 */
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
      `The public client reads chain ${own}, and the redeem is on chain ${chainId}.`,
      {
        field,
        fix: 'Give a public client of the chain of the redeem.',
      },
    )
}

export declare namespace checkClientChain {
  type ErrorType = askNode.ErrorType | checkPublicClient.ErrorType | InvalidChainIdError | WrongNetworkError
}

/** An order that was redeemed, with the commitment of the attempt that was. */
type UsedKey = RedeemKey & { commitment: Hex }

/** Looks for the event of a redeem, the newest blocks first. */
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
  const receipt = await askNode(client, 'eth_getTransactionReceipt', [hash], asked)
  if (receipt === null) return undefined
  const { logs, status, blockNumber, blockHash, transactionHash } = toRecord(receipt, 'the receipt')
  if (!Array.isArray(logs) || !isHex(blockHash, 32) || !isHex(transactionHash, 32))
    throw unusableAnswer(receipt, 'the receipt')
  if (status !== '0x1') return undefined
  const parsed = logs.map(parseLog).filter((log) => log !== undefined)
  const at = parsed.findIndex((log) => isOurs(log, key))
  const ours = parsed[at]
  const event = ours && decodeRedeemed(ours)
  if (event === undefined) return undefined
  return {
    ...event,
    creditsContract: checkAddress(key.creditsContract, 'creditsContract'),
    hash: transactionHash,
    blockNumber: toBigInt(blockNumber, 'the block number'),
    blockHash,
    movements: [
      ...movementsOf(partOf(parsed, at), key.wallet),
      ...paymentsOf(partOf(parsed.slice(0, at + 1), at), { ...event, creditsContract: key.creditsContract }),
    ],
  }
}

/** A batch puts several redeems into one transaction; each ends with its event. */
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
