import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { expect, expectTypeOf, test } from 'vitest'
import { BaseError } from '../core/errors/baseError.ts'
import { decodeRevert } from '../evm/revert/decodeRevert.ts'
import { normal } from '../evm/transactionData/normal.ts'
import { findRedeem } from './findRedeem.ts'
import type { PreparedRedeem, RedeemRequest } from './preparedRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  account,
  chainId,
  countingSigner,
  creditsContract,
  fakeService,
  honestAnswer,
  nonce,
  now,
  pinned as pins,
  stranger,
  token,
  usdcAddress,
  wallet,
} from './redeem.fixture.ts'
import { signRedeem } from './signRedeem.ts'
import { waitForRedeem } from './waitForRedeem.ts'

/** What each cause is told as, at each step at which it can occur: class, remedy, field, and the words of what to do. */
type Row = {
  cause: string
  step: 'prepare' | 'sign' | 'find' | 'wait' | 'build'
  run: () => unknown
  name: string
  /** Of errors that have one. */
  remedy?: string
  field: string | undefined
  /** In the first sentence. */
  says: readonly string[]
  /** In what to do. */
  fix: readonly string[]
  never?: readonly string[]
}

const pinned = { ...pins, chainId }
const request = { subtotal: { cents: 1000 }, transactionData: token }
const prepare = (change: object = {}, client: object = {}) =>
  prepareRedeem(fakeService({ client }).client, { chainId, pinned, ...request, ...change })
const stored = async (change: object = {}) =>
  JSON.parse(JSON.stringify(await prepare(change))) as PreparedRedeem
const key = { wallet, nonce, creditsContract }
const soldOut = parseAbi([
  'error SoldOut(uint256 left)',
  'function buy()',
  'function price() view returns (uint256)',
])

/** What whoever can write to the storage may change. */
type Stored = object & { answer: object }

/** Stored data with one field changed, and signed after that. */
async function signChanged(change: (data: Stored) => void) {
  const prepared = await stored()
  change(prepared)
  return signRedeem(countingSigner(), { prepared, pinned, request, now })
}

const bySomebody = {
  says: ['was changed since it was prepared'],
  fix: ['stored data was changed', 'prepare again'],
  never: ['the service is wrong'],
}
const noClient = {
  name: 'InvalidRedeemRequestError',
  field: 'publicClient',
  fix: ['createPublicClient', 'EIP-1193'],
  never: ['did not answer'],
}

