import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { frame } from '../text/report.fixture.ts'
import { contractAbis, rememberCode } from './buildAbis.ts'
import { describeCall, describeLog, describeRevert, describeTree } from './describe.ts'

const customer: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const buyAbi = parseAbi([
  'function buy(address receiver, uint256 price)',
  'error SoldOut(uint256 limit)',
  'event Bought(address indexed buyer, string indexed note, uint256 price)',
])
const buyData = encodeFunctionData({ abi: buyAbi, functionName: 'buy', args: [customer, 10_000_000n] })

describe('calls', () => {
  test('decodes a function of a given ABI, with its arguments', () => {
    expect(describeCall(buyData, [buyAbi])).toMatchObject({
      name: 'buy',
      signature: 'buy(address,uint256)',
      text: `buy(address receiver = ${customer}, uint256 price = 10000000)`,
    })
  })

  test.each([
    [
      'function transfer(address,uint256)',
      [customer, 1n],
      `transfer(address to = ${customer}, uint256 amount = 1)`,
    ],
    ['function ownerOf(uint256)', [7n], 'ownerOf(uint256 tokenId = 7)'],
    [
      'function safeTransferFrom(address,address,uint256,uint256,bytes)',
      [shop, customer, 1n, 2n, '0x'],
      'safeTransferFrom(',
    ],
    [
      'function execute(address,uint256,bytes)',
      [shop, 0n, '0x12345678'],
      `execute(address target = ${shop}, uint256 value = 0, bytes data = 0x12345678)`,
    ],
    ['function pause()', [], 'pause()'],
  ])('decodes %s without an ABI', (line, args, text) => {
    const data = encodeFunctionData({ abi: parseAbi([line]) as Abi, args })
    expect(describeCall(data)?.text).toContain(text)
  })

  test('returns undefined for an unknown selector, too few bytes, and no data', () => {
    for (const data of ['0x12345678', '0x1234', '0x'] as const)
      expect(describeCall(data, [buyAbi])).toBeUndefined()
  })

  test('names the function if its arguments do not decode', () => {
    expect(describeCall(`${toFunctionSelector('buy(address,uint256)')}ff`, [buyAbi])).toMatchObject({
      args: undefined,
      text: 'buy(address,uint256) with arguments that do not decode',
    })
  })

  test('prefers the function whose arguments decode if two share a selector', () => {
    // Both have the selector 0xa9059cbb.
    const other = parseAbi(['function many_msg_babbage(bytes1)'])
    const data = encodeFunctionData({
      abi: parseAbi(['function transfer(address,uint256)']),
      args: [customer, 1n],
    })
    expect(describeCall(data, [other])?.name).toBe('transfer')
  })

  test('quotes untrusted text on one line and shortens long bytes', () => {
    const abi = parseAbi(['function say(string text, bytes data)'])
    const data = encodeFunctionData({ abi, args: ['a"\n\u001b[31m\u202eb', `0x${'ab'.repeat(5_000)}`] })
    expect(describeCall(data, [abi])?.text).toBe(
      'say(string text = "a\\"\\n\\u001b[31m\\u{202e}b", bytes data = 0xabababab… (5000 bytes))',
    )
  })

  test('formats structs and lists', () => {
    const abi = parseAbi(['function fill((address to, uint256[] ids)[] orders)'])
    const ids = Array.from({ length: 10 }, (_, id) => BigInt(id))
    const data = encodeFunctionData({ abi, args: [[{ to: customer, ids }]] })
    expect(describeCall(data, [abi])?.text).toBe(
      `fill([] orders = [{ to = ${customer}, ids = [0, 1, 2, 3, 4, 5, 6, 7, … 2 more] }])`,
    )
  })

  test('skips invalid ABI items', () => {
    const broken = [
      { type: 'function', name: 'x', inputs: null },
      { type: 'function', name: 'a\nb', inputs: [] },
      { type: 'function' },
      ...buyAbi,
      // An ABI file may contain anything.
    ] as unknown as Abi
    expect(describeCall(buyData, [broken])?.name).toBe('buy')
  })
})

