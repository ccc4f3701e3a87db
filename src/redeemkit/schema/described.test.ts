import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import described from '../../../test/vectors/described-words.json' with { type: 'json' }
import vector from '../../../test/vectors/wire-records.json' with { type: 'json' }
import * as schema from './index.ts'
import { loose, parseRecord } from './index.ts'

/**
 * Compares the schemas with the public documentation of another service (`test/vectors/described-words.json` names the source). The strict
 * schemas accept its requests, the loose schemas its responses.
 */

const a = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const at = '2026-01-15T09:30:00Z'

describe('the literals of the public documentation', () => {
  type Def = z.core.$ZodTypeDef & {
    shape?: Record<string, z.core.$ZodType>
    element?: z.core.$ZodType
    innerType?: z.core.$ZodType
    options?: readonly z.core.$ZodType[]
  }

  /** Returns the schema at a path of a record. */
  function field(one: z.core.$ZodType, path: string): z.core.$ZodType {
    const { innerType, element, options, shape }: Def = one._zod.def
    if (innerType) return field(innerType, path)
    if (path === '') return one
    if (element) return field(element, path)
    const [name = '', ...rest] = path.split('.')
    const holder = options?.find((option) => name in ((option._zod.def as Def).shape ?? {}))
    const next = holder === undefined ? shape?.[name] : (holder._zod.def as Def).shape?.[name]
    if (next === undefined) throw new Error(`There is no ${path}.`)
    return field(next, rest.join('.'))
  }

  const places: Record<keyof typeof described.words, readonly [z.core.$ZodType, string]> = {
    Blockchain: [schema.blockchain, ''],
    OperationalBlockchain: [schema.subscriptionPlan, 'settlementChain'],
    SettlementType: [schema.pixBody, 'settlementType'],
    SubscriptionInterval: [schema.subscriptionPlan, 'interval'],
    SubscriptionStatus: [schema.subscription, 'status'],
    VerificationStatus: [schema.verification, 'status'],
    VerificationVendor: [schema.verification, 'vendor'],
    WithdrawCurrency: [schema.withdrawer, 'originalCurrency'],
    AvailabilityStatus: [schema.withdrawer, 'availability.status'],
    KycType: [schema.merchant, 'kycType'],
    StableCoin: [schema.merchant, 'settlementToken'],
    MerchantScope: [schema.merchant, 'apiKeys.scope'],
    SsoProvider: [schema.merchant, 'users.ssoProvider'],
    ProgramWhitelistStatus: [schema.merchant, 'goLiveChecklist.programWhitelistRequests.status'],
    RfiStatus: [schema.merchant, 'goLiveChecklist.rfis.status'],
    ThreeDsChallengePreference: [schema.merchant, 'cardSettings.threeDsChallengePreference'],
    FeePayerMode: [schema.merchant, 'cardSettings.networkFeeMode'],
    BlockedLevel: [schema.merchant, 'blocked.level'],
    VelocityLimitMode: [schema.merchant, 'velocitySettings.limitMode'],
    ReserveStatus: [schema.merchant, 'reserveSettings.status'],
    LinkedBankAccountAccountType: [schema.merchant, 'linkedBankAccount.accountType'],
    WithdrawSpeed: [z.enum(schema.withdrawRails), ''],
    RefundReason: [schema.refundBody, 'refundReason'],
    RecipientInfoWalletCustodialType: [schema.cryptoItem, 'recipientInfo.wallet.custodialType'],
    itemFulfillment: [schema.giftCardItem, 'itemFulfillment'],
    productType: [schema.baseItem, 'productType'],
  }

  test.each(Object.entries(places))(
    '%s: the schema accepts every documented value',
    (name, [record, path]) => {
      const one = field(record, path)
      // each name is a key of the vector's table
      for (const word of described.words[name as keyof typeof described.words].split(' '))
        expect(z.safeParse(one, word).success, word).toBe(true)
    },
  )

  test('the schemas accept no further values, except the withdrawal speed swift and fields with open text', () => {
    const own = Object.entries(places).flatMap(([name, [record, path]]) => {
      const { entries = {}, values = [] }: { entries?: object; values?: unknown[] } = Object(
        field(record, path)._zod.def,
      )
      const words = [...Object.values(entries), ...values]
      // each name is a key of the vector's table
      const theirs = described.words[name as keyof typeof described.words].split(' ')
      return words.filter((word) => !theirs.includes(String(word))).map((word) => `${name} ${word}`)
    })
    expect(own).toEqual(['WithdrawSpeed swift'])
  })
})

