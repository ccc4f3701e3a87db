import { describe, expect, test } from 'vitest'
import { createDashboard } from './createDashboard.tsx'

const origin = 'http://127.0.0.1:4242'
const wallet = `0x${'ab'.repeat(20)}`

/** The service's responses by path. Other paths return 404. */
const answers: Record<string, object> = {
  '/sandbox/programs': { programs: [{ blockchain: 'base', programId: wallet, status: 'pending' }] },
  '/sandbox/clock': {
    now: '2026-01-02T03:04:05.000Z',
    movedSeconds: 90_000,
    chains: [{ chainId: 1, now: '2026-01-02T03:04:05.000Z' }],
  },
  '/sandbox/fault': { faults: [] },
  '/health': { chains: [{ blockchain: 'base', chainId: 1, blockNumber: 7 }] },
  '/api/customer/balances/shop': { credits: { cents: 123_456_789 }, usdc: { cents: 5 } },
}

function dashboardOf(more: Record<string, object> = {}, refused: readonly string[] = []) {
  const asked: { path: string; body: string }[] = []
  const dashboard = createDashboard({
    service: async (request) => {
      const { pathname, search } = new URL(request.url)
      asked.push({ path: `${pathname}${search}`, body: await request.text() })
      if (refused.includes(pathname)) return Response.json({ message: 'It is down.' }, { status: 503 })
      const answer = { ...answers, ...more }[pathname]
      if (answer instanceof Response) return answer.clone()
      return answer === undefined
        ? Response.json({ message: 'There is no such path.' }, { status: 404 })
        : Response.json(answer)
    },
    merchants: [{ merchantId: 'shop', apiKey: 'sk_very_secret' }],
    accounts: { alice: wallet },
    headerPrefix: undefined,
  })
  const ask = async (path: string, init?: RequestInit) => {
    const response = await dashboard(new Request(`${origin}${path}`, init))
    if (response === undefined) throw new Error(`${path} is not the dashboard's.`)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = async (fields: Record<string, string>, path = '/dashboard') => {
    const token = /name="token" value="([^"]+)"/.exec((await ask('/dashboard')).text)?.[1] ?? ''
    return ask(path, { method: 'POST', headers: { origin }, body: new URLSearchParams({ token, ...fields }) })
  }
  return { ask, post, asked }
}

