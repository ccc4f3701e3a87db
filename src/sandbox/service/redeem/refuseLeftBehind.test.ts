import {
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  TimeoutError,
} from 'viem'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { RedeemRequest } from '../../simulation/redeemRequest.ts'
import { refuseLeftBehind } from './checkUnderway.ts'

const creditsContract: Hex = `0x${'c1'.repeat(20)}`
const operator: Hex = `0x${'0e'.repeat(20)}`
const relayer: Hex = `0x${'1e'.repeat(20)}`
const shop: Hex = `0x${'5a'.repeat(20)}`
const wallet: Hex = `0x${'a1'.repeat(20)}`

const usdc: Hex = `0x${'0c'.repeat(20)}`

const nobody: Hex = pad('0x', { size: 20 })
const normal = 1
const request: RedeemRequest = {
  permit: {
    customerWallet: wallet,
    creditSeed: 'shop',
    amount: 1n,
    validBefore: 1n,
    nonce: pad('0x1'),
    signature: '0x',
  },
  intent: { amount: 1n, usdcAmount: 0n, salt: pad('0x1') },
  settlement: {
    kind: normal,
    target: shop,
    data: '0x12345678',
    nftContract: nobody,
    nftId: 0n,
    bridge: { dstChainId: 0n, dstToken: nobody, isNative: false, cost: 0n },
  },
  usdcAuthorization: { method: 0, signature: '0x' },
  gasFee: 0n,
}

const erc721 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed id)'])
const erc20 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const erc1155 = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
])
const minted = (to: Hex, from: Hex = nobody) => ({
  address: shop,
  topics: encodeEventTopics({ abi: erc721, eventName: 'Transfer', args: { from, to, id: 7n } }),
  data: '0x',
})
const minted1155 = (to: Hex, value: bigint, from: Hex = nobody) => ({
  address: shop,
  topics: encodeEventTopics({ abi: erc1155, eventName: 'TransferSingle', args: { operator, from, to } }),
  data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, value]),
})

let errors: unknown[]
beforeEach(() => {
  errors = []
})

/** A chain whose node returns these events for a simulation. */
function chainOf(answer: (() => unknown) | readonly unknown[]): EvmChain & { asked: unknown[] } {
  const asked: unknown[] = []
  const chain = {
    asked,
    creditsContract,
    usdc,
    operator: { address: operator },
    relayers: [{ address: operator }, { address: relayer }],
    client: {
      request: async (question: unknown) => {
        asked.push(question)
        return typeof answer === 'function' ? answer() : [{ calls: [{ logs: answer, status: '0x1' }] }]
      },
    },
  }
  // No other fields are read.
  return chain as unknown as EvmChain & { asked: unknown[] }
}
const judge = (chain: EvmChain, change: Partial<RedeemRequest> = {}) =>
  refuseLeftBehind({ onError: (error) => errors.push(error) }, chain, { request: { ...request, ...change } })

describe('a token', () => {
  test.each([
    ['that is minted to the credits contract', [minted(creditsContract)], 'the credits contract'],
    ['that is minted to the operator', [minted(operator)], `tx.origin, the relayer ${getAddress(operator)}`],
    ['that is minted to another relayer', [minted(relayer)], `tx.origin, the relayer ${getAddress(relayer)}`],
    [
      'part of which is not forwarded',
      [minted1155(creditsContract, 3n), minted1155(wallet, 2n, creditsContract)],
      'the credits contract',
    ],
  ])('%s is rejected', async (_, logs, holder) => {
    await expect(judge(chainOf(logs))).rejects.toMatchObject({
      code: 'SIMULATION_FAILED',
      message: expect.stringContaining(`would stay with ${holder}`),
    })
    expect(errors).toEqual([])
  })

  test.each([
    ['that is forwarded', [minted(creditsContract), minted(wallet, creditsContract)]],
    ['that the customer receives', [minted(wallet)]],
    ['that an account outside of the redeem receives', [minted(`0x${'77'.repeat(20)}`)]],
    ['all of which is forwarded', [minted1155(creditsContract, 3n), minted1155(wallet, 3n, creditsContract)]],
    ['that the credits contract already had and sends', [minted(wallet, creditsContract)]],
  ])('%s passes', async (_, logs) => {
    await judge(chainOf(logs))
    expect(errors).toEqual([])
  })

  test('may stay with a relayer that is the customer', async () => {
    const permit = { ...request.permit, customerWallet: operator }
    await judge(chainOf([minted(operator)]), { permit })
  })
})

