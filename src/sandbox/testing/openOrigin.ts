import { randomBytes } from 'node:crypto'
import { showText } from '../../redeemkit/core/errors/showValue.ts'
import { askOrigin, checkForkOrigin, ForkOriginError } from '../chains/anvil/forkOrigin.ts'
import { listen } from '../servers/listen.ts'
import {
  callKey,
  type ForkRecord,
  NotRecordedError,
  type RecordFile,
  RecordFileError,
  recordFile,
} from './recordFile.ts'

/** A local server in this process, from which a fork reads missing data. */
export type Origin = {
  /** URL of the server. The path is secret, so that only this process can use the server. */
  url: string
  blockNumber: bigint
  /** Registers a contract or transaction hash of the fork itself. No request for it is sent to the real chain. */
  addOwn: (addressOrHash: string) => void
  /** Number of requests to the real endpoint. */
  callsUpstream: () => number
  /** Returns and clears the error for data that was neither in the record file nor fetched. */
  takeMissing: () => NotRecordedError | ForkOriginError | undefined
  close: () => Promise<void>
}

/**
 * Opens an origin for a fork, with an endpoint that `startFork` has checked, a record file, or both. Looks up responses in the file first.
 * Then asks the endpoint, and records its responses. Only read methods are allowed.
 */
export async function openOrigin(options: openOrigin.Options): Promise<Origin> {
  const { forkUrl } = options
  const file = options.record === undefined ? undefined : recordFile(options.record)
  const endpoint = forkUrl === undefined ? undefined : openEndpoint({ ...options, forkUrl })
  const record = await startRecord(file, endpoint, options)
  const fresh = new Map<string, unknown>()
  const own = new Set<string>()
  let missing: string[] = []
  let failed: ForkOriginError | undefined
  const answer = async (call: Call): Promise<Answer> => {
    if (call.method === 'eth_chainId') return { result: `0x${record.chainId.toString(16)}` }
    if (call.method === 'eth_blockNumber') return { result: `0x${record.blockNumber.toString(16)}` }
    // Not supported: Anvil would also read balance, nonce and code separately and use the faster response, so runs would differ.
    if (call.method === 'eth_getAccountInfo' || !isReading(call.method))
      return { error: { code: -32601, message: 'Method not found' } }
    const [first] = call.params
    if (call.method === 'eth_getLogs' && own.has(String(Object(first).address).toLowerCase()))
      return { result: [] }
    // Anvil requests even its own pending transactions from the origin.
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
        return { error: { code: said.error.code ?? -32603, message: showText(said.error.message) } }
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
    record?: string | undefined
  }
  type ErrorType = ForkOriginError | RecordFileError
}

type Answer = { result: unknown } | { error: { code: number; message: string } }

/** Returns the record in `file` or, without a file, an empty one for the chain and block of the options. */
async function startRecord(
  file: RecordFile | undefined,
  endpoint: Endpoint | undefined,
  options: openOrigin.Options,
): Promise<ForkRecord> {
  const { chainId } = options
  const kept = await file?.read()
  if (kept !== undefined) return compared(kept, options)
  if (endpoint === undefined)
    throw new RecordFileError(file?.path, 'does not exist', { fix: 'Run once with forkUrl to create it.' })
  const start = { chainId, blockNumber: await endpoint.blockNumber() }
  if (file === undefined) return { ...start, answers: new Map() }
  return compared(await file.begin(start), options)
}

function compared(
  record: ForkRecord,
  { chainId, forkBlockNumber, record: path }: openOrigin.Options,
): ForkRecord {
  if (record.chainId !== chainId)
    throw new RecordFileError(path, `is for chain ${record.chainId}, not ${chainId}`, {
      fix: 'Use a separate file for each chain.',
    })
  if (forkBlockNumber !== undefined && record.blockNumber !== BigInt(forkBlockNumber))
    throw new RecordFileError(path, `is for block ${record.blockNumber}, not ${forkBlockNumber}`, {
      field: 'forkBlockNumber',
      fix: 'Omit it, or delete the file and run once with forkUrl.',
    })
  return record
}

