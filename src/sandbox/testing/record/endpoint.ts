import { askOrigin, checkForkOrigin, ForkOriginError } from '../../chains/anvil/forkOrigin.ts'

export type Call = { method: string; params: readonly unknown[] }

/** The real endpoint. Its chain and block are checked before the first request. */
export type Endpoint = {
  /** Sends a request. Retries for several seconds if that may help. Throws {@link ForkOriginError}. */
  ask: (call: Call) => ReturnType<typeof askOrigin>
  calls: () => number
  /** The block to fork: the requested block, or the latest. */
  blockNumber: () => Promise<bigint>
}

/** Creates the endpoint without connecting. The first request connects. */
export function openEndpoint(options: openEndpoint.Options): Endpoint {
  const { forkUrl, chainId, forkBlockNumber } = options
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
      // Lets the next request retry the check.
      checked = undefined
      throw cause
    })
    return checked
  }
  return {
    ask: async (call) => {
      await (checked ?? check())
      return send(call)
    },
    calls: () => calls,
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

export declare namespace openEndpoint {
  type Options = {
    forkUrl: string
    chainId: number
    forkBlockNumber?: number | undefined
  }
}

/** At the start, only a rate limit is retried. If the address cannot be reached, this is reported immediately. */
const isPassingLimit = ({ problem, isPassing }: ForkOriginError) => problem === 'rateLimited' && isPassing

/** Maximum total time of one request, in milliseconds. */
const patienceMs = 10_000

/**
 * Retries temporary failures with increasing delays. After a timeout, each request makes only one short attempt until a request
 * succeeds. Otherwise hundreds of requests would each wait for the full time.
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
