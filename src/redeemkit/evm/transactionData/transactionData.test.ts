import { AbiCoder, keccak256 as ethersKeccak, Interface } from 'ethers'
import fc from 'fast-check'
import { parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, expectTypeOf, inject, test } from 'vitest'
import vectors from '../../../../test/vectors/redeem-intent.json' with { type: 'json' }
import { BaseError } from '../../core/errors/baseError.ts'
import { transactionData as schema, type TransactionData } from '../../schema/transactionData.ts'
import { caught } from '../caught.fixture.ts'
import { commitmentOf, isIntentBoundNonce, orderKey, orderKeyOf } from '../creditPermit/orderKey.ts'
import { redeemIntentNonce, settlementHash } from '../creditPermit/redeemIntentNonce.ts'
import { decent, knownTokenId, normal, returned, safeMint, token } from './builders.ts'
import { decodeTransactionData, describeTransactionData } from './decodeTransactionData.ts'
import {
  type SettlementKind,
  settlementKindOf,
  settlementKinds,
  settlementOf,
  settlementShapes,
} from './settlementOf.ts'

const bridgeAdapter = vectors.adapter as `0x${string}`
const order = { merchantId: vectors.order.merchantId, purchaseId: vectors.order.purchaseId }
const to = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const nftContract = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const customer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const abi = parseAbi([
  'function buy(address receiver, uint256 price) returns (uint256)',
  'function buy(address receiver)',
  'function mint() payable',
  'function many((address who, uint64[] ids)[] items)',
  'function price() view returns (uint256)',
])
const data =
  '0xcce7ec13000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000989680'
const byName = { to, abi, functionName: 'buy', args: [customer, 10_000_000n] } as const
const fails = (name: string, field?: string) =>
  expect.objectContaining(field === undefined ? { name } : { name, field })
const wire = (name: string) => vectors.cases.find((one) => one.name === name)?.transactionData