const rows: Row[] = [
  {
    cause: 'no wallet anywhere',
    step: 'prepare',
    run: () => prepare({}, { wallet: undefined }),
    name: 'InvalidRedeemRequestError',
    field: 'wallet',
    says: ['No wallet was given'],
    fix: ['Give wallet here', 'createPaymentsClient', 'signer'],
    never: ['undefined'],
  },
  {
    cause: 'cents as a bigint',
    step: 'prepare',
    run: () => prepare({ subtotal: { cents: 1000n } }),
    name: 'InvalidRedeemRequestError',
    field: 'subtotal.cents',
    says: ['subtotal.cents is the bigint 1000n'],
    fix: ['Give a number of cents: 1000'],
  },
  {
    cause: 'USDC cents as a bigint',
    step: 'prepare',
    run: () => prepare({ usdcAmount: { cents: 400n } }),
    name: 'InvalidRedeemRequestError',
    field: 'usdcAmount.cents',
    says: ['usdcAmount.cents is the bigint 400n'],
    fix: ['Give a number of cents: 400'],
  },
  {
    cause: 'an amount of tokens as a bigint',
    step: 'prepare',
    run: () => prepare({ subtotal: { address: usdcAddress, amount: 10n } }),
    name: 'InvalidRedeemRequestError',
    field: 'subtotal.amount',
    says: ['10n'],
    fix: ['decimal text: "10"'],
  },
  {
    cause: 'a cart that goes round in circles',
    step: 'prepare',
    run: () => {
      const item: Record<string, unknown> = {}
      item.self = item
      return prepare({ chargebackProtectionData: [item] })
    },
    name: 'InvalidRedeemRequestError',
    field: undefined,
    says: ['cannot be written as JSON'],
    fix: ['no circles'],
  },
  ...['EUR', 'JPY', 'XXX', 'usd', 7].map(
    (currency): Row => ({
      cause: `a price in ${currency}`,
      step: 'prepare',
      run: () => prepare({ subtotal: { cents: 1000, currency } }),
      name: 'InvalidSubtotalError',
      field: 'subtotal.currency',
      says: [`A redeem cannot be priced in ${JSON.stringify(currency)}.`],
      fix: ['US cents', 'USDC'],
      never: ['AED'],
    }),
  ),
  ...(['find', 'wait', 'sign'] as const).flatMap((step) => {
    const run = async (publicClient: never) => {
      if (step === 'find') return findRedeem(publicClient, key)
      if (step === 'wait') return waitForRedeem(publicClient, { ...key, now, sleep: async () => {} })
      return signRedeem(countingSigner(), { prepared: await prepare(), pinned, request, publicClient, now })
    }
    return (
      [
        ['the address of a node, as text', 'https://node.example/v2/secret-key'],
        ['text', 'base'],
        ['a URL', new URL('https://node.example/v2/secret-key')],
        ['an object', { transport: 'https://node.example/v2/secret-key', request: 'x' }],
        ['a function', () => 1],
        ['null', null],
        ['a number', 8453],
      ] as const
    ).map(
      ([what, value]): Row => ({
        ...noClient,
        cause: `publicClient is ${what}`,
        step,
        run: () => run(value as never),
        says: [`publicClient is ${what}, and has no "request" function`],
        never: [...noClient.never, 'secret-key'],
      }),
    )
  }),
  {
    cause: 'a cart that costs more than when it was prepared',
    step: 'sign',
    run: async () =>
      signRedeem(countingSigner(), {
        prepared: await stored(),
        pinned,
        request: { ...request, subtotal: { cents: 1200 } },
        now,
      }),
    name: 'PreparedMismatchError',
    field: 'request.subtotal.cents',
    says: ['must be 1200, but it is 1000'],
    fix: ['another request', 'Prepare again'],
    never: ['something else', 'service'],
  },
  {
    cause: 'call data that differs far behind its beginning',
    step: 'sign',
    run: async () => {
      const call = (end: string) =>
        normal({ to: stranger, data: `0x${'12'.repeat(200)}${end}${'34'.repeat(200)}` as Hex })
      return signRedeem(countingSigner(), {
        prepared: await answered({ ...request, transactionData: call('aa') }),
        pinned,
        request: { ...request, transactionData: call('bb') },
        now,
      })
    },
    name: 'PreparedMismatchError',
    field: 'request.transactionData.transaction.data',
    says: ['must be "…1212121212bb3434', 'but it is "…1212121212aa3434'],
    fix: ['Prepare again'],
  },
  {
    cause: 'other pins than when it was prepared',
    step: 'sign',
    run: async () =>
      signRedeem(account, {
        prepared: await stored(),
        pinned: { ...pinned, creditSeed: 'other' },
        request,
        now,
      }),
    name: 'PreparedMismatchError',
    field: 'pinned.creditSeed',
    says: ['must be "other", but it is "my-shop"'],
    fix: ['another deployment'],
    never: ['service'],
  },
  ...(
    [
      [
        'the amount that the service named',
        (data) => Object.assign(data.answer, { creditsRawAmount: 99_000_000 }),
      ],
      ['the nonce', (data) => Object.assign(data.answer, { nonce })],
      ['the text of the permit', (data) => Object.assign(data.answer, { message: '{' })],
      ['the salt', (data) => Object.assign(data, { salt: `0x${'11'.repeat(32)}` })],
      ['the summary', (data) => Object.assign(data, { summary: 'Pays nothing.' })],
      ['the chain', (data) => Object.assign(data, { chainId: 31337 })],
      ['the checksum', (data) => Object.assign(data, { checksum: '0x' })],
      ['the wallet', (data) => Object.assign(data, { wallet: stranger })],
      ['the answer, left out', (data) => Object.assign(data, { answer: undefined })],
    ] as [string, (data: Stored) => void][]
  ).map(
    ([what, change]): Row => ({
      ...bySomebody,
      cause: `storage that was changed: ${what}`,
      step: 'sign',
      run: () => signChanged(change),
      name: 'StoredRedeemError',
      field: expect.stringMatching(/^prepared/) as unknown as string,
    }),
  ),
  {
    cause: 'a view function',
    step: 'build',
    run: () => normal({ to: stranger, abi: soldOut, functionName: 'price' } as never),
    name: 'InvalidCallError',
    field: 'functionName',
    says: ['"price" only reads'],
    fix: ['public client'],
  },
]

