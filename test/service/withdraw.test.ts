import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kybResponse, verificationStatus } from '../../src/redeemkit/schema/index.ts'
import { parseRecord } from '../../src/redeemkit/schema/parseRecord.ts'
import { type TestShop, testShop } from '../../src/sandbox/service/payments/payments.fixture.ts'
import { onEachDatabase } from '../postgres/onEachDatabase.ts'
import { searchDatabase, searchThings } from './secretSearch.ts'

const first = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const second = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

onEachDatabase(({ name, create }) => {
  /** Rejected before any row is read, so one request is enough. */
  const isFirst = name === 'PGlite'
  let shop: TestShop
  const logged: unknown[] = []

  beforeAll(async () => {
    shop = await testShop(await create(), (entry) => logged.push(entry))
  })
  afterAll(() => shop?.close())

  /** Returns the headers of a user with everything that a withdrawal requires. */
  const user = async (userId: string, id: 'shop' | 'other' = 'shop', wallet = first) => ({
    ...(await shop.customer(userId, id)),
    ...shop.merchant(id),
    'x-svc-auth-wallet': wallet,
    'x-svc-auth-blockchain': 'base',
    'x-svc-auth-merchant-id': id,
  })
  const asShop = (path: string, body: object, id: 'shop' | 'other' = 'shop') =>
    shop.post(path, body, shop.merchant(id))
  const rules = (changes: object, id: 'shop' | 'other' = 'shop') =>
    asShop('/sandbox/withdrawal-rules', changes, id)
  const list = async (id: 'shop' | 'other' = 'shop') =>
    (await shop.get('/sandbox/withdrawers', shop.merchant(id))).body
  const withdrawerOf = async (userId: string) =>
    (await list()).withdrawers.find((one: { userId: string }) => one.userId === userId)

  describe('POST /api/withdraw/kyc/validate', () => {
    const ada = { firstName: 'Ada', lastName: 'Lovelace', dob: '1985-12-10', country: 'GB' }
    const validate = (body: object, userId = 'ada', id: 'shop' | 'other' = 'shop') =>
      shop.post('/api/withdraw/kyc/validate', body, {
        ...shop.merchant(id),
        'x-svc-auth-user-id': userId,
      })
    beforeAll(async () => {
      expect(await asShop('/sandbox/kyc-records', { userId: 'ada', ...ada })).toMatchObject({ status: 200 })
    })

    test('reports a match with a 200', async () => {
      expect(await validate(ada)).toEqual({ status: 200, body: { invalidFields: [], valid: true } })
      expect(await validate({ firstName: 'Ada', lastName: 'Lovelase' })).toMatchObject({
        body: { valid: true },
      })
    })

    test('reports a mismatch with a 200', async () => {
      const other = { firstName: 'Grace', lastName: 'Hopper', dob: '1985-12-11', country: 'US' }
      expect(await validate(other)).toEqual({
        status: 200,
        body: { invalidFields: ['firstName', 'lastName', 'dob', 'country'], valid: false },
      })
    })

    test('accepts a threshold: 100 allows only spelling variants, 0 allows everything', async () => {
      const slip = { firstName: 'Ada', lastName: 'Lovelase' }
      expect((await validate({ ...slip, matchThreshold: 100 })).body.invalidFields).toEqual(['lastName'])
      expect(
        (await validate({ firstName: 'ÁDA', lastName: 'lovelace', matchThreshold: 100 })).body.valid,
      ).toBe(true)
      expect((await validate({ firstName: 'X', lastName: 'Y', matchThreshold: 0 })).body.valid).toBe(true)
      expect((await validate({ ...slip, matchThreshold: 101 })).status).toBe(400)
    })

    test('returns 404 without a record', async () => {
      expect(await validate(ada, 'nobody')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    })

    test('does not find the record of another merchant', async () => {
      expect((await validate(ada, 'ada', 'other')).status).toBe(404)
    })

    test('reports a mismatch for fields that the record lacks', async () => {
      await asShop('/sandbox/kyc-records', { userId: 'short', firstName: 'Al', lastName: 'Ba' })
      expect((await validate({ firstName: 'Al', lastName: 'Ba', dob: '1990-01-01' }, 'short')).body).toEqual({
        invalidFields: ['dob'],
        valid: false,
      })
    })

    if (isFirst)
      test.each([
        ['a day that does not exist', { dob: '1985-02-30' }],
        ['a day in the future', { dob: '2027-01-01' }],
        ['a birth date too long ago', { dob: '1850-01-01' }],
        ['an invalid country', { country: 'gb' }],
        ['an overlong name', { lastName: 'x'.repeat(201) }],
      ])('refuses %s, without repeating the value in the error', async (_, change) => {
        const { status, body } = await validate({ ...ada, ...change })
        expect({ status, issues: body.issues }).toEqual({ status: 400, issues: Object.keys(change) })
        for (const value of Object.values(change)) expect(JSON.stringify(body)).not.toContain(value)
      })
  })

  describe('POST /api/withdraw/iban', () => {
    const german = { number: 'DE89370400440532013000' }
    const british = { number: '66374958', sortCode: '089999' }
    const save = async (body: object, userId = 'iban-user', id: 'shop' | 'other' = 'shop') =>
      shop.post('/api/withdraw/iban', body, await user(userId, id))

    test('returns a token, the same one for every notation of an account', async () => {
      const { status, body } = await save(german)
      expect({ status, body }).toEqual({ status: 200, body: expect.stringMatching(/^iban_\S{32}$/) })
      expect((await save({ number: 'de89 3704 0044 0532 0130 00', alias: 'mine' })).body).toBe(body)
      expect((await save({ number: 'FR1420041010050500013M02606' })).body).not.toBe(body)
    })

    test('recognizes a UK account in both notations', async () => {
      const { body } = await save(british)
      expect(body).toMatch(/^iban_/)
      // The IBAN of the same account.
      expect((await save({ number: 'GB86LOYD08999966374958' })).body).toBe(body)
    })

    test('lists accounts without their numbers', async () => {
      await save(german, 'masked')
      const { accounts } = await list()
      expect(accounts.find((one: { userId: string }) => one.userId === 'masked')).toEqual({
        userId: 'masked',
        token: expect.stringMatching(/^iban_/),
        country: 'DE',
        lastFour: '3000',
      })
    })

    if (isFirst)
      test.each<[string, string, object]>([
        ['wrong check digits', 'number', { number: 'DE89370400440532013001' }],
        ['a length that its country does not use', 'number', { number: 'DE8937040044053201300' }],
        ['a country without IBANs', 'number', { number: 'US64SVBKUS6S3300958879' }],
        ['a country outside of SEPA', 'number', { number: 'AE070331234567890123456' }],
        ['a text that is not a number', 'number', { number: 'my account' }],
        ['a sort code that does not match the account number', 'number', { ...british, number: '66374959' }],
        ['a British IBAN that its bank would refuse', 'number', { number: 'GB59LOYD08999966374959' }],
        ['an account number of 7 digits', 'number', { ...british, number: '6637495' }],
        ['an account number without a sort code', 'sortCode', { number: '66374958' }],
        ['a sort code in addition to an IBAN', 'sortCode', { ...german, sortCode: '089999' }],
        ['an invalid BIC', 'bic', { ...german, bic: 'COBA' }],
        ['a BIC in addition to a sort code', 'bic', { ...british, bic: 'LOYDGB2L' }],
        ['a Swiss account without its BIC', 'bic', { number: 'CH9300762011623852957' }],
      ])('refuses %s, without repeating the value in the error', async (_, field, body) => {
        const answer = await save(body)
        expect({ status: answer.status, issues: answer.body.issues }).toEqual({
          status: 400,
          issues: [field],
        })
        for (const value of Object.values(body)) expect(JSON.stringify(answer.body)).not.toContain(value)
      })

    test.each([
      ['Albania', 'AL47212110090000000235698741'],
      ['Montenegro', 'ME25505000012345678951'],
      ['Moldova', 'MD24AG000225100013104168'],
      ['North Macedonia', 'MK07250120000058984'],
      ['Serbia', 'RS35260005601001611379'],
    ])('accepts an account in %s, which joined SEPA recently, with its BIC', async (_, number) => {
      expect((await save({ number, bic: 'COBADEFF' })).status).toBe(200)
      expect((await save({ number })).body.issues).toEqual(['bic'])
    })

    test('accepts a Swiss account with its BIC', async () => {
      expect((await save({ number: 'CH9300762011623852957', bic: 'UBSWCHZH80A' })).status).toBe(200)
    })

    if (isFirst)
      test.each([
        'authorization',
        'x-svc-auth-session-key',
        'x-svc-auth-user-id',
        'x-svc-auth-wallet',
        'x-svc-auth-blockchain',
        'x-svc-auth-merchant-id',
      ])('needs %s', async (name) => {
        const { [name]: _, ...headers }: Record<string, string> = await user('iban-user')
        const { status } = await shop.post('/api/withdraw/iban', german, headers)
        expect(status).toBe(name === 'authorization' || name === 'x-svc-auth-session-key' ? 401 : 400)
      })

    test('a merchant may request the optional fields; a UK account has no bic', async () => {
      await rules({ requestedAccountFields: ['accountHolder', 'bic'] })
      const bic = { bic: 'COBADEFFXXX' }
      const accountHolder = { accountHolder: 'Ada Lovelace' }
      for (const [body, issues] of [
        [german, ['accountHolder', 'bic']],
        [{ ...german, ...bic }, ['accountHolder']],
        [{ ...german, ...accountHolder }, ['bic']],
        [british, ['accountHolder']],
      ] as const)
        expect(await save(body)).toMatchObject({ status: 400, body: { issues } })
      expect((await save({ ...german, ...bic, ...accountHolder })).status).toBe(200)
      expect((await save({ ...british, ...accountHolder })).status).toBe(200)
      await rules({ requestedAccountFields: [] })
    })

    describe('where a merchant bans duplicates', () => {
      beforeAll(() => rules({ banDuplicateAccounts: true }))
      afterAll(() => rules({ banDuplicateAccounts: false }))
      const dutch = { number: 'NL91ABNA0417164300' }

      test('an account that another withdrawer uses returns 423; its own user can save it again', async () => {
        const { body: token } = await save(dutch, 'one')
        expect(await save(dutch, 'two')).toMatchObject({
          status: 423,
          body: { code: 'PAYMENT_METHOD_IN_USE' },
        })
        expect((await save(dutch, 'one')).body).toBe(token)
      })

      test('accounts at another merchant do not count', async () => {
        await rules({ banDuplicateAccounts: true }, 'other')
        expect((await save(dutch, 'one', 'other')).status).toBe(200)
      })

      test('an exempt withdrawer may use it', async () => {
        await shop.post('/api/withdraw/kyb', passive(), await user('exempt'))
        const { _id } = await withdrawerOf('exempt')
        expect((await save(dutch, 'exempt')).status).toBe(423)
        await asShop(`/sandbox/withdrawers/${_id}/settings`, { blockCardReuseExempt: true })
        expect((await save(dutch, 'exempt')).status).toBe(200)
      })

      test('only one of many concurrent users gets the account', async () => {
        const names = Array.from({ length: 10 }, (_, index) => `at-once-${index}`)
        const users = await Promise.all(names.map((name) => user(name)))
        const spanish = { number: 'ES9121000418450200051332' }
        const answers = await Promise.all(
          users.map((headers) => shop.post('/api/withdraw/iban', spanish, headers)),
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(423)])
      })
    })
  })

  const passive = (change: object = {}) => ({
    merchantId: 'shop',
    info: {
      name: 'Analytical Engines',
      tin: '12-3456789',
      website: 'https://engines.example',
      business: { country: 'US', zip: '10001', state: 'NY', city: 'New York', address1: '1 Broadway' },
      person: { email: 'ada@engines.example', firstName: 'Ada', lastName: 'Lovelace' },
      ...change,
    },
    ubos: [owner],
  })
  const owner = {
    ssn: '078051120',
    dob: '1985-12-10',
    country: 'US',
    zip: '10001',
    state: 'NY',
    city: 'New York',
    physicalAddress: '12 Secret Street',
    surName: 'Lovelace',
    firstName: 'Ada',
  }
  const documents = { merchantId: 'shop', country: 'DE', email: 'ada@engines.example' }
  const back = 'https://shop.example/verified?order=7'
  const register = async (body: object, userId: string, wallet = first) =>
    shop.post('/api/withdraw/kyb', body, await user(userId, 'shop', wallet))
  /** Returns the path of the page to which a 451 sends the user. */
  const pageOf = (answer: Awaited<ReturnType<typeof register>>) =>
    new URL(answer.body.details.verificationLink).pathname

  describe('POST /api/withdraw/kyb', () => {
    test('approves the passive variant immediately', async () => {
      const { status, body } = await register(passive(), 'passive')
      expect(status).toBe(200)
      expect(() => parseRecord(kybResponse, body)).not.toThrow()
      expect(body.withdrawer).toMatchObject({
        wallet: first,
        blockchain: 'base',
        wallets: [{ wallet: first, blockchain: 'base' }],
        email: 'ada@engines.example',
        merchant: 'shop',
        currency: 'USD',
        country: 'US',
        business: true,
        availability: { status: 'Functional', updatedAt: '2026-05-01T12:00:00.000Z' },
        verification: { status: 'approved', vendor: 'persona_kyb', name: 'Analytical Engines' },
        ubos: [{ status: 'approved', name: 'Ada Lovelace' }],
        createdAt: '2026-05-01T12:00:00.000Z',
      })
    })

    test('creates a KYC record of the main contact, with the data of the owner of that name', async () => {
      await register(passive(), 'contact')
      const validate = { firstName: 'Ada', lastName: 'Lovelace', dob: '1985-12-10', country: 'US' }
      const headers = { ...shop.merchant(), 'x-svc-auth-user-id': 'contact' }
      expect((await shop.post('/api/withdraw/kyc/validate', validate, headers)).body.valid).toBe(true)
    })

    test('sends the other variant to a page first, and returns the record afterwards', async () => {
      const asked = await register({ ...documents, redirectLink: back }, 'docs')
      expect(asked).toMatchObject({
        status: 451,
        body: { code: 'VERIFICATION_REQUIRED', details: { redirectLink: back } },
      })
      // The page stays the same until its form is sent.
      expect((await register(documents, 'docs')).body.details).toEqual(asked.body.details)
      expect((await withdrawerOf('docs')).verification.status).toBe('pending')
      expect(await shop.post(pageOf(asked), { answer: 'approve' })).toEqual({
        status: 200,
        body: { status: 'approved', redirectLink: back },
      })
      const { status, body } = await register(documents, 'docs')
      expect({ status, verification: body.withdrawer.verification }).toMatchObject({
        status: 200,
        verification: { status: 'approved', vendor: 'sumsub_docv' },
      })
    })

    test('a passive approval ends a pending document check, and its page returns 404', async () => {
      const asked = await register(documents, 'both variants')
      expect((await register(passive({ tin: '000000001' }), 'both variants')).body.details).toEqual(
        asked.body.details,
      )
      const { status, body } = await register(passive(), 'both variants')
      expect({ status, verification: body.withdrawer?.verification }).toMatchObject({
        status: 200,
        verification: { status: 'approved', vendor: 'persona_kyb', name: 'Analytical Engines' },
      })
      expect((await shop.post(pageOf(asked), { answer: 'reject' })).status).toBe(404)
    })

    test('the page redirects a browser to redirectLink', async () => {
      const asked = await register({ ...documents, redirectLink: back }, 'browser')
      expect((await shop.get(pageOf(asked))).body).toContain('Verify your business')
      const response = await shop.raw(pageOf(asked), {
        method: 'POST',
        body: new URLSearchParams({ answer: 'partial' }),
      })
      expect(response.headers.get('refresh')).toBe(`1; url=${back}`)
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect((await register(documents, 'browser')).body.withdrawer.verification.status).toBe(
        'partial-approval',
      )
      // The form of the page can be sent only once.
      expect(await shop.post(pageOf(asked), { answer: 'approve' })).toMatchObject({
        status: 409,
        body: { code: 'VERIFICATION_STATE' },
      })
    })

    test('the page rejects a form above the body limit without a content length', async () => {
      const asked = await register(documents, 'large form')
      const body = new Response(`answer=approve&more=${'x'.repeat(300_000)}`).body
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit // Not every library's type has this field.
      expect((await shop.raw(pageOf(asked), init)).status).toBe(413)
      expect((await withdrawerOf('large form')).verification.status).toBe('pending')
    })

    test('a rejected user is asked again, with the reason', async () => {
      const asked = await register(documents, 'rejected')
      await shop.post(pageOf(asked), { answer: 'reject' })
      expect((await withdrawerOf('rejected')).verification).toMatchObject({
        status: 'rejected',
        rejectionReasons: [expect.any(String)],
      })
      const again = await register(documents, 'rejected')
      expect(again).toMatchObject({
        status: 451,
        body: { details: { rejectionReasons: [expect.any(String)] } },
      })
      expect(pageOf(again)).not.toBe(pageOf(asked))
      expect((await shop.get(pageOf(asked))).status).toBe(404)
      await shop.post(pageOf(again), { answer: 'approve' })
      expect((await register(documents, 'rejected')).status).toBe(200)
    })

    test.each([
      ['000000001', 451, undefined],
      ['000-00-0002', 200, 'partial-approval'],
      ['00 0000003', 200, 'rejected'],
    ])('a tax id of %s ends in %s', async (tin, status, verification) => {
      const answer = await register(passive({ tin }), `tin ${tin}`)
      expect(answer.status).toBe(status)
      expect(answer.body.withdrawer?.verification.status).toBe(verification)
    })

    test('the record gains wallets, each once', async () => {
      const solana = { blockchain: 'eth', wallet: second }
      await register({ ...passive(), additionalWallets: [solana] }, 'wallets')
      await register(passive(), 'wallets', second)
      const { body } = await register({ ...passive(), additionalWallets: [solana] }, 'wallets')
      expect(body.withdrawer).toMatchObject({ wallet: first, blockchain: 'base' })
      expect(body.withdrawer.wallets).toEqual([
        { wallet: first, blockchain: 'base' },
        { wallet: second, blockchain: 'eth' },
        { wallet: second, blockchain: 'base' },
      ])
    })

    test('a user of the merchant without a chain may register, and be an additional wallet', async () => {
      const headers = {
        ...(await user('chainless')),
        'x-svc-auth-wallet': 'member-7',
        'x-svc-auth-blockchain': 'user',
      }
      const body = { ...passive(), additionalWallets: [{ wallet: 'member-8', blockchain: 'user' }] }
      expect(await shop.post('/api/withdraw/kyb', body, headers)).toMatchObject({
        status: 200,
        body: {
          withdrawer: {
            wallet: 'member-7',
            blockchain: 'user',
            wallets: [
              { wallet: 'member-7', blockchain: 'user' },
              { wallet: 'member-8', blockchain: 'user' },
            ],
          },
        },
      })
    })

    test('concurrent requests create one record', async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => register(passive(), 'at once')))
      const ids = answers.map(({ body }) => body.withdrawer._id)
      expect(new Set(ids).size).toBe(1)
    })

    if (isFirst)
      test.each<[string, string, object]>([
        ['a tax id of 8 digits in the US', 'info.tin', passive({ tin: '12345678' })],
        ['a founding date in the future', 'info.dateFormed', passive({ dateFormed: '2026-05-02' })],
        ['a founding date that does not exist', 'info.dateFormed', passive({ dateFormed: '2001-02-30' })],
        [
          'an invalid country',
          'info.business.country',
          passive({ business: { country: 'XX', zip: '1', state: 's', city: 'c', address1: 'a' } }),
        ],
        ['a different merchant id in the body', 'info.merchantId', passive({ merchantId: 'other' })],
        [
          'an owner with a birth date in the future',
          'ubos[0].dob',
          { ...passive(), ubos: [{ ...owner, dob: '2026-06-01' }] },
        ],
        ['an owner without a name', 'ubos[0].surName', { ...passive(), ubos: [{ ...owner, surName: '' }] }],
        [
          'an owner’s tax id that is a number',
          'ubos[0].ssn',
          { ...passive(), ubos: [{ ...owner, ssn: 78051120 }] },
        ],
        ['a country in words', 'country', { ...documents, country: 'Germany' }],
        ['a link with a script', 'redirectLink', { ...documents, redirectLink: 'javascript:alert(1)' }],
        [
          'a link with a script, split over two lines',
          'redirectLink',
          { ...documents, redirectLink: 'java\nscript:alert(1)' },
        ],
        [
          'a data link that contains a page',
          'redirectLink',
          { ...documents, redirectLink: 'data:text/html,x' },
        ],
        ['a link without a scheme', 'redirectLink', { ...documents, redirectLink: '//evil.test' }],
        [
          'a link whose user name looks like another site',
          'redirectLink',
          { ...documents, redirectLink: 'https://shop.test@evil.test' },
        ],
        [
          'an invalid wallet',
          'additionalWallets[0].wallet',
          { ...documents, additionalWallets: [{ blockchain: 'base', wallet: '0x1' }] },
        ],
      ])('refuses %s', async (_, field, body) => {
        const { status, body: answer } = await register(body, 'refused')
        expect({ status, issues: answer.issues }).toEqual({ status: 400, issues: [field] })
        expect(JSON.stringify(answer)).not.toMatch(/78051120|Secret Street|2026-06-01/)
      })

    test('belongs to one merchant', async () => {
      await register(passive(), 'mine')
      const body = { ...passive(), merchantId: 'other' }
      expect((await register(body, 'mine')).status).toBe(403)
      const theirs = await shop.post(
        '/api/withdraw/kyb',
        { ...documents, merchantId: 'other' },
        await user('mine', 'other'),
      )
      expect(theirs.status).toBe(451)
      const { _id } = await withdrawerOf('mine')
      expect(
        await asShop(`/sandbox/withdrawers/${_id}/verification`, { status: 'expired' }, 'other'),
      ).toMatchObject({
        status: 404,
      })
    })

    test('a blocked withdrawer gets a 423, for this call and for accounts', async () => {
      await register(passive(), 'blocked')
      const { _id } = await withdrawerOf('blocked')
      const settings = `/sandbox/withdrawers/${_id}/settings`
      await asShop(settings, { availability: { status: 'Blocked', reason: 'looks odd' } })
      const save = async () =>
        shop.post('/api/withdraw/iban', { number: 'DE89370400440532013000' }, await user('blocked'))
      expect((await register(passive(), 'blocked')).body.code).toBe('CUSTOMER_BLOCKED')
      expect(await save()).toMatchObject({ status: 423, body: { code: 'CUSTOMER_BLOCKED' } })
      await asShop(settings, { availability: { status: 'Override' } })
      expect((await save()).status).toBe(200)
    })
  })

  describe('the states of a verification', () => {
    const decide = async (userId: string, status: string) => {
      const { _id } = await withdrawerOf(userId)
      return asShop(`/sandbox/withdrawers/${_id}/verification`, { status })
    }

    test('change only as PROTOCOL.md 10.6 allows', async () => {
      await register(documents, 'states')
      for (const status of ['pending', 'expired']) expect((await decide('states', status)).status).toBe(409)
      expect((await decide('states', 'approved')).body.withdrawer.verification.status).toBe('approved')
      for (const status of verificationStatus.options.filter((one) => one !== 'expired'))
        expect((await decide('states', status)).body).toMatchObject({
          code: 'VERIFICATION_STATE',
          details: { status: 'approved' },
        })
      expect((await decide('states', 'expired')).status).toBe(200)
      for (const status of verificationStatus.options)
        expect((await decide('states', status)).status).toBe(409)
    })

    test('a user with an expired verification is asked again', async () => {
      await register(passive(), 'expired')
      await decide('expired', 'expired')
      expect((await withdrawerOf('expired')).ubos[0].status).toBe('expired')
      expect((await register(documents, 'expired')).status).toBe(451)
    })

    test('each change is reported to the merchant', async () => {
      await register(documents, 'reported')
      await decide('reported', 'approved')
      await decide('reported', 'expired')
      const events = (await shop.events()).filter(({ data }) => data.userId === 'reported')
      expect(events.map(({ type, merchantId, data }) => ({ type, merchantId, ...data }))).toEqual(
        ['pending', 'approved', 'expired'].map((verification) => ({
          type: 'withdrawal.verification',
          merchantId: 'shop',
          userId: 'reported',
          wallet: first,
          blockchain: 'base',
          verification,
        })),
      )
    })
  })

  describe('places', () => {
    const pyongyang = { lat: 39.03, lng: 125.75 }
    const berlin = { lat: 52.52, lng: 13.4 }
    const pay = async (userId: string, more: object = {}, headers: object = {}) =>
      shop.post(
        '/api/checkout/card/shop',
        {
          subtotal: { cents: 100, currency: 'USD' },
          card: { cardToken: await shop.tokenOf('approved') },
          ...more,
        },
        { ...(await shop.customer(userId)), ...headers },
      )

    test('a customer in a blocked country gets a 403', async () => {
      expect(await pay('far', { userLocation: pyongyang })).toMatchObject({
        status: 403,
        body: { code: 'GEO_BLOCKED', details: { country: 'KP', by: 'geolocation' } },
      })
    })

    test('only the first location is used', async () => {
      expect((await pay('stayed', { userLocation: berlin })).status).toBe(200)
      expect((await pay('stayed', { userLocation: pyongyang })).status).toBe(200)
      await pay('moved', { userLocation: pyongyang })
      expect((await pay('moved', { userLocation: berlin })).status).toBe(403)
      expect((await pay('moved')).status).toBe(403)
    })

    test('the state of the first location is used too', async () => {
      await rules({ blockedPlaces: ['US-NY'] })
      const manhattan = { lat: 40.713, lng: -74.006 }
      const jerseyCity = { lat: 40.718, lng: -74.047 }
      expect((await pay('new yorker', { userLocation: manhattan })).body.details).toEqual({
        country: 'US',
        state: 'NY',
        by: 'geolocation',
      })
      expect((await pay('new yorker', { userLocation: jerseyCity })).status).toBe(403)
      expect((await pay('commuter', { userLocation: jerseyCity })).status).toBe(200)
      expect((await pay('commuter', { userLocation: manhattan })).status).toBe(200)
      await rules({ blockedPlaces: ['CU', 'IR', 'KP'] })
    })

    test('of two concurrent first locations, one is used', async () => {
      await Promise.all([pay('torn', { userLocation: berlin }), pay('torn', { userLocation: pyongyang })])
      const { status } = await pay('torn')
      const later = await Promise.all(
        [berlin, pyongyang].map((userLocation) => pay('torn', { userLocation })),
      )
      expect(later.map((answer) => answer.status)).toEqual([status, status])
    })

    test('a location at sea is ignored', async () => {
      expect((await pay('sailor', { userLocation: { lat: -40, lng: -120 } })).status).toBe(200)
      expect((await pay('sailor', { userLocation: pyongyang })).status).toBe(403)
    })

    test('an IP address is checked each time', async () => {
      const from = (address: string) => pay('roams', {}, { 'x-svc-client-ip': address })
      expect((await from('198.51.100.7')).status).toBe(200)
      expect((await from('203.0.113.7')).body.details).toEqual({ country: 'KP', by: 'ip' })
      expect((await from('198.51.100.7')).status).toBe(200)
      expect((await from('nowhere')).body.issues).toEqual(['x-svc-client-ip'])
    })

    test('a merchant can block its own places, states included', async () => {
      await rules({ blockedPlaces: ['US-NY'] })
      const from = (address: string) => pay('states', {}, { 'x-svc-client-ip': address })
      expect((await from('192.0.2.7')).body).toMatchObject({
        message: 'The merchant does not serve customers from US-NY.',
        details: { country: 'US', state: 'NY', by: 'ip' },
      })
      expect((await from('192.0.2.200')).status).toBe(200)
      expect((await from('203.0.113.7')).status).toBe(200)
      await asShop('/sandbox/customer-place', { userId: 'pinned', country: 'US', state: 'NY' })
      expect((await pay('pinned')).status).toBe(403)
      await asShop('/sandbox/customer-place', { userId: 'pinned', country: null })
      expect((await pay('pinned')).status).toBe(200)
      await rules({ blockedPlaces: ['CU', 'IR', 'KP'] })
    })

    test('withdrawals check the place too', async () => {
      await pay('far', { userLocation: pyongyang })
      expect((await register(passive(), 'far')).body.code).toBe('GEO_BLOCKED')
      const iban = { number: 'DE89370400440532013000' }
      expect((await shop.post('/api/withdraw/iban', iban, await user('far'))).body.code).toBe('GEO_BLOCKED')
    })

    test('an exemption ends at its expiry, and does not cover the country of the business', async () => {
      await register(passive(), 'override')
      await asShop('/sandbox/customer-place', { userId: 'override', country: 'KP' })
      const { _id } = await withdrawerOf('override')
      const geoBlockOverride = {
        reason: 'lives elsewhere',
        setBy: 'support',
        expiresAt: '2026-05-02T00:00:00Z',
      }
      const { body } = await asShop(`/sandbox/withdrawers/${_id}/settings`, { geoBlockOverride })
      expect(body.withdrawer.geoBlockOverride).toEqual({
        ...geoBlockOverride,
        setAt: '2026-05-01T12:00:00.000Z',
      })
      expect((await pay('override')).status).toBe(200)
      expect((await register({ ...documents, country: 'KP' }, 'override')).body).toMatchObject({
        code: 'GEO_BLOCKED',
        details: { country: 'KP', by: 'kycAddress' },
      })
      shop.setTime(Date.parse('2026-05-02T00:00:00Z'))
      expect((await pay('override')).status).toBe(403)
      shop.setTime(Date.parse('2026-05-01T12:00:00Z'))
    })

    test("an owner's country is treated as the business's", async () => {
      const body = { ...passive(), ubos: [{ ...owner, country: 'IR' }] }
      expect((await register(body, 'owned')).body.details).toEqual({ country: 'IR', by: 'kycAddress' })
    })
  })

  test("no log and no row contains an account number, a tax ID or a person's address", async () => {
    const secrets = {
      IBAN: 'DE89370400440532013000',
      'account of the UK': '66374958',
      'sort code': '089999',
      'tax id of an owner': '078051120',
      'tax id': '123456789',
      address: '12 Secret Street',
    }
    const database = await shop.service.database()
    expect(await searchDatabase(database, secrets)).toEqual([])
    expect(logged.length).toBeGreaterThan(100)
    expect(
      searchThings([...logged, ...shop.logged], { ...secrets, person: 'Lovelace', day: '1985-12-10' }),
    ).toEqual([])
  })
})
