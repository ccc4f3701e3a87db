import {
  decodeAbiParameters,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  stringToHex,
} from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { attempt } from '../../redeemkit/core/attempt.ts'
import {
  askNode,
  type ChainReadError,
  type EvmClient,
  toBigInt,
  toQuantity,
  toRecord,
  unusableAnswer,
} from '../../redeemkit/evm/client.ts'
import { settlementKinds, shapeOf } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { UnsupportedCreditsContractError } from './errors.ts'
import type { ReportedEntry } from './redeemReport.ts'
import type { RedeemPlan } from './runPlan.ts'
import { callInSequence } from './trace/callInSequence.ts'
import { addressIn } from './trace/frames.ts'
import { slotsRead } from './trace/prestate.ts'
import { type Overrides, overridesOf } from './trace/traceCall.ts'

export type CreditsFacts = { chainId: number; usdc: Hex }

/** Returns the chain id and USDC address of a credits contract, cached per client. */
export async function creditsFacts(client: EvmClient, creditsContract: Hex): Promise<CreditsFacts> {
  const known = facts.get(client)?.get(creditsContract.toLowerCase())
  if (known !== undefined) return known
  const reads = [
    encodeFunctionData({ abi: creditsAbi, functionName: 'usdc' }),
    encodeFunctionData({ abi: creditsAbi, functionName: 'orderState', args: [creditsContract, noKey] }),
  ].map((data) => ({ to: creditsContract, data }))
  const [id, block] = await Promise.all([
    askNode(client, 'eth_chainId', []),
    askNode(client, 'eth_blockNumber', []),
  ])
  const at = { blockNumber: toBigInt(block, 'eth_blockNumber'), overrides: {} }
  const [usdc, order] = await callInSequence(client, at, { as: reader, calls: reads, gas: gasOfReads })
  if (usdc?.succeeded !== true || usdc.size !== 32 || usdc.words[0] === 0n)
    throw new UnsupportedCreditsContractError(`${creditsContract} is not a credits contract.`, {
      field: 'creditsContract',
      fix: 'Pass the address that the service returns from GET /api/utils/contract-address, or that the sandbox prints.',
    })
  if (!order?.succeeded || order.size !== 96)
    throw new UnsupportedCreditsContractError(`${creditsContract} does not support intent-bound permits.`, {
      field: 'creditsContract',
      fix: 'Use a credits contract with intent-bound permits, such as that of npx redeemkit sandbox.',
      source: 'PROTOCOL.md 4.6',
    })
  const found = { chainId: Number(toBigInt(id, 'eth_chainId')), usdc: addressIn(usdc.words[0].toString(16)) }
  const ofClient = facts.get(client) ?? new Map<string, CreditsFacts>()
  facts.set(client, ofClient.set(creditsContract.toLowerCase(), found))
  return found
}

export declare namespace creditsFacts {
  type ErrorType = ChainReadError | UnsupportedCreditsContractError
}

const facts = new WeakMap<EvmClient, Map<string, CreditsFacts>>()
const noKey: Hex = `0x${'00'.repeat(12)}`
/** Gas limit of reads, below `mostTransactionGas`, to which some nodes limit calls. */
const gasOfReads = 10_000_000n
/** Sender of reads: an unused address. */
export const reader: Hex = `0x${'5ead'.padStart(40, '0')}`

/** The nonce of a `decent` redeem commits to the bridge adapter. `undefined` for other transaction types. */
export async function adapterFor(
  client: EvmClient,
  { creditsContract, kind }: { creditsContract: Hex; kind: number },
): Promise<Hex | undefined> {
  if (kind !== settlementKinds.decent) return undefined
  const data = encodeFunctionData({ abi: creditsAbi, functionName: 'bridgeAdapter' })
  const answer = await askNode(client, 'eth_call', [{ to: creditsContract, data }, 'latest'])
  if (typeof answer !== 'string' || answer.length !== 66) throw unusableAnswer(answer, 'eth_call')
  return addressIn(answer)
}

/** @param blockNumber default: the latest block */
export async function codeAt(client: EvmClient, address: Hex, blockNumber?: bigint): Promise<Hex> {
  const block = blockNumber === undefined ? 'latest' : toQuantity(blockNumber)
  const code = await askNode(client, 'eth_getCode', [address, block])
  if (typeof code !== 'string' || !/^0x[0-9a-f]*$/i.test(code)) throw unusableAnswer(code, 'eth_getCode')
  return code as Hex
}

export async function newestBlock(client: EvmClient): Promise<{ blockNumber: bigint; timestamp: bigint }> {
  const block = toRecord(
    await askNode(client, 'eth_getBlockByNumber', ['latest', false]),
    'eth_getBlockByNumber',
  )
  return {
    blockNumber: toBigInt(block.number, 'block number'),
    timestamp: toBigInt(block.timestamp, 'block timestamp'),
  }
}

