import { type AddressInfo, createServer } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { showValue } from '../../core/errors/showValue.ts'
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
    throw portProblem(port, cause)
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

/**
 * Whether the service will be able to listen, asked before anything is started.
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export async function checkPort(port: number): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidSandboxOptionsError(`port is ${showValue(port)}.`, {
      field: 'port',
      fix: 'Give a whole number from 0 to 65535; 0 takes a free port.',
    })
  if (port === 0) return
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  }).catch((cause) => {
    throw portProblem(port, cause)
  })
}

function portProblem(port: number, cause: unknown): InvalidSandboxOptionsError {
  return new InvalidSandboxOptionsError(`The service cannot listen on port ${port} of 127.0.0.1.`, {
    field: 'port',
    fix: 'Stop what listens there, or give another port; 0 takes a free one.',
    cause,
  })
}
