import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, errorBody, openApiDocument, parseRecord } from '../../src/redeemkit/schema/index.ts'
import { routes } from '../../src/sandbox/service/routes.ts'
import { type EndpointId, endpointCases, type Sample } from './endpointCases/endpointCases.ts'
import { refusals } from './endpointCases/refusals.ts'
import { type Stage, startStage } from './endpointCases/stage.ts'
import type { Answer } from './sandboxClient.ts'

/** Calls every endpoint of the table on a service with a chain, and compares it with PROTOCOL.md 2 and 11. */
let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.sandbox.stop())

type Call = (typeof endpoints)[number]

const served = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`))
const calls = endpoints
  .filter(({ method, path }) => served.has(`${method} ${path}`))
  .map((call) => [call.id, call] as const)

/** Calls whose 200 needs a record from an external provider, which the samples do not have. */
const otherAnswers: Partial<Record<EndpointId, readonly number[]>> = {
  validateKyc: [404],
  createIban: [],
  registerBusiness: [451],
}

const newSample = (call: Call): Promise<Sample> => Promise.resolve(endpointCases[call.id](stage))

/** Returns the headers with these names, for the stage's customer and merchant. */
const headersOf = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((key) => {
      const { name, value } = stage.headers[key] ?? { name: key, value: '' }
      return [name, value]
    }),
  )

/** Returns the headers without which a call is refused. */
const requiredOf = ({ headers }: Call): readonly string[] => [
  ...headers.required,
  ...(('oneOf' in headers ? headers.oneOf : undefined)?.[0] ?? []),
]

async function ask(call: Call, sample: Sample, headers: Record<string, string>): Promise<Answer> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => sample.params?.[name] ?? name)
  const query = new URLSearchParams(sample.query).toString()
  const url = query === '' ? path : `${path}?${query}`
  const answer =
    call.method === 'GET'
      ? await stage.service.get(url, headers)
      : await stage.service.post(url, sample.body ?? {}, headers)
  expect(documented(call), 'statuses of the OpenAPI document').toContain(String(answer.status))
  return answer
}

const { paths } = openApiDocument()

function documented({ path, method }: Call): string[] {
  return Object.keys(Object(paths[path]?.[method.toLowerCase()]).responses)
}

/** Expects exactly the record of the call's response, or another response that the call may return. */
function expectAnswer(call: Call, answer: Answer) {
  const said = JSON.stringify(answer.body)
  expect([200, ...(otherAnswers[call.id] ?? [])], said).toContain(answer.status)
  parseRecord(answer.status === 200 ? call.answer : errorBody, answer.body)
}

test('the samples contain every field of each body', async () => {
  const { wireTokenCheckout, tokenizeCard } = endpointCases
  expect(Object.keys((await tokenizeCard(stage)).body ?? {})).toHaveLength(4)
  expect(Object.keys((await wireTokenCheckout(stage)).body ?? {}).length).toBeGreaterThan(14)
})

describe('returns exactly its record', () => {
  test.each(calls)('%s, with the headers that it needs', async (_, call) => {
    expectAnswer(call, await ask(call, await newSample(call), headersOf(requiredOf(call))))
  })

  const withMore = calls.filter(([, { headers }]) => headers.optional.length > 0)
  test.each(withMore)('%s, with every header that it accepts', async (_, call) => {
    const headers = headersOf([...requiredOf(call), ...call.headers.optional])
    expectAnswer(call, await ask(call, await newSample(call), headers))
  })
})

describe('refuses', () => {
  /** A refused call changes no data, so one sample per call is enough. */
  const samples = new Map<string, Promise<Sample>>()
  const sampleOf = (call: Call) => {
    const sample = samples.get(call.id) ?? newSample(call)
    samples.set(call.id, sample)
    return sample
  }

  const missing = calls.flatMap(([id, call]) => requiredOf(call).map((key) => [id, key, call] as const))

  test.each(missing)('%s without %s, naming the header', async (_, key, call) => {
    const headers = headersOf(requiredOf(call).filter((name) => name !== key))
    const answer = await ask(call, await sampleOf(call), headers)
    const isCredential = ['authorization', 'sessionKey', 'signedMessage'].includes(key)
    expect(answer.status, JSON.stringify(answer.body)).toBe(isCredential ? 401 : 400)
    expect(answer.body.message.toLowerCase()).toContain(stage.headers[key]?.name)
  })

  const ofWallets = calls.filter(([, call]) => requiredOf(call).includes('wallet'))

  test.each(ofWallets)('%s without both headers of the wallet', async (_, call) => {
    const others = requiredOf(call).filter((key) => key !== 'wallet' && key !== 'blockchain')
    const answer = await ask(call, await sampleOf(call), headersOf(others))
    expect(answer).toMatchObject({ status: 400, body: { issues: ['x-svc-auth-blockchain'] } })
  })

  const withBody = calls.filter(([, call]) => 'body' in call)

  test.each(withBody)('%s with an unknown field in its body', async (_, call) => {
    const { body, ...sample } = await sampleOf(call)
    const answer = await ask(call, { ...sample, body: { ...body, surprise: 1 } }, headersOf(requiredOf(call)))
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', issues: ['surprise'] } })
  })

  test.each(withBody)('%s with an invalid body before authentication', async (_, call) => {
    const { body, ...sample } = await sampleOf(call)
    const answer = await ask(call, { ...sample, body: { ...body, surprise: 1 } }, {})
    expect(answer.status).toBe(400)
  })

  const withQuery = calls.filter(([, call]) => 'query' in call)

  test.each(withQuery)('%s with an unknown query parameter', async (_, call) => {
    const { query, ...sample } = await sampleOf(call)
    const answer = await ask(
      call,
      { ...sample, query: { ...query, surprise: '1' } },
      headersOf(requiredOf(call)),
    )
    expect(answer).toMatchObject({ status: 400, body: { issues: ['surprise'] } })
  })

  test.each(
    calls.filter(([, { headers }]) => (headers.required as readonly string[]).includes('authorization')),
  )('%s with an unknown API key', async (_, call) => {
    const headers = { ...headersOf(requiredOf(call)), authorization: 'sk_of_nobody' }
    expect((await ask(call, await sampleOf(call), headers)).status).toBe(401)
  })

  test.each(refusals)('$id, $when, with a specific status', async ({ id, code, ask: sampleOf }) => {
    const call = endpoints.find((one) => one.id === id)
    if (call === undefined) throw new Error(id)
    const { headers, ...sample } = await sampleOf(stage)
    expect(await ask(call, sample, { ...headersOf(requiredOf(call)), ...headers })).toMatchObject({
      body: { code },
    })
  })
})

describe('the table of endpoints', () => {
  const described = new Set<string>(endpoints.map(({ method, path }) => `${method} ${path}`))

  test('lists every route of the local service, by method and path', () => {
    const answered = [...served].filter((call) => call.includes(' /api/'))
    expect(answered.filter((call) => !described.has(call))).toEqual([])
  })

  test('lists no route that the service does not have', () => {
    expect([...described].filter((call) => !served.has(call))).toEqual([])
  })
})
