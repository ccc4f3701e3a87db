import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkForkOrigin, ForkOriginError, hideForkUrl, showForkUrl } from './forkOrigin.ts'

const key = 'the-secret-key'
let server: Server
let forkUrl: string
let respond: (body: {
  method: string
  params: unknown[]
}) => { status?: number; text?: string; headers?: Record<string, string> } | 'never'
let authorization: string | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    authorization = request.headers.authorization
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      const answer = respond(JSON.parse(text))
      if (answer === 'never') return
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.text ?? '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address has a port
  forkUrl = `http://user:pass-word@127.0.0.1:${port}/v2/${key}?token=${key}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const result = (value: unknown) => ({ text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }) })
const failure = (code: number, message: string) => ({
  text: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
})
/** A Base node at block 100. */
const node: typeof respond = ({ method, params }) => {
  if (method === 'eth_getBlockByNumber') return result(Number(params[0]) > 100 ? null : {})
  return result({ eth_chainId: '0x2105', eth_getBalance: '0x0' }[method])
}

async function check(answers: typeof respond, forkBlockNumber?: number, timeoutMs = 10_000) {
  respond = answers
  const error = await checkForkOrigin({ forkUrl, chainId: 8453, forkBlockNumber, timeoutMs }).catch(
    (thrown: unknown) => thrown,
  )
  if (error !== undefined) {
    expect(error).toBeInstanceOf(ForkOriginError)
    // The causes must not contain the key either.
    expect(inspect(error, { depth: 10 })).not.toMatch(/the-secret-key|pass-word/)
  }
  return error as ForkOriginError | undefined // checked above
}

test('accepts an endpoint of the chain, and sends the user and password of its URL', async () => {
  expect(await check(node)).toBeUndefined()
  expect(authorization).toBe(`Basic ${Buffer.from('user:pass-word').toString('base64')}`)
  expect(await check(node, 100)).toBeUndefined()
})

test.each<[string, typeof respond, ForkOriginError['problem']]>([
  ['401 with the key in its text', () => ({ status: 401, text: `bad key ${key}` }), 'refused'],
  ['403', () => ({ status: 403 }), 'refused'],
  ['429', () => ({ status: 429, text: 'slow down' }), 'rateLimited'],
  ['429 as a JSON-RPC error', () => failure(429, 'Too Many Requests'), 'rateLimited'],
  // Providers return these errors, with status 200, for limits per second, day or month.
  ...(
    [
      [429, 'Your app has exceeded its compute units per second capacity.'],
      [429, 'Monthly capacity limit exceeded.'],
      [-32005, 'daily request count exceeded, request rate limited'],
      [-32005, 'project ID request rate exceeded'],
      [-32007, '15/second request limit reached - reduce calls per second or upgrade your account'],
      [-32003, 'daily request limit reached - upgrade your account'],
      [-32012, 'credits limited to 6000/sec'],
      [-32000, "You've exceeded the RPS limit available on the current plan."],
    ] as const
  ).map(
    ([code, message]) =>
      [`a limit: ${message}`, () => failure(code, message), 'rateLimited'] satisfies [
        string,
        typeof respond,
        ForkOriginError['problem'],
      ],
  ),
  [
    'too many results, with the code of a rate limit',
    () => failure(-32005, 'query returned more than 10000 results'),
    'refused',
  ],
  [
    'a limit at the end of a long text',
    () => failure(-32000, `${'x '.repeat(200)}rate limit`),
    'rateLimited',
  ],
  ['no response', () => 'never', 'unreachable'],
  ['a web page', () => ({ text: '<html>hello</html>' }), 'refused'],
  ['a proxy error page', () => ({ status: 502, text: '<html>' }), 'unreachable'],
  ['JSON that is not JSON-RPC', () => ({ text: '{"ok":true}' }), 'refused'],
  ['a result that is not a quantity', () => result('8453'), 'refused'],
  ['a chain id that is an object', () => result({}), 'refused'],
  ['a chain id without digits', () => result('0x'), 'refused'],
  [
    'an error with the key in its text',
    () => failure(-32600, `Must be authenticated, not ${key}`),
    'refused',
  ],
  ['another chain', (body) => (body.method === 'eth_chainId' ? result('0x1') : node(body)), 'otherChain'],
])('reports %s', async (_, answers, problem) => {
  const error = await check(answers, undefined, problem === 'unreachable' ? 100 : undefined)
  expect(error).toMatchObject({ problem, field: 'forkUrl', fix: expect.any(String) })
})

test.each<[string, () => Promise<string>, RegExp]>([
  ['a port where nothing listens', closedPort, /ECONNREFUSED/],
  ['a host that does not exist', async () => `http://host.invalid/${key}`, /ENOTFOUND|EAI_AGAIN/],
  ['a server without TLS', async () => forkUrl.replace('http:', 'https:'), /ERR_SSL_\w+/],
])('%s is reported with the reason and what to check', async (_, urlOf, reason) => {
  const error = await checkForkOrigin({ forkUrl: await urlOf(), chainId: 8453 }).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'ForkOriginError', problem: 'unreachable' })
  expect(error.message).toMatch(/is unavailable \(eth_\w+, [A-Z_]+\)/)
  expect(error.message).toMatch(reason)
  expect(error.fix).toMatch(/host, its certificate and your network/)
  expect(inspect(error, { depth: 10 })).not.toMatch(/the-secret-key|pass-word/)
})

