import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Keypair } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { unreachable } from './transferChain.ts'
import { transferChains } from './transferChains.ts'

/** A node that accepts requests and never responds. */
let server: Server
let chainOf: ReturnType<typeof transferChains>
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server's address has a port
  chainOf = transferChains({
    solana: { rpcUrl, sponsorKey: new Uint8Array(64).fill(1) },
    stellar: { rpcUrl, sponsorKeys: [Keypair.random().secret()] },
    environment: 'sandbox',
    now: Date.now,
  })
  await Promise.all([chainOf('solana'), chainOf('stellar')])
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

test.concurrent.each([
  ['solana', formatBase58(new Uint8Array(32).fill(7))],
  ['stellar', Keypair.random().publicKey()],
] as const)(
  'a node on %s that does not respond is reported as unavailable after 10 s',
  async (blockchain, wallet) => {
    const chain = await chainOf(blockchain)
    const error = await chain?.usdcOf(wallet).catch((thrown: unknown) => thrown)
    expect(unreachable(error)).toMatchObject({ code: 'UNAVAILABLE' })
  },
  60_000,
)
