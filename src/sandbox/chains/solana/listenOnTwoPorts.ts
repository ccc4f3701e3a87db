import type { Server } from 'node:http'
import getPort from 'get-port'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/**
 * Takes a port and the one after it: the wanted one, or two that are free.
 *
 * @throws {@link SolanaStartError} when they are taken
 */
export async function listenOnTwoPorts(
  wanted: number | undefined,
  create: () => Server,
): Promise<{ servers: Server[]; port: number }> {
  for (let attempt = 0; ; attempt++) {
    const port = wanted ?? (await getPort())
    const servers: Server[] = []
    try {
      for (const at of [port, port + 1]) {
        const server = create()
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject)
          server.listen(at, '127.0.0.1', () => resolve())
        })
        servers.push(server)
      }
      return { servers, port }
    } catch (cause) {
      for (const server of servers) server.close()
      if (wanted !== undefined || attempt === 20)
        throw new SolanaStartError(`The ports ${port} and ${port + 1} cannot both be opened.`, {
          field: 'port',
          cause,
          fix: 'Give another port, or none for two free ones.',
        })
    }
  }
}

/** The local chain could not open its ports. */
export class SolanaStartError extends BaseError {
  override readonly name = 'SolanaStartError'
}
