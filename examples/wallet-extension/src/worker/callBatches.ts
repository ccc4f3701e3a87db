import { type Address, type Hex, toHex } from 'viem'
import { PageRequestError } from '../pageMessages.ts'
import type { Networks } from './createNetworks.ts'
import { type AskedTransaction, readTransaction } from './prepareTransactions.ts'

/** A batch of calls that the user approved (EIP-5792), kept until the browser is closed. */
export type CallBatch = { id: string; origin: string; chainId: number; hashes: readonly Hex[] }

/** Maximum number of calls in a batch. Each call is a transaction, and the user must read all of them. */
const mostCalls = 10

/** 4096 bytes, the limit of EIP-5792, in characters of hex. */
const longestId = 2 + 2 * 4096

/**
 * Each call becomes a transaction, because an account with a key has no atomic batches.
 *
 * @throws PageRequestError with the code of EIP-5792, or -32602 for a malformed field
 */
export function readCalls(
  value: unknown,
  isKnownChain: (chainId: number) => boolean,
): { from: unknown; chainId: number; id: string } {
  const { version, from, chainId, atomicRequired, calls, capabilities, id, ...others } = Object(value)
  const [refused] = Object.keys(others)
  if (refused !== undefined) throw invalid(`The wallet does not support \`${refused}\` in a batch of calls.`)
  if (version !== '2.0.0') throw invalid('`version` must be "2.0.0".')
  if (typeof atomicRequired !== 'boolean') throw invalid('`atomicRequired` must be true or false.')
  const askedChain = readChainId(chainId)
  if (id !== undefined && (typeof id !== 'string' || id.length > longestId))
    throw invalid('`id` must be text of at most 4096 bytes.')
  if (!Array.isArray(calls) || calls.length === 0) throw invalid('`calls` must be a list of calls.')
  if (!isKnownChain(askedChain)) throw new PageRequestError('unsupportedChain')
  if (calls.length > mostCalls) throw new PageRequestError('bundleTooLarge')
  for (const given of [capabilities, ...calls.map((call) => Object(call).capabilities)])
    for (const capability of Object.values(Object(given)))
      if (Object(capability).optional !== true) throw new PageRequestError('unsupportedCapability')
  // A single call is one transaction, which is atomic.
  if (atomicRequired && calls.length > 1) throw new PageRequestError('atomicityNotSupported')
  return {
    from,
    chainId: askedChain,
    id: id ?? toHex(crypto.getRandomValues(new Uint8Array(64))),
  }
}

/** Throws a PageRequestError (-32602) unless the value is a chain id in hex. */
export function readChainId(value: unknown): number {
  if (typeof value !== 'string' || !/^0x[1-9a-f][0-9a-f]{0,12}$/i.test(value))
    throw invalid('`chainId` must be hex, such as 0x2105.')
  return Number(value)
}

/** `value` must have been accepted by {@link readCalls}. */
export function transactionsOf(value: unknown, account: Address): AskedTransaction[] {
  const { chainId, calls } = Object(value)
  return calls.map(({ capabilities: _, ...call }: Record<string, unknown>) =>
    readTransaction({ ...call, from: account }, Number(chainId)),
  )
}

export async function callsStatus({ id, chainId, hashes }: CallBatch, networks: Networks): Promise<object> {
  const node = networks.nodeOf(chainId)
  const found = await Promise.all(
    hashes.map((hash) => node.request({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const receipts = found.filter((one) => one !== null).map(receiptOf)
  const isSuccess = ({ status }: { status: unknown }) => status === '0x1'
  return {
    version: '2.0.0',
    id,
    chainId: toHex(chainId),
    atomic: hashes.length === 1,
    status:
      receipts.length < hashes.length
        ? 100 // pending
        : receipts.every(isSuccess)
          ? 200 // confirmed
          : receipts.some(isSuccess)
            ? 600 // partly reverted
            : 500, // reverted
    receipts,
  }
}

/** Only the fields that EIP-5792 names. */
function receiptOf(receipt: unknown) {
  const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = Object(receipt)
  const entries: Record<string, unknown>[] = logs
  return {
    logs: entries.map(({ address, data, topics }) => ({ address, data, topics })),
    status,
    blockHash,
    blockNumber,
    gasUsed,
    transactionHash,
  }
}

const invalid = (message: string) => new PageRequestError('invalidParams', message)