describe('the strict schemas accept the documented requests:', () => {
  const card = {
    cardToken: '411111tok1111',
    expYear: '29',
    expMonth: '08',
    email: 'test@pixelpay.test',
    firstName: 'test',
    lastName: 'test',
    address1: 'test',
    city: 'test',
    zip: '55555',
    state: 'IL',
    country: 'US',
    businessName: 'Shop',
    additionalVendorData: {},
  }
  const browser = { colorDepth: 24, screenHeight: 1080, screenWidth: 1920, timeZone: -240 }

  test.each<[string, z.core.$ZodType, unknown]>([
    [
      'a card with the properties of the browser for 3DS',
      schema.cardCheckoutBody,
      {
        subtotal: { currency: 'USD', cents: 500 },
        card,
        authentication3DS: browser,
        threeDsChallengePreference: 'Frictionless',
        settlementType: 'USDC',
        presentment: 'EUR',
        statementDescriptor: 'SHOP',
        accountFundingTransaction: { recipientAftInfo: { firstName: 'a', countryCode: 'US' } },
      },
    ],
    [
      'a card after a challenge',
      schema.cardCheckoutBody,
      {
        subtotal: { cents: 500 },
        card,
        authentication3DS: { transactionId: 'x' },
      },
    ],
    [
      'an authentication that the merchant obtained elsewhere',
      schema.authentication3DS,
      {
        transactionId: 'x',
        cavv: 'c',
        eci: '05',
        dsTransactionId: 'd',
        acsTransactionId: 'a',
        version: '2.2.0',
      },
    ],
    ['totals', schema.totalsBody, { subtotal: { cents: 100 }, settlementType: 'USDC', bin: '411111' }],
    [
      'a card on file',
      schema.savedCardBody,
      {
        subtotal: { cents: 100 },
        token: 't',
        address: { country: 'US', city: 'c', address1: 'a' },
        authentication3DS: {
          ...browser,
          versionInfo: [{ transactionId: 'x', directoryServer: 'd', version: '2' }],
        },
      },
    ],
    ['a zero authorization', schema.zeroAuthorizationBody, { card, authentication3DS: browser }],
    [
      'a subscription',
      schema.purchaseSubscriptionBody,
      {
        planCode: 'gold',
        token: 't',
        feePercentage: 2.5,
        fixedFee: { cents: 10 },
        authentication3DS: browser,
        address: { country: 'US', city: 'c', address1: 'a', state: 'IL', zip: '1' },
      },
    ],
    [
      'a partial refund',
      schema.refundBody,
      { refundReason: 'other', partialAmount: { cents: 100 }, destinationWallet: a },
    ],
    [
      'a coin with a hyphen',
      schema.cryptoItem,
      {
        itemClass: 'crypto',
        units: '1.04112',
        cryptoCurrency: 'USDC-SOL',
        unitPrice: { currency: 'USD', valueInCurrency: 1 },
        recipientInfo: {},
      },
    ],
  ])('%s', (_, record, body) => {
    expect(parseRecord(record, body)).toEqual(body)
  })

  test('but reject the properties of a browser as a completed challenge', () => {
    const { authentication3DS } = parseRecord(schema.cardCheckoutBody, {
      subtotal: { cents: 1 },
      card,
      authentication3DS: browser,
    })
    const transactionId: string | undefined = authentication3DS?.transactionId
    expect(transactionId).toBeUndefined()
  })
})