async function closedPort(): Promise<string> {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo // a TCP server's address has a port
  await new Promise((resolve) => closed.close(resolve))
  return `http://127.0.0.1:${port}/${key}`
}

test.each<[string, number, typeof respond, ForkOriginError['problem']]>([
  ['a future block', 101, node, 'missingBlock'],
  [
    'a block that the endpoint lacks',
    7,
    (body) => (/ByNumber/.test(body.method) ? result(null) : node(body)),
    'missingBlock',
  ],
  [
    'a block that is not an object',
    7,
    (body) => (/ByNumber/.test(body.method) ? result('0x7') : node(body)),
    'missingBlock',
  ],
  [
    'a missing state at the end of a long text',
    7,
    (body) => (/Balance/.test(body.method) ? failure(-32000, `${'x '.repeat(200)}pruned`) : node(body)),
    'missingBlock',
  ],
  [
    'a block without state',
    7,
    (body) => (/Balance/.test(body.method) ? failure(-32000, 'missing trie node') : node(body)),
    'missingBlock',
  ],
  // The messages of Erigon, geth, Nethermind and reth.
  ...[
    [-32000, 'old data not available due to pruning'],
    [-32000, 'header not found'],
    [-32002, 'No state available for block 0x7'],
    [-32603, 'historical state 0x12 is not available'],
    [-32603, 'state at block #7 is pruned'],
  ].map(
    ([code, message]) =>
      [
        `a node that responds: ${message}`,
        7,
        (body) => (/Balance/.test(body.method) ? failure(Number(code), String(message)) : node(body)),
        'missingBlock',
      ] satisfies [string, number, typeof respond, ForkOriginError['problem']],
  ),
  [
    'a block whose state only paying users can read',
    7,
    (body) =>
      /Balance/.test(body.method)
        ? { ...failure(-32602, 'Archive requests require a personal token'), status: 403 }
        : node(body),
    'missingBlock',
  ],
])('reports %s', async (_, forkBlockNumber, answers, problem) => {
  const error = await check(answers, forkBlockNumber)
  expect(error).toMatchObject({ problem, field: 'forkBlockNumber' })
  expect(error?.message).toContain(String(forkBlockNumber))
})