/** A prepared redeem of any shape, stored: the service echoes the nonce that it must. */
async function answered(asked: RedeemRequest): Promise<PreparedRedeem> {
  const { redeemIntent } = await import('../evm/creditPermit/redeemIntent.ts')
  const { readRedeemTerms } = await import('./request/readRedeemTerms.ts')
  const salt: Hex = `0x${'5a'.repeat(32)}`
  const terms = readRedeemTerms({ merchantId: 'shop' }, { ...asked, wallet, chainId, pinned, salt })
  const { client } = fakeService({
    answer: (body) => {
      const answer = honestAnswer({ ...body, transactionData: token })
      answer.nonce = answer.message.message.nonce = redeemIntent(terms).nonce
      return answer
    },
  })
  return JSON.parse(JSON.stringify(await prepareRedeem(client, { chainId, pinned, salt, ...asked })))
}

test.each(rows)('$step: $cause', async ({ run, name, remedy, field, says, fix, never = [] }) => {
  const error = await (async () => run())().then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (!(error instanceof BaseError)) throw new Error(`It ended in ${error}.`)
  expect(error).toMatchObject({ name, field, ...(remedy && { remedy }) })
  for (const words of says) expect(error.shortMessage).toContain(words)
  for (const words of fix) expect(error.fix).toContain(words)
  for (const words of never) expect(error.message).not.toContain(words)
  expect(error.shortMessage).not.toContain('\n')
})

test('the type of a redeem’s price offers US cents and USDC, and nothing else', () => {
  expectTypeOf<{ cents: 1000 }>().toExtend<RedeemRequest['subtotal']>()
  expectTypeOf<{ cents: 1000; currency: 'USD' }>().toExtend<RedeemRequest['subtotal']>()
  expectTypeOf<{ address: Hex; amount: '10.25' }>().toExtend<RedeemRequest['subtotal']>()
  expectTypeOf<{ cents: 1000; currency: 'EUR' }>().not.toExtend<RedeemRequest['subtotal']>()
})

test('a custom error of a failed simulation is told by the ABI that the call was built with', async () => {
  const transactionData = normal({ to: stranger, abi: soldOut, functionName: 'buy' })
  const revertData = encodeErrorResult({ abi: soldOut, errorName: 'SoldOut', args: [0n] })
  const { client } = fakeService({
    client: {
      fetch: async () =>
        Response.json(
          {
            name: 'SimulationFailedError',
            code: 'SIMULATION_FAILED',
            message: 'unknown error',
            details: { revertReason: `unknown error ${revertData.slice(0, 10)}`, revertData },
          },
          { status: 412 },
        ),
    },
  })
  const error = await prepareRedeem(client, { chainId, pinned, ...request, transactionData }).catch(
    (cause) => cause,
  )
  expect(error).toMatchObject({ name: 'SimulationFailedError', remedy: 'show', revertData })
  expect(decodeRevert({ data: error.revertData, transactionData }).reason).toBe('SoldOut: left 0')
})
