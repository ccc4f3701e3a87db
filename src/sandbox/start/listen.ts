import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { InvalidSandboxOptionsError } from '../errors.ts'

/**
 * Serves a fetch handler over HTTP on 127.0.0.1.
 *
 * @param options.port 0 for a free one
 * @throws {@link InvalidSandboxOptionsError} when the port is taken, or may not be opened
 */
export async function listen(options: {
  fetch: (request: Request) => Response | Promise<Response>
  port: number
}): Promise<{ url: string; close: () => Promise<void> }> {
  const { fetch, port } = options
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve({ fetch, port, hostname: '127.0.0.1' }, () => {
      starting.off('error', reject)
      resolve(starting)
    })
    starting.once('error', reject)
  }).catch((cause) => {
    throw new InvalidSandboxOptionsError(`The service cannot listen on port ${port} of 127.0.0.1.`, {
      field: 'port',
      fix: 'Stop what listens there, or give another port; 0 takes a free one.',
      cause,
    })
  })
  // A server that listens on TCP has an address with a port.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
