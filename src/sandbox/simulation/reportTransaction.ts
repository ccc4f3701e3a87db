import { type Abi, getAddress, type Hex, isHex } from 'viem'
import type { InvalidAmountError } from '../../redeemkit/core/amount.ts'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import type {
  InvalidAddressError,
  InvalidOptionError,
  InvalidRecordError,
} from '../../redeemkit/core/errors/inputErrors.ts'
import {
  askNode,
  ChainReadError,
  type EvmClient,
  toBigInt,
  toQuantity,
  toRecord,
  unusableAnswer,
} from '../../redeemkit/evm/client.ts'
import { type InvalidHexError, type MissingFieldError, sameHex } from '../../redeemkit/evm/values.ts'
import { NoRedeemError } from './errors.ts'
import { makeReport } from './makeReport.ts'
import { adapterFor, creditsFacts, entryOf, reader } from './readChain.ts'
import type { CallFrame, RedeemReport } from './redeemReport.ts'
import { readRedeems, redeemSelectors } from './redeemRequest.ts'
import type { RedeemPlan } from './runPlan.ts'
import type { ReadAround } from './tokensOf.ts'
import { callInSequence } from './trace/callInSequence.ts'
import { type traceCall, traceTransaction } from './trace/traceCall.ts'

/**
 * Reports what a mined redeem did, or why it reverted. The redeem may be in a batch.
 *
 * @param node a client of a node with `debug_traceTransaction`, such as the sandbox; a viem client works
 * @param options.item nonce of the redeem, or its index in a batch, starting at 0. Default: 0
 * @throws InvalidOptionError; NoRedeemError if the transaction is unknown, not mined, or contains no redeem of this
 * contract; UnsupportedCreditsContractError; TracingUnavailableError; ChainReadError
 * @see PROTOCOL.md 6
 */
export async function reportTransaction(
  node: EvmClient,
  options: reportTransaction.Options,
): Promise<RedeemReport> {
  checkOptions(options, {
    hash: 'string',
    creditsContract: 'string',
    item: 'any',
    abis: 'list?',
    rules: 'string?',
  })
  const { hash, creditsContract, item = 0, abis = [], rules = 'all' } = options
  const client = oneAtATime(node)
  const [facts, transaction] = await Promise.all([
    creditsFacts(client, creditsContract),
    minedTransaction(client, { hash, creditsContract }),
  ])
  const { blockNumber, relayer, data } = transaction
  const redeems = readRedeems(data)
  const index = typeof item === 'number' ? item : indexOf(item, redeems)
  const request = redeems[index]
  if (redeems.length === 0)
    throw new NoRedeemError(`Transaction ${hash} contains no redeem.`, {
      field: 'hash',
      fix: 'Pass the hash that sendGaslessTx returned.',
    })
  if (request === undefined)
    throw new NoRedeemError(`Transaction ${hash} has no redeem ${item}: it contains ${redeems.length}.`, {
      field: 'item',
      fix: `Pass the nonce of a redeem in it, or a number from 0 to ${redeems.length - 1}.`,
    })
  const [root, block] = await Promise.all([traceTransaction(client, hash), minedBlock(client, blockNumber)])
  const plan: RedeemPlan = {
    client,
    creditsContract,
    relayer,
    request,
    signatures: 'real',
    bridgeAdapter: await adapterFor(client, { creditsContract, kind: request.settlement.kind }),
    ...facts,
    // Reruns use the state before the transaction.
    blockNumber: blockNumber - 1n,
    block,
    timestamp: block.time,
  }
  return makeReport({
    plan,
    frame: frameOf(root, { creditsContract, item: index, hash }),
    entry: await entryOf(plan),
    abis,
    hash,
    minedIn: blockNumber,
    feeOf: () => request.gasFee,
    rules,
    readAround: readAtBlocks(client, blockNumber),
  })
}