describe('an amount of an ERC-20 token', () => {
  const paid = (token: Hex, from: Hex, to: Hex, value = 5n) => ({
    address: token,
    topics: encodeEventTopics({ abi: erc20, eventName: 'Transfer', args: { from, to } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  })
  const coin: Hex = `0x${'c0'.repeat(20)}`

  test.each([
    ['the credits contract', creditsContract],
    [`tx.origin, the relayer ${relayer}`, relayer],
  ])('that would stay with %s is rejected', async (name, holder) => {
    const logs = [paid(coin, shop, holder), paid(coin, holder, wallet, 4n)]
    await expect(judge(chainOf(logs))).rejects.toMatchObject({
      code: 'SIMULATION_FAILED',
      message: expect.stringContaining(
        `1 raw units of the ERC-20 token ${getAddress(coin)} would stay with ${name}`,
      ),
    })
  })

  test.each([
    ['that is forwarded', [paid(coin, shop, creditsContract), paid(coin, creditsContract, wallet)]],
    ['of USDC, whose remainder becomes credits', [paid(usdc, shop, creditsContract)]],
    ['that a third party receives', [paid(coin, creditsContract, shop)]],
  ])('%s passes', async (_, logs) => {
    await judge(chainOf(logs))
    expect(errors).toEqual([])
  })
})

test.each([
  ['token', 0],
  ['decent', 5],
])('no request is sent for a %s redeem, which cannot leave tokens behind', async (_, kind) => {
  const chain = chainOf([minted(creditsContract)])
  await judge(chain, { settlement: { ...request.settlement, kind } })
  expect(chain.asked).toEqual([])
})

describe('a node', () => {
  test.each<[string, () => unknown]>([
    [
      'that lacks the method',
      () => Promise.reject(Object.assign(new Error('Method not found'), { code: -32601 })),
    ],
    ['that returns null', () => null],
    ['that returns no events', () => [{ calls: [{ status: '0x1' }] }]],
    ['whose events have no address', () => [{ calls: [{ logs: [{ ...minted(wallet), address: null }] }] }]],
    ['whose events have no data', () => [{ calls: [{ logs: [{ ...minted(wallet), data: undefined }] }] }]],
    ['whose events have no topics', () => [{ calls: [{ logs: [{ ...minted(wallet), topics: 'x' }] }] }]],
    ['whose topics are not text', () => [{ calls: [{ logs: [{ ...minted(wallet), topics: [1] }] }] }]],
    ['with a malformed topic', () => [{ calls: [{ logs: [{ ...minted(wallet), topics: ['0x12', 1] }] }] }]],
  ])('%s lets the redeem continue and is reported', async (_, answer) => {
    await judge(chainOf(answer))
    expect(errors).toMatchObject([{ name: 'ChainReadError' }])
  })

  test('that does not respond in time fails the redeem, and is queried again for the next one', async () => {
    let isSlow = true
    const chain = chainOf(() => {
      if (isSlow) throw new TimeoutError({ body: {}, url: 'http://127.0.0.1:1' })
      return [{ calls: [{ logs: [minted(relayer)] }] }]
    })
    await expect(judge(chain)).rejects.toThrow(TimeoutError)
    isSlow = false
    await expect(judge(chain)).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
  })

  test('that returns no events is not queried again for ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const chain = chainOf(() => null)
      for (const [ms, asked] of [
        [0, 1],
        [9_999, 1],
        [1, 2],
        [0, 2],
      ] as const) {
        vi.advanceTimersByTime(ms)
        await judge(chain)
        expect(chain.asked).toHaveLength(asked)
      }
      expect(errors).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that returns no events does not affect other chains', async () => {
    await judge(chainOf(() => null))
    await expect(judge(chainOf([minted(relayer)]))).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
  })
})
