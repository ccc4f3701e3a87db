import {
  concat,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  pad,
  parseAbi,
  toFunctionSelector,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { normal } from '../../evm/transactionData/builders.ts'
import {
  creditsContract,
  erc20Log,
  erc721Log,
  type FakeLog,
  fakeChain,
  hash,
  nonce,
  redeemedLog,
  stranger,
  usdcAddress,
  wallet,
} from '../redeem.fixture.ts'
import { lookUpRedeem } from './lookUpRedeem.ts'
import { readFunds } from './readFunds.ts'
import { readRevert } from './readRevert.ts'

const key = { wallet, nonce, creditsContract }
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const blockHash = `0x${'cd'.repeat(32)}`
const erc1155 = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])

describe('`settled`', () => {
  const look = async (
    change: Parameters<typeof fakeChain>[0],
    options: Parameters<typeof lookUpRedeem>[2],
    answers: Record<string, unknown> = {},
  ) => {
    const chain = fakeChain(change)
    const asked: string[] = []
    const client = {
      request: async (call: { method: string; params?: unknown }) => {
        const [first, second] = call.params as unknown[]
        const name = `${call.method} ${call.method === 'eth_call' ? second : first}`
        asked.push(name)
        return name in answers ? answers[name] : chain.request(call)
      },
    }
    return { ...(await lookUpRedeem(client, key, options)), asked }
  }
  const unusedThen = { 'eth_call 0x3df': `0x${'0'.repeat(3 * 64)}` }
  const aliveThen = {
    'eth_getBlockByNumber 0x3df': { number: '0x3df', timestamp: '0x6b49d1ff', hash: blockHash },
  }
  const validBefore = 1_800_000_000n // 0x6b49d200, the time of the newest block

  test('is omitted unless requested', async () => {
    expect(await look({ orderState: 2 }, {})).not.toHaveProperty('settled')
  })

  test.each([
    ['cancelled by the tenth newest block', { orderState: 2 }, {}, true],
    ['cancelled after the tenth newest block', { orderState: 2 }, unusedThen, false],
    [
      'cancelled, in a contract deployed after the tenth newest block',
      { orderState: 2 },
      { 'eth_call 0x3df': '0x' },
      false,
    ],
    ['cancelled, on a chain of nine blocks', { orderState: 2, blockNumber: 8n }, {}, false],
    ['cancelled, on a chain of ten blocks', { orderState: 2, blockNumber: 9n }, {}, true],
    ['expired by the tenth newest block', { orderState: 0 }, {}, true],
    ['expired after the tenth newest block', { orderState: 0 }, aliveThen, false],
    ['unused and not expired', { orderState: 0, timestamp: validBefore - 1n }, {}, false],
    ['redeemed in the tenth newest block', { orderState: 1, minedIn: 991n }, {}, true],
    ['redeemed in the ninth newest block', { orderState: 1, minedIn: 992n }, {}, false],
    [
      'redeemed in a block that a reorganisation removed',
      { orderState: 1, minedIn: 991n },
      { 'eth_getBlockByNumber 0x3df': { number: '0x3df', timestamp: '0x1', hash: `0x${'ee'.repeat(32)}` } },
      false,
    ],
    ['redeemed, but without an event', { orderState: 1, logs: [] }, {}, false],
    [
      'used by another attempt, without an event',
      { orderState: 1, usedBy: `0x${nonce.slice(2, 26)}${'0b'.repeat(20)}` as const, logs: [] },
      {},
      false,
    ],
  ])('with ten confirmations: %s', async (_, change, answers, settled) => {
    expect(await look(change, { confirmations: 10, validBefore }, answers)).toMatchObject({ settled })
  })

  test.each<[string, Parameters<typeof fakeChain>[0], boolean]>([
    ['cancelled', { orderState: 2 }, true],
    ['used, without an event', { orderState: 1, usedBy: `0x${'0b'.repeat(32)}`, logs: [] }, false],
    ['expired', { orderState: 0 }, true],
    ['a second before it expires', { orderState: 0, timestamp: validBefore - 1n }, false],
    ['redeemed', { orderState: 1 }, true],
  ])('with one confirmation, reads no second block: %s', async (_, change, settled) => {
    const { asked, ...seen } = await look(change, { confirmations: 1, validBefore })
    expect(seen).toMatchObject({ settled })
    expect(asked.filter((name) => name.startsWith('eth_getBlock'))).toEqual(['eth_getBlockByNumber latest'])
  })

  test('a failed read of the tenth newest block is an error', async () => {
    const down = { 'eth_call 0x3df': Promise.reject(new Error('down')) }
    await expect(look({ orderState: 2 }, { confirmations: 10 }, down)).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'publicClient',
    })
  })

  test('an unused nonce without a known expiry is never settled', async () => {
    expect(await look({ orderState: 0 }, { confirmations: 1 })).toMatchObject({ settled: false })
  })
})

