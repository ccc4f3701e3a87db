import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { listen } from '../servers/listen.ts'
import { checkForkUrl, checkNode, checkPort, runDoctor } from './runDoctor.ts'

test('shows a fix for each failed check, and hides the key in a URL', async () => {
  const found = await runDoctor(
    {
      port: 0,
      forkUrl: 'http://127.0.0.1:1/a-key',
      databaseUrl: 'postgres://me:secret@127.0.0.1:1/x',
      dataDir: '/sys/redeemkit',
    },
    () => {},
  )
  const states = Object.fromEntries(found.map(({ check, state }) => [check, state]))
  expect(states).toMatchObject({ Node: 'ok', port: 'ok', Anvil: 'ok', 'fork URL': 'fail', database: 'fail' })
  expect(states['data folder']).toBe('fail')
  for (const { state, fix } of found) expect(fix === undefined).toBe(state === 'ok')
  for (const secret of ['a-key', 'secret']) expect(JSON.stringify(found)).not.toContain(secret)
})

test('passes all checks without options and with a writable folder', async () => {
  const found = await runDoctor(
    { port: 0, forkUrl: undefined, databaseUrl: undefined, dataDir: tmpdir() },
    () => {},
  )
  expect(found.filter(({ state }) => state === 'fail')).toEqual([])
})

test('rejects a server that is not PostgreSQL', async () => {
  const { port, close } = await listen({ port: 0, fetch: () => new Response('') })
  const databaseUrl = `postgres://127.0.0.1:${port}/x`
  const found = await runDoctor({ port: 0, forkUrl: undefined, databaseUrl, dataDir: undefined }, () => {})
  expect(found.find(({ check }) => check === 'database')?.state).toBe('fail')
  expect((await checkPort(port)).state).toBe('warn')
  await close()
})

test.each([
  ['20.18.9', 'fail'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s: %s', (version, state) => expect(checkNode(version).state).toBe(state))

test('reports an unusable fork URL with the error of a start, without its key', async () => {
  const { url, close } = await listen({ port: 0, fetch: () => new Response('no', { status: 401 }) })
  const finding = await checkForkUrl(`${url}/a-key`)
  expect(finding).toMatchObject({ state: 'fail', found: expect.stringContaining('eth_chainId, status 401') })
  expect(finding.fix).toMatch(/Check the key.*works without a fork/)
  expect(JSON.stringify(finding)).not.toContain('a-key')
  expect((await checkForkUrl('no-url')).found).toContain('not a URL')
  await close()
})
