import { showText } from '../../../redeemkit/core/errors/showText.ts'
import {
  askNumber,
  askOrigin,
  checkForkOrigin,
  ForkOriginError,
  type OriginAnswer,
  saysStateIsGone,
  showFault,
} from '../../chains/anvil/forkOrigin.ts'

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
      const answer = await patiently((limitMs) => {
        calls++
        return askOrigin(forkUrl, { ...call, timeoutMs: limitMs })
      })
      if (isState(call.method)) checkState(forkUrl, call, answer)
      return answer
    },
    calls: () => calls,
    blockNumber: async () => {
      await check(forkBlockNumber)
      if (forkBlockNumber !== undefined) return BigInt(forkBlockNumber)
      const newest = await patiently((limitMs) => {
        calls++
        return askNumber(forkUrl, { method: 'eth_blockNumber', timeoutMs: limitMs })
      })
      // A load balancer may have nodes without the latest block.
      checked = undefined
      await check(newest, (error) => isPassingLimit(error) || error.problem === 'missingBlock')
      return BigInt(newest)
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

function checkState(forkUrl: string, { method, params }: Call, answer: OriginAnswer): void {
  const given =
    'error' in answer ? `an error${showFault(answer)}` : showText(JSON.stringify(answer.result), 80)
  const said = `answers ${method} with ${given}`
  if ('error' in answer) {
    if (!saysStateIsGone(answer.error.message)) throw new ForkOriginError(forkUrl, 'refused', said)
    const block = params.at(-1)
    const which = isHex(block) ? ` ${BigInt(block)}` : ''
    const what = `does not have the state of block${which} (any more): it ${said}`
    throw new ForkOriginError(forkUrl, 'missingBlock', what)
  }
  const { result } = answer
  const isWhole = method === 'eth_getBlockByNumber' ? Object(result) === result : isHex(result)
  if (!isWhole) throw new ForkOriginError(forkUrl, 'notJsonRpc', said, { fix: 'Use another endpoint.' })
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}