describe('the event', () => {
  /** The same order with other terms. */
  const other: Hex = `0x${nonce.slice(2, 26)}${'0b'.repeat(20)}`
  /** Another order with the same commitment. */
  const elsewhere: Hex = `0x${'80'.repeat(12)}${nonce.slice(26)}`
  const own = redeemedLog()
  const [topic, of, order, seed] = own.topics

  test('is filtered by contract, wallet and order', async () => {
    const chain = fakeChain({ orderState: 1 })
    await lookUpRedeem(chain, key)
    const { params } = chain.calls.find(({ method }) => method === 'eth_getLogs') ?? {}
    expect(params).toMatchObject([{ address: creditsContract, topics: [topic, of, order] }])
  })

  test('of another attempt is the outcome of the order, and final', async () => {
    const chain = fakeChain({ orderState: 1, logs: [redeemedLog({ nonce: other })] })
    expect(await lookUpRedeem(chain, key, { confirmations: 1 })).toMatchObject({
      state: 'otherAttempt',
      outcome: { nonce: other },
      settled: true,
    })
  })

  test.each<[string, object]>([
    ['of another contract', redeemedLog({ address: stranger })],
    ['of another wallet', redeemedLog({ wallet: stranger })],
    ['of another order', redeemedLog({ nonce: elsewhere })],
    ['of an attempt other than the one in `orderState`', redeemedLog({ nonce: other })],
    ['with another topic', { ...own, topics: [`0x${'11'.repeat(32)}`, of, order, seed] }],
    ['with half a byte', { ...own, data: `${own.data}0` }],
    ['with a letter before its data', { ...own, data: `x${own.data}` }],
    ['with its data in a list', { ...own, data: [own.data] }],
    ['with a topic of one byte', { ...own, topics: [topic, of, order, seed, '0x11'] }],
    ['with topics that are not a list', { ...own, topics: 'x' }],
    ['with an invalid address', { ...own, address: '0x12' }],
    ['that a reorganisation removed', { ...own, removed: true }],
  ])('is found after a log %s', async (_, log) => {
    const logs = [log as FakeLog] // untyped, because a node may return any value
    const chain = fakeChain({ orderState: 1, usedBy: nonce, logs })
    expect(await lookUpRedeem(chain, key, { confirmations: 1 })).toMatchObject({
      state: 'redeemed',
      settled: false,
    })
    expect((await lookUpRedeem(chain, key)).outcome).toBeUndefined()
    chain.state.logs.push(own)
    expect((await lookUpRedeem(chain, key)).outcome).toMatchObject({ nonce, charged: 6_030_000n })
  })

  test.each<[string, object]>([
    ['whose nonce belongs to another order', { ...redeemedLog({ nonce: elsewhere }), topics: own.topics }],
    ['of an unknown kind', redeemedLog({ kind: 99 })],
    ['without the hash of the seed', { ...own, topics: [topic, of, order] }],
    ['without its last word', { ...own, data: own.data.slice(0, -64) }],
    ['without its last two words', { ...own, data: own.data.slice(0, -128) }],
    ['without its last three words', { ...own, data: own.data.slice(0, -192) }],
  ])('%s shows no outcome', async (_, log) => {
    const chain = fakeChain({ orderState: 1, usedBy: nonce, logs: [log as FakeLog] })
    expect((await lookUpRedeem(chain, key)).outcome).toBeUndefined()
  })

  test('is found after logs of other transactions and a log without a transaction hash', async () => {
    const chain = fakeChain({ orderState: 1 })
    const request = async (call: { method: string; params?: unknown }) => {
      if (call.method === 'eth_getLogs')
        return [
          { ...own, transactionHash: null },
          { ...redeemedLog({ wallet: stranger }), transactionHash: `0x${'11'.repeat(32)}` },
          { ...own, transactionHash: hash },
        ]
      const isOther = call.method === 'eth_getTransactionReceipt' && Object(call.params)[0] !== hash
      return isOther ? null : chain.request(call)
    }
    expect((await lookUpRedeem({ request }, key)).outcome).toMatchObject({ nonce, hash })
  })

  test('yields no outcome until its transaction has a receipt', async () => {
    const chain = fakeChain({ orderState: 1 })
    const request = async (call: { method: string; params?: unknown }) =>
      call.method === 'eth_getTransactionReceipt' ? null : chain.request(call)
    const seen = await lookUpRedeem({ request }, key)
    expect([seen.state, seen.outcome]).toEqual(['redeemed', undefined])
  })
})

