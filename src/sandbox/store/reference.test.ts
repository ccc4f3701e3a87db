import { expect, test } from 'vitest'
import { parseReference, type Reference } from './reference.ts'

test.each<Reference>([
  { kind: 'redeem', blockchain: 'base', wallet: '0x01', nonce: '0x02', attempt: 1 },
  { kind: 'bridge', sourceChainId: 8453, messageId: '0x03', attempt: 2 },
  { kind: 'mint', jobId: 'one', attempt: 1 },
  { kind: 'deploy', blockchain: 'eth', wallet: '0x01', attempt: 1 },
  { kind: 'whitelist', id: 'one' },
  { kind: 'gone', id: 1, was: { kind: 'mint', jobId: 'one', attempt: 1 } },
])('$kind survives a round trip', (reference) => {
  expect(parseReference(JSON.parse(JSON.stringify(reference)))).toEqual(reference)
})

test.each([
  [{ kind: 'refund', jobId: 'one', attempt: 1 }],
  [{ kind: 'mint', jobId: 'one' }],
  [{ kind: 'mint', jobId: 'one', attempt: 0 }],
  [{ kind: 'mint', jobId: 'one', attempt: 1, more: 1 }],
  [{ kind: 'redeem', blockchain: 'moon', wallet: '0x01', nonce: '0x02', attempt: 1 }],
  ['mint/one/1'],
  [null],
])('%j is refused with an error that quotes it', (value) => {
  expect(() => parseReference(value)).toThrow(
    expect.objectContaining({ name: 'UnknownRowError', field: 'reference' }),
  )
})