describe('the loose schemas accept the documented responses:', () => {
  const money = (cents: number) => ({ cents, currency: 'USD' })
  const totals = {
    subtotal: money(100),
    creditCardFees: money(40),
    chargebackProtectionFees: money(0),
    gasFees: money(0),
    fxFees: money(0),
    total: money(140),
    merchantPaidGasFees: money(1),
    reserve: money(0),
  }
  const withdrawer = {
    _id: '65a1',
    wallet: a,
    blockchain: 'base',
    wallets: [{ wallet: a, blockchain: 'base' }],
    email: 'e@x.test',
    availability: { status: 'Functional', reason: 'r', editor: 'e', updatedAt: at },
    currency: 'USD',
    originalCurrency: 'GBP',
    verification: { reference: 'inq_1', status: 'approved', vendor: 'persona_kyb', hash: 'h' },
    riskScoreOverride: false,
    country: 'US',
    business: true,
    ubos: [{ reference: 'r', status: 'approved', vendor: 'middesk', ownershipPct: 25 }],
  }
  const merchant = {
    _id: '65a2',
    merchantId: 'shop',
    verification: { reference: 'r', status: 'approved', vendor: 'sumsub_docv' },
    withdrawFees: {
      firstParty: {},
      business: {
        asap: {
          fixed: { cents: 100 },
          variableBps: 10,
          minimum: { cents: 1 },
          limit: { dailyLimit: { cents: 5 } },
        },
      },
      user: {},
      swapBps: 0,
    },
    wallets: {
      stellar: { usdcPayer: 'G' },
      evm: { usdcPayer: a, feePayer: a },
      solana: { usdcPayer: 's', feePayer: 'f' },
    },
    apiKey: 'k',
    apiKeys: [],
    kycType: 'both',
    settlementToken: 'USDC',
    users: [{ email: 'e', scope: 'admin' }],
    ubos: [],
    goLiveChecklist: { rfis: [{ name: 'n', status: 'pending', url: 'u' }] },
    cardSettings: {
      customerEmailNotifications: true,
      merchantEmailNotifications: true,
      avsCheck: false,
      threeDsChallengePreference: 'NoPreference',
      enforce3DSWhenProtectionExempt: false,
      processor: 'fallback_payarc_shift4',
      verificationSettings: { threshold3DS: { cents: 100 } },
      tokenizationProvider: 'bt',
    },
    enforceCheckoutJwt: true,
    externalVerificationLinks: false,
    bankPayoutProvider: ['aptpay', 'checkbook'],
    rtpPayoutProvider: 'dwolla',
    creditSeed: 'shop',
    velocitySettings: { limitMode: 'default', lastHaltNotificationSentAt: at },
    hideBranding: false,
  }

  test.each<[string, z.core.$ZodType, unknown]>([
    ['totals of further rails', schema.totalsResponse, { card: totals, ach: totals, cashApp: totals }],
    [
      'totals without a currency',
      schema.totalsResponse,
      {
        card: {
          subtotal: { cents: 100 },
          creditCardFees: { cents: 40 },
          chargebackProtectionFees: { cents: 0 },
          gasFees: { cents: 0 },
          total: { cents: 140 },
        },
      },
    ],
    ['a withdrawer with the whole merchant', schema.kybResponse, { withdrawer: { ...withdrawer, merchant } }],
    [
      'a card response without status',
      schema.cardCheckoutResponse,
      { paymentId: 'p', authorizationExpiration: at },
    ],
    [
      'a zero authorization with nothing but its payment id',
      schema.zeroAuthorizationResponse,
      { paymentId: 'p' },
    ],
    ['a job with a numeric id', schema.burnResponse, { jobId: 42 }],
    ['a refund that returns a job id', schema.refundResponse, { jobId: 42 }],
    [
      'a verification without a link',
      schema.verificationDetails,
      {
        verification: { reference: 'r', status: 'rejected', vendor: 'persona' },
        rejectionReasons: ['expired document'],
        additionalVerificationLinks: [],
      },
    ],
    ['a challenge', schema.challengeDetails, { transactionId: 'x', url: 'https://acs.test', creq: '' }],
    [
      "a payment with the service's own status",
      schema.payment,
      {
        paymentId: 'p',
        status: 'CHARGEBACK_LOST',
        totals: { ...totals, payInFees: money(0) },
        settlementStatus: 'x',
        signature: '0x',
      },
    ],
    [
      'a plan',
      schema.subscriptionPlan,
      {
        id: '1',
        name: 'Gold',
        code: 'gold',
        interval: 'Monthly',
        amount: money(1000),
        active: true,
        settlementChain: 'monad',
      },
    ],
  ])('%s', (_, record, answer) => {
    expect(parseRecord(loose(record), answer)).toEqual(answer)
  })

  test('a purchased subscription as plain text, which the strict schema rejects', () => {
    const answer = parseRecord(loose(schema.purchaseSubscriptionResponse), 'sub_1')
    expect(typeof answer === 'object' ? answer.subscriptionId : answer).toBe('sub_1')
    expect(() => parseRecord(schema.purchaseSubscriptionResponse, 'sub_1')).toThrow('expected object')
    const ours = { subscriptionId: 's', paymentId: 'p' }
    expect(parseRecord(loose(schema.purchaseSubscriptionResponse), { ...ours, more: 1 })).toEqual({
      ...ours,
      more: 1,
    })
  })
})

