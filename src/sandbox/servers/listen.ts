import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'

/**
 * Serves a fetch handler over HTTP on 127.0.0.1.
 *
 * @param options.port 0 for a free one
 * @returns where, and what closes it: nothing new is taken, what is being answered gets its answer
 * @throws {@link InvalidSandboxOptionsError} when the port is taken, or may not be opened
 */
export async function listen(options: {
  fetch: (request: Request) => Response | Promise<Response>
  port: number
}): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const { fetch, port } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidSandboxOptionsError(`port is ${showValue(port)}.`, {
      field: 'port',
      fix: 'Give a whole number from 0 to 65535; 0 takes a free port.',
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
        fix: 'Stop what listens there, or give another port (option port, --port of the command); 0 takes a free one.',
        cause,
      },
    )
  })
  // A server that listens on TCP has an address with a port.
  const { port: opened } = server.address() as AddressInfo
  // `serve` makes a server of `node:http` unless it is given another one.
  return { url: `http://127.0.0.1:${opened}`, port: opened, close: () => drain(server as Server) }
}

/** Ends a server: at once where nothing is being answered, and after `drainMaximumMs` in any case. */
function drain(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.closeAllConnections(), drainMaximumMs)
  return new Promise((resolve) => {
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Longer than the slowest redeem takes to be written down and sent. */
const drainMaximumMs = 15_000