describe('the test vectors', () => {
  test.each(vectors.cases)('$name', (vector) => {
    // the cast is safe: the vectors are transactionData records
    const transactionData = vector.transactionData as TransactionData
    expect(settlementHash(transactionData, { bridgeAdapter })).toBe(vector.settlementHash)
    expect(
      settlementHash({ ...transactionData, waitForHash: true } as TransactionData, { bridgeAdapter }),
    ).toBe(vector.settlementHash)
    const nonce = redeemIntentNonce({
      orderKey: orderKey(order),
      customerWallet: vectors.customerWallet as `0x${string}`,
      settlementHash: settlementHash(transactionData, { bridgeAdapter }),
      amount: BigInt(vectors.amount),
      usdcAmount: BigInt(vector.usdcAmount),
      salt: vectors.salt as `0x${string}`,
    })
    expect(nonce).toBe(vector.nonce)
    expect(isIntentBoundNonce(nonce)).toBe(true)
    expect(orderKeyOf(nonce)).toBe(vectors.order.orderKey)
    expect(commitmentOf(nonce)).toBe(vector.commitment)
  })
  test.each(vectors.orders)(
    'orderKey of $merchantId, $purchaseId',
    ({ merchantId, purchaseId, ...known }) => {
      expect(orderKey({ merchantId, purchaseId })).toBe(known.orderKey)
    },
  )
  test('orderKey refuses ids with surrounding spaces or invisible characters, which could be confused', () => {
    for (const [field, ids] of [
      ['purchaseId', { merchantId: 'shop', purchaseId: 'order 1 ' }],
      ['merchantId', { merchantId: 'sh\u200bop', purchaseId: 'order 1' }],
    ] as const)
      expect(() => orderKey(ids)).toThrow(fails('InvalidOrderIdError', field))
  })
  test('the settlement hash of `decent` commits to the bridge adapter', () => {
    const record = wire('decent') as TransactionData
    expect(() => settlementHash(record)).toThrow(fails('MissingFieldError', 'bridgeAdapter'))
    expect(settlementHash(record, { bridgeAdapter: to })).not.toBe(settlementHash(record, { bridgeAdapter }))
  })
  test('redeemIntentNonce commits to each of its arguments', () => {
    const options = {
      orderKey: orderKey(order),
      customerWallet: customer,
      settlementHash: settlementHash(token({ destination: to })),
      amount: 10n,
      usdcAmount: 4n,
      salt: vectors.salt as `0x${string}`,
    } as const
    const nonce = redeemIntentNonce(options)
    for (const other of [
      { orderKey: orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 2' }) },
      { customerWallet: to },
      { settlementHash: settlementHash(token({ destination: customer })) },
      { amount: 11n },
      { usdcAmount: 5n },
      { salt: `0x${'00'.repeat(32)}` },
    ] as const)
      expect(redeemIntentNonce({ ...options, ...other })).not.toBe(nonce)
    expect(() => redeemIntentNonce({ ...options, usdcAmount: 11n })).toThrow(
      fails('InvalidAmountError', 'usdcAmount'),
    )
    expect(() => redeemIntentNonce({ ...options, amount: 2n ** 256n })).toThrow(
      fails('InvalidAmountError', 'amount'),
    )
    expect(() => redeemIntentNonce({ ...options, salt: '0x00' })).toThrow(fails('InvalidHexError', 'salt'))
    expect(() => redeemIntentNonce({ ...options, orderKey: `0x7f${'00'.repeat(11)}` })).toThrow(
      fails('InvalidHexError', 'orderKey'),
    )
    expect(() => redeemIntentNonce({ ...options, customerWallet: `0x${'00'.repeat(20)}` })).toThrow(
      fails('InvalidAddressError', 'customerWallet'),
    )
    expect(isIntentBoundNonce(`0x7f${'ff'.repeat(31)}`)).toBe(false)
    expect(() => isIntentBoundNonce('0x80')).toThrow(fails('InvalidHexError', 'nonce'))
  })
  test('the settlement hash equals the hash that another ABI encoder gives', () => {
    const coder = AbiCoder.defaultAbiCoder()
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => `0x01${Buffer.from(bytes).toString('hex').slice(2)}` as const)
    const bytes = fc
      .uint8Array({ minLength: 4, maxLength: 300 })
      .map((value) => `0x${Buffer.from(value).toString('hex')}` as const)
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    fc.assert(
      fc.property(address, bytes, address, uint, fc.boolean(), (target, call, nft, id, native) => {
        const hash = (kind: number, record: TransactionData, nftOf: string, idOf: bigint, bridge: string) =>
          expect(settlementHash(record, { bridgeAdapter })).toBe(
            ethersKeccak(
              coder.encode(
                ['uint8', 'address', 'bytes32', 'address', 'uint256', 'bytes32'],
                [kind, target, ethersKeccak(call), nftOf, idOf, bridge],
              ),
            ),
          )
        const zero = `0x${'00'.repeat(20)}` as const
        const none = `0x${'00'.repeat(32)}`
        const raw = { to: target, data: call }
        hash(1, normal(raw), zero, 0n, none)
        hash(2, safeMint({ ...raw, nftContract: nft }), nft, 0n, none)
        hash(3, returned(raw), target, 0n, none)
        hash(4, knownTokenId({ ...raw, nftContract: nft, nftId: id }), nft, id, none)
        hash(4, knownTokenId({ ...raw, nftContract: nft, nftId: `0x${id.toString(16)}` }), nft, id, none)
        const bridge = ethersKeccak(
          coder.encode(
            ['address', 'uint256', 'address', 'bool', 'uint256'],
            [bridgeAdapter, 42161, native ? zero : nft, native, id],
          ),
        )
        hash(
          5,
          decent({
            dstChainId: 42161,
            dstToken: native ? zero : nft,
            contractAddress: target,
            contractData: call,
            cost: { isNative: native, amount: id },
          }),
          zero,
          0n,
          bridge,
        )
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('builders', () => {
  test('build the records of the vectors, from function names and from call data', () => {
    const raw = { to, data } as const
    expect(
      new Interface(['function buy(address,uint256)']).encodeFunctionData('buy', [customer, 10_000_000n]),
    ).toBe(data)
    expect(token({ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })).toEqual(wire('token'))
    // callers without TypeScript can pass this
    const wrong = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as never
    expect(() => token(wrong)).toThrow('Pass all of destination ("to" is not one of them).')
    expect(normal(raw)).toEqual(wire('normal'))
    expect(normal(byName)).toEqual(wire('normal'))
    expect(safeMint(byName)).toEqual(wire('safeMint'))
    expect(safeMint({ ...byName, nftContract })).toEqual(wire('safeMint with nftContract'))
    expect(returned({ ...byName, nftContract })).toEqual(wire('returned'))
    expect(knownTokenId({ ...byName, nftContract, nftId: 42n })).toEqual(wire('knownTokenId'))
    expect(
      decent({
        dstChainId: 42161,
        dstToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
        contractAddress: to,
        abi,
        functionName: 'buy',
        args: [customer, 10_000_000n],
        cost: { isNative: false, amount: 10_000_000n },
      }),
    ).toEqual(wire('decent'))
    expect(normal(raw, { waitForHash: true })).toEqual({ ...wire('normal'), waitForHash: true })
    expect(knownTokenId({ ...raw, nftContract, nftId: '0x2A' }).nftId).toBe('0x2A')
  })
  test('return checksummed addresses, and records that the schema accepts', () => {
    const lower = to.toLowerCase() as `0x${string}`
    const built = [
      token({ destination: lower }),
      normal({ to: lower, data }),
      safeMint({ to: lower, data, nftContract: lower }),
      returned({ to: lower, data }),
      knownTokenId({ to: lower, data, nftContract: lower, nftId: 2n ** 256n - 1n }),
      decent({
        dstChainId: 1,
        dstToken: `0x${'00'.repeat(20)}`,
        contractAddress: lower,
        contractData: '0x',
        cost: { isNative: true, amount: 0n },
      }),
    ]
    for (const record of built) {
      expect(schema.parse(record)).toEqual(record)
      expect(JSON.stringify(record)).not.toContain(lower)
    }
  })
  test('have argument types from the ABI', () => {
    expectTypeOf(normal).toBeCallableWith({ to, data })
    // the type checker must report each of these calls; at run time, the first one throws
    const wrong = () => {
      // @ts-expect-error no such function
      normal({ to, abi, functionName: 'sell', args: [customer] })
      // @ts-expect-error text where the ABI has a uint256
      normal({ to, abi, functionName: 'buy', args: [customer, 'x'] })
      // @ts-expect-error the id is missing
      knownTokenId({ to, data, nftContract })
    }
    expect(wrong).toThrow(BaseError)
    expect(normal({ to, abi, functionName: 'mint' }).transaction.data).toBe(toFunctionSelector('mint()'))
    expect(normal({ to, abi, functionName: 'buy', args: [customer] }).transaction.data.slice(0, 10)).toBe(
      toFunctionSelector('buy(address)'),
    )
  })
  test('have types that refuse a view or pure function, even if it is the only function', () => {
    const oracle = parseAbi([
      'function price() view returns (uint256)',
      'function sum(uint256 a) pure returns (uint256)',
    ])
    const nft = { nftContract, nftId: 1n } as const
    const reads = [
      // @ts-expect-error view or pure
      () => normal({ to, abi, functionName: 'price' }),
      // @ts-expect-error view or pure
      () => safeMint({ to, abi, functionName: 'price' }),
      // @ts-expect-error view or pure
      () => returned({ to, abi, functionName: 'price' }),
      // @ts-expect-error view or pure
      () => knownTokenId({ to, abi, functionName: 'price', ...nft }),
      // @ts-expect-error view or pure
      () => normal({ to, abi: oracle, functionName: 'sum', args: [1n] }),
    ]
    for (const call of reads) expect(call).toThrow(fails('InvalidCallError', 'functionName'))
  })

  test.each<[string, readonly unknown[], string | RegExp]>([
    ['the functions of the ABI', abi, /^The ABI has buy, /],
    [
      'only functions, each once',
      parseAbi(['function buy()', 'function buy(uint8)', 'event Sold()']),
      'The ABI has buy.',
    ],
    [
      'at most 300 characters',
      [{ type: 'function', name: 'x'.repeat(400), inputs: [] }],
      /^The ABI has x{300}\.$/,
    ],
    [
      'a hint if the ABI has no functions',
      parseAbi(['event Sold()']),
      'Pass the ABI of the contract that is called.',
    ],
  ])('name %s in the error about an unknown function', (_, items, fix) => {
    const call = { to, abi: items, functionName: 'sell' }
    expect(() => normal(call as never)).toThrow(
      expect.objectContaining({ name: 'InvalidCallError', fix: expect.stringMatching(fix) }),
    )
  })

  test('accept a selector as the function name, and no name if the ABI has only one function', () => {
    const one = parseAbi(['function mint()', 'error SoldOut()'])
    const data = toFunctionSelector('mint()')
    expect(normal({ to, abi: one, functionName: data } as never).transaction.data).toBe(data)
    expect(normal({ to, abi: one } as never).transaction.data).toBe(data)
  })
  test('accept a payable function without native coin, and an overload that changes state', () => {
    const both = parseAbi(['function buy() view returns (uint256)', 'function buy(uint256 price) payable'])
    expect(normal({ to, abi: both, functionName: 'buy', args: [1n] }).transaction.data).toHaveLength(74)
  })
  test.each<[string, () => unknown, string, string]>([
    ['native value', () => normal({ to, data, value: 1n } as never), 'NativeValueError', 'value'],
    ['native value of zero', () => safeMint({ ...byName, value: 0n } as never), 'NativeValueError', 'value'],
    ['data that is not hex', () => normal({ to, data: 'buy()' as never }), 'InvalidHexError', 'data'],
    ['half a byte', () => normal({ to, data: '0x123' }), 'InvalidHexError', 'data'],
    ['half a selector', () => normal({ to, data: '0x1234' }), 'InvalidHexError', 'data'],
    ['no data', () => normal({ to } as never), 'InvalidHexError', 'data'],
    [
      'a view function',
      () => normal({ to, abi, functionName: 'price', args: [] } as never),
      'InvalidCallError',
      'functionName',
    ],
    [
      'the only function of the ABI, if it is a view function',
      () => normal({ to, abi: parseAbi(['function price() view returns (uint256)']) } as never),
      'InvalidCallError',
      'functionName',
    ],
    [
      'a view function on another chain',
      () =>
        decent({
          dstChainId: 42161,
          dstToken: to,
          contractAddress: to,
          cost: { isNative: false, amount: 1n },
          abi,
          functionName: 'price',
        } as never),
      'InvalidCallError',
      'functionName',
    ],
    [
      'both a function name and call data',
      () => normal({ ...byName, data } as never),
      'InvalidCallError',
      'data',
    ],
    [
      'arguments without an ABI',
      () => normal({ to, data, args: [customer] } as never),
      'InvalidCallError',
      'abi',
    ],
    [
      'an argument of null',
      () => normal({ ...byName, args: [customer, null] } as never),
      'InvalidCallError',
      'args',
    ],
    ['a name without an ABI', () => normal({ to, functionName: 'buy' } as never), 'InvalidCallError', 'abi'],
    [
      'an ABI that is text',
      () => normal({ to, abi: 'buy()', functionName: 'buy' } as never),
      'InvalidCallError',
      'abi',
    ],
    [
      'an unknown function',
      () => normal({ to, abi, functionName: 'sell' } as never),
      'InvalidCallError',
      'functionName',
    ],
    [
      'a human-readable ABI',
      () => normal({ to, abi: ['function buy()'], functionName: 'buy' } as never),
      'InvalidCallError',
      'abi',
    ],
    [
      'an extra argument',
      () => normal({ to, abi, functionName: 'mint', args: [1n] } as never),
      'InvalidCallError',
      'args',
    ],
    [
      'an argument that is too large for its type',
      () => normal({ ...byName, args: [customer, 2n ** 256n] } as never),
      'InvalidCallError',
      'args',
    ],
    [
      'an argument above 2^53 - 1 as a number',
      () => normal({ ...byName, args: [customer, 1e18] } as never),
      'InvalidCallError',
      'args.1',
    ],
    [
      'a nested argument above 2^53 - 1 as a number',
      () => normal({ to, abi, functionName: 'many', args: [[{ who: to, ids: [2 ** 53] }]] } as never),
      'InvalidCallError',
      'args.0.0.ids.0',
    ],
    [
      'a nested address with a wrong checksum',
      () => normal({ ...byName, args: ['0x5fbDB2315678afecb367f032d93F642f64180aa3', 1n] } as never),
      'InvalidCallError',
      'args',
    ],
    [
      'the zero address as target',
      () => normal({ to: `0x${'00'.repeat(20)}`, data }),
      'InvalidAddressError',
      'to',
    ],
    [
      'a broken checksum',
      () => normal({ to: '0x5fbDB2315678afecb367f032d93F642f64180aa3', data }),
      'InvalidAddressError',
      'to',
    ],
    [
      'the zero address as receiver',
      () => token({ destination: `0x${'00'.repeat(20)}` }),
      'InvalidAddressError',
      'destination',
    ],
    [
      'an unknown field',
      () => token({ destination: to, amount: 1n } as never),
      'UnknownFieldError',
      'call.amount',
    ],
    [
      'an nftContract for `normal`',
      () => normal({ to, data, nftContract } as never),
      'UnknownFieldError',
      'call.nftContract',
    ],
    [
      'an unknown option',
      () => token({ destination: to }, { wait: true } as never),
      'UnknownFieldError',
      'options.wait',
    ],
    [
      'an option that is not a boolean',
      () => token({ destination: to }, { waitForHash: 1 } as never),
      'InvalidFlagError',
      'transactionData.waitForHash',
    ],
    [
      'a negative token id',
      () => knownTokenId({ to, data, nftContract, nftId: -1n }),
      'InvalidAmountError',
      'nftId',
    ],
    [
      'a token id that is text',
      () => knownTokenId({ to, data, nftContract, nftId: 'seven' }),
      'InvalidAmountError',
      'nftId',
    ],
    [
      'a token id above 2^256',
      () => knownTokenId({ to, data, nftContract, nftId: (2n ** 256n).toString() }),
      'InvalidAmountError',
      'nftId',
    ],
    [
      'a token id of 33 bytes',
      () => knownTokenId({ to, data, nftContract, nftId: `0x1${'00'.repeat(32)}` }),
      'InvalidAmountError',
      'nftId',
    ],
    [
      'a token id as a number',
      () => knownTokenId({ to, data, nftContract, nftId: 7 } as never),
      'InvalidAmountError',
      'nftId',
    ],
    [
      'a native cost with a token address',
      () =>
        decent({
          dstChainId: 1,
          dstToken: to,
          contractAddress: to,
          contractData: data,
          cost: { isNative: true, amount: 1n },
        }),
      'InvalidAddressError',
      'transactionData.dstToken',
    ],
    [
      'a token cost with the zero address',
      () =>
        decent({
          dstChainId: 1,
          dstToken: `0x${'00'.repeat(20)}`,
          contractAddress: to,
          contractData: data,
          cost: { isNative: false, amount: 1n },
        }),
      'InvalidAddressError',
      'transactionData.dstToken',
    ],
    [
      'a cost as a number',
      () =>
        decent({
          dstChainId: 1,
          dstToken: to,
          contractAddress: to,
          contractData: data,
          cost: { isNative: false, amount: 1 },
        } as never),
      'InvalidAmountError',
      'cost.amount',
    ],
    [
      'destination chain 0',
      () =>
        decent({
          dstChainId: 0,
          dstToken: to,
          contractAddress: to,
          contractData: data,
          cost: { isNative: false, amount: 1n },
        }),
      'InvalidChainIdError',
      'dstChainId',
    ],
  ])('refuse %s', (_, build, name, field) => {
    expect(build).toThrow(fails(name, field))
  })
})

describe('transactionData records', () => {
  test('accept addresses and hex in any case', () => {
    const record = { transaction: { to: to.toLowerCase(), data: data.toUpperCase().replace('0X', '0x') } }
    expect(settlementHash(record as TransactionData)).toBe(settlementHash(normal({ to, data })))
  })
  test('without nftContract use the called contract', () => {
    for (const build of [safeMint, returned])
      expect(settlementHash(build({ to, data }))).toBe(settlementHash(build({ to, data, nftContract: to })))
  })
  test.each<[string, unknown, string, string | undefined]>([
    ['undefined', undefined, 'InvalidRecordError', 'transactionData'],
    ['a list', [], 'InvalidRecordError', 'transactionData'],
    [
      'an unknown type',
      { type: 'mint', transaction: { to, data } },
      'UnknownTransactionTypeError',
      'transactionData.type',
    ],
    [
      'a type that is the name of an inherited property',
      { type: 'toString', transaction: { to, data } },
      'UnknownTransactionTypeError',
      'transactionData.type',
    ],
    ['an empty record', {}, 'MissingFieldError', 'transactionData.transaction'],
    [
      'native value',
      { transaction: { to, data, value: '0x1' } },
      'NativeValueError',
      'transactionData.transaction.value',
    ],
    [
      'data that is not hex',
      { transaction: { to, data: 'xyz' } },
      'InvalidHexError',
      'transactionData.transaction.data',
    ],
    ['gas', { transaction: { to, data, gas: 1 } }, 'UnknownFieldError', 'transactionData.transaction.gas'],
    [
      'an nftId without nftContract',
      { transaction: { to, data }, nftId: '1' },
      'MissingFieldError',
      'transactionData.nftContract',
    ],
    [
      'an nftContract without nftId',
      { transaction: { to, data }, nftContract },
      'MissingFieldError',
      'transactionData.nftId',
    ],
    [
      'an nftId for safeMint',
      { type: 'safeMint', transaction: { to, data }, nftId: '1' },
      'UnknownFieldError',
      'transactionData.nftId',
    ],
    [
      'an id with a leading zero',
      { transaction: { to, data }, nftContract, nftId: '01' },
      'InvalidAmountError',
      'transactionData.nftId',
    ],
    [
      'a transaction for `token`',
      { type: 'token', destination: to, transaction: { to, data } },
      'UnknownFieldError',
      'transactionData.transaction',
    ],
    [
      'a cost with decimal places',
      {
        type: 'decent',
        dstChainId: 1,
        dstToken: to,
        contractAddress: to,
        contractData: data,
        cost: { isNative: false, amount: '1.5' },
      },
      'InvalidAmountError',
      'transactionData.cost.amount',
    ],
    [
      'a cost as a number',
      {
        type: 'decent',
        dstChainId: 1,
        dstToken: to,
        contractAddress: to,
        contractData: data,
        cost: { isNative: false, amount: 1 },
      },
      'InvalidAmountError',
      'transactionData.cost.amount',
    ],
    [
      'a chain id that is not an integer',
      {
        type: 'decent',
        dstChainId: 1.5,
        dstToken: to,
        contractAddress: to,
        contractData: data,
        cost: { isNative: false, amount: '1' },
      },
      'InvalidChainIdError',
      'transactionData.dstChainId',
    ],
  ])('refuse %s', (_, record, name, field) => {
    // the cast allows records that a service could send
    expect(() => settlementOf(record as TransactionData)).toThrow(fails(name, field))
  })
  test('of any other form are refused with a redeemkit error, exactly when the schema refuses them', () => {
    const good = vectors.cases.map((one) => one.transactionData as Record<string, unknown>)
    const broken = fc
      .tuple(
        fc.constantFrom(...good),
        fc.constantFrom(
          'type',
          'transaction',
          'nftContract',
          'nftId',
          'destination',
          'cost',
          'dstToken',
          'dstChainId',
          'contractData',
          'waitForHash',
          'value',
        ),
        fc.oneof(fc.anything(), fc.jsonValue(), fc.constantFrom(to, data, '1', true)),
      )
      .map(([record, key, value]) => ({ ...record, [key]: value }))
    fc.assert(
      fc.property(
        fc.oneof({ weight: 5, arbitrary: broken }, { weight: 1, arbitrary: fc.anything() }),
        (record) => {
          // the cast allows records that a service could send
          const error = caught(() => decodeTransactionData(record as TransactionData))
          if (error !== undefined) expect(error).toBeInstanceOf(BaseError)
          else expect(schema.safeParse(JSON.parse(JSON.stringify(record))).success).toBe(true)
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('decodeTransactionData', () => {
  test('reads the calls that the builders wrote', () => {
    const call = { to, data, selector: '0xcce7ec13', functionName: 'buy', args: [customer, 10_000_000n] }
    expect(decodeTransactionData(token({ destination: to }))).toEqual({ kind: 'token', to, data: '0x' })
    expect(decodeTransactionData(normal(byName, { waitForHash: false }), { abi })).toEqual({
      kind: 'normal',
      ...call,
      waitForHash: false,
    })
    expect(decodeTransactionData(safeMint(byName), { abi })).toEqual({
      kind: 'safeMint',
      ...call,
      nftContract: to,
    })
    expect(decodeTransactionData(returned({ ...byName, nftContract }), { abi })).toEqual({
      kind: 'returned',
      ...call,
      nftContract,
    })
    expect(decodeTransactionData(knownTokenId({ ...byName, nftContract, nftId: '0x2a' }), { abi })).toEqual({
      kind: 'knownTokenId',
      ...call,
      nftContract,
      nftId: 42n,
    })
    expect(
      decodeTransactionData(
        decent({
          dstChainId: 10,
          dstToken: nftContract,
          contractAddress: to,
          contractData: data,
          cost: { isNative: false, amount: 5n },
        }),
        { abi },
      ),
    ).toEqual({
      kind: 'decent',
      ...call,
      bridge: { dstChainId: 10, dstToken: nftContract, isNative: false, cost: 5n },
    })
  })
  test('does not decode a call if the ABI lacks the function', () => {
    expect(decodeTransactionData(normal({ to, data: '0x12345678' }), { abi })).toEqual({
      kind: 'normal',
      to,
      data: '0x12345678',
      selector: '0x12345678',
    })
  })
  test.each([
    ['cut off', data.slice(0, -2)],
    ['with an extra word', `${data}${'00'.repeat(32)}`],
    ['with a byte before an address', data.replace('cce7ec1300', 'cce7ec1301')],
    ['that is only a selector', data.slice(0, 10)],
  ])('refuses call data %s', (_, bytes) => {
    expect(() => decodeTransactionData(normal({ to, data: bytes as `0x${string}` }), { abi })).toThrow(
      fails('InvalidCallDataError'),
    )
  })
})

describe('a call', () => {
  test('with a circular argument is refused', () => {
    const items: unknown[] = []
    items.push(items)
    expect(() => normal({ to, abi, functionName: 'many', args: [items] } as never)).toThrow(
      fails('InvalidCallError', 'args'),
    )
  })
  test('without data has no function, with or without an ABI', () => {
    const transactionData = { transaction: { to, data: '0x' } } as const
    for (const options of [{ abi }, {}]) {
      const decoded = decodeTransactionData(transactionData, options)
      expect([decoded.selector, decoded.functionName]).toEqual([undefined, undefined])
      expect(decoded).not.toHaveProperty('waitForHash')
    }
    expect(decodeTransactionData({ transaction: { to, data } })).not.toHaveProperty('functionName')
  })
  test('is described with contract, selector and maximum amount', () => {
    expect(describeTransactionData({ transaction: { to, data } }, '10.00')).toBe(
      `Calls ${to} (0xcce7ec13) with up to 10.00 USDC`,
    )
  })
  test.each(['x0x7', '0x', `0x${'0'.repeat(65)}`, '7x', 'x7', '07', '-1', 7, null])(
    'with the token id %s is refused',
    (nftId) => {
      const transactionData = { transaction: { to, data }, nftContract, nftId }
      expect(() => settlementOf(transactionData as never)).toThrow(
        fails('InvalidAmountError', 'transactionData.nftId'),
      )
    },
  )
})

describe('the settlement kinds', () => {
  test('have unique numbers, from which settlementKindOf finds the kind', () => {
    const kinds = Object.keys(settlementShapes) as SettlementKind[]
    expect(kinds.map((kind) => settlementKindOf(settlementKinds[kind]))).toEqual(kinds)
    expect(new Set(Object.values(settlementKinds)).size).toBe(kinds.length)
  })

  test('do not include an unknown number', () => {
    for (const number of [6, -1, 0.5, Number.NaN]) expect(settlementKindOf(number)).toBeUndefined()
  })
})