function notRecorded(keys: readonly string[], path: string | undefined): NotRecordedError {
  const [first = ''] = keys
  const others = keys.length === 1 ? '' : `, and ${keys.length - 1} more`
  return new NotRecordedError(`The record file ${path} has no response to ${first.slice(0, 300)}${others}.`, {
    field: 'record',
    fix: 'Run once with forkUrl to add it. Use fixed keys and salts: random values cannot be recorded.',
  })
}

/** Only read methods are allowed. */
function isReading(method: string): boolean {
  return /^(eth_(get|call$|gasPrice$|feeHistory$|maxPriorityFeePerGas$|blobBaseFee$)|net_version$|debug_trace|trace_)/.test(
    method,
  )
}

/** Missing objects are not recorded. */
function isByHash(method: string): boolean {
  return /^eth_get(Transaction(ByHash|Receipt)|BlockByHash)$/.test(method)
}

function serve(path: string, answer: (call: Call) => Promise<Answer>) {
  return async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== path) return new Response(null, { status: 404 })
    // Only Anvil sends requests here. `answer` rejects unknown methods.
    const { id = null, method = '', params } = Object(await request.json()) as Record<string, unknown>
    const call = { method: String(method), params: Array.isArray(params) ? params : [] }
    return Response.json({ jsonrpc: '2.0', id, ...(await answer(call)) })
  }
}

type Call = { method: string; params: readonly unknown[] }

type Endpoint = ReturnType<typeof openEndpoint>

/** Wraps the real endpoint, and checks its chain and block before the first request. */
function openEndpoint({ forkUrl, chainId, forkBlockNumber }: openOrigin.Options & { forkUrl: string }) {
  let calls = 0
  const patiently = withPatience()
  const send = (call: Call) =>
    patiently((timeoutMs) => {
      calls++
      return askOrigin(forkUrl, { ...call, timeoutMs })
    })
  let checked: Promise<void> | undefined
  const check = (block?: number, mayPass = isPassingLimit) => {
    checked ??= patiently((timeoutMs) => {
      calls += block === undefined ? 1 : 3
      return checkForkOrigin({ forkUrl, chainId, forkBlockNumber: block, timeoutMs })
    }, mayPass).catch((cause) => {
      // The next request retries the check.
      checked = undefined
      throw cause
    })
    return checked
  }
  return {
    /** Sends a request. Retries for several seconds if that may help. Throws {@link ForkOriginError}. */
    ask: async (call: Call) => {
      await (checked ?? check())
      return send(call)
    },
    calls: () => calls,
    /** The block to fork: the requested block, or the latest. */
    blockNumber: async () => {
      await check(forkBlockNumber)
      if (forkBlockNumber !== undefined) return BigInt(forkBlockNumber)
      const newest = Number(Object(await send({ method: 'eth_blockNumber', params: [] })).result)
      // A node behind a load balancer may lack the latest block, so the check is repeated.
      checked = undefined
      await check(newest, (error) => isPassingLimit(error) || error.problem === 'missingBlock')
      return BigInt(newest)
    },
  }
}

/** At the start, only a rate limit is retried. An address that cannot be reached is reported immediately. */
const isPassingLimit = ({ problem, isPassing }: ForkOriginError) => problem === 'rateLimited' && isPassing

/** Maximum total time of one request, in milliseconds. */
const patienceMs = 10_000

/**
 * Retries temporary failures. After a timeout, each request makes only one short attempt until a request succeeds. Otherwise, hundreds of
 * requests would each wait for the full time.
 */
function withPatience() {
  let isPatient = true
  return async <result>(
    work: (timeoutMs: number) => Promise<result>,
    mayPass: (error: ForkOriginError) => boolean = (error) => error.isPassing,
  ): Promise<result> => {
    const until = performance.now() + (isPatient ? patienceMs : patienceMs / 10)
    for (let waitMs = patienceMs / 40; ; waitMs *= 2) {
      try {
        const result = await work(Math.max(1, Math.round(until - performance.now())))
        isPatient = true
        return result
      } catch (cause) {
        isPatient &&= performance.now() + waitMs < until
        if (!isPatient || !(cause instanceof ForkOriginError && mayPass(cause))) throw cause
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  }
}