describe('movements', () => {
  const paid = async (...logs: ReturnType<typeof erc20Log>[]) => {
    const chain = fakeChain({ orderState: 1, logs: [...logs, redeemedLog()] })
    const { outcome } = await lookUpRedeem(chain, key)
    return outcome?.movements
      .filter(({ direction }) => direction === 'paid')
      .map(({ from, to, amount }) => [from, to, amount])
  }

  test('include transfers from the credits contract to any other address', async () => {
    expect(await paid(erc20Log(creditsContract, shop, 10_000_000n, usdcAddress))).toEqual([
      [creditsContract, shop, 10_000_000n],
    ])
  })

  test('include transfers from other addresses to the target', async () => {
    expect(await paid(erc20Log(shop, stranger, 1n))).toEqual([[shop, stranger, 1n]])
  })

  test('exclude transfers of the customer, transfers to the credits contract, NFTs, and transfers between others', async () => {
    expect(
      await paid(
        erc20Log(wallet, creditsContract, 4n),
        erc20Log(wallet, stranger, 4n),
        erc20Log(creditsContract, wallet, 4n),
        erc20Log(shop, creditsContract, 4n),
        erc20Log(creditsContract, creditsContract, 4n),
        erc721Log(creditsContract, shop, 4n),
        erc20Log(shop, usdcAddress, 4n),
      ),
    ).toEqual([])
  })

  test('exclude later transfers of the same transaction, such as a withdrawal of fees', async () => {
    const logs = [redeemedLog(), erc20Log(creditsContract, shop, 30_000n)]
    const { outcome } = await lookUpRedeem(fakeChain({ orderState: 1, logs }), key)
    expect(outcome?.movements).toEqual([])
  })

  test('keep the redeems of one batch apart', async () => {
    const logs = [
      erc20Log(creditsContract, shop, 1n),
      redeemedLog({ nonce: `0x${'22'.repeat(32)}` }),
      erc20Log(creditsContract, shop, 2n),
      // Only `Redeemed` ends the logs of a redeem, not another event of the contract.
      { ...redeemedLog(), topics: [`0x${'11'.repeat(32)}`] },
      redeemedLog(),
      erc20Log(creditsContract, shop, 3n),
      redeemedLog({ nonce: `0x${'33'.repeat(32)}` }),
    ]
    const { outcome } = await lookUpRedeem(fakeChain({ orderState: 1, logs }), key)
    expect(outcome?.movements.map(({ amount }) => amount)).toEqual([2n])
  })

  test('include transfers to the wallet after the only redeem of the transaction', async () => {
    const logs = [redeemedLog(), erc721Log(stranger, wallet, 4n)]
    const { outcome } = await lookUpRedeem(fakeChain({ orderState: 1, logs }), key)
    expect(outcome?.movements).toMatchObject([{ direction: 'in', tokenId: 4n }])
  })

  test('skip malformed transfers', async () => {
    const erc20 = erc20Log(stranger, wallet, 4n)
    const [topic, from, to] = erc20.topics
    const [single] = encodeEventTopics({ abi: erc1155, eventName: 'TransferSingle' })
    const [batch] = encodeEventTopics({ abi: erc1155, eventName: 'TransferBatch' })
    const word = (value: bigint) => toHex(value, { size: 32 })
    const others: { topics: unknown[]; data: Hex }[] = [
      { topics: [topic], data: word(4n) },
      { topics: [topic, from], data: word(4n) },
      { topics: [topic, from, to], data: '0x' },
      { topics: [single, from, from, to], data: '0x' },
      { topics: [single, from, from, to], data: word(1n) },
      { topics: [batch, from, from, to], data: '0x' },
      { topics: [batch, from, from, to], data: concat([word(64n), word(2n ** 200n), word(0n)]) },
      { topics: [batch, from, from, to], data: concat([word(96n), word(64n), word(0n), word(1n), word(1n)]) },
      { topics: [batch, from, from, to], data: concat([word(64n), word(64n), word(2n), word(1n)]) },
    ]
    const logs = [...others.map((change) => ({ ...erc20, ...change }) as FakeLog), redeemedLog()]
    const { outcome } = await lookUpRedeem(fakeChain({ orderState: 1, logs }), key)
    expect(outcome?.movements).toEqual([])
  })
})

