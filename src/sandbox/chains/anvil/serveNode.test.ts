import { expect, test } from 'vitest'
import { serveNode } from './serveNode.ts'

const serve = serveNode({ ask: async () => '"result":"0x1"}' })
const setBalance = (headers: Record<string, string>) =>
  serve(
    new Request('http://127.0.0.1:8545', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [] }),
    }),
  )

test('answers this machine, also behind a development server', async () => {
  const answer = await setBalance({ 'x-forwarded-for': '127.0.0.1' })
  expect(await answer.json()).toStrictEqual({ jsonrpc: '2.0', id: 1, result: '0x1' })
})

test('refuses strangers behind a tunnel', async () => {
  const answer = await setBalance({ 'x-forwarded-for': '203.0.113.9' })
  expect([answer.status, (await answer.json()).error.message]).toStrictEqual([
    403,
    'The chain is available on this machine only.',
  ])
})
