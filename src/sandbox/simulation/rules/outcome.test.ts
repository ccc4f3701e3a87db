import { encodeAbiParameters, encodeEventTopics, pad, parseAbi, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { accounts, frame, price, redeemFrame } from '../text/report.fixture.ts'
import { transferTopic } from '../trace/moves.ts'
import type { StorageSlot } from '../trace/prestate.ts'
import { differenceOf, outcomeOf, storedBy } from './outcome.ts'
import { ruleContext } from './rules.fixture.ts'

const { customer, credits, shop, usdc, stranger } = accounts
const reverted = { failure: 'no', output: '0x' } as const
const of = (call: CallFrame, changes: Partial<CallFrame> = {}) =>
  outcomeOf({ usdc }, { frame: redeemFrame([call], changes), call })
const log = (address: typeof shop | typeof usdc, data: `0x${string}` = '0x12') => ({
  address,
  topics: ['0x34'] as const,
  data,
  text: undefined,
})

describe('the effects of a redeem', () => {
  test('are USDC, tokens with their amounts, native coin, and events', () => {
    const topics = encodeEventTopics({
      abi: parseAbi([
        'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
      ]),
      args: { operator: shop, from: shop, to: customer },
    })
    const token = (amount: bigint) => ({
      address: shop,
      topics: topics as [`0x${string}`],
      data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, amount]),
      text: undefined,
    })
    const transfer = {
      address: usdc,
      topics: [transferTopic, pad(credits), pad(shop)] as const,
      data: toHex(price, { size: 32 }),
      text: undefined,
    }
    const pull = frame({ from: shop, to: usdc, logs: [transfer] })
    const paid = frame({ from: shop, to: stranger, value: 10n ** 18n })
    const made = frame({ type: 'CREATE', from: shop, to: undefined, value: 1n })
    expect(of(frame({ logs: [token(1n), token(3n), log(usdc)], calls: [pull, paid, made] }))).toEqual({
      failure: undefined,
      usdc: [`10.00 USDC from ${credits} to ${shop}`],
      tokens: [
        `ERC-1155 token 7 of ${shop} from ${shop} to ${customer}`,
        `3 of ERC-1155 token 7 of ${shop} from ${shop} to ${customer}`,
      ],
      coins: [
        `1 of the chain's own coin from ${shop} to ${stranger}`,
        `0.000000000000000001 of the chain's own coin from ${shop} to a new contract`,
      ],
      events: [token(1n), token(3n)].map(({ topics, data }) => [shop, ...topics, data].join(' ')),
    })
  })

  test('count tokens without their ids, which may be random', () => {
    const topics = encodeEventTopics({
      abi: parseAbi([
        'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
      ]),
      args: { operator: shop, from: shop, to: customer },
    })
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, 3n])
    const call = frame({
      logs: [{ address: shop, topics: topics as [`0x${string}`], data, text: undefined }],
    })
    const { tokens } = outcomeOf({ usdc }, { frame: redeemFrame([call]), call }, { ids: false })
    expect(tokens).toEqual([`3 ERC-1155 tokens of ${shop} from ${shop} to ${customer}`])
  })

  test('are the amounts of other ERC-20 tokens', () => {
    const coins = (amount: bigint) => ({
      address: shop,
      topics: [transferTopic, pad(shop), pad(customer)] as const,
      data: toHex(amount, { size: 32 }),
      text: undefined,
    })
    const [more, less] = [5n, 3n].map((amount) => of(frame({ logs: [coins(amount)] })))
    expect(more).toMatchObject({
      tokens: [`5 raw units of the ERC-20 token ${shop} from ${shop} to ${customer}`],
    })
    expect(more && less && differenceOf(more, less)).toMatch(
      /^it moves 3 raw units .* instead of 5 raw units /,
    )
  })

  test.each<[string, Partial<CallFrame>]>([
    ['without value', {}],
    ['made as a delegate call, which repeats the value of its caller', { type: 'DELEGATECALL', value: 1n }],
    ['made with CALLCODE, which sends to itself', { type: 'CALLCODE', value: 1n }],
    ['that was reverted', { value: 1n, logs: [log(shop)], ...reverted }],
  ])('exclude the value of a call %s', (_, changes) => {
    expect(of(frame({ calls: [frame(changes)] }))).toMatchObject({ coins: [], events: [] })
  })

  test('include no events if the redeem did not reach the call', () => {
    const run = { frame: redeemFrame([], { failure: 'Expired' }), call: undefined }
    expect(outcomeOf({ usdc }, run)).toMatchObject({ failure: 'Expired', events: [] })
  })
})

describe('two runs differ', () => {
  const good = of(frame())
  const failed = of(frame(reverted), reverted)
  const rich = of(frame({ calls: [frame({ from: shop, to: stranger, value: 1n })] }))

  test.each([
    ['if only the second one fails', good, failed, 'it fails: no'],
    ['if only the first one fails', failed, good, 'it succeeds'],
    ['but not if both fail', failed, { ...failed, failure: 'otherwise' }, undefined],
    ['if one of them moves more', good, rich, expect.stringMatching(/^it moves 0\.0.* instead of nothing$/)],
    ['if one of them moves less', rich, good, expect.stringMatching(/^it moves nothing instead of 0\.0/)],
    ['but not by their events alone', good, { ...good, events: ['x'] }, undefined],
  ])('%s', (_, first, other, text) => {
    expect(differenceOf(first, other)).toEqual(text)
  })
})

test('compares stored values except those of USDC, the credits contract and the wallet', async () => {
  const change = (address: StorageSlot['address']): StorageSlot => ({
    address,
    slot: '0x01',
    value: '0x02',
  })
  const changes = async () => [usdc, credits, customer, shop].map(change)
  expect(await storedBy(ruleContext(frame(), { changes }), {})).toBe(JSON.stringify([change(shop)]))
})