/** An entry for every function also counts. */
async function readEntry(
  client: EvmClient,
  options: EntryKey & { selector: Hex; creditsContract: Hex; blockNumber: bigint; overrides?: Overrides },
): Promise<{ isAllowed: boolean; minimumGas: bigint }> {
  const { creditsContract, blockNumber, overrides } = options
  const params = [{ to: creditsContract, data: entryData(options) }, toQuantity(blockNumber)]
  const answer = await askNode(
    client,
    'eth_call',
    overrides === undefined ? params : [...params, overridesOf({ overrides })],
  )
  if (typeof answer !== 'string' || answer.length !== 130) throw unusableAnswer(answer, 'eth_call')
  const [isAllowed, minimumGas] = decodeFunctionResult({
    abi: creditsAbi,
    functionName: 'whitelisted',
    data: answer as Hex,
  })
  return { isAllowed, minimumGas }
}

type EntryKey = { creditSeed: string; chainId: bigint; target: Hex }

function entryData({ creditSeed, chainId, target, selector }: EntryKey & { selector: Hex }): Hex {
  const args = [creditSeed, chainId, target, selector] as const
  return encodeFunctionData({ abi: creditsAbi, functionName: 'whitelisted', args })
}

/** Reads the allowed functions of a target from events. Empty if the node rejects the block range. */
async function readAllowedSelectors(
  client: EvmClient,
  options: EntryKey & { creditsContract: Hex; blockNumber: bigint },
): Promise<readonly (Hex | 'any')[]> {
  const { creditSeed, chainId, target, creditsContract, blockNumber } = options
  const topics = encodeEventTopics({
    abi: creditsAbi,
    eventName: 'WhitelistSet',
    args: { creditSeedHash: keccak256(stringToHex(creditSeed)), chainId, target },
  })
  const filter = { address: creditsContract, topics, fromBlock: '0x0', toBlock: toQuantity(blockNumber) }
  const logs = await askNode(client, 'eth_getLogs', [filter], { isAnswer: () => true })
  const allowed = new Set<Hex | 'any'>()
  if (!Array.isArray(logs)) return []
  for (const log of logs) {
    const entry = readWhitelistSet(log)
    if (entry === undefined) continue
    if (entry.allowed) allowed.add(entry.selector)
    else allowed.delete(entry.selector)
  }
  return [...allowed]
}

function readWhitelistSet(log: unknown): { selector: Hex | 'any'; allowed: boolean } | undefined {
  const { data } = Object(log)
  // The data of a different event does not decode.
  const entry = attempt(() => decodeAbiParameters(entryParameters, data))
  if (entry === undefined) return undefined
  const [, selector, anySelector, allowed] = entry
  return { selector: anySelector ? 'any' : selector, allowed }
}

const entryParameters = [
  { type: 'string' },
  { type: 'bytes4' },
  { type: 'bool' },
  { type: 'bool' },
  { type: 'uint256' },
] as const

export async function entryOf(plan: RedeemPlan): Promise<ReportedEntry> {
  const none = {
    isAllowed: false,
    minimumGas: undefined,
    forbidden: undefined,
    isAssumed: false,
    allowedSelectors: [],
  }
  if (shapeOf(plan.request.settlement)?.does === 'transfer')
    return { ...none, isNeeded: false, isAllowed: true }
  const key = entryKeyOf(plan)
  const { isAllowed, minimumGas } = await readEntry(plan.client, key)
  if (isAllowed) return { ...none, isNeeded: true, isAllowed, minimumGas }
  return { ...none, isNeeded: true, allowedSelectors: await readAllowedSelectors(plan.client, key) }
}

/** The entry for a `decent` redeem names the destination chain. */
export function entryKeyOf({ request, chainId, creditsContract, blockNumber }: RedeemPlan) {
  const { target, data, bridge } = request.settlement
  return {
    creditSeed: request.permit.creditSeed,
    chainId: shapeOf(request.settlement)?.does === 'bridge' ? bridge.dstChainId : BigInt(chainId),
    target,
    // Call data shorter than a selector is padded with zeros, which match no entry.
    selector: data.slice(0, 10).padEnd(10, '0') as Hex,
    creditsContract,
    blockNumber,
  }
}

/**
 * Returns state overrides that whitelist a call, by setting the slots that the credits contract reads for the entry. `undefined` if the
 * node does not return the slots, or the storage layout is different.
 */
export async function assumeEntry(
  client: EvmClient,
  options: EntryKey & { selector: Hex; creditsContract: Hex; blockNumber: bigint },
): Promise<Overrides | undefined> {
  const { creditsContract, blockNumber } = options
  const data = entryData(options)
  const call = { from: reader, to: creditsContract, data, gas: 1_000_000n, blockNumber, overrides: {} }
  const slots = await slotsRead(client, { of: creditsContract, call })
  if (slots.length === 0) return undefined
  const overrides = {
    [creditsContract]: { stateDiff: Object.fromEntries(slots.map((slot) => [slot, allowedEntry])) },
  }
  const { isAllowed } = await readEntry(client, { ...options, overrides })
  return isAllowed ? overrides : undefined
}

/** The value `{ allowed: true, minimumGas: 1 }` with an entry count of 1, packed as in the contract's storage. */
const allowedEntry = numberToHex((1n << 72n) | (1n << 8n) | 1n, { size: 32 })
