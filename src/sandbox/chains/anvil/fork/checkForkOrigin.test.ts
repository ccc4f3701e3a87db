import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkForkOrigin } from './checkForkOrigin.ts'
import { ForkOriginError } from './errors.ts'

const key = 'the-secret-key'
let server: Server
let forkUrl: string
let respond: (body: { method: string; params: unknown[] }) => { status?: number; text?: string } | 'never'
let authorization: string | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    authorization = request.headers.authorization
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      const answer = respond(JSON.parse(text))
      if (answer === 'never') return
      response.writeHead(answer.status ?? 200).end(answer.text ?? '')
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
/** As a node of Base at block 100 answers. */
const node: typeof respond = ({ method }) =>
  result({ eth_chainId: '0x2105', eth_blockNumber: '0x64', eth_getBalance: '0x0' }[method] ?? {})

async function check(answers: typeof respond, forkBlockNumber?: number) {
  respond = answers
  const error = await checkForkOrigin({ forkUrl, chainId: 8453, forkBlockNumber, timeoutMs: 300 }).catch(
    (thrown: unknown) => thrown,
  )
  if (error !== undefined) {
    expect(error).toBeInstanceOf(ForkOriginError)
    // Nowhere in it: not in its causes either.
    expect(inspect(error, { depth: 10 })).not.toMatch(/the-secret-key|pass-word/)
  }
  return error as ForkOriginError | undefined // checked above
}

test('an endpoint of that chain is good, and gets user and password of its address', async () => {
  expect(await check(node)).toBeUndefined()
  expect(authorization).toBe(`Basic ${Buffer.from('user:pass-word').toString('base64')}`)
  expect(await check(node, 100)).toBeUndefined()
})

test.each<[string, typeof respond, ForkOriginError['problem']]>([
  ['401 that quotes the key', () => ({ status: 401, text: `bad key ${key}` }), 'refused'],
  ['403', () => ({ status: 403 }), 'refused'],
  ['429', () => ({ status: 429, text: 'slow down' }), 'rateLimited'],
  ['429 in an answer of status 200', () => failure(429, 'Too Many Requests'), 'rateLimited'],
  ['no answer', () => 'never', 'silent'],
  ['a web page', () => ({ text: '<html>hello</html>' }), 'notJsonRpc'],
  ['a page of a proxy', () => ({ status: 502, text: '<html>' }), 'notJsonRpc'],
  ['JSON of something else', () => ({ text: '{"ok":true}' }), 'notJsonRpc'],
  ['a result that is no number', () => result('8453'), 'notJsonRpc'],
  ['an error that quotes the key', () => failure(-32600, `Must be authenticated, not ${key}`), 'failed'],
  ['another chain', (body) => (body.method === 'eth_chainId' ? result('0x1') : node(body)), 'otherChain'],
])('%s', async (_, answers, problem) => {
  expect(await check(answers)).toMatchObject({ problem, field: 'forkUrl', fix: expect.any(String) })
})

test('a port where nothing listens', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo // a TCP server's address has a port
  await new Promise((resolve) => closed.close(resolve))
  const nowhere = `http://127.0.0.1:${port}/${key}`
  const error = await checkForkOrigin({ forkUrl: nowhere, chainId: 8453 }).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'ForkOriginError', problem: 'unreachable' })
  expect(error.message).toContain('cannot be reached: nothing listens there.')
  expect(inspect(error, { depth: 10 })).not.toContain(key)
})

test.each<[string, number, typeof respond, ForkOriginError['problem']]>([
  ['a block of the future', 101, node, 'futureBlock'],
  [
    'a block that is gone',
    7,
    (body) => (/ByNumber/.test(body.method) ? result(null) : node(body)),
    'missingBlock',
  ],
  [
    'a block whose state is gone',
    7,
    (body) => (/Balance/.test(body.method) ? failure(-32000, 'missing trie node') : node(body)),
    'missingBlock',
  ],
])('%s', async (_, forkBlockNumber, answers, problem) => {
  const error = await check(answers, forkBlockNumber)
  expect(error).toMatchObject({ problem, field: 'forkBlockNumber' })
  expect(error?.message).toContain(String(forkBlockNumber))
})