describe('coverage of PROTOCOL.md', () => {
  // these tests check that the schemas contain every field and every literal of PROTOCOL.md 2 and 11

  type Def = z.core.$ZodTypeDef & {
    shape?: Record<string, z.core.$ZodType>
    element?: z.core.$ZodType
    innerType?: z.core.$ZodType
    valueType?: z.core.$ZodType
    options?: readonly z.core.$ZodType[]
    entries?: Record<string, string>
    values?: readonly unknown[]
  }

  /** What the test vector states about one field. */
  type Claim = { path: string[]; presence: 'must' | 'may' | 'open'; isNullable: boolean; words?: string[] }

  const records = new Map(
    Object.entries(schema).flatMap(([name, value]): [string, z.core.$ZodType][] =>
      typeof value === 'object' && '_zod' in value ? [[name, value]] : [],
    ),
  )
  const lists: Record<string, string> = { currencies: vector.currencies, blockchains: vector.blockchains }
  const groups: Record<string, string[]> = vector.groups

  /** Expands a line with alternatives in braces into one line for each alternative. */
  function alternatives(line: string): string[] {
    const [whole, names] = /\{([^}]+)\}/.exec(line) ?? []
    if (whole === undefined || names === undefined) return [line]
    return names.split(' ').flatMap((name) => alternatives(line.replace(whole, name)))
  }

  function claimsOf(line: string): Claim[] {
    return alternatives(line).map((one) => {
      const [, path = '', mark, nullable, words] = /^([^\s?~]+)([?~]?)( null)?(?: = (.+))?$/.exec(one) ?? []
      return {
        path: path.split(/\.|(?=\[\])/),
        presence: mark === '?' ? 'may' : mark === '~' ? 'open' : 'must',
        isNullable: nullable !== undefined,
        ...(words && { words: (words.startsWith('@') ? (lists[words.slice(1)] ?? '') : words).split(' ') }),
      }
    })
  }

  /** Returns the schemas at a path: for a union, one for each option that has the path. */
  function at(one: z.core.$ZodType, path: readonly string[]): z.core.$ZodType[] {
    const { shape, element, innerType, valueType, options }: Def = one._zod.def
    const [first, ...rest] = path
    if (first === undefined) return [one]
    if (innerType) return at(innerType, path)
    if (options) return options.flatMap((option) => at(option, path))
    if (first === '[]') return element ? at(element, rest) : []
    if (valueType) return at(valueType, rest)
    const field = shape?.[first]
    return field ? at(field, rest) : []
  }

  function wordsOf(one: z.core.$ZodType): string[] {
    const { innerType, options = [], entries, values }: Def = one._zod.def
    if (innerType) return wordsOf(innerType)
    return [...Object.values(entries ?? {}), ...(values ?? []).map(String), ...options.flatMap(wordsOf)]
  }

  function holds(one: z.core.$ZodType, claim: Claim): boolean {
    const may = z.safeParse(one, undefined).success
    const sorted = (words: readonly string[]) => JSON.stringify([...words].sort())
    return (
      (claim.presence === 'open' || may === (claim.presence === 'may')) &&
      (!claim.isNullable || z.safeParse(one, null).success) &&
      (claim.words === undefined || sorted(wordsOf(one)) === sorted(claim.words))
    )
  }

  /** Returns the object schemas of a record: all options if the record is a union. */
  function shapesOf(one: z.core.$ZodType): readonly z.core.$ZodType[] {
    const { options }: Def = one._zod.def
    return options ?? [one]
  }

  /** Returns the fields in which an object schema differs from the vector's lines. */
  function missing(shape: z.core.$ZodType, lines: readonly string[]): string[] {
    return lines.flatMap(claimsOf).flatMap((claim) => {
      const found = at(shape, claim.path)
      return found.some((one) => holds(one, claim)) ? [] : [claim.path.join('.')]
    })
  }

  describe('the schemas have', () => {
    for (const { schema: name, with: parts = [], fields } of vector.records as {
      schema: string
      with?: string[]
      fields: string[]
    }[]) {
      const lines = [...parts.flatMap((part) => groups[part] ?? [`no group ${part}`]), ...fields]
      test(`${name}: ${lines.join(', ').slice(0, 60)}`, () => {
        const record = records.get(name)
        if (record === undefined) throw new Error(`There is no schema ${name}.`)
        const [best] = shapesOf(record)
          .map((shape) => missing(shape, lines))
          .sort((one, other) => one.length - other.length)
        expect(best).toEqual([])
      })
    }

    test('every currency and every blockchain, and no other', () => {
      expect(vector.currencies.split(' ')).toHaveLength(156)
      expect([...schema.currencies]).toEqual(vector.currencies.split(' '))
      expect(schema.blockchain.options).toEqual(vector.blockchains.split(' '))
    })
  })

  describe('this test itself detects a difference', () => {
    const noticed = (line: string) => missing(schema.subscription, [line])

    test('in the name of a field, in whether it is required, and in its literals', () => {
      expect(noticed('id')).toEqual([])
      expect(noticed('identity')).toEqual(['identity'])
      expect(noticed('id?')).toEqual(['id'])
      expect(noticed('nextPaymentAt')).toEqual(['nextPaymentAt'])
      expect(noticed('email null')).toEqual(['email'])
      expect(noticed('status = Active Canceled Expired Concluded Failed')).toEqual(['status'])
      expect(noticed('{id plan}.{a b}')).toEqual(['id.a', 'id.b', 'plan.a', 'plan.b'])
    })
  })
})
