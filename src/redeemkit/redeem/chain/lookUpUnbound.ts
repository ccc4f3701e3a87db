import type { Address, Hex } from 'viem'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { askNode, ChainReadError, toBigInt, toRecord, unusableAnswer } from '../../evm/client.ts'
import { isHex, parseLog } from './decodeRedeemed.ts'
import { findTransaction, readCall, type Searched, type SearchState } from './findTransaction.ts'
import { checkClientChain, isCanonical, type RedeemKey } from './lookUpRedeem.ts'
import { movementsOf, paymentsOf, type TokenMovement } from './movementsOf.ts'
import { readBlock } from './readBlock.ts'

/**
 * What a transaction did that a service with unbound permits named, or that was found to carry the permit. What was charged
 * is not known: the contract of such a service has no event that says it.
 */
export type UnboundOutcome = {
  intentBound: false
  wallet: Address
  nonce: Hex
  creditsContract: Address
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  /** Whether the transaction's call data holds wallet and nonce. Where it does not, that it is this redeem is the service's word. */
  carriesPermit: boolean
  /** What moved in the whole transaction, by the tokens' own events: for the wallet, and out of the credits contract (`paid`). */
  movements: readonly TokenMovement[]
}

/** What can be known of a redeem whose contract tells nothing about a nonce, seen at one block. */
export type UnboundLookUp = {
  /** `unknown`: no mined transaction of it is known. Whether it was executed, the chain does not say. */
  state: 'redeemed' | 'unknown'
  /** The block of the look. */
  block: { number: bigint; timestamp: bigint }
  /** Whether the outcome is so many blocks deep as was asked for. */
  settled?: boolean | undefined
  outcome?: UnboundOutcome | undefined
  /** Whether the chain has passed `validBefore`: from then on it cannot execute any more. `undefined` without `validBefore`. */
  over: boolean | undefined
  /** Whether the node knows the named transaction, which waits to be mined: then nothing is searched. */
  pending?: boolean | undefined
  /**
   * The blocks in which every transfer of USDC out of the credits contract was looked at for a transaction that carries the
   * permit, and whether they reach back to before the permit can have been signed.
   */
  searched?: Searched | undefined
  /** What is known and what is not, in words. */
  words: string
}

const asked = { field: 'publicClient' } as const
/** After so many looks at a receipt whose transaction the node does not tell, the receipt alone counts. */
const mostWithoutCall = 3

/**
 * Reads what the chain knows about a redeem with an unbound permit (PROTOCOL.md 4.4): the receipt of the hash that the
 * service named; else a transaction that moved USDC out of the credits contract and holds wallet and nonce in its call data.
 *
 * @throws ChainReadError when the chain cannot be read; what `checkClientChain` throws
 */
export async function lookUpUnbound(
  client: EvmClient,
  key: RedeemKey,
  options: lookUpUnbound.Options = {},
): Promise<UnboundLookUp> {
  const { hash, validBefore, confirmations = 1, search = {} } = options
  if (options.chainId !== undefined) await checkClientChain(client, options.chainId)
  const { number, timestamp } = await readBlock(client, 'latest')
  const block = { number, timestamp }
  const over = validBefore === undefined ? undefined : timestamp >= validBefore
  let outcome =
    hash === undefined ? undefined : await readOutcome(client, key, { hash, search: options.search })
  let why = ''
  // It may be in the next block: a search would read hundreds of transactions of others meanwhile.
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
      // That the search failed is one of the things that are said: what was asked of the node first was answered.
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
      words: unknownWords({ hash, validBefore, pending, over, searched }) + why,
    }
  const depth = BigInt(confirmations) - 1n
  const settled =
    depth <= 0n || (outcome.blockNumber <= number - depth && (await isCanonical(client, outcome)))
  return { state: 'redeemed', ...seen, settled, outcome, words: redeemedWords(outcome) }
}

export declare namespace lookUpUnbound {
  type Options = {
    /** The hash that the service named. */
    hash?: Hex | undefined
    /** The permit's `validBefore`, unix seconds. */
    validBefore?: bigint | undefined
    chainId?: number | undefined
    /** Where the search ends; it begins at the newest block. Default: one hour, the longest life of a permit, before `validBefore`. */
    fromBlock?: bigint | undefined
    confirmations?: number | undefined
    /** What an earlier look has searched, to go on from there. It is written to. */
    search?: SearchState | undefined
  }
  type ErrorType = checkClientChain.ErrorType | ChainReadError
}

