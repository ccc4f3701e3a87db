import { describe, expect, test } from 'vitest'
import { OutcomeUnknownError } from '../../api/errors.ts'
import { readServiceError } from '../../api/readServiceError.ts'
import * as evm from '../../evm/index.ts'
import * as redeemkit from '../../index.ts'
import { ptBr } from '../../languages/index.ts'
import * as merchant from '../../merchant/index.ts'
import * as solana from '../../solana/index.ts'
import * as stellar from '../../stellar/index.ts'
import * as tempo from '../../tempo/index.ts'
import { BaseError } from '../errors/baseError.ts'
import { RefusedTransactionError } from '../errors/transactionErrors.ts'
import { wireErrors } from '../errors/wireErrors.ts'
import { messageKey } from './messageKey.ts'
import { userMessage } from './userMessage.ts'
import { english } from './userMessages.ts'
import { verificationLinkOf } from './verificationLinkOf.ts'

/** Every option that an error's constructor may require. */
const facts = {
  permitCredits: '0x12',
  asset: 'usdc',
  have: 3_990_000n,
  need: 4_000_000n,
  hash: '0x12',
  reason: 'x',
  status: 500,
  expected: 10_000_000n,
  paid: 1_000_000n,
  nonce: '0x12',
  validBefore: '1700000600',
  signature: 'x',
  sentAt: 0,
  lookUp: 'getPurchases',
  sent: true,
  findings: [],
}
type Class = new (first: unknown, second: unknown) => BaseError

/** An instance of every error class that an entry point exports, including classes that are added later. */
const thrown = new Map<string, BaseError>()
for (const entryPoint of [redeemkit, evm, solana, stellar, tempo, merchant])
  for (const exported of Object.values<unknown>(entryPoint)) {
    if (typeof exported !== 'function' || !(exported.prototype instanceof BaseError)) continue
    if (exported === redeemkit.VerificationError) continue // one of the wire errors
    const error = new (exported as Class)('x', facts) // it extends BaseError
    thrown.set(error.name, error)
  }
for (const [code, { status }] of Object.entries(wireErrors)) {
  const error = readServiceError(status, { code })
  thrown.set(error.name, error)
}
thrown.set('UnknownServiceError', readServiceError(418, {}))
const sentAbort = new redeemkit.RequestAbortedError({ sent: true })

const keyOf = (error: unknown) => messageKey(error, { isPayment: true })
const names = (holds: (error: BaseError) => boolean) =>
  [...thrown].flatMap(([name, error]) => (holds(error) ? [name] : [])).sort()

describe('every error has a message', () => {
  test('all errors are tested', () => {
    expect(thrown.size).toBeGreaterThan(140)
  })

  // Mistakes in the page's code or configuration, which only its developers can fix. A new class that fails here needs a decision: its own
  // message, another error's message, or a line in this list.
  const ofThePage = [
    'AmbiguousSignatureError',
    'InvalidAddressError',
    'InvalidAmountError',
    'InvalidBase58Error',
    'InvalidBase64Error',
    'InvalidCallDataError',
    'InvalidCallError',
    'InvalidChainIdError',
    'InvalidClockError',
    'InvalidFlagError',
    'InvalidHexError',
    'InvalidJsonError',
    'InvalidKeyPairError',
    'InvalidMemoError',
    'InvalidOptionError',
    'InvalidOrderIdError',
    'InvalidRecordError',
    'InvalidRedeemRequestError',
    'InvalidRequestError',
    'InvalidSubtotalError',
    'InvalidTextError',
    'InvalidTransactionError',
    'InvalidWebhookSignatureError',
    'MerchantCodeInBrowserError',
    'MethodNotAllowedError',
    'MissingExpectationError',
    'MissingFieldError',
    'MissingReserveError',
    'NativeValueError',
    'NoAdapterError',
    'NotFoundError',
    'NotUsdcError',
    'PayloadTooLargeError',
    'PinsRequiredError',
    'SignatureSchemeMissingError',
    'StaleWebhookError',
    'UnknownAuthorizationTypeError',
    'UnknownFieldError',
    'UnknownNetworkError',
    'UnknownTransactionTypeError',
    'UnknownTypedDataError',
    'UnsafeJsonNumberError',
    'UnsupportedBlockchainError',
    'UnsupportedMediaTypeError',
    'UnsupportedSdkError',
    'UnsupportedSubtotalError',
  ].sort()
  test("mistakes that only the page's developers can fix have their own message", () => {
    expect(names((error) => keyOf(error) === 'page')).toEqual(ofThePage)
  })

  test('the message for a refused transaction says that it was stopped', () => {
    const reported = names((error) => error instanceof RefusedTransactionError)
    expect(reported.length).toBeGreaterThan(15)
    for (const name of reported)
      expect([name, keyOf(thrown.get(name))]).toEqual([
        name,
        name === 'ExpiredTransactionError' ? 'ExpiredError' : 'PreparedMismatchError',
      ])
  })

  test.each([...thrown.keys()])('the message for %s has all values filled in', (name) => {
    for (const messages of [undefined, ptBr]) {
      const text = userMessage(thrown.get(name), { messages })
      expect(text).not.toMatch(/[{}]|undefined|null|\bx\b|0x/)
    }
  })
})