describe('readFunds', () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  const abi = parseAbi([
    'function creditsOf(string creditSeed, address wallet) view returns (uint256)',
    'function balanceOf(address owner) view returns (uint256)',
  ])

  test.each(['my-shop', '', 'x'.repeat(32), 'y'.repeat(33), 'Bäckerei ☕'])(
    'encodes the call with the seed %o like an independent encoder',
    async (creditSeed) => {
      const calls: unknown[] = []
      const client = {
        request: async ({ params }: { params?: unknown }) => {
          const [call] = params as [{ to: string }]
          calls.push(call)
          return word(call.to === usdcAddress ? 4_000_000n : 6_030_000n)
        },
      }
      expect(await readFunds(client, { creditsContract, creditSeed, wallet, usdc: usdcAddress })).toEqual({
        credits: 6_030_000n,
        usdc: 4_000_000n,
      })
      expect(calls).toEqual([
        {
          to: creditsContract,
          data: encodeFunctionData({ abi, functionName: 'creditsOf', args: [creditSeed, wallet] }),
        },
        { to: usdcAddress, data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [wallet] }) },
      ])
    },
  )

  test('reads no USDC if none is configured', async () => {
    const client = { request: async () => word(1n) }
    expect(await readFunds(client, { creditsContract, creditSeed: 's', wallet })).toEqual({
      credits: 1n,
      usdc: undefined,
    })
  })

  test.each([
    ['no contract', async () => '0x', 'ChainReadError', 'creditsContract'],
    [
      'a revert',
      () => Promise.reject({ code: 3, message: 'execution reverted' }),
      'ChainReadError',
      'creditsContract',
    ],
    ['a dead node', () => Promise.reject(new Error('down')), 'ChainReadError', 'publicClient'],
  ])('reports %s', async (_, request, name, field) => {
    await expect(readFunds({ request }, { creditsContract, creditSeed: 's', wallet })).rejects.toMatchObject({
      name,
      field,
    })
  })

  test.each([
    ['a revert', () => Promise.reject({ code: 3, message: 'execution reverted' })],
    ['"0x12"', async () => '0x12'],
  ])('the error shows what the node returned: %s', async (what, request) => {
    await expect(readFunds({ request }, { creditsContract, creditSeed: 's', wallet })).rejects.toThrow(
      `returned no balance on this chain: ${what}.`,
    )
  })
})

