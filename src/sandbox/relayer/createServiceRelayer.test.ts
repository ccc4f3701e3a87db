import { encodeAbiParameters, parseTransaction, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EvmChain } from '../chains/evmChain.ts'
import { bridgeMessages, redeems } from '../store/tables/index.ts'
import type { Relayer } from './createRelayer.ts'
import { type Background, createServiceRelayer } from './createServiceRelayer.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import {
  adapter,
  bridgeRequested,
  credits,
  evmChainOf,
  nonceOf,
  noteRedeem,
  operator,
  redeem,
  redeemStates,
  rowsOf,
  testStore,
  wallet,
  whitelist,
} from './relayer.fixture.ts'

const [whitelister, destinationOperator] = (['22', '33'] as const).map((byte) =>
  privateKeyToAccount(`0x${byte.repeat(32)}`),
) as [typeof operator, typeof operator] // one account for each key
/** On a busy machine, there may be only two passes per second. */
const until = { timeout: 15_000 }
const request = { to: credits, data: '0x1234', gas: 50_000n } as const
const store = testStore()
/** The nodes of the service's chain and of a destination of its bridge. */
let base: ReturnType<typeof fakeNode>
let destination: ReturnType<typeof fakeNode>
let time: number
let background: Background
let relayer: Relayer

beforeEach(() => {
  ;[base, destination] = [fakeNode(), fakeNode()]
  base.node.call = () => encodeAbiParameters([{ type: 'address' }], [zeroAddress])
  destination.node.call = () => encodeAbiParameters([{ type: 'bool' }], [false])
  time = 1_000_000
  background = { runJob: async () => {}, pass: async () => false, onFinal: async () => {} }
})
afterEach(async () => {
  vi.restoreAllMocks()
  await relayer?.stop()
})

/** The service's chain, with a bridge to chain 10. */
const bridged = (more: Partial<EvmChain> = {}) => {
  const to = { ...destination.chain, chainId: 10, bridgeAdapter: adapter, operator: destinationOperator }
  return evmChainOf(base.chain, { whitelister, destinations: new Map([[10, to]]), ...more })
}
function relayerOn(...chains: EvmChain[]): Relayer {
  relayer = createServiceRelayer({
    store: async () => store,
    chains: new Map(chains.map((chain) => [chain.blockchain, chain])),
    now: () => time,
    onError: undefined,
    background: () => background,
  })
  return relayer
}
const send = (chainId: number, account: typeof operator, id = 'one') =>
  relayer.send({ chainId, account, reference: whitelist(id), request })

test('records the outcome of a redeem, and reports it to the service', async () => {
  const finals: unknown[] = []
  background.onFinal = async (_, { row, receipt }) => void finals.push([row.status, receipt?.status])
  const nonce = nonceOf(1)
  const row = await relayerOn(bridged()).send({
    chainId: base.chain.chainId,
    account: operator,
    reference: redeem(nonce),
    request,
    also: (work, { hash }) => noteRedeem(work, { nonce, hash }),
  })
  base.node.mine()
  await relayer.wait(row)
  expect(await redeemStates(store.database)).toEqual({ [nonce]: `redeemed ${row.hash}` })
  expect(finals).toEqual([['mined', 'success']])
})

test('the outcome of an earlier attempt does not change a redeem that was sent again', async () => {
  const [nonce, newer] = [nonceOf(1), nonceOf(2)]
  const row = await relayerOn(bridged()).send({
    chainId: base.chain.chainId,
    account: operator,
    reference: redeem(nonce),
    request,
    also: (work) => noteRedeem(work, { nonce, hash: newer, attempt: 2 }),
  })
  base.node.mine()
  await relayer.wait(row)
  expect(await redeemStates(store.database)).toEqual({ [nonce]: `sending ${newer}` })
})

test('delivers a bridge message on its destination chain, with that chain’s operator', async () => {
  const message = (number: number, sourceChainId: number) => ({
    sourceChainId,
    messageId: nonceOf(number),
    wallet,
    nonce: nonceOf(number),
    destinationChainId: 10,
    delivery: '0xabcd' as const,
    status: 'pending' as const,
    // The transaction of the redeem that paid for the message.
    sourceHash: base.node.useNonce(operator.address, [bridgeRequested({ nonce: nonceOf(number) })]),
    createdAt: new Date(time),
  })
  // The source chain of the other message is not one of this service's chains.
  await store.database.insert(bridgeMessages).values([message(2, 5), message(1, base.chain.chainId)])
  await relayerOn(bridged()).start()
  await expect.poll(() => destination.node.pool().length, until).toBe(1)
  await relayer.stop()
  expect(base.node.pool()).toEqual([])
  expect(await rowsOf(store.database)).toMatchObject([
    { chainId: 10, sender: destinationOperator.address, reference: { messageId: nonceOf(1) } },
  ])
})

test('closes a redeem that failed in a batch', async () => {
  await noteRedeem(store.database, { nonce: nonceOf(1), hash: nonceOf(1), status: 'alone' })
  await relayerOn(bridged()).start()
  await expect
    .poll(async () => (await store.database.select().from(redeems))[0]?.status, until)
    .toBe('reverted')
})

test('repeats its passes while the service has work', async () => {
  // Otherwise the reorg check would run a pass once per second.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  let left = 4
  background.pass = async () => --left > 0
  await relayerOn(bridged()).start()
  await expect.poll(() => left, until).toBe(0)
})

test('replaces stuck transactions of all its accounts', async () => {
  relayerOn(bridged())
  await send(base.chain.chainId, operator, 'one')
  await send(base.chain.chainId, whitelister, 'two')
  await send(10, destinationOperator, 'three')
  for (const { node } of [base, destination]) node.baseFee = 300n
  time += 1_000
  relayer.wake()
  await expect
    .poll(async () => (await rowsOf(store.database)).map(({ replaced }) => replaced.length), until)
    .toEqual([1, 1, 1])
})

test.each(['first', 'last'])(
  'a chain that is %s in the list keeps its own limits when it is also a destination',
  async (place) => {
    const own = evmChainOf(
      { ...destination.chain, chainId: 10, maxFeePerGas: 150n },
      { blockchain: 'arbitrum' },
    )
    relayerOn(...(place === 'first' ? [own, bridged()] : [bridged(), own]))
    const { raw } = await send(10, operator)
    expect(parseTransaction(raw)).toMatchObject({ maxFeePerGas: 150n })
  },
)