export declare namespace reportTransaction {
  type Options = {
    hash: Hex
    creditsContract: Hex
    /** Nonce of the redeem, or its index in a batch. Default: 0. */
    item?: Hex | number | undefined
    /** ABIs that name calls, events and errors. */
    abis?: readonly Abi[] | undefined
    /** Rules to check. Default `all`; `economic` is faster. */
    rules?: 'economic' | 'all' | undefined
  }
  type ErrorType =
    | InvalidOptionError
    | NoRedeemError
    | creditsFacts.ErrorType
    | traceCall.ErrorType
    // Thrown if the call data contains no well-formed redeem.
    | InvalidAddressError
    | InvalidAmountError
    | InvalidHexError
    | InvalidRecordError
    | MissingFieldError
}

const indexOf = (nonce: Hex, redeems: ReturnType<typeof readRedeems>) =>
  redeems.findIndex((one) => one?.permit.nonce.toLowerCase() === String(nonce).toLowerCase())

/** Serializes requests, because a forked Anvil can deadlock if it runs several calls on an earlier block concurrently. */
function oneAtATime(client: EvmClient): EvmClient {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request: (call) => {
      const answer = last.then(() => client.request(call))
      // The caller of the failed request gets the error; the next request only waits.
      last = answer.catch(() => undefined)
      return answer
    },
  }
}

type Mined = { blockNumber: bigint; relayer: Hex; data: Hex }

async function minedTransaction(
  client: EvmClient,
  { hash, creditsContract }: { hash: Hex; creditsContract: Hex },
): Promise<Mined> {
  // Anvil may briefly report a mined transaction as pending, so the receipt decides.
  const [answer, receipt] = await Promise.all([
    askNode(client, 'eth_getTransactionByHash', [hash]),
    askNode(client, 'eth_getTransactionReceipt', [hash]),
  ])
  if (answer === null)
    throw new NoRedeemError(`The node does not know transaction ${hash}.`, {
      field: 'hash',
      fix: 'Check the hash and the chain.',
    })
  const { from, to, input } = toRecord(answer, 'eth_getTransactionByHash')
  if (receipt === null)
    throw new NoRedeemError(`Transaction ${hash} is not mined yet.`, {
      field: 'hash',
      fix: 'Wait until it is mined, then try again.',
    })
  if (!isHex(from) || !isHex(input)) throw unusableAnswer(answer, 'eth_getTransactionByHash')
  if (!isHex(to) || !sameHex(to, creditsContract))
    throw new NoRedeemError(`Transaction ${hash} calls ${String(to)}, not the credits contract.`, {
      field: 'hash',
      fix: 'Pass the hash of a redeem, and the credits contract of its chain.',
    })
  const { blockNumber } = toRecord(receipt, 'eth_getTransactionReceipt')
  return { blockNumber: toBigInt(blockNumber, 'block number'), relayer: getAddress(from), data: input }
}

async function minedBlock(client: EvmClient, number: bigint) {
  const answer = await askNode(client, 'eth_getBlockByNumber', [toQuantity(number), false])
  const { timestamp, mixHash } = toRecord(answer, 'eth_getBlockByNumber')
  const time = toBigInt(timestamp, 'block timestamp')
  return { number, time, ...(isHex(mixHash) && { prevRandao: mixHash }) }
}

function frameOf(root: CallFrame, options: { creditsContract: Hex; item: number; hash: Hex }): CallFrame {
  const { creditsContract, item, hash } = options
  if (redeemSelectors.some((selector) => root.input.startsWith(selector))) return root
  const items = root.calls.filter(
    ({ from, to }) => sameHex(from, creditsContract) && sameHex(to, creditsContract),
  )
  const frame = items[item]
  if (frame === undefined)
    throw new NoRedeemError(`The batch ${hash} did not reach redeem ${item}.`, {
      field: 'item',
      fix: 'The batch ran out of gas first. Check the gas limit of the transaction.',
    })
  return frame
}

/** Reads at the blocks before and after the redeem. Returns `undefined` if the node has pruned them. */
function readAtBlocks(client: EvmClient, blockNumber: bigint): ReadAround {
  const at = (number: bigint) => (calls: Parameters<ReadAround>[0]) =>
    callInSequence(client, { blockNumber: number, overrides: {} }, { as: reader, calls })
  return async (calls) => {
    try {
      const [before, after] = await Promise.all([at(blockNumber - 1n)(calls), at(blockNumber)(calls)])
      return { before, after }
    } catch (error) {
      if (error instanceof ChainReadError) return undefined
      throw error
    }
  }
}
