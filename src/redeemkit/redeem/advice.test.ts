import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { expect, expectTypeOf, test } from 'vitest'
import { createPaymentsClient } from '../api/createPaymentsClient.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { userMessage } from '../core/userMessage/userMessage.ts'
import { decodeRevert } from '../evm/revert/decodeRevert.ts'
import { normal } from '../evm/transactionData/builders.ts'
import { findRedeem } from './findRedeem.ts'
import type { PreparedRedeem, RedeemRequest } from './preparedRedeem.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import {
  account,
  chainId,
  countingSigner,
  creditsContract,
  emptyStorage,
  fakeChain,
  fakeService,
  honestAnswer,
  nonce,
  now,
  pinned as pins,
  random,
  stranger,
  token,
  usdcAddress,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'
import { signRedeem } from './signRedeem.ts'
import { submitRedeem } from './submitRedeem.ts'
import { waitForRedeem } from './waitForRedeem.ts'

/** A call that fails at one step, and its expected error. */
type Row = {
  cause: string
  step: 'client' | 'prepare' | 'sign' | 'submit' | 'redeem' | 'find' | 'wait' | 'build'
  run: () => unknown
  name: string
  /** Expected `remedy` of the error: what the caller should do next. */
  remedy?: string
  field: string | undefined
  /** Expected name of the error in `cause`, after a submit. */
  ofCause?: string
  /** Texts that `shortMessage` must contain. */
  says: readonly string[]
  /** Texts that `fix` must contain. */
  fix: readonly string[]
  never?: readonly string[]
}

