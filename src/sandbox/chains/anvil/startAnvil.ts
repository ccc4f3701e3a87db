import type { InvalidSandboxOptionsError } from '../../errors.ts'
import { listen } from '../../servers/listen.ts'
import { nodeRequest } from './connectPipe.ts'
import { checkForkOptions } from './forkOrigin.ts'
import { openAnvil } from './openAnvil.ts'
import { serveNode } from './serveNode.ts'

/**
 * Starts Anvil on 127.0.0.1 for local programs and pages. Methods that pages could abuse, such as `anvil_reset` and
 * `anvil_nodeInfo`, are rejected. Anvil ends with `stop()` and when this process ends or is killed.
 *
 * @throws AnvilNotInstalledError when npm has no binary for this platform; AnvilStartError with Anvil's output when it
 *   does not start; ForkOriginError when `forkUrl` is unusable; {@link InvalidSandboxOptionsError} when the port is taken or
 *   `forkUrl` is passed but unset
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
  type Options = Omit<openAnvil.Options, 'forkUrl' | 'isOwnOrigin' | 'onStarted'> & {
    /** Forks the chain behind this URL. Omit it for a fresh chain; passing `undefined` is an error. */
    forkUrl?: string
    /** Port of the HTTP server. Default: a free port. */
    port?: number | undefined
    /** Additional allowed methods, such as `['anvil_reset']`. */
    rpcMethods?: readonly string[] | undefined
    /** Origins that may call in addition to local pages. */
    allowedOrigins?: readonly string[] | undefined
  }
  type ReturnType = {
    /** JSON-RPC endpoint, `http://127.0.0.1:…`. HTTP only. */
    url: string
    chainId: number
    /** The forked block; false for a fresh chain. */
    forked: false | { blockNumber: number }
    /** Calls the node directly instead of over HTTP: faster, and with every method. */
    request: (call: { method: string; params?: unknown }) => Promise<unknown>
    /** Stops Anvil. Resolves when the process has exited and, with `statePath`, has written its file. */
    stop: () => Promise<void>
  }
  /** Errors thrown at the start, and by `request` when the node returns an error. */
  type ErrorType = openAnvil.ErrorType | nodeRequest.ErrorType | InvalidSandboxOptionsError
}
