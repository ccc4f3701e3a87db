import type { InvalidSandboxOptionsError } from '../../errors.ts'
import { listen } from '../../servers/listen.ts'
import { checkForkOptions } from './fork/checkForkOptions.ts'
import { nodeRequest } from './nodeTransport.ts'
import { openAnvil } from './openAnvil.ts'
import { serveNode } from './serveNode.ts'

/**
 * Starts one Anvil and resolves when it answers at an address of its own on 127.0.0.1: to programs and to pages of this
 * machine, and only the methods that cannot be turned against its owner (`anvil_reset`, `anvil_nodeInfo` and their like
 * are refused).
 *
 * It is gone when `stop()` resolves, when this process ends, and when this process is killed.
 *
 * @throws AnvilNotInstalledError when npm has none for this platform; AnvilStartError with Anvil's own words when it does not
 * come up; ForkOriginError when `forkUrl` is of no use; {@link InvalidSandboxOptionsError} when the port is taken, and for a `forkUrl`
 * that is given and not set
 * @example
 * ```ts
 * import { startAnvil } from '@redeemkit/sandbox'
 * const anvil = await startAnvil({ chainId: 84532 })
 * // … anvil.url …
 * await anvil.stop()
 * ```
 */
export async function startAnvil(options: startAnvil.Options): Promise<startAnvil.ReturnType> {
  const { port = 0, rpcMethods, allowedOrigins, ...rest } = options
  if ('forkUrl' in rest) checkForkOptions({ forkUrl: rest.forkUrl, forkBlockNumber: rest.forkBlockNumber })
  const node = await openAnvil(rest)
  try {
    await node.keep()
    const fetch = serveNode(node, { methods: rpcMethods, origins: allowedOrigins })
    const { url, close } = await listen({ fetch, port })
    return {
      url,
      chainId: node.chainId,
      forked: node.forked,
      request: nodeRequest(node),
      stop: async () => {
        await close()
        await node.stop()
      },
    }
  } catch (cause) {
    await node.stop()
    throw cause
  }
}

export declare namespace startAnvil {
  type Options = Omit<openAnvil.Options, 'forkUrl' | 'isOwnOrigin'> & {
    /** Copy on write from the chain behind this address. Left out: a fresh chain; given as `undefined` it is refused. */
    forkUrl?: string
    /** Default: a free port. */
    port?: number | undefined
    /** Methods that are answered beside the usual ones, such as `['anvil_reset']`. */
    rpcMethods?: readonly string[] | undefined
    /** Origins of pages that may ask beside those of this machine. */
    allowedOrigins?: readonly string[] | undefined
  }
  type ReturnType = {
    /** JSON-RPC endpoint, `http://127.0.0.1:…`. HTTP only. */
    url: string
    chainId: number
    /** The block that it was forked at; false for a chain of its own. */
    forked: false | { blockNumber: number }
    /** Asks the node itself, without the HTTP between: the fastest way, and all methods. */
    request: (call: { method: string; params?: unknown }) => Promise<unknown>
    /** Ends it; resolves when the process is gone and, with `statePath`, the file is written. */
    stop: () => Promise<void>
  }
  /** At the start; and by `request`, when the node answers with an error. */
  type ErrorType = openAnvil.ErrorType | nodeRequest.ErrorType | InvalidSandboxOptionsError
}
