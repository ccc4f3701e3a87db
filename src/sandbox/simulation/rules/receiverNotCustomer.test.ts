import { concat, type Hex, keccak256, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { accounts, frame, redeemFrame, report } from '../text/report.fixture.ts'
import { usesTxOrigin } from './differsOnRerun.ts'
import { payerKept, readsWalletCode } from './receiverNotCustomer.ts'
import type { RuleContext } from './rule.ts'
import { failedWith, ruleContext } from './rules.fixture.ts'

const { customer, credits, shop, usdc, stranger, relayer } = accounts
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** The data that the contracts in this file hash. */
const hashed: Hex[] = []
function hash(...words: Hex[]): Hex {
  const data = concat(words).toLowerCase() as Hex
  hashed.push(data)
  return keccak256(data)
}
/** Returns the storage slot of an account in a `mapping(address => …)` at slot 3, as Solidity derives it. */
const under = (account: Hex, place: Hex = pad('0x03')) => hash(pad(account), place)
const stored = (slot: Hex, value: Hex = '0x01', address: Hex = shop) => ({ address, slot, value })
const event = (word: Hex) => ({ address: shop, topics: [], data: pad(word), text: undefined })
/** A word of call data that is too large for a number. */
const id: Hex = `0x${'ab'.repeat(32)}`
const ofNobody: Hex = '0x12345678'
const ofNumber: Hex = `0x12345678${pad('0x07').slice(2)}`
const ofCustomer: Hex = `0x12345678${pad(customer).slice(2)}`
type Options = NonNullable<Parameters<typeof ruleContext>[1]>

describe('goods stored for msg.sender', () => {
  const judged = async (
    changes: ReturnType<typeof stored>[],
    options: Options,
    logs: ReturnType<typeof event>[] = [],
  ) => {
    const call = frame({ calls: [frame({ logs })] })
    const findings = await payerKept(
      ruleContext(call, {
        changes: async () => changes,
        hashed: async () => hashed,
        data: ofNobody,
        ...options,
      }),
    )
    return findings.map(({ severity, code, message }) => {
      expect(code).toBe('RECEIVER_NOT_CUSTOMER')
      return `${severity}: ${message}`
    })
  }
  const unnamed = `The call data does not name the customer, and ${shop} stores msg.sender, the credits contract: the customer cannot claim what it holds for msg.sender.`
  const named = `The call data names the customer, but ${shop} stores msg.sender, the credits contract, and nothing for the customer.`
  const word = pad(stranger)

  test.each<[string, ReturnType<typeof stored>[], Hex, ReturnType<typeof event>[], string[]]>([
    ['no call data names the customer', [stored(under(credits))], ofNobody, [], [`danger: ${unnamed}`]],
    [
      'in a mapping of Vyper',
      [stored(hash(pad('0x03'), pad(credits)))],
      ofNobody,
      [],
      [`danger: ${unnamed}`],
    ],
    [
      'in a mapping of Solady',
      [stored(hash(`${credits}${'87a211a2'.padStart(24, '0')}`))],
      ofNobody,
      [],
      [`danger: ${unnamed}`],
    ],
    [
      'under a hash of msg.sender',
      [stored(under(hash(credits, '0x07')))],
      ofNobody,
      [],
      [`danger: ${unnamed}`],
    ],
    [
      'also in another variable',
      [stored(under(credits)), stored('0x02')],
      ofNobody,
      [],
      [`danger: ${unnamed}`],
    ],
    [
      'also under another key',
      [stored(under(credits)), stored(under(stranger))],
      ofNumber,
      [],
      [`warning: ${unnamed}`],
    ],
    [
      'as a value, by a call without arguments',
      [stored('0x02', pad(credits))],
      ofNobody,
      [],
      [`danger: ${unnamed}`],
    ],
    ['as a value', [stored('0x02', pad(credits))], ofNumber, [], [`warning: ${unnamed}`]],
    [
      'in the last word of a struct',
      [stored(`0x${(BigInt(under(credits)) + 15n).toString(16)}`)],
      ofNobody,
      [],
      [`danger: ${unnamed}`],
    ],
    [
      'an event has an id of the call data',
      [stored(under(credits))],
      `0x12345678${id.slice(2)}`,
      [event(id)],
      [`warning: ${unnamed}`],
    ],
    [
      'an event has another id',
      [stored(under(credits))],
      `0x12345678${id.slice(2)}`,
      [event('0x01')],
      [`danger: ${unnamed}`],
    ],
    [
      'under a key of the call data',
      [stored(under(credits, hash(word, pad('0x03'))))],
      `0x12345678${word.slice(2)}`,
      [],
      [`danger: ${unnamed}`],
    ],
    [
      'above a key of the call data',
      [stored(hash(word, under(credits)))],
      `0x12345678${word.slice(2)}`,
      [],
      [`danger: ${unnamed}`],
    ],
    ['the call data names the customer', [stored(under(credits))], ofCustomer, [], [`danger: ${named}`]],
    [
      'an event names the customer',
      [stored(under(credits))],
      ofCustomer,
      [event(customer)],
      [`warning: ${named}`],
    ],
    ['also for the customer', [stored(under(credits)), stored(under(customer))], ofCustomer, [], []],
    ['only for other accounts', [stored(under(customer)), stored(under(stranger))], ofNobody, [], []],
    [
      'past the end of a struct',
      [stored(`0x${(BigInt(under(credits)) + 16n).toString(16)}`)],
      ofNobody,
      [],
      [],
    ],
    ['by USDC itself', [stored(under(credits), '0x01', usdc)], ofNobody, [], []],
    ['by the credits contract itself', [stored(under(credits), '0x01', credits)], ofNobody, [], []],
    ['by the wallet itself', [stored(under(credits), '0x01', customer)], ofNobody, [], []],
  ])(
    'are judged by where they are stored and what names the customer: %s',
    async (_, changes, data, logs, expected) => {
      expect(await judged(changes, { data }, logs)).toEqual(expected)
    },
  )

  const token = {
    address: shop,
    topics: [transferTopic, pad('0x'), pad(customer), pad('0x7')] as const,
    data: '0x',
    text: undefined,
  } as const
  test.each<[string, Options]>([
    ['for another transaction type', { redeem: { ...report().redeem, shape: 'safeMint' } }],
    ['in a redeem that failed', { execution: failedWith('SoldOut') }],
    ['if the call was not reached', { call: undefined }],
    ['if a token reached the customer', { frame: redeemFrame([frame({ logs: [token] })]) }],
    [
      'if another rule reports leftovers',
      { allowances: [{ owner: shop, spender: stranger, before: 0n, after: 1n }] },
    ],
  ])('are not reported %s', async (_, options) => {
    expect(await judged([stored(under(credits))], options)).toEqual([])
  })
})

describe('a contract that reads the wallet’s code', () => {
  const sizes = { [shop.toLowerCase()]: '0x3b' } as Record<Hex, Hex>
  const paid = (to: Hex) => frame({ calls: [frame({ from: shop, to, value: 1n })] })
  const judged = async (options: Options, alone = paid(stranger), succeeded = true) =>
    readsWalletCode(
      ruleContext(paid(customer), {
        codes: sizes,
        callAlone: async () => ({ succeeded, frame: alone }),
        ...options,
      }),
    )

  test('is reported if the money goes elsewhere for a wallet without code', async () => {
    expect(await judged({})).toMatchObject([
      {
        severity: 'danger',
        code: 'RECEIVER_NOT_CUSTOMER',
        message: expect.stringMatching(/^For a customer whose wallet has no code, it moves .* to 0x90F7/),
      },
    ])
  })

  test.each<[string, Options, typeof shop?]>([
    ['the money goes to the same account', {}],
    ['the redeem was simulated with the real code', { redeem: { ...report().redeem, signatures: 'real' } }],
    ['the redeem failed', { execution: failedWith('SoldOut') }],
    ['no contract reads code', { codes: {} }],
    ['the wallet has code', { codes: { ...sizes, [customer]: '0x60' } }],
  ])('is not reported if %s', async (what, options) => {
    expect(await judged(options, what.includes('same') ? paid(customer) : paid(stranger))).toEqual([])
  })

  test('is not reported if the run without code fails', async () => {
    expect(await judged({}, frame({ failure: 'x' }), false)).toEqual([])
  })
})

describe('a contract that reads tx.origin', () => {
  const codes = { [shop.toLowerCase()]: '0x32' } as Record<Hex, Hex>
  const judged = async (options: Options, call = frame({ logs: [event('0x01')] })) =>
    (
      await usesTxOrigin(ruleContext(call, { codes, again: call, hashed: async () => hashed, ...options }))
    ).map(
      ({ severity, code, message }) =>
        `${severity} ${code}: ${message.replace('The contract reads tx.origin: ', '')}`,
    )
  /** Returns stored values that differ with the relayer. */
  const changes =
    (...slots: Hex[]): RuleContext['changes'] =>
    async ({ relayer: by }) =>
      slots.map((slot) => stored(slot, by === undefined ? '0x01' : '0x02'))

  test.each<[string, Options, string[]]>([
    ['nothing changes', {}, []],
    [
      'coins move',
      { again: frame({ value: 1n }) },
      ['danger USES_TX_ORIGIN: sent by another relayer, it moves'],
    ],
    [
      'the run fails',
      { again: frame({ failure: 'no' }) },
      ['danger USES_TX_ORIGIN: sent by another relayer, it fails: no'],
    ],
    [
      'other events are emitted',
      { again: frame({ logs: [event('0x02')] }) },
      ['warning USES_TX_ORIGIN: sent by another relayer, it emits different events'],
    ],
    [
      'everything is stored under it',
      { changes: changes(under(relayer)) },
      ['danger USES_TX_ORIGIN: it stores the purchase for tx.origin, the relayer'],
    ],
    [
      'everything is stored under it, with an event that names it',
      { again: frame({ logs: [event('0x02')] }), changes: changes(under(relayer)) },
      ['danger USES_TX_ORIGIN: it stores the purchase for tx.origin, the relayer'],
    ],
    [
      'other values are stored',
      { changes: changes(under(relayer), under(stranger)) },
      ['warning USES_TX_ORIGIN: sent by another relayer, it stores different values'],
    ],
    ['no called contract reads it', { codes: {}, again: frame({ failure: 'no' }) }, []],
  ])('is judged by a run with another relayer: %s', async (_, options, expected) => {
    expect(await judged(options)).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  test.each([
    [true, ['danger USES_TX_ORIGIN: it succeeds only if tx.origin is msg.sender.']],
    [false, []],
  ])('is reported if it sells only when tx.origin is msg.sender: %s', async (sells, expected) => {
    const root = redeemFrame([frame({ failure: 'no' })], { failure: 'no' })
    const rerun: RuleContext['rerun'] = async ({ relayer: by }) => ({
      succeeded: sells && by === credits,
      frame: root,
    })
    expect(await judged({ frame: root, rerun })).toEqual(expected)
  })
})
