import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../core/errors/baseError.ts'
import { parseJson } from '../core/parseJson.ts'
import { orderKey as orderKeyOf } from '../evm/creditPermit/orderKey.ts'
import { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import { loose } from '../schema/loose.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { creditsAuthMsgResponse } from '../schema/redeem.ts'
import { checkAnswer } from './check/checkAnswer.ts'
import { checksumOf } from './check/compare.ts'
import { withBridgeAdapter } from './check/intentOf.ts'
import { readRedeemTerms } from './check/readRedeemTerms.ts'
import { checkPrepared } from './checkPrepared.ts'
import { checkRedeem } from './checkRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  chainId,
  countingSigner,
  creditsContract,
  emptyStorage,
  fakeChain,
  fakeService,
  honestAnswer,
  leaves,
  now,
  nowSeconds,
  orderKey,
  pinned,
  random,
  salt,
  stranger,
  token,
  toWire,
  usdcAddress,
  wallet,
  withValue,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'
import type { RedeemStep } from './redeemStep.ts'

type Options = prepareRedeem.Options
const request: Options = { chainId, subtotal: { cents: 1000 }, transactionData: token, pinned }
const dual: Options = { ...request, usdcAmount: { cents: 400 } }

describe('prepareRedeem', () => {
  test('returns what will be signed, as a summary and as typed data, and sends its own salt', async () => {
    const { client, received } = fakeService()
    const prepared = await prepareRedeem(client, {
      ...dual,
      random: (length) => new Uint8Array(length).fill(0x5a),
    })
    expect(received.creditsAuthMsg).toStrictEqual([
      {
        merchantId: 'shop',
        subtotal: { cents: 1000 },
        transactionData: token,
        usdcAmount: { cents: 400 },
        salt,
        orderKey,
      },
    ])
    expect(prepared).toMatchObject({
      version: 1,
      merchantId: 'shop',
      blockchain: 'base',
      chainId,
      wallet,
      salt,
      orderKey,
      amount: '10000000',
      usdcAmount: '4000000',
      gasFee: '30000',
      intentBound: true,
      findings: [],
      pinned: { domainName: 'Credits', domainVersion: '1', maxGasFeeCents: 100, ...pinned },
    })
    expect(prepared.typedData.creditPermit.message).toStrictEqual({
      customerWallet: wallet,
      creditSeed: 'my-shop',
      amount: '6030000',
      validBefore: `${nowSeconds + 600}`,
      nonce: prepared.answer.nonce,
    })
    expect(prepared.typedData.usdcAuthorization).toMatchObject({
      primaryType: 'ReceiveWithAuthorization',
      domain: { name: 'USDC', verifyingContract: usdcAddress },
      message: { from: wallet, to: creditsContract, value: '4000000', validAfter: '0' },
    })
    expect(prepared.summary).toBe(
      `Sends 10.00 USDC to ${stranger} on Base Sepolia. Pays 6.00 USD from credits of "my-shop", 4.00 USDC and at most 0.03 USD for gas. Valid until 2027-01-15T08:10:00.000Z.`,
    )
    const { summary } = await prepareRedeem(fakeService().client, request)
    expect(summary).toContain('Pays 10.00 USD from credits of "my-shop" and at most 0.03 USD for gas.')
  })

  test('is plain, frozen data that survives JSON', async () => {
    const prepared = await prepareRedeem(fakeService().client, dual)
    expect(JSON.parse(JSON.stringify(prepared))).toStrictEqual(prepared)
    expect(structuredClone(prepared)).toStrictEqual(prepared)
    const every = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(every))
    expect(every(prepared)).toBe(true)
  })

  test('uses different random salts', async () => {
    const { client } = fakeService()
    const salts = await Promise.all([1, 2, 3].map(async () => (await prepareRedeem(client, request)).salt))
    expect(new Set(salts).size).toBe(3)
    expect(salts.every((one) => /^0x[0-9a-f]{64}$/.test(one))).toBe(true)
  })

  describe('with an earlier result', () => {
    const again = async (
      change: Partial<prepareRedeem.Options>,
      first: Partial<prepareRedeem.Options> = {},
    ) => {
      const { client } = fakeService()
      const prepared = JSON.parse(JSON.stringify(await prepareRedeem(client, { ...request, ...first })))
      return { prepared, next: await prepareRedeem(client, { ...request, ...first, ...change, prepared }) }
    }

    test('returns the same nonce for the same request', async () => {
      const { prepared, next } = await again({})
      expect(next.answer.nonce).toBe(prepared.answer.nonce)
    })

    test('returns another nonce of the same order for another request', async () => {
      const { prepared, next } = await again({ subtotal: { cents: 999 } })
      expect(next.orderKey).toBe(prepared.orderKey)
      expect(next.salt).not.toBe(prepared.salt)
      expect(next.answer.nonce).not.toBe(prepared.answer.nonce)
    })

    test('keeps the purchaseId', async () => {
      const { next } = await again({ purchaseId: undefined }, { purchaseId: 'order 7' })
      expect(next).toMatchObject({
        purchaseId: 'order 7',
        orderKey: orderKeyOf({ merchantId: 'shop', purchaseId: 'order 7' }),
      })
    })

    test.each<[string, Partial<prepareRedeem.Options>, string]>([
      ['another wallet', { wallet: stranger }, 'wallet'],
      ['another contract', { pinned: { ...pinned, creditsContract: stranger } }, 'pinned.creditsContract'],
      ['another order', { purchaseId: 'order 8' }, 'orderKey'],
    ])('is rejected for %s, because both permits could execute', async (_, change, field) => {
      await expect(again(change)).rejects.toMatchObject({ name: 'PreparedMismatchError', field })
    })

    test('is rejected if it was changed', async () => {
      const { client } = fakeService()
      const prepared = await prepareRedeem(client, request)
      const changed = { ...prepared, orderKey: `0x${'ff'.repeat(12)}` as const }
      const { checksum: _, ...rest } = { ...prepared, version: 2 }
      const later = { ...rest, checksum: checksumOf(rest) } as unknown as typeof prepared // of a later version
      for (const earlier of [changed, later])
        await expect(prepareRedeem(client, { ...request, prepared: earlier })).rejects.toMatchObject({
          name: 'StoredRedeemError',
          field: 'prepared',
        })
    })
  })

  test('derives the order from merchant and purchaseId, and sends both', async () => {
    const { client, received } = fakeService()
    const webhookInfo = { cart: 7, note: ['a'] }
    const [one, other] = [
      await prepareRedeem(client, { ...request, purchaseId: 'order 7', webhookInfo }),
      await prepareRedeem(client, { ...dual, purchaseId: 'order 7' }),
    ]
    expect([one.orderKey, other.orderKey]).toStrictEqual([
      orderKeyOf({ merchantId: 'shop', purchaseId: 'order 7' }),
      orderKeyOf({ merchantId: 'shop', purchaseId: 'order 7' }),
    ])
    expect(one.salt).not.toBe(other.salt)
    expect(received.creditsAuthMsg[0]).toMatchObject({
      purchaseId: 'order 7',
      orderKey: one.orderKey,
      webhookInfo,
    })
    expect(received.creditsAuthMsg[1]).not.toHaveProperty('webhookInfo')
  })

  test.each(['', ' order', 'order\n', 'o\u200brder', 'cafe\u0301', 'x'.repeat(257), 7 as never])(
    'rejects the purchaseId %j before any request',
    async (purchaseId) => {
      const { client, received } = fakeService()
      await expect(prepareRedeem(client, { ...request, purchaseId })).rejects.toMatchObject({
        name: 'InvalidOrderIdError',
        field: 'purchaseId',
      })
      expect(received.creditsAuthMsg).toStrictEqual([])
    },
  )

  test('rejects a client with an invalid merchantId', () => {
    expect(() => fakeService({ client: { merchantId: 'shop ' } })).toThrow(
      expect.objectContaining({ name: 'InvalidOrderIdError', field: 'merchantId' }),
    )
  })

  test('rejects a service that returns another order', async () => {
    const { client } = fakeService({
      answer: (body) => ({ ...honestAnswer(body), orderKey: `0x${'ff'.repeat(12)}` }),
    })
    await expect(prepareRedeem(client, request)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'orderKey',
    })
  })

  describe('a decent redeem', () => {
    const adapter = '0xa513E6E4b8f2a923D98304ec87F64353C4D5C853'
    const decent = {
      ...request,
      transactionData: {
        type: 'decent',
        dstChainId: 11155420,
        dstToken: `0x${'00'.repeat(20)}`,
        contractAddress: stranger,
        contractData: '0x12',
        cost: { isNative: true, amount: '1' },
      },
    } as const
    const nonceOf = (bridgeAdapter: Hex) =>
      redeemIntent({ chainId, wallet, request: decent, orderKey, salt, bridgeAdapter }).nonce
    /** Creates a service that knows its contract's adapter. */
    const service = (options: Parameters<typeof fakeService>[0] = {}) =>
      fakeService({
        ...options,
        answer: (body) => {
          const answer = honestAnswer({ ...body, transactionData: token })
          const { salt, orderKey } = body
          const own = { chainId, wallet, request: decent, orderKey, salt, bridgeAdapter: adapter } as const
          answer.nonce = answer.message.message.nonce = redeemIntent(own).nonce
          return answer
        },
      })
    const node = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
        const [{ to, data }] = params as [{ to: string; data: string }]
        if (to !== creditsContract || data !== '0xbe7dc09b') throw new Error(`The node has no ${data}.`)
        return `0x${adapter.slice(2).toLowerCase().padStart(64, '0')}`
      },
    }

    test('commits to the pinned adapter', async () => {
      const given = { ...decent, random, pinned: { ...pinned, bridgeAdapter: adapter } as const }
      expect((await prepareRedeem(service().client, given)).bridgeAdapter).toBe(adapter)
      const other = { ...given, pinned: { ...pinned, bridgeAdapter: stranger } }
      await expect(prepareRedeem(service().client, other)).rejects.toMatchObject({
        name: 'PreparedMismatchError',
        field: 'message.nonce',
      })
    })

    test('reads the adapter from the pinned contract', async () => {
      const prepared = await prepareRedeem(service().client, { ...decent, random, publicClient: node })
      expect(prepared).toMatchObject({ bridgeAdapter: adapter, answer: { nonce: nonceOf(adapter) } })
    })

    test.each<[string, () => unknown, string, string?]>([
      ['no adapter', () => `0x${'00'.repeat(32)}`, 'returned no bridge adapter: '],
      ['a short result', () => '0x12', 'returned no bridge adapter: "0x12".'],
      [
        'a revert',
        () => {
          throw { code: 3, message: 'execution reverted' }
        },
        'returned no bridge adapter: a revert.',
      ],
      [
        'a network error',
        () => {
          throw new TypeError('Failed to fetch')
        },
        'did not respond',
        'publicClient',
      ],
    ])('is rejected if the contract returns %s', async (_, answer, says, field = 'creditsContract') => {
      const { client, received } = service()
      const publicClient = {
        request: async (call: { method: string; params?: unknown }) =>
          call.method === 'eth_call' ? answer() : node.request(call),
      }
      await expect(prepareRedeem(client, { ...decent, publicClient })).rejects.toMatchObject({
        name: 'ChainReadError',
        field,
        message: expect.stringContaining(says),
      })
      expect(received.creditsAuthMsg).toStrictEqual([])
    })

    test('does not read the adapter if it is pinned, or if no nonce commits to it', async () => {
      const unread = { request: () => expect.unreachable('nothing is read') }
      const known = { ...pinned, bridgeAdapter: adapter } as const
      await prepareRedeem(service().client, { ...decent, random, pinned: known, publicClient: unread })
      const free = { ...pinned, intentBound: false } as const
      const terms = readRedeemTerms(service().client, { ...decent, wallet, pinned: free })
      expect(await withBridgeAdapter(terms, unread)).toBe(terms)
    })

    test('keeps adapter and nonce when it is stored or prepared again', async () => {
      const { client } = service()
      const first = await prepareRedeem(client, { ...decent, random, publicClient: node })
      const prepared = JSON.parse(JSON.stringify(first))
      const next = await prepareRedeem(client, { ...decent, random, prepared, publicClient: node })
      expect([next.bridgeAdapter, next.answer.nonce]).toEqual([adapter, first.answer.nonce])
      const check = (bridgeAdapter?: Hex) =>
        checkPrepared(prepared, { request: decent, pinned: { ...pinned, bridgeAdapter }, wallet, now })
      expect(check().answer.nonce).toBe(first.answer.nonce)
      expect(check(adapter).answer.nonce).toBe(first.answer.nonce)
      expect(() => check(stranger)).toThrow(
        expect.objectContaining({ name: 'PreparedMismatchError', field: 'bridgeAdapter' }),
      )
    })

    test('resumes from storage with the adapter of its record', async () => {
      const storage = emptyStorage()
      const submits = service({
        submit: (_, attempt) =>
          attempt === 1 ? new Response('', { status: 502 }) : Response.json({ hash: `0x${'ab'.repeat(32)}` }),
      })
      const signer = countingSigner()
      const order = { ...decent, pinned: { ...pinned, bridgeAdapter: adapter }, storage, signer } as const
      await expect(redeem(submits.client, order)).rejects.toMatchObject({ name: 'OutcomeUnknownError' })
      await redeem(submits.client, order)
      expect(signer.asked).toHaveLength(1)
      const [first, second] = submits.received.sendGaslessTx
      expect(second).toStrictEqual(first)
    })

    test('is signed with the adapter that was checked before the click', async () => {
      const { client } = service()
      const ready = await checkRedeem(client, { ...decent, pinned: { ...pinned, bridgeAdapter: adapter } })
      if (ready.state !== 'ready') throw new Error('It is not ready.')
      // This chain returns no adapter.
      const publicClient = fakeChain({ logs: [] })
      const { request } = countingSigner()
      const signed: unknown[] = []
      const signer = {
        request: (call: { method: string; params?: unknown }) => {
          if (call.method !== 'eth_signTypedData_v4') return request(call)
          signed.push(call.params)
          throw Object.assign(new Error('no'), { code: 4001 })
        },
      }
      const begun = redeem(client, { ...decent, signer, publicClient, ready })
      await expect(begun).rejects.toMatchObject({ name: 'UserRejectedError' })
      expect(JSON.stringify(signed)).toContain(ready.prepared.answer.nonce)
    })

    test('sends nothing to the service after an abort while the adapter is read', async () => {
      const { client, received } = service()
      const controller = new AbortController()
      const { signal } = controller
      const publicClient = { request: () => new Promise(() => controller.abort()) }
      const given = { ...decent, publicClient, signal }
      for (const begun of [
        prepareRedeem(client, given),
        redeem(client, { ...given, signer: countingSigner() }),
      ])
        await expect(begun).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
      expect(received.creditsAuthMsg).toStrictEqual([])
    })

    test('is rejected without a pinned adapter and a node, before any request', async () => {
      const { client, received } = service()
      await expect(prepareRedeem(client, decent)).rejects.toMatchObject({
        name: 'MissingFieldError',
        field: 'bridgeAdapter',
      })
      expect(received.creditsAuthMsg).toStrictEqual([])
    })
  })

  test('sends the values that it hashed, even if the caller changes the objects', async () => {
    const { client, received } = fakeService()
    let reads = 0
    const shifty = {
      type: 'token' as const,
      get destination() {
        return reads++ === 0 ? stranger : creditsContract
      },
    }
    const prepared = await prepareRedeem(client, { ...request, transactionData: shifty })
    expect(reads).toBe(1)
    expect(received.creditsAuthMsg[0]?.transactionData.destination).toBe(stranger)
    expect(prepared.request.transactionData).toStrictEqual(token)
  })

  test.each([
    ['10', '10000000'],
    ['10.25', '10250000'],
    [0.000001, '1'],
    [1e-6, '1'],
    [2.5e-6, undefined],
    [12e-6, '12'],
    [0.1 + 0.2, undefined],
    [123456.789012, '123456789012'],
    ['0.000001', '1'],
  ])('converts %s of the chain’s USDC to %s raw units', async (amount, raw) => {
    const { client, received } = fakeService({
      answer: (body) => {
        return honestAnswer(body, { amount: Number(raw) })
      },
    })
    const subtotal = { address: usdcAddress, amount, decimals: 6 }
    const prepared = prepareRedeem(client, { ...request, subtotal })
    if (raw === undefined) {
      await expect(prepared).rejects.toMatchObject({ name: 'InvalidAmountError', field: 'subtotal.amount' })
      expect(received.creditsAuthMsg).toStrictEqual([])
    } else {
      expect((await prepared).amount).toBe(raw)
      expect(received.creditsAuthMsg[0]?.subtotal).toStrictEqual(subtotal)
    }
  })
})

