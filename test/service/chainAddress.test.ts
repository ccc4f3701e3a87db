import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startAnvil, startSandbox } from '../../src/sandbox/index.ts'

let origin: Awaited<ReturnType<typeof startAnvil>>
let sandbox: RunningSandbox
let rpcUrl: string

beforeAll(async () => {
  origin = await startAnvil({ chainId: 84532 })
  sandbox = await startSandbox({
    blockchains: ['base', 'solana', 'stellar'],
    bridge: false,
    forkUrl: `${origin.url}/?key=the-secret-key`,
    allowedOrigins: ['https://shop.example'],
  })
  ;({ rpcUrl } = sandbox.chains.base as { rpcUrl: string }) // The options started this chain.
})
afterAll(async () => {
  await sandbox?.stop()
  await origin?.stop()
})

type Sent = { status: number; text: string; headers: Headers }

async function post(body: unknown, headers: Record<string, string> = {}, url = rpcUrl): Promise<Sent> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const result = async (method: string, params: unknown[] = []) =>
  JSON.parse((await post(call(method, params))).text).result

/** Uses `node:http`, because `fetch` does not allow setting `Host`. */
function withHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.once('error', reject)
    asked.end(JSON.stringify(call('eth_blockNumber')))
  })
}

describe("a chain's address", () => {
  test('is a path of the service’s address', () => {
    expect(rpcUrl).toBe(`${sandbox.url}/rpc/base`)
  })

  test.each([
    'anvil_nodeInfo',
    'anvil_reset',
    'anvil_setRpcUrl',
    'anvil_dumpState',
    'anvil_loadState',
    'anvil_metadata',
    'admin_peers',
    'personal_unlockAccount',
    'eth_x/../anvil_reset',
  ])('does not respond to %s', async (method) => {
    const { text } = await post(call(method, [{ forking: { jsonRpcUrl: 'http://127.0.0.1:1' } }]))
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32601 } })
  })

  test('refuses forbidden methods in a batch, and executes the others', async () => {
    const { text } = await post([call('eth_chainId', [], 'a'), call('anvil_nodeInfo', [], 'b')])
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', id: 'a', result: '0x14a34' },
      { jsonrpc: '2.0', id: 'b', error: expect.objectContaining({ code: -32601 }) },
    ])
  })

  test('allows the methods that tests need', async () => {
    const snapshot = await result('evm_snapshot')
    await result('anvil_setBalance', [sandbox.accounts.alice.address, '0x5'])
    expect(await result('eth_getBalance', [sandbox.accounts.alice.address, 'latest'])).toBe('0x5')
    expect(await result('evm_revert', [snapshot])).toBe(true)
    expect(await result('eth_getBalance', [sandbox.accounts.alice.address, 'latest'])).toBe('0x0')
  })

  test('responds to a page of another origin only if it is allowed', async () => {
    const before = await result('eth_blockNumber')
    for (const [name, value] of [
      ['https://evil.example', 403],
      ['null', 403],
      ['http://localhost:3000', 200],
      ['https://shop.example', 200],
    ] as const) {
      const { status, headers } = await post(call('eth_blockNumber'), { origin: name })
      expect(status, name).toBe(value)
      expect(headers.get('access-control-allow-origin'), name).toBe(value === 200 ? name : null)
    }
    await post(call('evm_mine'), { origin: 'https://evil.example' })
    expect(await result('eth_blockNumber')).toBe(before)
  })

  test('requires the content type of JSON, which forces a preflight from pages', async () => {
    expect((await post(call('evm_mine'), { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('refuses a body above the limit', async () => {
    expect((await post(`"${'x'.repeat(2_000_001)}"`)).status).toBe(413)
  })

  test('returns an error for an invalid call', async () => {
    expect(JSON.parse((await post('{')).text).error.code).toBe(-32700)
    for (const body of [[], null, 5, {}, { id: {}, method: 'eth_chainId' }])
      expect(JSON.parse((await post(JSON.stringify(body))).text).error.code).toBe(-32600)
  })

  test('does not reveal the fork origin’s address when it is unreachable', async () => {
    const fork = await startAnvil({ chainId: 84532, forkUrl: `${origin.url}/?key=the-secret-key` })
    try {
      expect(JSON.stringify(await fork.request({ method: 'anvil_nodeInfo' }))).not.toContain('the-secret-key')
      const unseen = `0x${'ab'.repeat(20)}`
      await origin.stop()
      const { text } = await post(call('eth_getBalance', [unseen, 'latest']), {}, fork.url)
      expect(JSON.parse(text).error.message).toContain('<fork url>')
      expect(text).not.toContain('the-secret-key')
    } finally {
      await fork.stop()
    }
  })
})

test('no server of the sandbox responds under a foreign name (DNS rebinding)', async () => {
  const { solana, stellar } = sandbox
  for (const url of [rpcUrl, String(solana?.rpcUrl), String(stellar?.rpcUrl)]) {
    const { port } = new URL(url)
    expect(await withHost(url, `evil.example:${port}`), url).toBe(403)
    expect(await withHost(url, `localhost:${port}`), url).toBe(200)
  }
})

test('the Solana and Stellar nodes reject pages of other origins', async () => {
  const { solana, stellar } = sandbox
  for (const url of [String(solana?.rpcUrl), String(stellar?.rpcUrl)]) {
    const ask = (name: string) => post(call('getHealth'), { origin: name }, url)
    expect((await ask('https://evil.example')).status, url).toBe(403)
    const local = await ask('http://localhost:3000')
    expect(local.status, url).not.toBe(403)
    expect(local.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  }
})

test('Anvil listens on an address that others cannot reach', (context) => {
  context.skip(process.platform !== 'linux', 'it reads /proc, which only Linux has')
  const anvils = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOurAnvil(pid))
  expect(anvils.length).toBeGreaterThan(0)
  const listening = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === '0A')
  for (const pid of anvils) {
    const open = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`)))
    const addresses = listening
      .filter((fields) => open.has(`socket:[${fields[9]}]`))
      .map(([, local]) => local)
    // The address is little-endian: the last byte of the text is the first byte of the address. 239 is EF.
    expect(addresses).toEqual([expect.stringMatching(/^[0-9A-F]{4}FFEF:/)])
  }
})

function isOurAnvil(pid: string): boolean {
  try {
    const [, parent] = /^\d+ \(anvil\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return parent === String(process.pid)
  } catch {
    // The process has ended in the meantime.
    return false
  }
}
