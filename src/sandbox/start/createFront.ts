import type { Pipe } from '../chains/anvil/connectPipe.ts'
import { serveNode } from '../chains/anvil/serveNode.ts'
import { createPages } from '../pages/createPages.ts'
import type { Dashboard } from '../pages/dashboard/createDashboard.tsx'
import type { OpenSandbox } from './openSandbox.ts'

/** A fetch handler. The server passes `env`, whose socket has the caller's address. */
type Handler = (request: Request, env?: object) => Response | Promise<Response>

/** Handler at the sandbox's URL. It serves the service, its pages, and each EVM chain under `/rpc/NAME`. */
export type Front = {
  fetch: Handler
  addNode: (name: string, node: Pick<Pipe, 'ask'>) => void
  /** Starts to serve the service and its dashboard. Calls that change a chain go through `beside`. */
  setService: (fetch: Handler, options?: SetServiceOptions) => void
}

type SetServiceOptions = {
  beside?: OpenSandbox['beside'] | undefined
  dashboard?: Dashboard | undefined
}

/** Creates the handler, which returns 503 until the service is set. */
export function createFront(
  options: serveNode.Options & { headerPrefix: string | undefined; merchantId: string },
): Front {
  const pages = createPages(options)
  const nodes = new Map<string, Handler>()
  let service: Handler = () => starting()
  let dashboard: Dashboard | undefined
  let beside: OpenSandbox['beside'] = async (work) => work()
  return {
    fetch: async (request, env) => {
      const [, name] = /^\/rpc\/([^/]*)\/?$/.exec(new URL(request.url).pathname) ?? []
      const node = name === undefined ? undefined : nodes.get(name)
      return node?.(request) ?? pages(request) ?? (await dashboard?.(request)) ?? service(request, env)
    },
    addNode: (name, node) => {
      const ask: Pipe['ask'] = (method, params) =>
        changing.test(method) ? beside(() => node.ask(method, params)) : node.ask(method, params)
      nodes.set(name, serveNode({ ask }, options))
    },
    setService: (fetch, options = {}) => {
      service = fetch
      beside = options.beside ?? beside
      dashboard = options.dashboard
    },
  }
}

/** Matches methods that change a chain. Their calls wait while the sandbox is paused. */
const changing = /^(eth_send|evm_|hardhat_|anvil_)/

function starting(): Response {
  return Response.json(
    { message: 'The service is starting.' },
    { status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } },
  )
}
