import { type Abi, getAddress, type Hex } from 'viem'
import type { InvalidAmountError } from '../../redeemkit/core/amount/parseAmount.ts'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import type { InvalidOptionError, InvalidRecordError } from '../../redeemkit/core/errors/inputErrors.ts'
import {
  askNode,
  toBigInt,
  toQuantity,
  toRecord,
  unusableAnswer,
} from '../../redeemkit/evm/client/askNode.ts'
import { ChainReadError } from '../../redeemkit/evm/client/chainReadError.ts'
import type { EvmClient } from '../../redeemkit/evm/client/evmClient.ts'
import type { InvalidHexError } from '../../redeemkit/evm/values/checkHex.ts'
import { NoRedeemError } from './errors.ts'
import { playCalls } from './node/playCalls.ts'
import { type traceCall, traceTransaction } from './node/traceCall.ts'
import type { CallFrame, RedeemReport } from './redeemReport.ts'
import { readRedeems, redeemSelectors } from './redeemRequest.ts'
import { makeReport } from './report/makeReport.ts'
import { adapterFor, creditsFacts, entryOf, reader } from './report/readChain.ts'
import type { Look } from './report/tokensOf.ts'
import type { RedeemPlan } from './runPlan.ts'
import { sameAddress } from './trace/frames.ts'

/**
 * Reports what a redeem did that was mined, or why it was reverted: also one in a batch.
 *
 * @param client a node of the chain with `debug_traceTransaction`, such as that of the sandbox; a viem client is one
 * @param options.item which redeem of a batch, from 0. Default: the first
 * @throws InvalidOptionError; NoRedeemError when the transaction is not known or not mined, or holds no redeem of this
 * contract; UnsupportedCreditsContractError; TracingUnavailableError; ChainReadError
 * @see PROTOCOL.md 6
 */
export async function reportTransaction(
  client: EvmClient,
  options: reportTransaction.Options,
): Promise<RedeemReport> {
  checkOptions(options, {
    hash: 'string',
    creditsContract: 'string',
    item: 'number?',
    abis: 'list?',
    rules: 'string?',
  })
  const { hash, creditsContract, item = 0, abis = [], rules = 'economic' } = options
  const [facts, transaction] = await Promise.all([
    creditsFacts(client, creditsContract),
    minedTransaction(client, { hash, creditsContract }),
  ])
  const { blockNumber, relayer, data } = transaction
  const redeems = readRedeems(data)
  const request = redeems[item]
  if (request === undefined)
    throw new NoRedeemError(
      `Transaction ${hash} holds ${redeems.length === 0 ? 'no redeem' : `no redeem ${item}, of ${redeems.length}`}.`,
      {
        field: redeems.length === 0 ? 'hash' : 'item',
        fix: 'Give the hash that sendGaslessTx has answered.',
      },
    )
  const [root, timestamp] = await Promise.all([
    traceTransaction(client, hash),
    timestampOf(client, blockNumber - 1n),
  ])
  const plan: RedeemPlan = {
    client,
    creditsContract,
    relayer,
    request,
    signatures: 'real',
    bridgeAdapter: await adapterFor(client, { creditsContract, kind: request.settlement.kind }),
    ...facts,
    // What is asked besides is asked of the state before it.
    blockNumber: blockNumber - 1n,
    timestamp,
  }
  return makeReport({
    plan,
    frame: frameOf(root, { creditsContract, item, hash }),
    entry: await entryOf(plan),
    abis,
    hash,
    minedIn: blockNumber,
    feeOf: () => request.gasFee,
    rules,
    look: lookAtBlocks(client, blockNumber),
  })
}

export declare namespace reportTransaction {
  type Options = {
    hash: Hex
    creditsContract: Hex
    /** Which redeem of a batch. Default 0. */
    item?: number | undefined
    /** Name calls, events and errors. */
    abis?: readonly Abi[] | undefined
    /** Default `economic`. */
    rules?: 'economic' | 'all' | undefined
  }
  type ErrorType =
    | InvalidOptionError
    | NoRedeemError
    | creditsFacts.ErrorType
    | traceCall.ErrorType
    // A transaction whose call data holds no well-formed redeem.
    | InvalidAmountError
    | InvalidHexError
    | InvalidRecordError
}

type Mined = { blockNumber: bigint; relayer: Hex; data: Hex }

async function minedTransaction(
  client: EvmClient,
  { hash, creditsContract }: { hash: Hex; creditsContract: Hex },
): Promise<Mined> {
  // Anvil can go on for a moment to say of a mined transaction that it waits: the receipt is certain.
  const [answer, receipt] = await Promise.all([
    askNode(client, 'eth_getTransactionByHash', [hash]),
    askNode(client, 'eth_getTransactionReceipt', [hash]),
  ])
  if (answer === null)
    throw new NoRedeemError(`The node knows no transaction ${hash}.`, {
      field: 'hash',
      fix: 'Check the hash and the chain.',
    })
  const { from, to, input } = toRecord(answer, 'eth_getTransactionByHash')
  if (receipt === null)
    throw new NoRedeemError(`Transaction ${hash} is not mined yet.`, {
      field: 'hash',
      fix: 'Wait for it, and ask again.',
    })
  if (!isHex(from) || !isHex(input)) throw unusableAnswer(answer, 'eth_getTransactionByHash')
  if (!isHex(to) || !sameAddress(to, creditsContract))
    throw new NoRedeemError(`Transaction ${hash} calls ${String(to)}, and not the credits contract.`, {
      field: 'hash',
      fix: 'Give the hash of a redeem, and the credits contract of its chain.',
    })
  const { blockNumber } = toRecord(receipt, 'eth_getTransactionReceipt')
  return { blockNumber: toBigInt(blockNumber, 'block number'), relayer: getAddress(from), data: input }
}

const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)

async function timestampOf(client: EvmClient, blockNumber: bigint): Promise<bigint> {
  const answer = await askNode(client, 'eth_getBlockByNumber', [toQuantity(blockNumber), false])
  return toBigInt(toRecord(answer, 'eth_getBlockByNumber').timestamp, 'block timestamp')
}

/** The call of the credits contract that is the redeem: the whole transaction, or the item of a batch. */
function frameOf(root: CallFrame, options: { creditsContract: Hex; item: number; hash: Hex }): CallFrame {
  const { creditsContract, item, hash } = options
  if (redeemSelectors.some((selector) => root.input.startsWith(selector))) return root
  const items = root.calls.filter(
    ({ from, to }) => sameAddress(from, creditsContract) && sameAddress(to, creditsContract),
  )
  const frame = items[item]
  if (frame === undefined)
    throw new NoRedeemError(`The batch ${hash} did not come to its redeem ${item}.`, {
      field: 'item',
      fix: 'It ran out of gas before: look at the transaction as a whole.',
    })
  return frame
}

/** Asks the blocks before and after; of a node that has forgotten them nothing is told. */
function lookAtBlocks(client: EvmClient, blockNumber: bigint): Look {
  const at = (number: bigint) => (calls: Parameters<Look>[0]) =>
    playCalls(client, { blockNumber: number, overrides: {} }, { as: reader, calls })
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
