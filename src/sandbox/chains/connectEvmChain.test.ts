import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TimeoutError } from 'viem'
import { expect, test, vi } from 'vitest'
import { InvalidAddressError } from '../../redeemkit/core/errors/inputErrors.ts'
import { connectEvmChain } from './connectEvmChain.ts'

const connect = (
  walletFactories?: connectEvmChain.Options['walletFactories'],
  rpcUrl = 'http://127.0.0.1:1',
) =>
  connectEvmChain(
    {
      blockchain: 'base',
      rpcUrl,
      creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      operatorKey: `0x${'01'.repeat(32)}`,
      walletFactories,
    },
    'sandbox',
  )

test('allows the factories of popular smart accounts and those in the options', () => {
  const coinbase = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'
  const own = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const factories = connect().walletFactories
  expect([factories.has(coinbase), factories.has(own)]).toEqual([true, false])
  // Lower case, as on a command line. The service looks up the checksummed address.
  const given = connect([own.toLowerCase() as typeof own]).walletFactories
  expect([given.has(coinbase), given.has(own)]).toEqual([true, true])
  expect(() => connect(['0x1234'])).toThrow(InvalidAddressError)
})

test('a request to a node that does not respond ends after 10 s, and is not repeated', async () => {
  let requests = 0
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const server = createServer(() => {
    requests++
    arrive()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address has a port
  const { client } = connect(undefined, `http://127.0.0.1:${port}`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = client.getBlockNumber().catch((error: unknown) => error)
  try {
    await arrived
    await vi.advanceTimersByTimeAsync(9_999)
    expect(await Promise.race([asked, undefined])).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.race([asked, undefined])).toBeInstanceOf(TimeoutError)
    expect(requests).toBe(1)
  } finally {
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  }
})