describe('readRevert', () => {
  const soldOut = parseAbi(['error SoldOut()', 'function buy()'])
  const inner = encodeErrorResult({ abi: soldOut, errorName: 'SoldOut' })
  const data = encodeErrorResult({ abi: creditsAbi, errorName: 'CallFailed', args: [stranger, inner] })
  const expired = encodeErrorResult({ abi: creditsAbi, errorName: 'PermitExpired', args: [1n, 2n] })
  const transaction = {
    hash,
    from: stranger,
    to: creditsContract.toLowerCase(),
    gas: '0x100',
    input: `0x12345678${wallet.slice(2).toLowerCase().padStart(64, '0')}${nonce.slice(2)}`,
  }
  const receipt = {
    transactionHash: hash,
    status: '0x0',
    blockNumber: '0x10',
    blockHash,
    gasUsed: '0x80',
    logs: [],
  }
  const reverted = (left: Hex) => () => Promise.reject({ code: 3, message: 'execution reverted', data: left })
  const node = (
    change: {
      transaction?: object | null
      receipt?: object | null
      calls?: Record<string, () => unknown>
    } = {},
  ) => {
    const asked: unknown[] = []
    return {
      asked,
      request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
        const [call, block] = params as [unknown, string]
        if (method === 'eth_getTransactionByHash')
          return change.transaction === null ? null : { ...transaction, ...change.transaction }
        if (method === 'eth_getTransactionReceipt')
          return change.receipt === null ? null : { ...receipt, ...change.receipt }
        asked.push([call, block])
        return (change.calls?.[block] ?? reverted(data))()
      },
    }
  }

  test("returns the hash, the block and the called contract's reason", async () => {
    const client = node()
    const transactionData = normal({ to: stranger, abi: soldOut, functionName: 'buy' })
    expect(await readRevert(client, key, hash, { transactionData })).toEqual({
      hash,
      blockNumber: 16n,
      blockHash,
      reason: `CallFailed: target ${stranger}, because SoldOut`,
      revertData: data,
    })
    const { from, to, gas, input } = transaction
    expect(client.asked).toEqual([[{ from, to, gas, data: input }, '0xf']])
  })

  test('repeats the call at its own block if the call succeeds at the previous block', async () => {
    const client = node({ calls: { '0xf': () => '0x', '0x10': reverted(expired) } })
    expect(await readRevert(client, key, hash)).toMatchObject({
      reason: 'PermitExpired: validBefore 1, timestamp 2',
    })
  })

  test.each([
    ['succeeds at both blocks', () => '0x', {}, 'the node returned no reason'],
    [
      'cannot be repeated',
      () => Promise.reject(new Error('missing trie node')),
      {},
      'the node returned no reason',
    ],
    ['used all its gas', () => '0x', { gasUsed: '0x100' }, 'it ran out of gas'],
    ['used all its gas and reverts', reverted('0x'), { gasUsed: '0x100' }, 'it ran out of gas'],
    ['reverts without data', reverted('0x'), {}, 'it reverted without a reason'],
    ['used an unknown amount of gas', () => '0x', { gasUsed: undefined }, 'the node returned no reason'],
  ])('reports no reason if the repeated call %s', async (_, call, change, reason) => {
    const client = node({ receipt: change, calls: { '0xf': call, '0x10': call } })
    expect(await readRevert(client, key, hash)).toMatchObject({ hash, blockNumber: 16n, reason })
  })

  test('reports the reason even if the call used all its gas', async () => {
    const client = node({ receipt: { gasUsed: '0x100' }, calls: { '0xf': reverted(expired) } })
    expect(await readRevert(client, key, hash)).toMatchObject({ revertData: expired })
  })

  test("quotes the contract's own text on one line", async () => {
    const text = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      errorName: 'Error',
      args: ['sold\nout'],
    })
    const client = node({ calls: { '0xf': reverted(text) } })
    expect((await readRevert(client, key, hash))?.reason).toBe(String.raw`"sold\nout"`)
  })

  test.each([
    ['is not mined', { receipt: null }],
    ['succeeded', { receipt: { status: '0x1' } }],
    ['the node does not know', { transaction: null }],
    ['calls another contract', { transaction: { to: stranger } }],
    ['created a contract', { transaction: { to: null } }],
    ['is for another wallet', { transaction: { input: `0x12345678${nonce.slice(2)}` } }],
    [
      'is for another nonce',
      { transaction: { input: transaction.input.replace(nonce.slice(2), '11'.repeat(32)) } },
    ],
    ['has another hash', { transaction: { hash: `0x${'11'.repeat(32)}` } }],
    ['has the receipt of another transaction', { receipt: { transactionHash: `0x${'11'.repeat(32)}` } }],
    ['has no block', { receipt: { blockHash: null } }],
    ['has invalid call data', { transaction: { input: 'x' } }],
  ])('ignores a transaction that %s', async (_, change) => {
    const client = node(change)
    expect(await readRevert(client, key, hash)).toBeUndefined()
    expect(client.asked).toEqual([])
  })

  describe('of an item in a batch', () => {
    const other: Hex = `0x${'80'.repeat(32)}`
    const itemOf = (customer: Hex, used: Hex) => concat([pad(customer), used]).toLowerCase() as Hex // hex stays hex
    const items = [itemOf(stranger, nonce), itemOf(wallet, other), itemOf(wallet, nonce)]
    const inputOf = (requests: readonly Hex[]) =>
      encodeFunctionData({
        abi: creditsAbi,
        functionName: 'redeemBatch',
        args: [requests, requests.map(() => 1n)],
      })
    const failed = {
      address: creditsContract,
      topics: encodeEventTopics({ abi: creditsAbi, eventName: 'BatchItemFailed', args: { index: 2n } }),
      data: '0x',
    }
    const batch = { receipt: { status: '0x1', logs: [{}, failed] }, transaction: { input: inputOf(items) } }
    const used = encodeErrorResult({
      abi: creditsAbi,
      errorName: 'OrderUsed',
      args: [wallet, `0x${nonce.slice(2, 26)}`, 1, `0x${nonce.slice(26)}`],
    })

    test('simulates the failed item alone, and reports its reason', async () => {
      const client = node({ ...batch, calls: { latest: reverted(expired) } })
      expect(await readRevert(client, key, hash)).toEqual({
        hash,
        blockNumber: 16n,
        blockHash,
        reason: 'PermitExpired: validBefore 1, timestamp 2',
        revertData: expired,
      })
      const selector = toFunctionSelector(getAbiItem({ abi: creditsAbi, name: 'redeem' }))
      const data = concat([selector, itemOf(wallet, nonce)])
      expect(client.asked).toEqual([[{ from: stranger, to: creditsContract, data }, 'latest']])
    })

    test.each<[string, Parameters<typeof node>[0]]>([
      ['no item failed', { receipt: { ...batch.receipt, logs: [] } }],
      [
        'the event is from another contract',
        { receipt: { ...batch.receipt, logs: [{ ...failed, address: stranger }] } },
      ],
      [
        'the event is not `BatchItemFailed`',
        { receipt: { ...batch.receipt, logs: [{ ...failed, topics: [pad('0x1')] }] } },
      ],
      ['the event has no topics', { receipt: { ...batch.receipt, logs: [{ ...failed, topics: null }] } }],
      ['the receipt has no logs', { receipt: { ...batch.receipt, logs: null } }],
      ['the batch does not contain this item', { transaction: { input: inputOf(items.slice(0, 2)) } }],
      ['the transaction is not a batch', { transaction: { input: transaction.input } }],
      ['the item succeeds alone', { calls: { latest: () => '0x' } }],
      ['the order was redeemed in the meantime', { calls: { latest: reverted(used) } }],
    ])('is not a failure if %s', async (_, change) => {
      expect(await readRevert(node({ ...batch, ...change }), key, hash)).toBeUndefined()
    })
  })

  test('a node that does not respond is not a revert', async () => {
    await expect(
      readRevert({ request: () => Promise.reject(new Error('x')) }, key, hash),
    ).rejects.toMatchObject({
      name: 'ChainReadError',
    })
  })
})