const pinned = { ...pins, chainId }
const request = { subtotal: { cents: 1000 }, transactionData: token }
const clientOptions = { baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' } as const
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

/** Stored data, which anyone with write access to the storage can change. */
type Stored = object & { answer: object }

/** Signs stored data in which one field was changed. */
async function signChanged(change: (data: Stored) => void) {
  const prepared = await stored()
  change(prepared)
  return signRedeem(countingSigner(), { prepared, pinned, request, now })
}

const changedInStorage = {
  says: ['was changed since it was prepared'],
  fix: ['data was changed there', 'Prepare again'],
  never: ['response is wrong'],
}
const noClient = {
  name: 'InvalidRedeemRequestError',
  field: 'publicClient',
  fix: ['createPublicClient', 'EIP-1193'],
  never: ['did not respond'],
}

const rows: Row[] = [
  {
    cause: 'no wallet in the options or the client',
    step: 'prepare',
    run: () => prepare({}, { wallet: undefined }),
    name: 'InvalidRedeemRequestError',
    field: 'wallet',
    says: ['No wallet was passed'],
    fix: ['Pass `wallet` here', 'createPaymentsClient', 'signer'],
    never: ['undefined'],
  },
  {
    cause: 'cents as a bigint',
    step: 'prepare',
    run: () => prepare({ subtotal: { cents: 1000n } }),
    name: 'InvalidRedeemRequestError',
    field: 'subtotal.cents',
    says: ['subtotal.cents is the bigint 1000n'],
    fix: ['Pass a number of cents: 1000'],
  },
  {
    cause: 'USDC cents as a bigint',
    step: 'prepare',
    run: () => prepare({ usdcAmount: { cents: 400n } }),
    name: 'InvalidRedeemRequestError',
    field: 'usdcAmount.cents',
    says: ['usdcAmount.cents is the bigint 400n'],
    fix: ['Pass a number of cents: 400'],
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
    cause: 'a bigint next to a null in a cart',
    step: 'prepare',
    run: () => prepare({ chargebackProtectionData: [{ productName: null, price: 10n }] }),
    name: 'InvalidRedeemRequestError',
    field: 'chargebackProtectionData[0].price',
    says: ['10n'],
    fix: ['decimal text: "10"'],
  },
  {
    cause: 'a cart with a circular reference',
    step: 'prepare',
    run: () => {
      const item: Record<string, unknown> = {}
      item.self = item
      return prepare({ chargebackProtectionData: [item] })
    },
    name: 'InvalidRedeemRequestError',
    field: undefined,
    says: ['cannot be written as JSON'],
    fix: ['circular references'],
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
        says: [`publicClient is ${what}, which has no "request" function`],
        never: [...noClient.never, 'secret-key'],
      }),
    )
  }),
  {
    cause: 'a cart whose price rose after it was prepared',
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
    fix: ['a different request', 'Prepare again'],
    never: ['something else', 'service'],
  },
  {
    cause: 'call data that differs after 200 equal bytes',
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
    cause: 'pins that differ from the pins of prepareRedeem',
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
    fix: ['a different deployment'],
    never: ['service'],
  },
  ...(
    [
      ['the amount from the service', (data) => Object.assign(data.answer, { creditsRawAmount: 99_000_000 })],
      ['the nonce', (data) => Object.assign(data.answer, { nonce })],
      ['the text of the permit', (data) => Object.assign(data.answer, { message: '{' })],
      ['the salt', (data) => Object.assign(data, { salt: `0x${'11'.repeat(32)}` })],
      ['the summary', (data) => Object.assign(data, { summary: 'Pays nothing.' })],
      ['the chain', (data) => Object.assign(data, { chainId: 31337 })],
      ['the checksum', (data) => Object.assign(data, { checksum: '0x' })],
      ['the wallet', (data) => Object.assign(data, { wallet: stranger })],
      ['the answer, removed', (data) => Object.assign(data, { answer: undefined })],
    ] as [string, (data: Stored) => void][]
  ).map(
    ([what, change]): Row => ({
      ...changedInStorage,
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

type Failure = {
  cause: string
  answer: () => Promise<Response>
  name: string
  remedy: string
  /** Text that `shortMessage` must contain, at every step. */
  says: string
  /** Text of the message after a permit was submitted. Default: the message about an unknown outcome. */
  afterwards?: string
  /** Texts that `fix` must contain before the submit. */
  fix: readonly string[]
}

const refuse = (status: number, code: string) => async () =>
  Response.json({ code, message: 'no\nWhat to do: send your key' }, { status })
const unknown = 'The outcome of the redeem is unknown.'
const refused = 'The service refused the redeem, but its permit was already sent.'
const failures: Failure[] = [
  {
    cause: 'the service is down',
    answer: async () => new Response('<html>Bad gateway</html>', { status: 502 }),
    name: 'ServiceFailureError',
    remedy: 'tryAgain',
    says: 'The service returned 502',
    fix: ['Repeat the call', 'neither accepted nor rejected'],
  },
  {
    cause: 'the service cannot be reached',
    answer: async () => {
      throw new TypeError('fetch failed')
    },
    name: 'ServiceUnreachableError',
    remedy: 'tryAgain',
    says: 'No response from http://service.test',
    fix: ['Check baseUrl', 'make the same call again'],
  },
  {
    cause: 'the service returns a page',
    answer: async () => new Response('<html>Hello</html>'),
    name: 'InvalidAnswerError',
    remedy: 'tryAgain',
    says: 'HTML or XML',
    fix: ['Check that baseUrl is the URL of the service'],
  },
  {
    cause: 'the customer is not logged in',
    answer: refuse(401, 'UNAUTHENTICATED'),
    afterwards: refused,
    name: 'UnauthenticatedError',
    remedy: 'logIn',
    says: '401 UNAUTHENTICATED: "no',
    fix: ['Log in again'],
  },
  {
    cause: 'the contract is not whitelisted',
    answer: refuse(403, 'NOT_WHITELISTED'),
    afterwards: refused,
    name: 'NotWhitelistedError',
    remedy: 'stop',
    says: '403 NOT_WHITELISTED: "no',
    fix: ['whitelisted', 'Repeat the call'],
  },
  {
    cause: 'too few credits',
    answer: refuse(412, 'INSUFFICIENT_CREDITS'),
    afterwards: refused,
    name: 'InsufficientCreditsError',
    remedy: 'backOff',
    says: '412 INSUFFICIENT_CREDITS: "no',
    fix: ['Add credits', 'usdcAmount'],
  },
  {
    cause: 'the permit is rejected',
    answer: refuse(412, 'INVALID_PERMIT'),
    afterwards: refused,
    name: 'InvalidPermitError',
    remedy: 'prepareAgain',
    says: '412 INVALID_PERMIT: "no',
    fix: ['Prepare the same order again'],
  },
  {
    cause: 'too many requests',
    answer: refuse(429, 'RATE_LIMITED'),
    afterwards: refused,
    name: 'RateLimitedError',
    remedy: 'wait',
    says: '429 RATE_LIMITED: "no',
    fix: ['retryAfterMs'],
  },
]

/** Redeems with empty storage, so that nothing is resumed. */
const redeemOnce = (service: Parameters<typeof fakeService>[0], change: object = {}) =>
  redeem(fakeService(service).client, {
    signer: countingSigner(),
    chainId,
    pinned,
    ...request,
    storage: emptyStorage(),
    now,
    ...change,
  })
const steps: readonly [Row['step'], isSubmitted: boolean, run: (failure: Failure) => unknown][] = [
  ['prepare', false, ({ answer }) => prepare({}, { fetch: answer })],
  ['redeem', false, ({ answer }) => redeemOnce({ client: { fetch: answer } })],
  ['redeem', true, ({ answer }) => redeemOnce({ submit: answer })],
  [
    'submit',
    true,
    async ({ answer }) => {
      const prepared = await prepare()
      const signed = await signRedeem(countingSigner(), { prepared, pinned, request, now })
      return submitRedeem(fakeService({ submit: answer }).client, { signed })
    },
  ],
]
/** Adds a row for each service failure at each step, before and after the submit. */
for (const failure of failures)
  for (const [step, isSubmitted, run] of steps)
    rows.push({
      cause: `${failure.cause}, ${isSubmitted ? 'after the permit was submitted' : 'and nothing was signed'}`,
      step,
      run: () => run(failure),
      name: isSubmitted ? 'OutcomeUnknownError' : failure.name,
      remedy: isSubmitted ? 'lookUp' : failure.remedy,
      field: undefined,
      ...(isSubmitted && { ofCause: failure.name }),
      says: isSubmitted ? [failure.afterwards ?? unknown, failure.says] : [failure.says],
      fix: isSubmitted ? ['may execute until', 'findRedeem', 'executes at most once'] : failure.fix,
      never: isSubmitted
        ? ['nothing was sent', 'another purchaseId', 'prepare again', 'Add credits', '\nWhat to do: send']
        : ['unknown', 'signature stays good', 'look at the chain', '\nWhat to do: send'],
    })

/** Creates a wallet that fails every signing request with this error. */
const failing = (error: unknown) =>
  countingSigner({
    answers: [
      () => {
        throw error
      },
    ],
  })
const wallets: (Omit<Row, 'step' | 'run'> & { signer: () => unknown })[] = [
  {
    cause: 'the wallet is not connected',
    signer: () => failing({ code: 4100, message: 'Must call eth_requestAccounts before other methods' }),
    name: 'WalletNotConnectedError',
    field: 'signer',
    says: ['not connected to this page'],
    fix: ['eth_requestAccounts'],
  },
  {
    cause: 'the user rejects the request',
    signer: () => failing({ code: 4001, message: 'User rejected the request.' }),
    name: 'UserRejectedError',
    field: undefined,
    says: ['The user rejected the request'],
    fix: ['only after another click'],
  },
  {
    cause: 'another request is pending in the wallet',
    signer: () => failing({ code: -32002, message: 'Already processing' }),
    name: 'WalletRequestPendingError',
    field: 'signer',
    says: ['Another request is waiting in the wallet'],
    fix: ['Open the wallet and answer the pending request'],
  },
  {
    cause: 'the wallet fails, with a key in its message',
    signer: () => failing(new Error(`cannot decode ${'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efc'}`)),
    name: 'WalletFailedError',
    field: 'signer',
    says: ['The wallet failed: "cannot decode …".'],
    fix: ['Check that the wallet is unlocked', 'start again'],
  },
  {
    cause: 'the wallet is on another chain',
    signer: () => countingSigner({ chainId: 1 }),
    name: 'WrongNetworkError',
    field: 'domain.chainId',
    says: ['The wallet is on chain 1', '84532'],
    fix: ['wallet_switchEthereumChain'],
  },
  {
    cause: 'the wallet shows another account',
    signer: () => countingSigner({ address: stranger }),
    name: 'WrongSignerError',
    field: 'permit.customerWallet',
    says: [stranger, wallet],
    fix: ['Select the right account'],
  },
  {
    cause: 'a private key as the signer',
    signer: () => `0x${'ac'.repeat(32)}`,
    name: 'UnsupportedSignerError',
    field: 'signer',
    says: ['text of 66 characters'],
    fix: ['viem account'],
  },
  {
    cause: 'a promise of a signer',
    signer: () => Promise.resolve(account),
    name: 'UnsupportedSignerError',
    field: 'signer',
    says: ['The signer is a promise'],
    fix: ['Await it first'],
  },
]
for (const { signer: give, ...row } of wallets) {
  const signer = () => give() as never // some rows pass values that are not signers
  rows.push(
    {
      ...row,
      step: 'sign',
      run: async () => signRedeem(signer(), { prepared: await prepare(), pinned, request, now }),
    },
    // `wallet` is passed, so the signer receives only signing requests
    { ...row, step: 'redeem', run: () => redeemOnce({}, { signer: signer(), wallet }) },
  )
}

/** Calls `waitForRedeem` with a clock that only `sleep` advances. */
const waitOn = (publicClient: Parameters<typeof waitForRedeem>[0]) => {
  let time = now()
  const sleep = async (ms: number) => {
    time += ms
  }
  return waitForRedeem(publicClient, { ...key, now: () => time, sleep, timeoutMs: 5_000 })
}
rows.push(
  {
    cause: 'the node is dead',
    step: 'wait',
    run: () =>
      waitOn({
        request: async () => {
          throw new TypeError('fetch failed at https://node.example/v2/secret-key')
        },
      }),
    name: 'RedeemTimeoutError',
    remedy: 'lookUp',
    field: 'nonce',
    says: ['has no outcome after 5000 ms'],
    fix: ['findRedeem'],
    never: ['secret-key', 'nothing was sent'],
  },
  {
    cause: 'the redeem is not on chain yet',
    step: 'wait',
    run: () => waitOn(fakeChain({ orderState: 0 })),
    name: 'RedeemTimeoutError',
    remedy: 'lookUp',
    field: 'nonce',
    says: ['has no outcome after 5000 ms'],
    fix: ['findRedeem'],
    never: ['nothing was sent', 'another purchaseId'],
  },
  {
    cause: 'the node is dead',
    step: 'find',
    run: () =>
      findRedeem(
        {
          request: async () => {
            throw new TypeError('fetch failed at https://node.example/v2/secret-key')
          },
        },
        key,
      ),
    name: 'ChainReadError',
    field: expect.anything() as unknown as string,
    says: ['The node did not respond'],
    fix: ['Check the node’s URL and try again'],
    never: ['secret-key'],
  },
)

const poor = { credits: { cents: 999 }, usdc: { cents: 399 } }
rows.push(
  {
    cause: 'too few credits, as the service reports',
    step: 'redeem',
    run: () => redeemOnce({ balances: poor }),
    name: 'InsufficientFundsError',
    field: expect.anything() as unknown as string,
    says: ['9.99'],
    fix: ['credits'],
  },
  {
    cause: 'storage that was cleared',
    step: 'sign',
    run: () => signRedeem(account, { prepared: null as never, pinned, request, now }),
    name: 'StoredRedeemError',
    field: undefined,
    says: ['There is no stored redeem'],
    fix: ['look up its nonce with findRedeem', 'prepare again'],
  },
  {
    cause: 'stored data without the request',
    step: 'sign',
    run: async () => signRedeem(account, { prepared: await stored(), pinned, now } as never),
    name: 'PinsRequiredError',
    field: 'request',
    says: ['No request was passed'],
    fix: ['Pass `request`'],
  },
  {
    cause: 'stored data without pins',
    step: 'sign',
    run: async () => signRedeem(account, { prepared: await stored(), request, now } as never),
    name: 'PinsRequiredError',
    field: 'pinned',
    says: ['No pinned values'],
    fix: ['Pass `pinned`'],
  },
  {
    cause: 'stored data that has expired',
    step: 'sign',
    run: async () =>
      signRedeem(account, { prepared: await stored(), pinned, request, now: () => now() + 601_000 }),
    name: 'ExpiredError',
    field: 'validBefore',
    says: ['The request expired'],
    fix: ['Prepare again', 'clock'],
  },
  {
    cause: 'a prepared redeem instead of a signed one',
    step: 'submit',
    run: async () => submitRedeem(fakeService().client, { signed: (await prepare()) as never }),
    name: 'StoredRedeemError',
    field: 'signed',
    says: ['not a signed redeem'],
    fix: ['Pass what signRedeem returned', 'findRedeem'],
  },
  {
    cause: 'no client',
    step: 'prepare',
    run: () => prepareRedeem(undefined as never, { wallet, ...request, chainId, pinned }),
    name: 'InvalidRedeemRequestError',
    field: 'client',
    says: ['The client has no merchantId: it is undefined'],
    fix: ['createPaymentsClient'],
  },
  {
    cause: 'a promise of a client',
    step: 'redeem',
    run: () =>
      redeem(Promise.resolve(fakeService().client) as never, {
        signer: account,
        wallet,
        ...request,
        chainId,
        pinned,
      }),
    name: 'InvalidRedeemRequestError',
    field: 'client',
    says: ['The client is a promise'],
    fix: ['Await it first', 'createPaymentsClient'],
  },
  ...[undefined, null, {}].map(
    (none): Row => ({
      cause: `pins that are ${JSON.stringify(none)}`,
      step: 'prepare',
      run: () => prepare({ pinned: none }),
      name: 'InvalidAddressError',
      field: none ? 'pinned.creditsContract' : 'pinned',
      says: ['No credits contract is pinned'],
      fix: ['pinned: { creditsContract, creditSeed }', 'never from the service'],
      never: ['undefined'],
    }),
  ),
  {
    cause: 'a misspelt pin',
    step: 'prepare',
    run: () => prepare({ pinned: { ...pinned, maxGasFee: 1 } }),
    name: 'InvalidOptionError',
    field: 'pinned.maxGasFee',
    says: ['There is no option "maxGasFee"'],
    fix: ['Did you mean maxGasFeeCents?'],
  },
  {
    cause: 'pins of another chain',
    step: 'prepare',
    run: () => prepare({ pinned: { ...pins, chainId: 1 } }),
    name: 'InvalidRedeemRequestError',
    field: 'pinned.chainId',
    says: ['The pinned values are for chain 1'],
    fix: ['values for the redeem’s chain'],
  },
  ...['1000', -5, 10.5, undefined].map(
    (cents): Row => ({
      cause: `cents that are ${JSON.stringify(cents)}`,
      step: 'prepare',
      run: () => prepare({ subtotal: { cents } }),
      name: 'InvalidRecordError',
      field: 'subtotal.cents',
      says: ['The request is invalid: subtotal.cents'],
      fix: ['{ cents: 1000 } for 10.00 USD'],
    }),
  ),
  {
    cause: 'a function that is not in the ABI',
    step: 'build',
    run: () => normal({ to: stranger, abi: soldOut, functionName: 'mint' } as never),
    name: 'InvalidCallError',
    field: 'functionName',
    says: ['The ABI has no function "mint"'],
    fix: ['The ABI has buy, price.'],
  },
  {
    cause: 'an API key in a browser client',
    step: 'client',
    run: () => createPaymentsClient({ ...clientOptions, apiKey: 'sk_live_51H8xYzABCDEF' } as never),
    name: 'InvalidOptionError',
    field: 'apiKey',
    says: ['does not accept an API key'],
    fix: ['Keep the API key on your server'],
    never: ['sk_live', 'Did you mean'],
  },
  ...['service.example', 'localhost:3000', '', new URL('https://service.example')].map(
    (baseUrl): Row => ({
      cause: `a baseUrl that is ${JSON.stringify(baseUrl)}`,
      step: 'client',
      run: () => createPaymentsClient({ ...clientOptions, baseUrl } as never),
      name: 'InvalidOptionError',
      field: 'baseUrl',
      says: ['baseUrl cannot be used'],
      fix: ['protocol'],
    }),
  ),
  ...['Base', 8453].map(
    (blockchain): Row => ({
      cause: `a blockchain that is ${JSON.stringify(blockchain)}`,
      step: 'client',
      run: () => createPaymentsClient({ ...clientOptions, blockchain } as never),
      name: 'InvalidOptionError',
      field: 'blockchain',
      says: [`blockchain ${JSON.stringify(blockchain)} cannot be used`],
      fix: ['in lower case'],
    }),
  ),
)

/** Prepares a redeem of any transaction type with an honest service, and stores it. */
async function answered(asked: RedeemRequest): Promise<PreparedRedeem> {
  const { redeemIntent } = await import('../evm/creditPermit/redeemIntent.ts')
  const { readRedeemTerms } = await import('./check/readRedeemTerms.ts')
  const terms = readRedeemTerms({ merchantId: 'shop' }, { ...asked, wallet, chainId, pinned, random })
  const { client } = fakeService({
    answer: (body) => {
      const answer = honestAnswer({ ...body, transactionData: token })
      answer.nonce = answer.message.message.nonce = redeemIntent(terms).nonce
      return answer
    },
  })
  return JSON.parse(JSON.stringify(await prepareRedeem(client, { chainId, pinned, random, ...asked })))
}

test.each(rows)('$step: $cause', async ({ run, name, remedy, field, ofCause, says, fix, never = [] }) => {
  const error = await (async () => run())().then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (!(error instanceof BaseError)) throw new Error(`It ended with ${error}.`)
  expect(error).toMatchObject({
    name,
    field,
    ...(remedy && { remedy }),
    ...(ofCause && { cause: { name: ofCause } }),
  })
  for (const text of says) expect(error.shortMessage).toContain(text)
  for (const text of fix) expect(error.fix).toContain(text)
  const message = error.message.toLowerCase()
  for (const text of never) expect(message).not.toContain(text.toLowerCase())
  expect(error.shortMessage).not.toContain('\n')
  // The customer's message and the error agree on whether money may have moved.
  const text = userMessage(error)
  expect(/don't pay again/.test(text)).toBe(remedy === 'lookUp')
  if (remedy === 'lookUp') expect(text).not.toContain('You have not been charged')
})

test('the type of a price accepts only US cents and USDC', () => {
  expectTypeOf<{ cents: 1000 }>().toExtend<RedeemRequest['subtotal']>()
  expectTypeOf<{ cents: 1000; currency: 'USD' }>().toExtend<RedeemRequest['subtotal']>()
  expectTypeOf<{ address: Hex; amount: '10.25' }>().toExtend<RedeemRequest['subtotal']>()
  expectTypeOf<{ cents: 1000; currency: 'EUR' }>().not.toExtend<RedeemRequest['subtotal']>()
})

test('the call’s ABI decodes a custom error of a failed simulation', async () => {
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
