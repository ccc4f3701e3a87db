import type { Address, Hex } from 'viem'
import type { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { permitMaximumSeconds } from '../../core/limits.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { askNode, ChainReadError, type EvmClient, toBigInt, toQuantity, toRecord } from '../../evm/client.ts'
import { networks } from '../../evm/networks.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import { type InvalidChainIdError, isHex, sameHex } from '../../evm/values.ts'
import type { InvalidRedeemRequestError } from '../errors.ts'
import { checkClientChain, isCanonical, readSuccess } from './lookUpRedeem.ts'
import { readBlock, walkLogs } from './readBlocks.ts'
import { movementsOf, paymentsOf, type TokenMovement, transferTopic } from './readLogs.ts'
import type { RedeemKey } from './redeemKey.ts'

/**
 * Outcome of a transaction that the service reported, or that carries the permit. The charged amount is unknown: contracts with
 * random nonces do not report it in an event.
 */
export type RandomNonceOutcome = {
  intentBound: false
  wallet: Address
  nonce: Hex
  creditsContract: Address
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  /** Whether the transaction's call data contains wallet and nonce. If not, only the service's report links it to this redeem. */
  carriesPermit: boolean
  /** Token movements of the whole transaction: the wallet's movements, and payments out of the credits contract (`paid`). */
  movements: readonly TokenMovement[]
}

/** What is known about a redeem with a random nonce, as of one block. */
export type RandomNonceLookUp = {
  /** `unknown`: no mined transaction was found. The redeem may still have been executed. */
  state: 'redeemed' | 'unknown'
  /** Block of the look-up. */
  block: { number: bigint; timestamp: bigint }
  /** Whether the outcome has the requested confirmations. */
  settled?: boolean | undefined
  outcome?: RandomNonceOutcome | undefined
  /** Whether the newest block is at or past `validBefore`, so the permit can no longer execute. `undefined` without `validBefore`. */
  over: boolean | undefined
  /** Whether the reported transaction is still in the node's mempool. Then no other transactions are searched. */
  pending?: boolean | undefined
  /** Range of blocks whose USDC transfers out of the credits contract were all checked for the permit. */
  searched?: Searched | undefined
  /** Human-readable summary of the known and unknown facts. */
  text: string
}

/** After this many look-ups, a receipt is accepted without its transaction, because some nodes never return it. */
const mostWithoutCall = 3

/** Reads the receipt of the reported hash or, without one, searches for a transaction that carries the permit (PROTOCOL.md 4.4). */
export async function lookUpRandomNonce(
  client: EvmClient,
  key: RedeemKey,
  options: lookUpRandomNonce.Options = {},
): Promise<RandomNonceLookUp> {
  const { hash, validBefore, confirmations = 1, search = {} } = options
  if (options.chainId !== undefined) await checkClientChain(client, options.chainId)
  const { number, timestamp } = await readBlock(client, 'latest')
  const block = { number, timestamp }
  const over = validBefore === undefined ? undefined : timestamp >= validBefore
  let outcome =
    hash === undefined ? undefined : await readOutcome(client, key, { hash, search: options.search })
  let why = ''
  // The reported transaction may be in the next block, and a search would read hundreds of unrelated transactions.
  const pending =
    hash !== undefined &&
    outcome === undefined &&
    over !== true &&
    (await callOf(client, key, hash))?.pending === true
  if (outcome === undefined && !pending) {
    try {
      const found = await findTransaction(client, key, { ...options, search, last: number })
      outcome = found === undefined ? undefined : await readOutcome(client, key, { hash: found })
    } catch (error) {
      // A failed search is reported in `text`; the look-up itself succeeded.
      if (!(error instanceof ChainReadError)) throw error
      why = ` ${error.shortMessage}`
    }
  }
  const { searched } = search
  const seen = { block, over, ...(pending && { pending }), ...(searched && { searched }) }
  if (outcome === undefined)
    return {
      state: 'unknown',
      ...seen,
      text: unknownText({ hash, validBefore, pending, over, searched }) + why,
    }
  const depth = BigInt(confirmations) - 1n
  const settled =
    depth <= 0n || (outcome.blockNumber <= number - depth && (await isCanonical(client, outcome)))
  return { state: 'redeemed', ...seen, settled, outcome, text: redeemedText(outcome) }
}

export declare namespace lookUpRandomNonce {
  type Options = {
    hash?: Hex | undefined
    validBefore?: bigint | undefined
    chainId?: number | undefined
    /** Oldest block to search; the search starts at the newest. Default: `validBefore` minus the maximum lifetime of a permit. */
    fromBlock?: bigint | undefined
    confirmations?: number | undefined
    /** Progress of an earlier look-up, to continue from. Updated in place. */
    search?: SearchState | undefined
  }
  type ErrorType =
    | askNode.ErrorType
    | InvalidRedeemRequestError
    | InvalidChainIdError
    | WrongNetworkError
    | usdcToken.ErrorType
    | ChainReadError
}

/**
 * Reads the outcome of a transaction. Without the permit in its call data, it is another redeem if it calls the credits contract directly,
 * or if it moved no USDC out of that contract.
 */
async function readOutcome(
  client: EvmClient,
  key: RedeemKey,
  { hash, search }: { hash: Hex; search?: SearchState | undefined },
): Promise<RandomNonceOutcome | undefined> {
  const receipt = await readSuccess(client, hash)
  if (receipt === undefined || !sameHex(receipt.hash, hash)) return undefined
  const { wallet, nonce, creditsContract } = key
  const { logs, ...mined } = receipt
  const paid = paymentsOf(logs, { wallet, target: creditsContract, creditsContract })
  const own = movementsOf(logs, wallet)
  const call = await callOf(client, key, hash)
  if (call === undefined && search !== undefined) {
    // Another node in the pool may return the call next time; some never do, so after a few look-ups the receipt is enough.
    search.withoutCall = (search.withoutCall ?? 0) + 1
    if (search.withoutCall < mostWithoutCall) return undefined
  }
  const { carriesPermit, direct } = call ?? { carriesPermit: false, direct: false }
  const left = [...paid, ...own].some(({ from }) => sameHex(from, creditsContract))
  if (!carriesPermit && (direct || !left)) return undefined
  return {
    intentBound: false,
    wallet,
    nonce,
    creditsContract: checkAddress(creditsContract, 'creditsContract'),
    ...mined,
    carriesPermit,
    movements: [...own, ...paid],
  }
}

/** Returns `undefined` if the node does not return the call, because the receipt may be enough. */
async function callOf(client: EvmClient, key: RedeemKey, hash: Hex): ReturnType<typeof readCall> {
  try {
    return await readCall(client, key, hash)
  } catch (error) {
    if (error instanceof ChainReadError) return undefined
    throw error
  }
}

const dateOf = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()

function redeemedText({ hash, carriesPermit, creditsContract }: RandomNonceOutcome): string {
  return `Transaction ${hash} succeeded. ${
    carriesPermit
      ? 'It contains this permit.'
      : `It moved USDC out of ${creditsContract}, but its call data does not contain the permit. Only the service says that it is this redeem.`
  } This contract does not report what was charged.`
}

function unknownText(known: {
  hash: Hex | undefined
  validBefore: bigint | undefined
  pending: boolean
  over: boolean | undefined
  searched: RandomNonceLookUp['searched']
}): string {
  const { hash, validBefore, pending, over, searched } = known
  const named =
    hash === undefined ? 'The hash is unknown' : `${hash} has not been mined, or is not this redeem`
  const looked =
    searched === undefined
      ? 'and not all transfers out of the credits contract could be checked'
      : `and no transaction with this permit moved USDC out of the credits contract from block ${searched.fromBlock} to ${searched.toBlock}${
          searched.complete ? ', in the whole lifetime of the permit' : '; earlier blocks were not checked'
        }`
  const end =
    validBefore === undefined
      ? 'The permit’s expiry is unknown without validBefore.'
      : over
        ? `The permit expired at ${dateOf(validBefore)} and can no longer execute.`
        : `The permit may execute until ${dateOf(validBefore)}.`
  return `${pending ? `${hash} is pending` : `${named}, ${looked}`}. This contract does not report the state of a nonce. ${end}`
}

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