describe('the message is right about money', () => {
  test('the message for an unknown outcome asks not to pay again', () => {
    const open = names((error) => 'remedy' in error && error.remedy === 'lookUp')
    expect(open).toEqual([
      'CallOutcomeUnknownError',
      'OutcomeUnknownError',
      'PaymentOutcomeUnknownError',
      'RedeemRevertedError',
      'RedeemTimeoutError',
    ])
    for (const error of [
      ...open.map((name) => thrown.get(name)),
      sentAbort,
      thrown.get('SubmitUnknownError'),
    ])
      expect(userMessage(error)).toMatch(/don't pay again/)
  })

  test('only those messages and the one for a paid order ask not to pay again', () => {
    expect(names((error) => /don't pay again/.test(userMessage(error)))).toEqual([
      'AlreadyRedeemedError',
      'CallOutcomeUnknownError',
      'OutcomeUnknownError',
      'PaymentOutcomeUnknownError',
      'RedeemRevertedError',
      'RedeemTimeoutError',
      'SubmitUnknownError',
    ])
  })

  test('only classes that guarantee it say that nothing was charged', () => {
    expect(names((error) => /You have not been charged/.test(userMessage(error)))).toEqual([
      'AccountChangedError', // later signatures are not submitted
      'AccountValidationExpiredError',
      'BlockhashExpiredError', // it can no longer be included, and is not on the chain
      'CardDeclinedError', // a refusal of the service (PROTOCOL.md 7.6)
      'CardExpiredError',
      'CardRefusedError', // The form's own code for a refusal of the service (PROTOCOL.md 10.8).
      'CardValidationExpiredError',
      'FraudSuspectedError',
      'InvalidCardNumberError',
      'InvalidCvvError',
      'PartlySignedError', // nothing was submitted
      'RedeemCancelledError', // the permit can never execute
      'RedeemExpiredError', // the permit can never execute
      'UserRejectedError', // nothing was signed
    ])
  })

  test('the message for an unknown outcome asks not to pay again, even if the cause is a rejection', () => {
    const no = new redeemkit.UserRejectedError('x')
    const open = { nonce: '0x12', validBefore: '1700000600' } as const
    expect(userMessage(new redeemkit.OutcomeUnknownError(no, open))).toMatch(/don't pay again/)
  })

  test('a rejection of another request does not mention a payment', () => {
    const no = new redeemkit.UserRejectedError('x')
    expect(userMessage(no)).toBe('You rejected the request in your wallet. You have not been charged.')
    expect(userMessage(no, { about: 'other' })).toBe('You rejected the request in your wallet.')
    expect(userMessage(new TypeError('x'), { about: 'other' })).toBe(english['unknown.other'])
  })

  test('a rejected second request has its own message', () => {
    const cause = new redeemkit.UserRejectedError('x')
    expect(userMessage(new redeemkit.UserRejectedError('y', { cause }))).toBe(
      'You rejected the second request in your wallet. You have not been charged.',
    )
  })
})

describe('the cause of an error selects its message', () => {
  const { ChainReadError, OutcomeUnknownError, PartlySignedError, RedeemTimeoutError } = redeemkit
  const partly = (cause: unknown) => userMessage(new PartlySignedError('x', { permitCredits: '0x12', cause }))
  const blocked = new redeemkit.WalletFailedError('x', { isWindowBlocked: true })
  const sent = (cause: BaseError, validBefore = '1700000600') =>
    userMessage(new OutcomeUnknownError(cause, { nonce: '0x12', validBefore }))

  test('the network fails after the signature: nothing was submitted', () => {
    expect(partly(new ChainReadError('x'))).toBe(english['PartlySignedError.network'])
    // a wrong pinned address is not an outage
    expect(userMessage(new ChainReadError('x', { field: 'creditsContract' }))).toBe(english.page)
    expect(userMessage(new ChainReadError('x', { field: 'publicClient' }))).toBe(english.ChainReadError)
    const missing = new ChainReadError('x', { cause: new redeemkit.ModuleLoadError('x') })
    expect(userMessage(missing)).toBe(english.ModuleLoadError)
  })

  test.each([
    [new redeemkit.WalletRequestPendingError('x'), english.WalletRequestPendingError],
    [new redeemkit.InvalidSignatureError('x'), english.WrongSignatureError],
    [new redeemkit.WrongSignerError('x'), english.WrongSignerError],
    [new redeemkit.ExpiredError('x'), english.ExpiredError],
    [new redeemkit.WalletFailedError('x'), english.PartlySignedError],
    [blocked, english['WalletFailedError.window']],
    [undefined, english.PartlySignedError],
  ])('the second signature fails: %o', (cause, text) => {
    expect(partly(cause)).toBe(text)
  })

  test("a wallet's blocked window: the user can allow it", () => {
    expect(userMessage(blocked)).toBe(english['WalletFailedError.window'])
    expect(userMessage(new redeemkit.WalletFailedError('x'))).toBe(english.WalletFailedError)
  })

  test('the network fails after a submit: the payment may still go through', () => {
    const text = english['OutcomeUnknownError.network']
    expect(sent(new redeemkit.ServiceUnreachableError('x'))).toBe(text)
    expect(sent(new ChainReadError('x'))).toBe(text)
    expect(sent(new ChainReadError('x', { cause: new redeemkit.ModuleLoadError('x') }))).toBe(text)
    expect(userMessage(new RedeemTimeoutError('x', { cause: new ChainReadError('x') }))).toBe(text)
    expect(sent(new redeemkit.ServiceTimeoutError('x'))).toBe(english.OutcomeUnknownError)
  })

  test.each([403, 412, 415])(
    'the service refuses the submit with %i: the payment can go through until it expires',
    (status) => {
      const refusal = readServiceError(status, {})
      const noon = String(new Date().setHours(12, 0, 0, 0) / 1000)
      expect(sent(refusal, noon)).toMatch(
        /was declined, but may still go through until 12:01\sPM\. Please don't pay again/,
      )
      const end = new Date(1_700_000_660_000).toLocaleString('en-US', {
        dateStyle: 'medium',
        timeStyle: 'short',
      })
      expect(sent(refusal)).toBe(english['OutcomeUnknownError.refused'].replace('{until}', end))
    },
  )

  test.each([401, 408, 429, 503])('the service returns %i, which leaves the outcome open', (status) => {
    expect(sent(readServiceError(status, {}))).toBe(english.OutcomeUnknownError)
  })

  test('the payment waits for a verification', () => {
    expect(sent(readServiceError(451, { verificationLink: 'https://kyc.example/a' }))).toBe(
      english['OutcomeUnknownError.link'],
    )
    expect(sent(readServiceError(451, {}))).toBe(english.OutcomeUnknownError)
  })
})

describe('foreign errors', () => {
  test.each([
    [{ code: 4001, message: 'User rejected the request.' }, 'You rejected the request'],
    [Object.assign(new Error('x'), { cause: { code: 4001 } }), 'You rejected the request'],
    [
      Object.assign(new Error('user rejected action'), { code: 'ACTION_REJECTED' }),
      'You rejected the request',
    ],
    [{ code: -32002, message: 'Already processing' }, 'already waiting in your wallet'],
    [{ code: 4100 }, 'not connected'],
    [{ code: 4901 }, 'different network'],
    [new Error('Popup window was blocked'), 'blocked your wallet'],
    [
      new Error('wrapped', { cause: new redeemkit.RedeemExpiredError('x') }),
      'expired before it was completed',
    ],
    [new TypeError('x is not a function'), 'Something went wrong'],
    ['text', 'Something went wrong'],
    [undefined, 'Something went wrong'],
    [null, 'Something went wrong'],
    [{ name: 'UserRejectedError' }, 'Something went wrong'],
    [Object.assign(new Error('x'), { name: 'constructor' }), 'Something went wrong'],
  ])('%o', (error, text) => {
    expect(userMessage(error)).toContain(text)
  })

  test('an object that throws when inspected', () => {
    const broken = new Proxy(
      {},
      {
        get: () => {
          throw new Error('broken')
        },
      },
    )
    const { proxy: revoked, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const error of [broken, revoked]) expect(userMessage(error)).toContain('Something went wrong')
  })
})

describe('values in a message', () => {
  const poor = (asset: 'credits' | 'usdc') =>
    new redeemkit.InsufficientFundsError('x', { asset, have: 3_990_000n, need: 1_004_000_500n })

  test('amounts, exact and in the format of the language', () => {
    expect(userMessage(poor('credits'))).toBe(
      'You have $3.99 in credits, but this costs up to $1,004.0005. Add credits or choose another way to pay.',
    )
    expect(userMessage(poor('usdc'), { messages: ptBr })).toBe(
      'Você tem US$\u00a03,99 em USDC, e esta compra custa US$\u00a01.004,0005. Adicione USDC ou escolha outra forma de pagamento.',
    )
  })

  test.each([
    ['0', '1 second'],
    ['1', '1 second'],
    ['89', '89 seconds'],
    ['90', '2 minutes'],
    ['5399', '90 minutes'],
    ['5400', '2 hours'],
  ])('a wait of %s seconds is %s', (retryAfter, wait) => {
    const error = readServiceError(429, {}, { retryAfter })
    expect(userMessage(error)).toBe(`Too many attempts. Try again in ${wait}.`)
  })

  test('a wait in Portuguese', () => {
    const error = readServiceError(429, {}, { retryAfter: '30' })
    expect(userMessage(error, { messages: ptBr })).toContain('novamente em 30 segundos')
  })

  test('the required network', () => {
    const error = new redeemkit.WrongNetworkError('x')
    expect(userMessage(error, { network: 'Base' })).toContain('Switch to Base')
    expect(userMessage(new redeemkit.WrongNetworkError('x', { field: 'signer' }))).toContain(
      'Switch networks',
    )
  })

  test.each(['publicClient', 'dryRun', 'connection'])(
    'a wrong network of the %s is a mistake of the page',
    (field) => {
      const error = new redeemkit.WrongNetworkError('x', { field })
      expect(userMessage(error, { network: 'Base' })).toMatch(/^Something went wrong on this page/)
    },
  )

  test('the verification link', () => {
    const error = (body: object) => readServiceError(451, body)
    expect(userMessage(error({ verificationLink: 'https://kyc.example/a' }))).toContain('Follow the link')
    expect(userMessage(error({}))).toContain('Contact the shop to find out how')
  })

  test('missing messages are English', () => {
    const messages = { page: 'Oh no.' }
    expect(userMessage(new redeemkit.InvalidHexError('x'), { messages })).toBe('Oh no.')
    expect(userMessage(new redeemkit.RedeemTimeoutError('x'), { messages })).toMatch(
      /^Your payment is taking/,
    )
  })

  test.each([
    [{ lang: 'pt' }, 'lang'],
    [{ messages: { locale: 'not a locale' } }, 'locale'],
    ['pt-BR', 'options'],
  ])('invalid options: %j', (options, field) => {
    expect(() => userMessage(null, options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field }),
    )
  })
})

describe('verificationLinkOf', () => {
  const refused = (verificationLink: unknown) => readServiceError(451, { details: { verificationLink } })
  const link = 'https://kyc.example/a?b=c'

  test.each([
    ['direct', refused(link)],
    ['wrapped by a framework', new Error('wrapped', { cause: refused(link) })],
    [
      'of a payment that waits for it',
      new OutcomeUnknownError(refused(link), { nonce: '0x12', validBefore: '1700000600' }),
    ],
  ])('finds the link: %s', (_, error) => {
    expect(verificationLinkOf(error)).toBe(link)
  })

  test.each(['http://localhost:3000/a', 'http://127.0.0.1/a', 'http://[::1]:8080/'])(
    'accepts a localhost URL: %s',
    (own) => {
      expect(verificationLinkOf(refused(own))).toBe(own)
    },
  )

  test.each([
    'http://kyc.example/a',
    'http://127.0.0.1.evil.example/',
    'javascript:alert(1)',
    'https://kyc example/',
    'text',
    '',
    undefined,
  ])('rejects another URL: %s', (other) => {
    const error = refused(other)
    expect(verificationLinkOf(error)).toBeUndefined()
    expect(userMessage(error)).toContain('Contact the shop to find out how')
  })

  test.each([undefined, null, 'text', new Error('x'), { verificationLink: link }, readServiceError(403, {})])(
    'returns undefined for another error: %o',
    (error) => {
      expect(verificationLinkOf(error)).toBeUndefined()
    },
  )
})