/**
 * What a mined transaction did; `undefined` while it is not mined, when it reverted, and when nothing of it is this redeem:
 * neither are wallet and nonce in its call data, nor has another contract made USDC leave the credits contract.
 */
async function readOutcome(
  client: EvmClient,
  key: RedeemKey,
  { hash, search }: { hash: Hex; search?: SearchState | undefined },
): Promise<UnboundOutcome | undefined> {
  const receipt = await askNode(client, 'eth_getTransactionReceipt', [hash], asked)
  if (receipt === null || receipt === undefined) return undefined
  const { logs, status, blockNumber, blockHash, transactionHash } = toRecord(receipt, 'the receipt')
  if (!Array.isArray(logs) || !isHex(blockHash, 32) || !isHex(transactionHash, 32))
    throw unusableAnswer(receipt, 'the receipt')
  if (status !== '0x1' || transactionHash.toLowerCase() !== hash.toLowerCase()) return undefined
  const { wallet, nonce, creditsContract } = key
  const parsed = logs.map(parseLog).filter((log) => log !== undefined)
  const paid = paymentsOf(parsed, { wallet, target: creditsContract, creditsContract })
  const own = movementsOf(parsed, wallet)
  const call = await callOf(client, key, hash)
  if (call === undefined && search !== undefined) {
    // Another node of the pool may have it the next time. Some nodes never do: then the receipt alone counts.
    search.withoutCall = (search.withoutCall ?? 0) + 1
    if (search.withoutCall < mostWithoutCall) return undefined
  }
  const { carriesPermit, direct } = call ?? { carriesPermit: false, direct: false }
  const left = [...paid, ...own].some(({ from }) => from.toLowerCase() === creditsContract.toLowerCase())
  // The contract itself takes a permit by its wallet and nonce: a call of it without these is another redeem.
  if (!carriesPermit && (direct || !left)) return undefined
  return {
    intentBound: false,
    wallet,
    nonce,
    creditsContract: checkAddress(creditsContract, 'creditsContract'),
    hash: transactionHash,
    blockNumber: toBigInt(blockNumber, 'the block number'),
    blockHash,
    carriesPermit,
    movements: [...own, ...paid],
  }
}

/** A transaction's call, where the node tells it: without it, the receipt still says what moved. */
async function callOf(client: EvmClient, key: RedeemKey, hash: Hex): ReturnType<typeof readCall> {
  try {
    return await readCall(client, key, hash)
  } catch (error) {
    if (error instanceof ChainReadError) return undefined
    throw error
  }
}

const dateOf = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()

function redeemedWords({ hash, carriesPermit, creditsContract }: UnboundOutcome): string {
  return `Transaction ${hash} succeeded. ${
    carriesPermit
      ? 'It carries this permit.'
      : `USDC left ${creditsContract} in it; that it is this redeem is the service's word, because its call data does not show the permit.`
  } What was charged, this contract does not tell.`
}

function unknownWords(known: {
  hash: Hex | undefined
  validBefore: bigint | undefined
  pending: boolean
  over: boolean | undefined
  searched: UnboundLookUp['searched']
}): string {
  const { hash, validBefore, pending, over, searched } = known
  const named = hash === undefined ? 'No hash of it is known' : `${hash} is not mined as this redeem`
  const looked =
    searched === undefined
      ? 'and the transfers out of the credits contract could not all be looked at'
      : `and no transfer of USDC out of the credits contract from block ${searched.fromBlock} to ${searched.toBlock} carries this permit${
          searched.complete ? ', which is all of its life' : '; earlier blocks were not looked at'
        }`
  const end =
    validBefore === undefined
      ? 'When it ends is not known without validBefore.'
      : over
        ? `It ended at ${dateOf(validBefore)}: it cannot execute any more.`
        : `It may execute until ${dateOf(validBefore)}.`
  return `${pending ? `${hash} waits to be mined` : `${named}, ${looked}`}. This contract does not tell what became of a nonce. ${end}`
}
