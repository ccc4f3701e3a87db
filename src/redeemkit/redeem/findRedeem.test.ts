import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../core/errors/baseError.ts'
import { decodeRedeemed, movementsOf, parseLog } from './chain/readLogs.ts'
import { findRedeem } from './findRedeem.ts'
import {
  creditSeedHash,
  creditsContract,
  erc20Log,
  erc721Log,
  erc1155Log,
  fakeChain,
  hash,
  nonce,
  redeemedLog,
  stranger,
  wallet,
} from './redeem.fixture.ts'

const key = { wallet, nonce, creditsContract }

describe('findRedeem', () => {
  test('reports an unused and a cancelled nonce', async () => {
    expect(await findRedeem(fakeChain(), key)).toStrictEqual({
      state: 'unused',
      block: { number: 1_000n, timestamp: 1_800_000_000n },
    })
    expect((await findRedeem(fakeChain({ orderState: 2 }), key)).state).toBe('cancelled')
  })

  test('reads the event of an independent encoder, and the token movements', async () => {
    const logs = [
      erc20Log(wallet, creditsContract, 4_000_000n),
      erc721Log(zeroAddress, creditsContract, 7n),
      erc721Log(creditsContract, wallet, 7n),
      erc1155Log(creditsContract, wallet, [8n], [2n]),
      erc1155Log(creditsContract, wallet, [9n, 10n], [3n, 4n]),
      redeemedLog(),
    ]
    const { state, outcome } = await findRedeem(fakeChain({ orderState: 1, logs }), key)
    expect(state).toBe('redeemed')
    const token = { contract: stranger, from: creditsContract, to: wallet, direction: 'in' }
    expect(outcome).toStrictEqual({
      wallet,
      orderKey: nonce.slice(0, 26),
      nonce,
      creditSeedHash,
      creditsContract,
      kind: 'normal',
      target: stranger,
      amount: 10_000_000n,
      usdcAmount: 4_000_000n,
      charged: 6_030_000n,
      refunded: 5n,
      gasFee: 30_000n,
      hash,
      blockNumber: 990n,
      blockHash: `0x${'cd'.repeat(32)}`,
      movements: [
        {
          contract: stranger,
          direction: 'out',
          from: wallet,
          to: creditsContract,
          standard: 'ERC-20',
          amount: 4_000_000n,
        },
        { ...token, standard: 'ERC-721', tokenId: 7n, amount: 1n },
        { ...token, standard: 'ERC-1155', tokenId: 8n, amount: 2n },
        { ...token, standard: 'ERC-1155', tokenId: 9n, amount: 3n },
        { ...token, standard: 'ERC-1155', tokenId: 10n, amount: 4n },
      ],
    })
  })

  test.each([
    ['of another contract', redeemedLog({ address: stranger })],
    ['of another wallet', redeemedLog({ wallet: stranger })],
    ['of another nonce', redeemedLog({ nonce: `0x${'11'.repeat(32)}` })],
    ['of a removed block', { ...redeemedLog(), removed: true }],
    ['of an unknown kind', redeemedLog({ kind: 6 })],
    ['with truncated data', { ...redeemedLog(), data: redeemedLog().data.slice(0, -2) }],
    ['without data', { ...redeemedLog(), data: '0x' }],
  ])('ignores an event %s', async (_, log) => {
    const { state, outcome } = await findRedeem(fakeChain({ orderState: 1, logs: [log] }), key)
    expect([state, outcome]).toStrictEqual(['redeemed', undefined])
  })

  test('ignores a failed transaction', async () => {
    expect((await findRedeem(fakeChain({ orderState: 1, status: '0x0' }), key)).outcome).toBeUndefined()
  })

  test('distinguishes the redeems of one batch', async () => {
    const other = `0x${'22'.repeat(32)}` as const
    const logs = [
      erc721Log(creditsContract, wallet, 1n),
      redeemedLog({ nonce: other }),
      erc721Log(creditsContract, wallet, 2n),
      redeemedLog({ address: stranger }),
      redeemedLog(),
      erc721Log(creditsContract, wallet, 3n),
      redeemedLog({ nonce: `0x${'33'.repeat(32)}` }),
    ]
    const chain = fakeChain({ orderState: 1, logs })
    const ids = async (wanted: `0x${string}`) =>
      (await findRedeem(chain, { ...key, nonce: wanted })).outcome?.movements.map((one) => one.tokenId)
    expect(await ids(nonce)).toStrictEqual([2n])
    expect(await ids(other)).toStrictEqual([1n])
  })

  test.each([10_000n, 2_000n, 100n, 10n])(
    'searches in smaller steps if a node serves at most %s blocks',
    async (widest) => {
      const chain = fakeChain({ orderState: 1, blockNumber: 30_000n, minedIn: 29_950n, widest })
      expect((await findRedeem(chain, key)).outcome?.hash).toBe(hash)
    },
  )

  test('stops at fromBlock, and after a bounded number of requests', async () => {
    const chain = fakeChain({ orderState: 1, blockNumber: 5_000_000n, minedIn: 5n, widest: 10n })
    expect((await findRedeem(chain, key)).outcome).toBeUndefined()
    expect(chain.calls.length).toBeLessThan(400)
    const other = fakeChain({ orderState: 1, minedIn: 990n })
    expect((await findRedeem(other, { ...key, fromBlock: 991n })).outcome).toBeUndefined()
    expect((await findRedeem(other, { ...key, fromBlock: 990n })).outcome?.blockNumber).toBe(990n)
  })

  test.each([
    [{ ...key, wallet: '0x12' as const }, 'InvalidAddressError', 'wallet'],
    [{ ...key, nonce: '0x12' as const }, 'InvalidHexError', 'nonce'],
    [{ ...key, creditsContract: 'x' as `0x${string}` }, 'InvalidAddressError', 'creditsContract'],
    [{ ...key, hash: '0x12' as const }, 'InvalidHexError', 'hash'],
    [{ ...key, chainID: 1 }, 'InvalidOptionError', 'chainID'],
  ])('rejects a malformed key', async (wrong, name, field) => {
    const chain = fakeChain()
    await expect(findRedeem(chain, wrong)).rejects.toMatchObject({ name, field })
    expect(chain.calls).toStrictEqual([])
  })

  test('rejects an invalid client or block', async () => {
    for (const wrong of [undefined, null, {}, 'http://node'])
      await expect(findRedeem(wrong as never, key)).rejects.toMatchObject({
        name: 'InvalidRedeemRequestError',
        field: 'publicClient',
      })
    for (const fromBlock of [-1n, '0x1', 1.5] as bigint[])
      await expect(findRedeem(fakeChain(), { ...key, fromBlock })).rejects.toMatchObject({
        field: 'fromBlock',
      })
  })

  test.each([null, true, '', 1.5, {}])('rejects a chain id of %s', async (chainId) => {
    const chain = fakeChain()
    await expect(findRedeem(chain, { ...key, chainId: chainId as number })).rejects.toMatchObject({
      name: 'InvalidChainIdError',
      field: 'chainId',
    })
    expect(chain.calls).toStrictEqual([])
  })

  test("reports an address without a contract, and hides the node's text", async () => {
    const empty = {
      request: async ({ method }: { method: string }) =>
        method === 'eth_call' ? '0x' : { number: '0x1', timestamp: '0x1' },
    }
    await expect(findRedeem(empty, key)).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'creditsContract',
    })
    const down = { request: () => Promise.reject(new Error('https://node.example/secret-key is down')) }
    const error = await findRedeem(down, key).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ChainReadError' })
    expect(String(error)).not.toContain('secret')
  })

  test.each(['transactionHash', 'blockHash'])('rejects an invalid %s', async (field) => {
    const chain = fakeChain({ orderState: 1 })
    const liar = {
      request: async (args: Parameters<typeof chain.request>[0]) => {
        const answer = await chain.request(args)
        return args.method === 'eth_getTransactionReceipt'
          ? { ...Object(answer), [field]: 'https://elsewhere.example' }
          : answer
      },
    }
    await expect(findRedeem(liar, key)).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'the receipt',
    })
  })

  test('throws only redeemkit errors if a node returns garbage', async () => {
    const answer = fc.oneof(
      fc.constantFrom(
        '0x',
        '0x1',
        null,
        undefined,
        [],
        {},
        `0x${'0'.repeat(63)}1`,
        `0x${'0'.repeat(63)}9`,
        'x',
        7,
      ),
      fc.record({ number: fc.constantFrom('0x10', 1, null), timestamp: fc.constantFrom('0x10', '0xg') }),
      fc.array(
        fc.oneof(fc.constant(null), fc.constant({ ...redeemedLog(), transactionHash: hash }), fc.object()),
        { maxLength: 2 },
      ),
      fc.record({
        status: fc.constantFrom('0x1', '0x0'),
        logs: fc.anything(),
        blockNumber: fc.constantFrom('0x1', ''),
        blockHash: fc.string(),
        transactionHash: fc.string(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 4, maxLength: 6 }), async (answers) => {
        let at = 0
        try {
          await findRedeem({ request: async () => answers[at++] }, key)
        } catch (error) {
          if (!(error instanceof BaseError)) throw error
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('logs of other contracts', () => {
  test('never throw while they are read', () => {
    const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const known = [
      redeemedLog(),
      erc20Log(wallet, stranger, 1n),
      erc721Log(wallet, stranger, 1n),
      erc1155Log(wallet, stranger, [1n], [1n]),
      erc1155Log(wallet, stranger, [1n, 2n], [1n, 2n]),
    ]
    const log = fc.record({
      address: fc.constantFrom(creditsContract, stranger, '0x'),
      topics: fc.oneof(fc.constantFrom(...known.map((one) => one.topics)), fc.array(hex, { maxLength: 5 })),
      data: fc.oneof(fc.constantFrom(...known.map((one) => one.data)), hex),
    })
    fc.assert(
      fc.property(log, (entry) => {
        const parsed = parseLog(entry)
        if (parsed === undefined) return
        decodeRedeemed(parsed)
        movementsOf([parsed], wallet)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})