describe('an invalid redeem is rejected before any request', () => {
  const usdc = (amount: unknown, more = {}) => ({ subtotal: { address: usdcAddress, amount, ...more } })
  const cases: [string, object, string, string | undefined][] = [
    ['a URL as a node', { publicClient: 'http://node' }, 'InvalidRedeemRequestError', 'publicClient'],
    ['a URL for the dry run', { dryRun: 'http://node' }, 'InvalidRedeemRequestError', 'dryRun'],
    [
      'another currency',
      { subtotal: { cents: 1000, currency: 'EUR' } },
      'InvalidSubtotalError',
      'subtotal.currency',
    ],
    [
      'the currency code XXX',
      { subtotal: { cents: 1000, currency: 'XXX' } },
      'InvalidSubtotalError',
      'subtotal.currency',
    ],
    [
      'another token',
      { subtotal: { address: stranger, amount: '1' } },
      'InvalidSubtotalError',
      'subtotal.address',
    ],
    [
      'USDC of another chain',
      { subtotal: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', amount: '1' } },
      'InvalidSubtotalError',
      'subtotal.address',
    ],
    ['other decimals', usdc('1', { decimals: 18 }), 'InvalidSubtotalError', 'subtotal.decimals'],
    ['zero cents', { subtotal: { cents: 0 } }, 'InvalidAmountError', 'subtotal.cents'],
    ['zero tokens', usdc('0.000000'), 'InvalidAmountError', 'subtotal.amount'],
    ['negative cents', { subtotal: { cents: -1 } }, 'InvalidRecordError', 'subtotal.cents'],
    ['half a cent', { subtotal: { cents: 0.5 } }, 'InvalidRecordError', 'subtotal.cents'],
    ['cents as text', { subtotal: { cents: '1000' } }, 'InvalidRecordError', 'subtotal.cents'],
    ['NaN', { subtotal: { cents: Number.NaN } }, 'InvalidRecordError', 'subtotal.cents'],
    ['infinite', { subtotal: { cents: Number.POSITIVE_INFINITY } }, 'InvalidRecordError', 'subtotal.cents'],
    ['a bigint', { subtotal: { cents: 1000n } }, 'InvalidRedeemRequestError', 'subtotal.cents'],
    ['cents above 2^53', { subtotal: { cents: 2 ** 53 } }, 'InvalidRecordError', 'subtotal.cents'],
    [
      'more credits than a JSON number holds',
      { subtotal: { cents: 900_719_925_475 } },
      'InvalidAmountError',
      'subtotal',
    ],
    ['seven decimal places', usdc('1.0000001'), 'InvalidAmountError', 'subtotal.amount'],
    ['a number with seven decimal places', usdc(1e-7), 'InvalidAmountError', 'subtotal.amount'],
    ['a number above 2^53', usdc(2 ** 53), 'InvalidRecordError', 'subtotal.amount'],
    ['1e21', usdc(1e21), 'InvalidRecordError', 'subtotal.amount'],
    ['an exponent in text', usdc('1e3'), 'InvalidRecordError', 'subtotal.amount'],
    ['a sign', usdc('+1'), 'InvalidRecordError', 'subtotal.amount'],
    ['a negative number', usdc(-1), 'InvalidRecordError', 'subtotal.amount'],
    ['more than 256 bits', usdc('9'.repeat(80)), 'InvalidAmountError', 'subtotal.amount'],
    [
      'both cents and tokens',
      { subtotal: { cents: 1, address: usdcAddress, amount: '1' } },
      'InvalidRecordError',
      'subtotal.cents',
    ],
    ['no subtotal', { subtotal: undefined }, 'InvalidRecordError', 'subtotal'],
    [
      'more USDC than the subtotal',
      { usdcAmount: { cents: 1001 } },
      'InvalidRedeemRequestError',
      'usdcAmount',
    ],
    ['half a cent of USDC', { usdcAmount: { cents: 0.5 } }, 'InvalidRecordError', 'usdcAmount.cents'],
    [
      'USDC in another currency',
      { usdcAmount: { cents: 1, currency: 'EUR' } },
      'InvalidRecordError',
      'usdcAmount.currency',
    ],
    [
      'USDC on Tempo',
      { chainId: 42431, client: { blockchain: 'tempo' }, usdcAmount: { cents: 1 } },
      'NoUsdcAuthorizationError',
      'chainId',
    ],
    [
      'a token on Tempo',
      { ...usdc('1'), chainId: 42431, client: { blockchain: 'tempo' } },
      'InvalidSubtotalError',
      'subtotal.address',
    ],
    ['an unknown chain', { chainId: 31337 }, 'UnknownNetworkError', 'chainId'],
    ['a chain that is not a number', { chainId: '84532' }, 'InvalidChainIdError', 'chainId'],
    ['a chain other than the client’s', { chainId: 137 }, 'InvalidRedeemRequestError', 'chainId'],
    ['an environment other than the client’s', { chainId: 8453 }, 'InvalidRedeemRequestError', 'chainId'],
    ['no pins', { pinned: undefined }, 'InvalidAddressError', 'pinned'],
    ['no contract pinned', { pinned: { creditSeed: 'x' } }, 'InvalidAddressError', 'pinned.creditsContract'],
    [
      'the zero address pinned',
      { pinned: { ...pinned, creditsContract: `0x${'0'.repeat(40)}` } },
      'InvalidAddressError',
      'pinned.creditsContract',
    ],
    ['no seed pinned', { pinned: { creditsContract } }, 'InvalidTextError', 'pinned.creditSeed'],
    [
      'pins of another chain',
      { pinned: { ...pinned, chainId: 8453 } },
      'InvalidRedeemRequestError',
      'pinned.chainId',
    ],
    [
      'a fee cap of NaN',
      { pinned: { ...pinned, maxGasFeeCents: Number.NaN } },
      'InvalidAmountError',
      'pinned.maxGasFeeCents',
    ],
    [
      'a negative fee cap',
      { pinned: { ...pinned, maxGasFeeCents: -1 } },
      'InvalidAmountError',
      'pinned.maxGasFeeCents',
    ],
    [
      'an infinite fee cap',
      { pinned: { ...pinned, maxGasFeeCents: Number.POSITIVE_INFINITY } },
      'InvalidAmountError',
      'pinned.maxGasFeeCents',
    ],
    ['an invalid wallet', { wallet: '0x12' }, 'InvalidAddressError', 'wallet'],
    [
      'a wallet with a wrong checksum',
      { wallet: wallet.replace('f39F', 'F39f') },
      'InvalidAddressError',
      'wallet',
    ],
    [
      'too few random bytes',
      { random: () => new Uint8Array(31).fill(7) },
      'InvalidRedeemRequestError',
      'random',
    ],
    [
      'random bytes that are all zero',
      { random: () => new Uint8Array(32) },
      'InvalidRedeemRequestError',
      'random',
    ],
    [
      'former contracts that are not a list',
      { pinned: { ...pinned, formerContracts: stranger } },
      'InvalidAddressError',
      'pinned.formerContracts',
    ],
    [
      'an invalid former contract',
      { pinned: { ...pinned, formerContracts: ['0x12'] } },
      'InvalidAddressError',
      'pinned.formerContracts[0]',
    ],
    [
      'an invalid bridge adapter',
      { pinned: { ...pinned, bridgeAdapter: '0x12' } },
      'InvalidAddressError',
      'pinned.bridgeAdapter',
    ],
    ['no transactionData', { transactionData: undefined }, 'InvalidRecordError', 'transactionData'],
    ['webhook data that is not an object', { webhookInfo: ['a'] }, 'InvalidRecordError', 'webhookInfo'],
    [
      'an invalid destination',
      { transactionData: { type: 'token', destination: 'me' } },
      'InvalidAddressError',
      'transactionData.destination',
    ],
    [
      'an unknown shape',
      { transactionData: { type: 'gift' } },
      'UnknownTransactionTypeError',
      'transactionData.type',
    ],
    [
      'native value',
      { transactionData: { transaction: { to: stranger, data: '0x12', value: '1' } } },
      'NativeValueError',
      'transactionData.transaction.value',
    ],
    [
      'calldata that is not hex',
      { transactionData: { transaction: { to: stranger, data: '0xzz' } } },
      'InvalidHexError',
      'transactionData.transaction.data',
    ],
    [
      'half a byte',
      { transactionData: { transaction: { to: stranger, data: '0x123' } } },
      'InvalidHexError',
      'transactionData.transaction.data',
    ],
    [
      'an unknown field',
      { transactionData: { ...token, memo: 'x' } },
      'UnknownFieldError',
      'transactionData.memo',
    ],
    [
      'a cart that is not a list',
      { chargebackProtectionData: { productName: 'x' } },
      'InvalidRecordError',
      'chargebackProtectionData',
    ],
  ]
  test.each(cases)('%s', async (_, change, name, field) => {
    const { client: options, ...rest } = change as { client?: object }
    const { client, received } = fakeService({ client: options ?? {} })
    const signer = countingSigner()
    const error = await redeem(client, { ...request, ...rest, signer }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name, field })
    expect(error).toBeInstanceOf(BaseError)
    if (name !== 'InvalidRedeemRequestError') expect((error as BaseError).fix).toBeTruthy()
    await expect(prepareRedeem(client, { ...request, ...rest })).rejects.toMatchObject({ name, field })
    expect(received.creditsAuthMsg).toStrictEqual([])
    expect(signer.asked).toStrictEqual([])
  })

  test('a client without an EVM chain or an environment needs a chainId', async () => {
    const { chainId: _, ...without } = request
    for (const client of [{ blockchain: 'solana' as const, wallet: undefined }, { environment: undefined }])
      await expect(prepareRedeem(fakeService({ client }).client, without)).rejects.toMatchObject({
        name: 'InvalidRedeemRequestError',
        field: 'chainId',
      })
    expect((await prepareRedeem(fakeService().client, without)).chainId).toBe(chainId)
    const fromPins = { ...without, pinned: { ...pinned, chainId } }
    expect(
      (await prepareRedeem(fakeService({ client: { environment: undefined } }).client, fromPins)).chainId,
    ).toBe(chainId)
  })
})

