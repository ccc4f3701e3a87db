import { encodeAbiParameters, type Hex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { NoRedeemError, TracingUnavailableError } from '../simulation/errors.ts'
import { chainList, runReport } from './reports.ts'
import type { Service } from './service.ts'

const adapter: Hex = `0x${'ba'.repeat(20)}`

/** A service with one chain, whose node has this URL. */
function serviceAt(rpcUrl: string, options: { node?: unknown; bridgeAdapter?: Hex } = {}): Service {
  const { node, bridgeAdapter = zeroAddress } = options
  const word = encodeAbiParameters([{ type: 'address' }], [bridgeAdapter])
  const chain = {
    blockchain: 'base',
    environment: 'sandbox',
    chainId: 84532,
    creditsContract: `0x${'c1'.repeat(20)}`,
    usdc: undefined,
    operator: { address: `0x${'0e'.repeat(20)}` },
    client: {
      chain: { rpcUrls: { default: { http: [rpcUrl] } } },
      request: async () => {
        if (node === undefined) throw new Error('Method not found')
        return node
      },
      readContract: async () => bridgeAdapter,
      call: async () => ({ data: word }),
    },
  }
  // No other fields are read.
  return { sandboxControls: {}, chains: new Map([['base', chain]]) } as unknown as Service
}
// The route does not read the request.
const ask = async (service: Service) =>
  (await chainList.handle(service, undefined as never)) as { chains: object[] }

test('the list of chains includes the URL of a local node', async () => {
  expect((await ask(serviceAt('http://127.0.0.1:8545'))).chains).toMatchObject([
    { rpcUrl: 'http://127.0.0.1:8545' },
  ])
})

test('the list of chains omits the URL of a remote node, which may contain a key', async () => {
  const answer = await ask(serviceAt('https://base.example/v2/secret-key'))
  expect(JSON.stringify(answer)).not.toContain('example')
  expect(answer.chains).toHaveLength(1)
})

test.each([
  [{ forkConfig: { forkUrl: 'https://base.example', forkBlockNumber: 31 } }, { blockNumber: 31 }],
  [{ forkConfig: {} }, false],
  [undefined, undefined],
])('with a node that reports %o, the fork block is %o', async (node, forked) => {
  const [chain] = (await ask(serviceAt('http://127.0.0.1:8545', { node }))).chains
  expect(Object(chain).forked).toEqual(forked)
})

test('the list of chains includes the bridge adapter if there is one', async () => {
  const [none] = (await ask(serviceAt('http://127.0.0.1:8545'))).chains
  const [some] = (await ask(serviceAt('http://127.0.0.1:8545', { bridgeAdapter: adapter }))).chains
  expect(none).not.toHaveProperty('bridgeAdapter')
  expect(Object(some).bridgeAdapter.toLowerCase()).toBe(adapter)
})

test('the list of chains does not exist without sandbox controls', async () => {
  await expect(ask({ chains: new Map() } as unknown as Service)).rejects.toMatchObject({ code: 'NOT_FOUND' }) // no other field is read
})

describe('redeemReport', () => {
  test('rejects reports without intent-bound permits', async () => {
    let made = 0
    const report = async () => {
      made++
      throw new Error('No report may be requested.')
    }
    await expect(runReport({ kind: 'randomNonce' }, report)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(made).toBe(0)
  })

  test.each([
    [new TracingUnavailableError('No debug_traceCall.', {}), { code: 'UNAVAILABLE', status: 503 }],
    [
      new NoRedeemError('It holds no redeem.', {}),
      { code: 'NOT_FOUND', shortMessage: 'It holds no redeem.' },
    ],
  ])('%s becomes a response', async (error, answer) => {
    await expect(runReport({ kind: 'intentBound' }, () => Promise.reject(error))).rejects.toMatchObject({
      name: 'ServiceProblem',
      ...answer,
      cause: expect.objectContaining({ name: error.name }),
    })
  })

  test('rethrows other errors', async () => {
    const error = new Error('HTTP request failed.')
    await expect(runReport({ kind: 'intentBound' }, () => Promise.reject(error))).rejects.toBe(error)
  })
})
