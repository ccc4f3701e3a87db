import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendGaslessTxPath } from '../service/sandboxClient.ts'

export type Submit = {
  /** Forwards the submit to the service and keeps the response. Throws if the service dies. */
  forward: () => Promise<void>
  answer: (lie?: { status: number; body: object }) => void
  cut: () => void
}

/** Forwards everything except submits, which a test decides about. */
export type ServiceProxy = {
  url: string
  submits: number
  onSubmit: (submit: Submit) => Promise<void>
  /** Breaks every connection, like an unreachable service. */
  isDown: boolean
  close: () => Promise<void>
}

export async function passOn({ forward, answer }: Submit): Promise<void> {
  await forward()
  answer()
}

/** @param serviceUrl read for each request, because a restarted service has another URL */
export async function startServiceProxy(serviceUrl: () => string): Promise<ServiceProxy> {
  const server = createServer(async (request, response) => {
    if (proxy.isDown) return void request.socket.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // uncompressed, so the chunks are buffers
    let kept: { status: number; headers: Headers; body: string } | undefined
    const submit: Submit = {
      forward: async () => {
        const { method = 'GET', url } = request
        const answer = await fetch(`${serviceUrl()}${url}`, {
          method,
          headers: ownHeaders(request.headers),
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        })
        kept = { status: answer.status, headers: answer.headers, body: await answer.text() }
      },
      answer: (lie) => {
        if (kept === undefined) throw new Error('The proxy has no response yet: forward the submit first.')
        response
          .writeHead(lie?.status ?? kept.status, ownHeaders(Object.fromEntries(kept.headers)))
          .end(lie === undefined ? kept.body : JSON.stringify(lie.body))
      },
      cut: () => request.socket.destroy(),
    }
    const isSubmit = request.method === 'POST' && request.url === sendGaslessTxPath
    if (isSubmit) proxy.submits++
    // For the page, a stopped service is a broken connection.
    await (isSubmit ? proxy.onSubmit(submit) : passOn(submit)).catch(submit.cut)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // an object, because the server listens on TCP
  const proxy: ServiceProxy = {
    url: `http://127.0.0.1:${port}`,
    submits: 0,
    onSubmit: passOn,
    isDown: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

/** Hop-by-hop headers and the content encoding do not apply to the forwarded message. */
function ownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const { host, connection, ...rest } = headers
  delete rest['content-length']
  delete rest['content-encoding']
  delete rest['transfer-encoding']
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
}

export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