/** Returns wrong values for a field. */
function liesAbout(value: unknown): unknown[] {
  const always = [undefined, null, '', 0, -1, 2 ** 53, true, [], {}, 'x', '0x', Number.MAX_SAFE_INTEGER]
  if (typeof value === 'number')
    return [...always, value + 1, value - 1, value / 2, `${value + 1}`, value + 10_000, value * 2]
  if (typeof value !== 'string') return always
  if (/^0x[0-9a-fA-F]{40}$/.test(value))
    return [
      ...always,
      stranger,
      `0x${'0'.repeat(40)}`,
      usdcAddress === value ? creditsContract : usdcAddress,
      `${value}00`,
      value.slice(2),
    ]
  if (/^0x/.test(value))
    return [
      ...always,
      `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`,
      `0x7${value.slice(3)}`,
      `0x${'0'.repeat(64)}`,
      `${value}00`,
      value.slice(0, -2),
    ]
  if (/^\d+$/.test(value))
    return [
      ...always,
      `${Number(value) + 1}`,
      `${Number(value) - 1}`,
      `0${value}`,
      `+${value}`,
      ` ${value}`,
      `${value}.0`,
      `0x${Number(value).toString(16)}`,
      `${value}e0`,
      '9'.repeat(80),
      Number(value) + 1,
    ]
  return [
    ...always,
    `${value} `,
    value.toUpperCase(),
    value.toLowerCase(),
    `${value}\u200b`,
    value.slice(1),
  ].filter((lie) => lie !== value)
}

