import type { OpenSandbox } from '../assembly/openSandbox.ts'
import type { Pipe } from '../chains/anvil/connectPipe.ts'
import { serveNode } from '../chains/anvil/serveNode.ts'
import { createPages } from '../pages/createPages.ts'

type Handler = (request: Request) => Response | Promise<Response>

/** What listens at the sandbox's address: the service, and beside it the pages and each EVM chain under `/rpc/NAME`. */
export type Front = {
  fetch: Handler
  /** From now on the chain is asked under its name. */
  addNode: (name: string, node: Pick<Pipe, 'ask'>) => void
  /** From now on everything else is the service's; what changes a chain goes `beside` it. */
  setService: (fetch: Handler, beside?: OpenSandbox['beside']) => void
}

/** Answers 503 for what is not there yet. */
export function createFront(options: serveNode.Options & { headerPrefix: string | undefined }): Front {
  const pages = createPages(options)
  const nodes = new Map<string, Handler>()
  let service: Handler = () => starting()
  let beside: OpenSandbox['beside'] = async (work) => work()
  return {
    fetch: (request) => {
      const [, name] = /^\/rpc\/([^/]*)\/?$/.exec(new URL(request.url).pathname) ?? []
      const node = name === undefined ? undefined : nodes.get(name)
      return node?.(request) ?? pages(request) ?? service(request)
    },
    addNode: (name, node) => {
      const ask: Pipe['ask'] = (method, params) =>
        changing.test(method) ? beside(() => node.ask(method, params)) : node.ask(method, params)
      nodes.set(name, serveNode({ ask }, options))
    },
    setService: (fetch, gate = beside) => {
      service = fetch
      beside = gate
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
