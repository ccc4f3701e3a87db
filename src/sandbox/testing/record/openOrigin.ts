import { randomBytes } from 'node:crypto'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { checkForkOptions } from '../../chains/anvil/fork/checkForkOptions.ts'
import { ForkOriginError } from '../../chains/anvil/fork/errors.ts'
import { listen } from '../../servers/listen.ts'
import { type Call, type Endpoint, openEndpoint } from './endpoint.ts'
import {
  callKey,
  type ForkRecord,
  NotRecordedError,
  type RecordFile,
  RecordFileError,
  recordFile,
} from './recordFile.ts'

/** Where a fork asks for what it does not have: an address of this process. */
export type Origin = {
  /** For this process alone: its path is a secret. */
  url: string
  /** All is asked at this block. */
  blockNumber: bigint
  /** Tells of a contract or a transaction, by its hash, that was made on the copy: the real chain is not asked for its events, or for it. */
  addOwn: (addressOrHash: string) => void
  /** How often the real endpoint was asked. */
  callsUpstream: () => number
  /** Why something that was asked for is neither recorded nor fetched, since the last time that this was called. */
  takeMissing: () => NotRecordedError | ForkOriginError | undefined
  /** Writes what is new to the file, and closes. */
  close: () => Promise<void>
}

/**
 * Opens the way to a fork's origin, with an endpoint, a file of recorded answers, or both: the file first, then the endpoint, and
 * what that says is added to the file. Only what reads is let through.
 *
 * @throws {@link ForkOriginError}, {@link RecordFileError}, InvalidSandboxOptionsError for an address that is none
 */
export async function openOrigin(options: openOrigin.Options): Promise<Origin> {
  const { forkUrl, forkBlockNumber } = options
  if (forkUrl !== undefined) checkForkOptions({ forkUrl, forkBlockNumber })
  const file = options.record === undefined ? undefined : recordFile(options.record)
  const endpoint = forkUrl === undefined ? undefined : openEndpoint({ ...options, forkUrl })
  const record = await startRecord(file, endpoint, options)
  const fresh = new Map<string, unknown>()
  const own = new Set<string>()
  let missing: string[] = []
  let failed: ForkOriginError | undefined
  const answer = async (call: Call): Promise<Answer> => {
    // The same for ever, and told without asking anybody.
    if (call.method === 'eth_chainId') return { result: `0x${record.chainId.toString(16)}` }
    if (call.method === 'eth_blockNumber') return { result: `0x${record.blockNumber.toString(16)}` }
    // With it, Anvil asks two ways at once and goes on with the faster. Without it, it asks for balance, nonce and code.
    if (call.method === 'eth_getAccountInfo' || !isReading(call.method))
      return { error: { code: -32601, message: 'Method not found' } }
    const [first] = call.params
    if (call.method === 'eth_getLogs' && own.has(String(Object(first).address).toLowerCase()))
      return { result: [] }
    // Anvil asks for its own transactions, too, until they are mined.
    if (isByHash(call.method) && own.has(String(first))) return { result: null }
    const key = callKey(call)
    if (record.answers.has(key)) return { result: record.answers.get(key) }
    if (endpoint === undefined) {
      if (isByHash(call.method)) return { result: null }
      missing.push(key)
      return { error: { code: -32001, message: notRecorded([key], options.record).message } }
    }
    try {
      const said = await endpoint.ask(call)
      if ('error' in said)
        return { error: { code: said.error.code ?? -32603, message: showText(said.error.words) } }
      if (said.result !== null || !isByHash(call.method)) {
        record.answers.set(key, said.result)
        fresh.set(key, said.result)
      }
      return said
    } catch (cause) {
      if (!(cause instanceof ForkOriginError)) throw cause
      failed = cause
      return { error: { code: -32603, message: cause.message } }
    }
  }
  const path = `/${randomBytes(16).toString('hex')}`
  const { url, close } = await listen({ fetch: serve(path, answer), port: 0 })
  return {
    url: url + path,
    blockNumber: record.blockNumber,
    addOwn: (addressOrHash) => {
      own.add(addressOrHash.toLowerCase())
    },
    callsUpstream: () => endpoint?.calls() ?? 0,
    takeMissing: () => {
      const [keys, fault] = [missing, failed]
      missing = []
      failed = undefined
      return keys.length === 0 ? fault : notRecorded(keys, options.record)
    },
    close: async () => {
      await close()
      const { chainId, blockNumber } = record
      if (file !== undefined && fresh.size > 0) await file.add({ chainId, blockNumber, answers: fresh })
    },
  }
}