describe.each([
  ['credits', request],
  ['credits and USDC', dual],
])('a service that changes one field, for %s', (_, asked) => {
  const body = {
    subtotal: { cents: 1000 },
    transactionData: token,
    salt,
    orderKey,
    ...(asked.usdcAmount && { usdcAmount: asked.usdcAmount }),
  }
  const honest = honestAnswer(body)
  const table = leaves(honest).flatMap((path) => {
    const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], honest)
    return liesAbout(value)
      .filter((one) => typeof one === 'object' || String(one) !== String(value))
      .map((one) => [path.join('.'), one, path] as const)
  })

  test(`none of ${table.length} changed responses reaches the wallet`, async () => {
    const taken: string[] = []
    const prepared = await prepareRedeem(fakeService({ answer: () => honest }).client, { ...asked, random })
    for (const [name, value, path] of table) {
      const { client, received } = fakeService({
        answer: () => withValue(honest, path, value),
        client: { retry: false },
      })
      const signer = countingSigner()
      const steps: string[] = []
      const onStep = ({ step }: RedeemStep) => void steps.push(step)
      const options = { ...asked, random, storage: emptyStorage(), signer, onStep }
      const error = await redeem(client, options).catch((cause: unknown) => cause)
      if (error instanceof BaseError) {
        expect(error.message, name).toContain('What to do:')
        // These checks also run before the signature. They are needed here, because the page shows these terms to the customer.
        expect(steps, name).not.toContain('prepared')
        expect(signer.asked, name).toStrictEqual([])
        expect(received.sendGaslessTx, name).toStrictEqual([])
      } else {
        expect(await prepareRedeem(client, { ...asked, random }), name).toStrictEqual({
          ...prepared,
          answer: expect.anything(),
          checksum: expect.anything(),
        })
        taken.push(`${name} = ${value}`)
      }
    }
    // The accepted changes: the authorization and values that the service only repeats may be missing. Every other change is rejected.
    expect(taken).toStrictEqual([
      'salt = undefined',
      'salt = null',
      'orderKey = undefined',
      'orderKey = null',
      ...(asked.usdcAmount === undefined
        ? []
        : ['usdcAuthorization = undefined', 'usdcAuthorization = null']),
    ])
  })

  test('an extra field is rejected in signed data, and ignored elsewhere', async () => {
    for (const path of [
      'message',
      'message.domain',
      'message.message',
      'message.types',
      'message.types.CreditsAuthorization',
    ]) {
      const answer = withValue(honest, [...path.split('.'), 'extra'], 'x')
      if (path.endsWith('CreditsAuthorization'))
        (answer as typeof honest).message.types.CreditsAuthorization.push({ name: 'extra', type: 'string' })
      await expect(
        prepareRedeem(fakeService({ answer: () => answer }).client, { ...asked, random }),
        path,
      ).rejects.toBeInstanceOf(BaseError)
    }
    const kind = fakeService({ answer: () => withValue(honest, ['merchantName'], 'x') })
    const prepared = await prepareRedeem(kind.client, { ...asked, random })
    expect(prepared.answer).not.toHaveProperty('merchantName')
  })

  test('generated responses never change the signed data', () => {
    const paths = leaves(honest)
    const change = fc.record({
      path: fc.constantFrom(...paths),
      value: fc.oneof(
        fc.constantFrom<unknown>(
          undefined,
          wallet,
          stranger,
          creditsContract,
          salt,
          honest.nonce,
          honest.validBefore,
          84532,
          '1',
        ),
        fc.anything({ maxDepth: 1, maxKeys: 2, withBigInt: false }),
        fc.nat(),
        fc.nat().map(String),
        fc
          .uint8Array({ minLength: 32, maxLength: 32 })
          .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      ),
    })
    const terms = readRedeemTerms(fakeService().client, { ...asked, random })
    const check = (answer: object) =>
      checkAnswer(terms, parseRecord(loose(creditsAuthMsgResponse), parseJson(toWire(answer))), {
        now: BigInt(nowSeconds),
      })
    const expected = check(honest).prepared.typedData
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        let answer: object = honest
        for (const { path, value } of changes)
          try {
            answer = withValue(answer, path, value)
          } catch {
            // An earlier change may have removed the field.
          }
        try {
          expect(check(answer).prepared.typedData).toStrictEqual(expected)
        } catch (error) {
          if (!(error instanceof BaseError)) throw error
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('bounds', () => {
  test.each([
    [-1, 'ExpiredError'],
    [0, 'ExpiredError'],
    [29, 'ExpiredError'],
    [30, 'ExpiredError'],
    [31, undefined],
    [3599, undefined],
    [3600, undefined],
    [3601, 'TooFarAheadError'],
    [10 ** 9, 'TooFarAheadError'],
  ])('a permit that expires %s s from now', async (validFor, name) => {
    for (const asked of [request, dual]) {
      const { client } = fakeService({ answer: (body) => honestAnswer(body, { validFor }) })
      const prepared = prepareRedeem(client, asked)
      if (name === undefined) expect((await prepared).answer.validBefore).toBe(`${nowSeconds + validFor}`)
      else await expect(prepared).rejects.toMatchObject({ name, field: 'validBefore' })
    }
  })

  test.each([
    [-1, 100, 'PreparedMismatchError'],
    [0, 100, undefined],
    [0, 0, undefined],
    [1, 0, 'GasFeeTooHighError'],
    [999_999, 100, undefined],
    [1_000_000, 100, undefined],
    [1_000_001, 100, 'GasFeeTooHighError'],
    [30_000, 3, undefined],
    [30_001, 3, 'GasFeeTooHighError'],
  ])('a gas fee of %s raw units under a cap of %s cents', async (gasFee, maxGasFeeCents, name) => {
    for (const asked of [request, dual]) {
      const { client } = fakeService({ answer: (body) => honestAnswer(body, { gasFee }) })
      const prepared = prepareRedeem(client, { ...asked, pinned: { ...pinned, maxGasFeeCents } })
      if (name !== undefined) {
        await expect(prepared).rejects.toMatchObject({ name, field: 'message.amount' })
        continue
      }
      const { findings, gasFee: found } = await prepared
      expect(found).toBe(`${gasFee}`)
      expect(findings.map(({ code, field }) => `${code} ${field}`)).toStrictEqual(
        gasFee % 10_000 === 0 ? [] : ['GAS_FEE_NOT_WHOLE_CENTS creditsRawAmount'],
      )
    }
  })

  test('USDC may pay the whole price', async () => {
    const { client } = fakeService()
    const prepared = await prepareRedeem(client, { ...request, usdcAmount: { cents: 1000 } })
    expect(prepared.typedData.creditPermit.message.amount).toBe('30000')
    expect(prepared.typedData.usdcAuthorization?.message.value).toBe('10000000')
  })

  test('a price may name its currency, which is US dollars', async () => {
    const subtotal = { cents: 1000, currency: 'USD' } as const
    expect((await prepareRedeem(fakeService().client, { ...request, subtotal })).amount).toBe('10000000')
  })

  test('0 USDC means no USDC', async () => {
    const { client, received } = fakeService()
    await prepareRedeem(client, { ...request, usdcAmount: { cents: 0 } })
    expect(received.creditsAuthMsg[0]).not.toHaveProperty('usdcAmount')
  })
})

describe('values that the service chooses', () => {
  const randomNonce = `0x${'12'.repeat(32)}`
  const randomNonceAnswer = () => {
    const answer = honestAnswer({ subtotal: { cents: 1000 }, transactionData: token, salt, orderKey })
    answer.nonce = randomNonce
    answer.message.message.nonce = randomNonce
    return answer
  }

  test('a random-nonce permit is rejected unless the caller allows it', async () => {
    const { client } = fakeService({ answer: randomNonceAnswer })
    await expect(prepareRedeem(client, { ...request, random })).rejects.toMatchObject({
      name: 'RandomNonceError',
      field: 'message.nonce',
    })
    const prepared = await prepareRedeem(client, { ...request, random, allowRandomNonce: true })
    expect(prepared).toMatchObject({
      intentBound: false,
      findings: [{ code: 'RANDOM_NONCE', severity: 'warning' }],
    })
  })

  test('a nonce for another intent is rejected, even if random nonces are allowed', async () => {
    const bound = `0x${'f2'.repeat(32)}`
    const { client } = fakeService({
      answer: () => {
        const answer = randomNonceAnswer()
        answer.nonce = bound
        answer.message.message.nonce = bound
        return answer
      },
    })
    await expect(prepareRedeem(client, { ...request, random, allowRandomNonce: true })).rejects.toMatchObject(
      {
        name: 'PreparedMismatchError',
        field: 'message.nonce',
      },
    )
  })

  const transfers = (nonce?: string) =>
    fakeService({
      answer: (body) => {
        const answer = honestAnswer(body, { type: 'TransferWithAuthorization' })
        const { usdcAuthorization: usdc } = answer
        for (const holder of [answer, answer.message.message, usdc?.message.message, usdc?.messageData])
          if (holder && nonce) holder.nonce = nonce
        return answer
      },
    }).client

  test('a transfer authorization is rejected with an intent-bound permit', async () => {
    await expect(prepareRedeem(transfers(), dual)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'usdcAuthorization.message.primaryType',
    })
  })

  test('a transfer authorization may have a random nonce, and causes a finding', async () => {
    const prepared = await prepareRedeem(transfers(randomNonce), { ...dual, allowRandomNonce: true })
    expect(prepared.typedData.usdcAuthorization?.primaryType).toBe('TransferWithAuthorization')
    expect(prepared.findings.map(({ code, field }) => `${code} ${field}`)).toStrictEqual([
      'RANDOM_NONCE nonce',
      'TRANSFER_AUTHORIZATION usdcAuthorization',
    ])
  })

  test('consistent USDC data for another chain is rejected', async () => {
    const { client } = fakeService({
      answer: (body) => {
        const answer = honestAnswer(body)
        Object.assign(answer.usdcAuthorization?.message.domain ?? {}, {
          name: 'USD Coin',
          chainId: 8453,
          verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        })
        return answer
      },
    })
    await expect(prepareRedeem(client, dual)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'usdcAuthorization.message.domain.chainId',
    })
  })

  test('an authorization that was not requested is rejected', async () => {
    const { client } = fakeService({
      answer: (body) => ({
        ...honestAnswer(body),
        usdcAuthorization: honestAnswer({ ...body, usdcAmount: { cents: 400 } }).usdcAuthorization,
      }),
    })
    await expect(prepareRedeem(client, request)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'usdcAuthorization',
    })
  })

  test('a nonce in upper case is the same nonce, and is returned unchanged', async () => {
    const upper = (nonce: string) => `0x${nonce.slice(2).toUpperCase()}`
    const { client } = fakeService({
      answer: (body) => {
        const answer = honestAnswer(body)
        return { ...answer, nonce: upper(answer.nonce) }
      },
    })
    expect((await prepareRedeem(client, request)).answer.nonce).toMatch(/^0x[0-9A-F]+$/)
    // The USDC authorization has the nonce in lower case.
    await prepareRedeem(client, { ...request, usdcAmount: { cents: 400 } })
    for (const part of ['permit', 'authorization']) {
      const { client: other } = fakeService({
        answer: (body) => {
          const answer = honestAnswer(body)
          const data = part === 'permit' ? answer.message.message : answer.usdcAuthorization?.messageData
          Object.assign(Object(data), { nonce: upper(answer.nonce) })
          return answer
        },
      })
      await prepareRedeem(other, dual)
    }
  })

  test('the message layout of public examples is rejected, and the error lists its fields', async () => {
    const message = {
      domain: { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract },
      types: {
        EIP712Domain: honestAnswer({ subtotal: { cents: 1 }, transactionData: token, salt, orderKey }).message
          .types.EIP712Domain,
        CreditsAuthorization: [
          { name: 'merchantId', type: 'string' },
          { name: 'subtotalCents', type: 'uint256' },
          { name: 'nonce', type: 'string' },
        ],
      },
      primaryType: 'CreditsAuthorization',
      message: { merchantId: 'shop', subtotalCents: 1000, nonce: 'x' },
    }
    const { client } = fakeService({ answer: (body) => ({ ...honestAnswer(body), message }) })
    const error = await prepareRedeem(client, request).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'UnknownTypedDataError' })
    expect(String(error)).toContain('subtotalCents')
  })

  test('another domain name and version must be pinned', async () => {
    const answer = (body: Parameters<typeof honestAnswer>[0]) => {
      const honest = honestAnswer(body)
      Object.assign(honest.message.domain, { name: 'Coins', version: '2' })
      return honest
    }
    await expect(prepareRedeem(fakeService({ answer }).client, request)).rejects.toMatchObject({
      name: 'PreparedMismatchError',
      field: 'message.domain.name',
      expected: '"Credits"',
      actual: '"Coins"',
    })
    const other = { ...pinned, domainName: 'Coins', domainVersion: '2' }
    expect(
      (await prepareRedeem(fakeService({ answer }).client, { ...request, pinned: other })).pinned,
    ).toMatchObject(other)
  })
})