const hostile = '</pre><script>alert(1)</script>"\'&\u202egnp\u001b[31m'
/** Returns a page's visible text, without markup, attributes and form values. */
const isHarmless = (html: string) =>
  !html.includes('<script>alert') &&
  !/[\u202e\p{Cc}]/u.test(html.replace(/<input type="hidden"[^>]*>| (id|datetime)="[^"]*"|\n/g, ''))

describe('untrusted text is escaped:', () => {
  const event = { id: `evt_${hostile}`, type: hostile, createdAt: hostile, data: { [hostile]: hostile } }
  const deliveries = [{ target: 'whl_1', status: hostile, attempts: 1, lastError: hostile }]
  test.each<[string, Record<string, object>]>([
    [
      '',
      {
        '/sandbox/programs': {
          programs: [{ blockchain: hostile, programId: hostile, selector: hostile, status: hostile }],
        },
      },
    ],
    [
      '/webhooks',
      {
        '/sandbox/webhooks': {
          url: `http://x/${hostile}`,
          listeners: [{ listenerId: 'whl_1', name: hostile }],
        },
        '/sandbox/webhooks/events': { events: [{ ...event, deliveries }] },
      },
    ],
    [
      '/payments',
      {
        '/sandbox/payments': {
          payments: [
            {
              paymentId: hostile,
              rail: hostile,
              status: hostile,
              error: hostile,
              subtotal: { cents: 1, currency: hostile },
            },
          ],
        },
      },
    ],
    [
      '/subscriptions',
      {
        '/sandbox/subscription/plans': [
          { name: hostile, code: hostile, amount: { cents: 1, currency: hostile }, interval: hostile },
        ],
        '/sandbox/subscription/subscribers': [
          { id: hostile, customerId: hostile, plan: hostile, status: hostile },
        ],
      },
    ],
    [
      '/faults',
      {
        '/sandbox/fault': { faults: [{ faultId: hostile, path: hostile, kind: 'lost', triggered: 0 }] },
        '/sandbox/log': {
          requests: [{ time: hostile, method: hostile, route: hostile, status: 200, ms: 1 }],
        },
      },
    ],
    [
      `/redeems/${wallet}/0x01`,
      {
        [`/sandbox/redeems/${wallet}/0x01/report`]: {
          verdict: 'refuse',
          findings: [{ severity: 'danger', code: 'CALL_REVERTS', message: hostile, fix: hostile }],
          redeem: {
            shape: 'normal',
            wallet,
            target: wallet,
            signature: hostile,
            amount: '1',
            usdcAmount: '0',
            blockNumber: '1',
          },
          execution: { succeeded: false, reason: hostile },
          text: 'one\ntwo',
        },
      },
    ],
  ])('dashboard%s', async (path, more) => {
    const { status, text } = await dashboardOf(more).ask(`/dashboard${path}`)
    expect(status).toBe(200)
    expect(text).toContain('alert(1)')
    expect(isHarmless(text)).toBe(true)
  })

  test('in a rejection’s message and in the URL', async () => {
    const { text } = await dashboardOf({ '/sandbox/webhooks': {} }).ask(
      `/dashboard/webhooks?after=${encodeURIComponent(hostile)}&note=${encodeURIComponent(hostile)}`,
    )
    expect(isHarmless(text)).toBe(true)
  })

  test('shortens an error reason of 100 kB', async () => {
    const long = 'A'.repeat(100_000)
    const { text } = await dashboardOf({
      [`/sandbox/redeems/${wallet}/0x01/report`]: {
        verdict: 'refuse',
        findings: [{ severity: 'danger', code: 'CALL_REVERTS', message: long }],
        redeem: { shape: 'token', wallet, target: wallet, amount: '1', usdcAmount: '0', blockNumber: '1' },
        execution: { succeeded: false, reason: long },
        text: 'one',
      },
    }).ask(`/dashboard/redeems/${wallet}/0x01`)
    expect(text.length).toBeLessThan(20_000)
  })
})

test('no page contains the API key', async () => {
  const { ask } = dashboardOf({
    '/sandbox/webhooks': { url: null, secret: 'whsec_1', listeners: [] },
    '/sandbox/webhooks/events': { events: [] },
  })
  for (const path of ['', '/webhooks', '/faults', '/script.js', '/nothing'])
    expect((await ask(`/dashboard${path}`)).text).not.toMatch(/sk_very_secret|whsec_1/)
})

test('pages of other origins cannot frame or load the dashboard', async () => {
  const { headers } = await dashboardOf().ask('/dashboard')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

test('an unreachable chain hides only its balances', async () => {
  const { text } = await dashboardOf({}, ['/health']).ask('/dashboard')
  expect(text).toContain('It is down.')
  expect(text).toContain(`Approve: ${wallet}`)
  expect(text).toContain('1 d 1 h ahead')
})

test('lists redeems and rejected requests of this merchant only, newest first', async () => {
  const request = { id: '1', method: 'POST', status: 403, ms: 1 }
  const route = '/api/redeem/evm/sendGaslessTx'
  const { text } = await dashboardOf({
    '/sandbox/redeems': {
      redeems: [
        {
          blockchain: 'base',
          wallet,
          nonce: '0x01',
          shape: 'token',
          status: 'redeemed',
          amount: '1000000',
          usdcAmount: '0',
          gasFee: '0',
          createdAt: '2026-01-01T00:00:01.000Z',
        },
      ],
    },
    '/sandbox/log': {
      requests: [
        { ...request, route, time: '2026-01-01T00:00:02.000Z', merchantId: 'shop', code: 'NOT_WHITELISTED' },
        { ...request, route, time: '2026-01-01T00:00:03.000Z', merchantId: 'other', code: 'OTHERS' },
        { ...request, route, time: '2026-01-01T00:00:04.000Z', merchantId: 'shop', status: 200 },
        { ...request, route: '/api/checkout/pix', time: '2026-01-01T00:00:05.000Z', code: 'PIX' },
      ],
    },
  }).ask('/dashboard')
  const rows = text.split('Recent redeems</h2>')[1]?.split('</section>')[0] ?? ''
  expect(rows.match(/NOT_WHITELISTED 403|1\.00 USD|OTHERS|PIX/g)).toEqual(['NOT_WHITELISTED 403', '1.00 USD'])
})

test('the whitelist is paginated, with pending requests first', async () => {
  const programs = Array.from({ length: 41 }, (_, index) => ({
    blockchain: 'base',
    programId: `0x${String(index).padStart(40, '0')}`,
    selector: '0xcce7ec13',
    signature: 'buy(address,uint256)',
    ...(index < 40 && { minimumGas: 120_000 }),
    status: index < 40 ? 'approved' : 'pending',
  }))
  const { ask } = dashboardOf({ '/sandbox/programs': { programs } })
  const shown = async (query: string) => {
    const { text } = await ask(`/dashboard${query}`)
    return {
      entries: [...text.matchAll(/<code>0x0{38}(\d\d)<\/code>/g)].map(([, index]) => Number(index)),
      text,
    }
  }
  const first = await shown('')
  expect(first.entries).toEqual([40, ...Array.from({ length: 19 }, (_, index) => index)])
  expect(first.text).toContain('1 to 20 of 41')
  expect(first.text).toContain('120,000')
  expect(first.text).toContain('buy(address,uint256)')
  expect((await shown('?whitelist=3')).entries).toEqual([39])
  for (const query of ['?whitelist=99', '?whitelist=3&merchant=shop'])
    expect((await shown(query)).text).toContain('41 to 41 of 41')
  for (const query of ['?whitelist=-1', '?whitelist=none'])
    expect((await shown(query)).text).toContain('1 to 20 of 41')
})

test('formats amounts with thousands separators and cents', async () => {
  const { text } = await dashboardOf().ask('/dashboard')
  expect(text).toContain('1,234,567.89 USD')
  expect(text).toContain('0.05 USDC')
})

test('every page shows the number of active faults', async () => {
  const faults = [
    { path: '/api/*', kind: 'lost', triggered: 0 },
    { path: '/api/*', kind: 'lost', triggered: 2, times: 2 },
  ]
  const { text } = await dashboardOf({ '/sandbox/fault': { faults } }).ask('/dashboard')
  expect(text).toContain('1 fault is active.')
})

test('the page for an unknown path links to the overview', async () => {
  const { status, text } = await dashboardOf().ask('/dashboard/nothing')
  expect(status).toBe(404)
  expect(text).toContain('href="/dashboard"')
})

test('a form loaded before a restart is rejected, and the new page contains a valid token', async () => {
  const { post, asked } = dashboardOf()
  const { status, text } = await post({ action: 'moveClock', count: '1', unitSeconds: '60', token: 'old' })
  expect(status).toBe(403)
  expect(text).toContain('the service restarted')
  expect(text).toMatch(/name="token" value="[^"]{20}/)
  expect(asked.some(({ body }) => body.includes('advanceSeconds'))).toBe(false)
})

describe('a service with random nonces', () => {
  test('may send an empty body', async () => {
    const { post, ask } = dashboardOf({ '/sandbox/fault/clear': new Response(null) })
    const { headers } = await post({ action: 'clearFault' })
    expect((await ask(headers.get('location') ?? '')).text).toContain('All faults were cleared.')
  })

  test('may send its message in the field `details`', async () => {
    const refusal = { message: 'Error Processing your request', details: 'The event does not exist.' }
    const { post, ask } = dashboardOf({ '/sandbox/webhooks/resend': Response.json(refusal, { status: 404 }) })
    const { headers } = await post({ action: 'resend', id: 'evt_1' })
    expect((await ask(headers.get('location') ?? '')).text).toContain('The event does not exist.')
  })
})

describe('form input:', () => {
  test.each([
    [{ action: 'moveClock', count: '3', unitSeconds: '86400' }, { advanceSeconds: 259_200 }],
    // Empty fields must not become 0, and other text must not become a number. The service rejects both.
    [{ action: 'moveClock', count: '', unitSeconds: '60' }, { advanceSeconds: null }],
    [{ action: 'moveClock', count: 'soon', unitSeconds: '60' }, { advanceSeconds: null }],
    [{ action: 'moveClock', count: '0x10', unitSeconds: '60' }, { advanceSeconds: null }],
    [{ action: 'setClock', now: '2027-01-01T10:00' }, { now: '2027-01-01T10:00Z' }],
    [{ action: 'setClock', now: 'tomorrow' }, { now: 'tomorrow' }],
    [
      {
        action: 'decideProgram',
        blockchain: 'base',
        programId: ` ${wallet} `,
        selector: 'buy(address,uint256)',
        approved: 'true',
      },
      {
        blockchain: 'base',
        programId: wallet,
        selector: '0xcce7ec13',
        signature: 'buy(address,uint256)',
        approved: true,
      },
    ],
    [
      { action: 'decideProgram', blockchain: 'base', programId: wallet, selector: '', approved: 'true' },
      { blockchain: 'base', programId: wallet, approved: true },
    ],
    [{ action: 'clearFault' }, {}],
  ])('%j', async (fields, body) => {
    const { post, asked } = dashboardOf()
    expect((await post(fields)).status).toBe(303)
    expect(JSON.parse(asked.at(-1)?.body ?? '')).toEqual(body)
  })

  test('reports an invalid signature without calling the service', async () => {
    const { post, ask, asked } = dashboardOf()
    const fields = { action: 'decideProgram', blockchain: 'base', programId: wallet, approved: 'true' }
    const { headers } = await post({ ...fields, selector: 'buy(address' })
    expect(asked.every(({ body }) => body === '')).toBe(true)
    expect((await ask(headers.get('location') ?? '')).text).toContain('is not a function signature')
  })
})
