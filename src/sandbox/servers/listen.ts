import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'

/** Serves HTTP on 127.0.0.1 only. Port 0 selects a free port. `close` rejects new requests and lets pending requests finish. */
export async function listen(options: {
  fetch: (request: Request) => Response | Promise<Response>
  port: number
}): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const { fetch, port } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidSandboxOptionsError(`port is ${showValue(port)}.`, {
      field: 'port',
      fix: 'Pass a whole number from 0 to 65535; 0 means a free port.',
    })
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve({ fetch, port, hostname: '127.0.0.1' }, () => {
      starting.off('error', reject)
      resolve(starting)
    })
    starting.once('error', reject)
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new InvalidSandboxOptionsError(
      cause.code === 'EADDRINUSE'
        ? `Port ${port} of 127.0.0.1 is in use.`
        : `Port ${port} of 127.0.0.1 cannot be opened (${cause.code}).`,
      {
        field: 'port',
        fix: 'Stop the program that listens there, or pass another port (`port`, or `--port` on the command line). 0 means a free port.',
        cause,
      },
    )
  })
  // A server that listens on TCP has an address with a port.
  const { port: opened } = server.address() as AddressInfo
  // `serve` creates a `node:http` server by default.
  return { url: `http://127.0.0.1:${opened}`, port: opened, close: () => drain(server as Server) }
}

/** Closes a server once its pending requests are answered, at the latest after `drainMaximumMs`. */
async function drain(server: Server): Promise<void> {
  await untilQuiet(server)
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.closeAllConnections(), drainMaximumMs)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  clearInterval(idle)
  clearTimeout(late)
}

/**
 * Waits until no connection has arrived for several rounds of the event loop. Closing earlier would reset connections that are not
 * accepted yet or whose request is unread.
 */
async function untilQuiet(server: Server): Promise<void> {
  let quiet = 0
  const onArrival = () => {
    quiet = 0
  }
  server.on('connection', onArrival).on('request', onArrival)
  const end = performance.now() + arrivalMaximumMs
  for (; quiet < 4 && performance.now() < end; quiet++)
    await new Promise((resolve) => setTimeout(resolve, 25))
  server.off('connection', onArrival).off('request', onArrival)
}

/** Time limit, because clients that send without a pause would keep the server open. */
const arrivalMaximumMs = 5_000

/** Time limit, longer than the slowest redeem needs to be journalled and sent. */
const drainMaximumMs = 15_000

/** Reads a request's body. Returns undefined, without reading to the end, if it has more than `most` bytes. */
export async function readLimited(request: Request, most: number): Promise<Buffer | undefined> {
  const length = request.headers.get('content-length')
  if (Number(length) > most) return undefined
  if (length !== null) {
    // Node's server enforces content-length. Reading the whole body is cheaper than streaming it.
    const whole = Buffer.from(await request.arrayBuffer())
    return whole.length > most ? undefined : whole
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