describe('logs', () => {
  const transfer = (topics: readonly Hex[], data: Hex = '0x') => describeLog({ topics, data })
  const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const word = (value: Hex) => `0x${value.slice(2).padStart(64, '0')}` as Hex

  test('distinguishes ERC-20 and ERC-721 transfers by their indexed values', () => {
    expect(transfer([topic, word(shop), word(customer)], word('0x05'))).toBe(
      `Transfer(address from = ${shop}, address to = ${customer}, uint256 amount = 5)`,
    )
    expect(transfer([topic, word(shop), word(customer), word('0x05')])).toBe(
      `Transfer(address from = ${shop}, address to = ${customer}, uint256 tokenId = 5)`,
    )
  })

  test('decodes an event of a given ABI, with the hash of an indexed text', () => {
    const topics = encodeEventTopics({
      abi: buyAbi,
      eventName: 'Bought',
      args: { buyer: customer, note: 'x' },
    })
    const data = encodeAbiParameters(parseAbiParameters('uint256'), [3n])
    // the values match the event, so every topic is a single value
    const text = describeLog({ topics: topics as Hex[], data }, [buyAbi])
    expect(text).toBe(
      `Bought(address buyer = ${customer}, string note = hash ${topics[2]}, uint256 price = 3)`,
    )
  })

  test('does not shorten long texts, bytes and lists of an event', () => {
    const abi = parseAbi(['event Packed(string note, bytes data, uint256[] ids)'])
    const note = 'a note '.repeat(40)
    const data: Hex = `0x${'ab'.repeat(40)}`
    const ids = Array.from({ length: 12 }, (_, id) => BigInt(id))
    const packed = encodeAbiParameters(parseAbiParameters('string, bytes, uint256[]'), [note, data, ids])
    const topics = encodeEventTopics({ abi, eventName: 'Packed' }) as Hex[] // nothing is indexed
    expect(describeLog({ topics, data: packed }, [abi])).toBe(
      `Packed(string note = ${JSON.stringify(note)}, bytes data = ${data}, uint256[] ids = [${ids.join(', ')}])`,
    )
  })

  test.each([
    ['no topic', []],
    ['an unknown topic', [word('0x01')]],
    ['too few topics', [topic, word(shop)]],
  ] satisfies [string, Hex[]][])('returns undefined for %s', (_, topics) => {
    expect(transfer(topics)).toBeUndefined()
  })
})

describe('reverts', () => {
  const soldOutData = encodeErrorResult({ abi: buyAbi, errorName: 'SoldOut', args: [5n] })

  test('decodes an error of a given ABI', () => {
    expect(describeRevert(soldOutData, [buyAbi])).toMatchObject({
      name: 'SoldOut',
      reason: 'SoldOut: limit 5',
    })
  })

  test('decodes an error inside an error of the credits contract', () => {
    const callFailed = parseAbi(['error CallFailed(address target, bytes reason)'])
    const data = encodeErrorResult({ abi: callFailed, args: [shop, soldOutData] })
    expect(describeRevert(data, [buyAbi]).inner?.name).toBe('SoldOut')
  })

  test('decodes an OpenZeppelin error without an ABI', () => {
    const abi = parseAbi(['error ERC721NonexistentToken(uint256 tokenId)'])
    expect(describeRevert(encodeErrorResult({ abi, args: [9n] })).reason).toBe(
      'ERC721NonexistentToken: tokenId 9',
    )
  })

  // Selectors as block explorers show them for failed transactions.
  test.each<[Hex, string]>([
    ['0x7939f424', 'TransferFromFailed'],
    ['0x90b8ec18', 'TransferFailed'],
    ['0x82b42900', 'Unauthorized'],
    ['0xab143c06', 'Reentrancy'],
    ['0x8baa579f', 'InvalidSignature'],
    ['0xb562e8dd', 'MintZeroQuantity'],
    ['0xdf2d9b42', 'OwnerQueryForNonexistentToken'],
    ['0x756688fe', 'InvalidNonce'],
    ['0x815e1d64', 'InvalidSigner'],
    [`0xd81b2f2e${'5'.padStart(64, '0')}`, 'AllowanceExpired: deadline 5'],
    [`0xf96fb071${'5'.padStart(64, '0')}`, 'InsufficientAllowance: amount 5'],
    ['0x5bf6f916', 'TransactionDeadlinePassed'],
    ['0x39d35496', 'V3TooLittleReceived'],
    ['0x5212cba1', 'CurrencyNotSettled'],
    [
      `0x8b063d73${'5'.padStart(64, '0')}${'4'.padStart(64, '0')}`,
      'V4TooLittleReceived: minAmountOutReceived 5, amountReceived 4',
    ],
  ])('names the error %s of a common library or router', (data, reason) => {
    expect(describeRevert(data).reason).toBe(reason)
  })

  test.each<[string, Hex, string]>([
    ['its selector alone', soldOutData.slice(0, 10) as Hex, 'SoldOut(uint256) without its values'],
    ["the selector of Solidity's Error", '0x08c379a0', 'Error(string) without its values'],
    ["the selector of Solidity's Panic", '0x4e487b71', 'Panic(uint256) without its values'],
    ['cut data', soldOutData.slice(0, 40) as Hex, 'SoldOut(uint256) with truncated or invalid values'],
  ])('names an error by %s, even inside an error of the credits contract', (_, data, reason) => {
    const [name] = reason.split('(')
    expect(describeRevert(data, [buyAbi])).toMatchObject({ name, args: {}, reason })
    const callFailed = parseAbi(['error CallFailed(address target, bytes reason)'])
    const passedOn = describeRevert(encodeErrorResult({ abi: callFailed, args: [shop, data] }), [buyAbi])
    expect(passedOn).toMatchObject({ name: 'CallFailed', inner: { name, reason } })
    expect(passedOn.reason).toContain(`because ${reason}`)
  })

  test('reports the selector of an unknown error', () => {
    expect(describeRevert('0x12345678', [buyAbi]).reason).toContain('0x12345678')
  })
})