export declare namespace openOrigin {
  type Options = {
    chainId: number
    forkUrl?: string | undefined
    forkBlockNumber?: number | undefined
    /** File of recorded answers. */
    record?: string | undefined
  }
  type ErrorType = ForkOriginError | RecordFileError | checkForkOptions.ErrorType
}

type Answer = { result: unknown } | { error: { code: number; message: string } }
/** Chain and block are those of the file when there is one; else of the options, and the file begins with them. */
async function startRecord(
  file: RecordFile | undefined,
  endpoint: Endpoint | undefined,
  options: openOrigin.Options,
): Promise<ForkRecord> {
  const { chainId } = options
  const kept = await file?.read()
  if (kept !== undefined) return compared(kept, options)
  if (endpoint === undefined)
    throw new RecordFileError(`There is no recorded fork at ${file?.path}.`, {
      field: 'record',
      fix: 'Run once with forkUrl, which records it. A relative path is one from the folder that the tests are run in.',
    })
  const start = { chainId, blockNumber: await endpoint.blockNumber() }
  if (file === undefined) return { ...start, answers: new Map() }
  return compared(await file.begin(start), options)
}

function compared(
  record: ForkRecord,
  { chainId, forkBlockNumber, record: path }: openOrigin.Options,
): ForkRecord {
  if (record.chainId !== chainId)
    throw new RecordFileError(`The recorded fork ${path} is of chain ${record.chainId}, not ${chainId}.`, {
      field: 'record',
      fix: 'Give each chain a file of its own.',
    })
  if (forkBlockNumber !== undefined && record.blockNumber !== BigInt(forkBlockNumber))
    throw new RecordFileError(
      `The recorded fork ${path} is of block ${record.blockNumber}, not ${forkBlockNumber}.`,
      { field: 'forkBlockNumber', fix: 'Leave it out, or delete the file and run once with forkUrl.' },
    )
  return record
}

function notRecorded(keys: readonly string[], path: string | undefined): NotRecordedError {
  const [first = ''] = keys
  const others = keys.length === 1 ? '' : `, and ${keys.length - 1} more`
  return new NotRecordedError(`The recorded fork ${path} has no answer to ${first.slice(0, 300)}${others}.`, {
    field: 'record',
    fix: 'Run once with forkUrl, which adds it. What is another one each time, an address of a generated key, a random nonce or salt, cannot be recorded: use a fixed one.',
  })
}

/** What a copy of a chain asks its origin; nothing that could change it. */
function isReading(method: string): boolean {
  return /^(eth_(get|call$|gasPrice$|feeHistory$|maxPriorityFeePerGas$|blobBaseFee$)|net_version$|debug_trace|trace_)/.test(
    method,
  )
}

/** What is asked for by its hash is there or not; what is not, is not written down. */
function isByHash(method: string): boolean {
  return /^eth_get(Transaction(ByHash|Receipt)|BlockByHash)$/.test(method)
}

function serve(path: string, answer: (call: Call) => Promise<Answer>) {
  return async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== path) return new Response(null, { status: 404 })
    // Anvil's own words: what is not a call of it is answered as one that does not exist.
    const { id = null, method = '', params } = Object(await request.json()) as Record<string, unknown>
    const call = { method: String(method), params: Array.isArray(params) ? params : [] }
    return Response.json({ jsonrpc: '2.0', id, ...(await answer(call)) })
  }
}