test.each<[string, number, number, string, ForkOriginError['problem']]>([
  ['a rejected key', 401, -32600, 'Must be authenticated!', 'refused'],
  ['an unknown key', 403, -32002, 'rejected due to project ID settings', 'refused'],
  ['a blocked address', 403, -32600, 'Your address is blocked', 'refused'],
  ['an internal error of the node', 200, -32603, 'Internal error', 'unreachable'],
  ['a gateway without a node', 503, -32000, 'no backends available for method', 'unreachable'],
])('does not report a missing block for %s', async (_, status, code, message, problem) => {
  const error = await check(
    (body) => (/Balance/.test(body.method) ? { ...failure(code, message), status } : node(body)),
    7,
  )
  expect(error).toMatchObject({ problem, field: 'forkUrl' })
})

test.each<[string, ReturnType<typeof respond>, RegExp]>([
  ['a proxy error', { status: 502, text: '<html>' }, /status 502.*try again later/s],
  ['a rejected key', { status: 403 }, /Check the key/],
  [
    'a truncated response',
    { text: 'not packed', headers: { 'content-encoding': 'gzip' } },
    /eth_(?:chainId|blockNumber), Z_DATA_ERROR.*try again/s,
  ],
])('the error for %s explains the fix', async (_, answer, message) => {
  expect((await check(() => answer))?.message).toMatch(message)
})

test('the error for a redirect asks for the final URL', async () => {
  const leadsOn = createServer((request, response) => {
    request.resume()
    response.writeHead(request.method === 'POST' ? 301 : 405, { location: '/' }).end()
  })
  await new Promise<void>((resolve) => leadsOn.listen(0, '127.0.0.1', resolve))
  const { port } = leadsOn.address() as AddressInfo // a TCP server's address has a port
  const failed = checkForkOrigin({ forkUrl: `http://127.0.0.1:${port}/${key}`, chainId: 8453 })
  await expect(failed).rejects.toMatchObject({ fix: expect.stringContaining('redirects') })
  leadsOn.close()
})

describe('a text', () => {
  const forkUrl = 'https://user%40x:p%C3%A4ss@base.example:8443/v2/the-secret%2Bkey?token=an%20other'

  test.each([
    ['as it was given', `sending request for url (${forkUrl})`],
    [
      'without the user, as Anvil prints it',
      'url (https://base.example:8443/v2/the-secret%2Bkey?token=an%20other)',
    ],
    ['with the path alone, as a 401 quotes it', 'HTTP error 401: bad key /v2/the-secret%2Bkey'],
    ['percent-decoded', 'unknown key the-secret+key'],
    ['with hex digits in lower case', 'unknown key the-secret%2bkey'],
    ['with a decoded value of the query', 'unknown token "an other"'],
    ['with user and password', 'no user user@x with päss'],
    [
      'with user and password as they are sent',
      `Authorization: Basic ${Buffer.from('user@x:päss').toString('base64')}`,
    ],
    ['in capitals', 'THE-SECRET%2BKEY'],
  ])('hides the key of a fork URL %s', (_, text) => {
    const hidden = hideForkUrl(text, forkUrl)
    expect(hidden).not.toMatch(/the-secret|an.?(%20)?other|user(@|%40)x|p(ä|%c3%a4)ss|dXNlckB4/i)
    expect(hidden).toContain('<fork url>')
  })

  test('keeps short words of the fork URL', () => {
    expect(hideForkUrl('method v2 of the base chain', forkUrl)).toBe('method v2 of the base chain')
  })

  test('keeps a result unchanged apart from the URL', () => {
    const tail = `"result":{"code":"0x7468652d736563726574","name":"the-secret+key","forkUrl":"${forkUrl}"}}`
    expect(hideForkUrl(tail, forkUrl)).toBe(tail.replace(forkUrl, '<fork url>'))
    expect(hideForkUrl('"error":{"message":"the-secret+key"}}', forkUrl)).toBe(
      '"error":{"message":"<fork url>"}}',
    )
  })

  test.each([
    [forkUrl, 'https://base.example:8443/…'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
    ['https://0123456789abcdef0123456789abcdef.eth.rpc.example/', 'https://….eth.rpc.example'],
  ])('shows only the host of the fork URL %s', (url, shown) => {
    expect(showForkUrl(url)).toBe(shown)
  })
})
