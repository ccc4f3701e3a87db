import { showText } from '../../../redeemkit/core/errors/showText.ts'
import {
  askOrigin,
  checkForkOrigin,
  ForkOriginError,
  type ForkProblem,
  type OriginAnswer,
  saysStateIsGone,
} from '../../chains/anvil/fork/forkOrigin.ts'
import { showForkUrl } from '../../chains/anvil/fork/forkUrl.ts'

export type Call = { method: string; params: readonly unknown[] }

/** The real endpoint. Its chain and block are verified before the first request. */
export type Endpoint = {
  /** Sends a request, and retries for some seconds if that may help. Throws {@link ForkOriginError}. */
  ask: (call: Call) => Promise<OriginAnswer>
  calls: () => number
  /** The block to fork: the given one, or the latest. */
  blockNumber: () => Promise<bigint>
}

/** Creates the endpoint without connecting. It connects on the first request. */
export function openEndpoint(options: openEndpoint.Options): Endpoint {
  const { forkUrl, chainId, forkBlockNumber, timeoutMs = 10_000 } = options
  let calls = 0
  const askOnce = (call: Call, limitMs: number) => {
    calls++
    return askOrigin(forkUrl, { ...call, timeoutMs: limitMs })
  }
  const patiently = withPatience(timeoutMs)
  let checked: Promise<void> | undefined
  const check = (block?: number, mayPass = isPassingLimit) => {
    checked ??= patiently((limitMs) => {
      calls += block === undefined ? 2 : 4
      return checkForkOrigin({ forkUrl, chainId, forkBlockNumber: block, timeoutMs: limitMs })
    }, mayPass).catch((cause) => {
      // Allow a retry next time.
      checked = undefined
      throw cause
    })
    return checked
  }
  return {
    ask: async (call) => {
      await (checked ?? check())
      const answer = await patiently((limitMs) => askOnce(call, limitMs))
      const fault = isState(call.method) ? faultOf(forkUrl, call, answer) : undefined
      if (fault !== undefined) throw fault
      return answer
    },
    calls: () => calls,
    blockNumber: async () => {
      await check(forkBlockNumber)
      if (forkBlockNumber !== undefined) return BigInt(forkBlockNumber)
      const head = await patiently((limitMs) => askOnce({ method: 'eth_blockNumber', params: [] }, limitMs))
      const newest = 'result' in head && isHex(head.result) ? BigInt(head.result) : undefined
      if (newest === undefined)
        throw problem(forkUrl, 'notJsonRpc', 'does not answer eth_blockNumber with a number', anotherOne)
      // A load balancer may have nodes without the latest block.
      checked = undefined
      await check(Number(newest), (error) => isPassingLimit(error) || error.problem === 'missingBlock')
      return newest
    },
  }
}

export declare namespace openEndpoint {
  type Options = {
    forkUrl: string
    chainId: number
    forkBlockNumber?: number | undefined
    /** Maximum total time of one request. Default 10_000. */
    timeoutMs?: number | undefined
  }
}

/** An unreachable address is reported immediately at the start. */
const isPassingLimit = ({ problem, isPassing }: ForkOriginError) => problem === 'rateLimited' && isPassing

/**
 * Retries temporary failures with growing delays. After a timeout, makes only one short attempt until a request
 * succeeds, because otherwise hundreds of requests would each wait that long.
 */
function withPatience(timeoutMs: number) {
  let isPatient = true
  return async <result>(
    work: (limitMs: number) => Promise<result>,
    mayPass: (error: ForkOriginError) => boolean = (error) => error.isPassing,
  ): Promise<result> => {
    const until = performance.now() + (isPatient ? timeoutMs : timeoutMs / 10)
    for (let waitMs = timeoutMs / 40; ; waitMs *= 2) {
      try {
        const result = await work(Math.max(1, Math.round(until - performance.now())))
        isPatient = true
        return result
      } catch (cause) {
        const isOver = !isPatient || performance.now() + waitMs >= until
        if (cause instanceof ForkOriginError && mayPass(cause) && !isOver) {
          await new Promise((resolve) => setTimeout(resolve, waitMs))
          continue
        }
        isPatient = false
        throw cause
      }
    }
  }
}

/** Whether a fork cannot work without the answer. */
function isState(method: string): boolean {
  return /^eth_get(Balance|Code|StorageAt|TransactionCount|BlockByNumber)$/.test(method)
}

function faultOf(
  forkUrl: string,
  { method, params }: Call,
  answer: OriginAnswer,
): ForkOriginError | undefined {
  if ('error' in answer) {
    const { code, message } = answer.error
    const said = `answers ${method} with an error${code === undefined ? '' : ` (${code})`}: ${showText(message, 160)}`
    if (!saysStateIsGone(message)) return problem(forkUrl, 'failed', said, anotherOne)
    const block = params.at(-1)
    const which = isHex(block) ? ` ${BigInt(block)}` : ''
    return problem(
      forkUrl,
      'missingBlock',
      `does not have the state of block${which} (any more): it ${said}`,
      'Full nodes keep the state of the last 128 blocks only. Use an archive node, or fork a newer block after deleting the "record" file.',
    )
  }
  const { result } = answer
  if (method === 'eth_getBlockByNumber' ? Object(result) === result : isHex(result)) return undefined
  return problem(
    forkUrl,
    'notJsonRpc',
    `answers ${method} with ${showText(JSON.stringify(result), 80)}`,
    anotherOne,
  )
}

const anotherOne = 'Try again, or use another endpoint.'

function problem(forkUrl: string, kind: ForkProblem, what: string, fix: string): ForkOriginError {
  return new ForkOriginError(`The fork origin ${showForkUrl(forkUrl)} ${what}.`, {
    problem: kind,
    field: 'forkUrl',
    fix,
  })
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}
