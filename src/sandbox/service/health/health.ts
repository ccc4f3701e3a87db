import { sql } from 'drizzle-orm'
import type { Route } from '../http/route.ts'

/** `GET /health`: whether service, database and chains answer. Ours, for those who start the service. */
export const health: Route = {
  method: 'GET',
  path: '/health',
  handle: async (service) => {
    const database = await service.database()
    await database.execute(sql`select 1`)
    const chains = await Promise.all(
      [...service.chains.values()].map(async ({ blockchain, chainId, client }) => ({
        blockchain,
        chainId,
        blockNumber: Number(await client.getBlockNumber({ cacheTime: 0 })),
      })),
    )
    return { status: 'ok', environment: service.environment, chains }
  },
}