describe('contractAbis', () => {
  const usdc = '11'.repeat(20)
  const at = (name: string) => `0x${name.padStart(40, '0')}` as Hex
  /** Returns a build of two contracts with the same function. Each code has an immutable value, a library address and a unique part. */
  const build = (code: (own: string) => unknown): readonly Abi[] =>
    ['bidder', 'receiver'].map((name, place) => {
      const abi: Abi = parseAbi([`function buy(address ${name})`, `error Closed(address ${name})`]) as Abi
      rememberCode(abi, { deployedBytecode: code(`0${place}`) })
      return abi
    })
  const foundry = build((own) => ({ object: `0x7f${'00'.repeat(32)}73__$${'ab'.repeat(17)}$__60${own}` }))
  const hardhat = build((own) => `0x7f${'00'.repeat(32)}73__$${'ab'.repeat(17)}$__60${own}`)
  const deployed = (own: string) => `0x7f${usdc.padStart(64, '0')}73${'22'.repeat(20)}60${own}`
  const chain: Record<Hex, string> = {
    [at('a')]: deployed('00'),
    [at('b')]: deployed('01'),
    [at('c')]: deployed('02'),
    [at('d')]: '0x',
  }
  const client = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      expect(method).toBe('eth_getCode')
      return chain[(params as [Hex])[0]] // the only method that is called
    },
  }
  const input: Hex = `0xf088d547${usdc.padStart(64, '0')}`

  async function textOf(call: CallFrame, abis: readonly Abi[]) {
    return describeTree(call, await contractAbis(client, { root: call, abis, blockNumber: 1n }))
  }

  test.each([
    ['Foundry', foundry],
    ['Hardhat', hardhat],
  ])('uses the parameter names of the contract at the address, built by %s', async (_, abis) => {
    const name = async (to: Hex) => (await textOf(frame({ to, input }), abis)).text
    expect(await name(at('a'))).toContain('address bidder =')
    expect(await name(at('b'))).toContain('address receiver =')
    // The build lacks this code, so the first function with the selector is used.
    expect(await name(at('c'))).toContain('address bidder =')
    expect(await name(at('d'))).toContain('address bidder =')
  })

  test('uses the implementation’s names for a proxy, and the names of the reverting contract for an error', async () => {
    const output: Hex = `0x13607bf9${usdc.padStart(64, '0')}`
    const implementation = frame({ type: 'DELEGATECALL', to: at('b'), input, output, failure: 'it reverted' })
    const tree = await textOf(frame({ to: at('d'), input, calls: [implementation] }), foundry)
    expect(tree.text).toContain('address receiver =')
    expect(tree.calls[0]?.failure).toContain('receiver')
  })

  test('reads no code if the build contains none', async () => {
    const abis = [parseAbi(['function buy(address whom)'])]
    const none = { request: () => expect.fail('asked') }
    const abisOf = await contractAbis(none, {
      root: frame({ to: at('a'), input }),
      abis,
      blockNumber: 1n,
    })
    expect(abisOf(frame({ to: at('a'), input }))).toBe(abis)
  })
})
