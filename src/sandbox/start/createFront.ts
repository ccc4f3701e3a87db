import type { Pipe } from '../chains/anvil/connectPipe.ts'
import { serveNode } from '../chains/anvil/serveNode.ts'
import { createPages } from '../pages/createPages.ts'
import type { Dashboard } from '../pages/dashboard/createDashboard.tsx'
import type { OpenSandbox } from './openSandbox.ts'

/** Beside the request, what the server hands over: by its socket the service knows the caller's address. */
type Handler = (request: Request, env?: object) => Response | Promise<Response>

/** What listens at the sandbox's address: the service, and beside it the pages and each EVM chain under `/rpc/NAME`. */
export type Front = {
  fetch: Handler
  /** From now on the chain is asked under its name. */
  addNode: (name: string, node: Pick<Pipe, 'ask'>) => void
  /** From now on everything else is the service's; what changes a chain goes `beside` it, and the dashboard shows it. */
  setService: (fetch: Handler, options?: SetServiceOptions) => void
}

type SetServiceOptions = {
  beside?: OpenSandbox['beside'] | undefined
  dashboard?: Dashboard | undefined
}

/** Answers 503 for what is not there yet. */
export function createFront(options: serveNode.Options & { headerPrefix: string | undefined }): Front {
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

/** What a chain that is held still is not asked. */
const changing = /^(eth_send|evm_|hardhat_|anvil_)/

function starting(): Response {
  return Response.json(
    { message: 'The service is starting.' },
    { status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } },
  )
}
