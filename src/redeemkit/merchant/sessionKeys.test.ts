import { beforeEach, expect, test } from 'vitest'
import { createSessionKeys } from './sessionKeys.ts'

let ms = 0
beforeEach(() => {
  ms = 0
})

/** Creates a cache of session keys. The service numbers its keys, and rejects the first `fails` requests. */
function keys({ fails = 0 } = {}) {
  const asked: unknown[] = []
  const client = {
    getSessionKey: async (user: object) => {
      asked.push(user)
      if (asked.length <= fails) throw new Error('down')
      return { key: `key ${asked.length}` }
    },
  }
  const { of, forget } = createSessionKeys(client as never, () => ms)
  return { asked, forget, keyOf: async (userId: string) => (await of({ userId }))(), of }
}

test('a key is used for an hour', async () => {
  const { keyOf } = keys()
  expect(await keyOf('alice')).toBe('key 1')
  ms = 3_600_000 - 1
  expect(await keyOf('alice')).toBe('key 1')
  ms++
  expect(await keyOf('alice')).toBe('key 2')
  ms++
  expect(await keyOf('alice')).toBe('key 2')
})

test('after a refusal, one new key is fetched for all later calls', async () => {
  const { of, keyOf } = keys()
  const key = await of({ userId: 'alice' })
  expect([await key(), await key()]).toEqual(['key 1', 'key 2'])
  expect(await keyOf('alice')).toBe('key 2')
})

test('forget removes the key of one user', async () => {
  const { keyOf, forget } = keys()
  await keyOf('alice')
  await keyOf('bob')
  forget({ userId: 'alice' })
  expect([await keyOf('alice'), await keyOf('bob')]).toEqual(['key 3', 'key 2'])
})

test('two concurrent calls share a request, and a failure is not cached', async () => {
  const { asked, keyOf } = keys({ fails: 1 })
  const both = [keyOf('alice'), keyOf('alice')]
  for (const call of both) await expect(call).rejects.toThrow('down')
  expect(asked).toHaveLength(1)
  expect(await keyOf('alice')).toBe('key 2')
  expect(await keyOf('alice')).toBe('key 2')
})

test('a late failure does not remove the key that was fetched meanwhile', async () => {
  let fail = (_: Error) => {}
  const answers = [new Promise<never>((_, reject) => (fail = reject)), Promise.resolve({ key: 'second' })]
  const client = { getSessionKey: () => answers.shift() }
  const { of, forget } = createSessionKeys(client as never, () => ms)
  const first = of({ userId: 'alice' })
  forget({ userId: 'alice' })
  await (await of({ userId: 'alice' }))()
  fail(new Error('down'))
  await expect(first).rejects.toThrow('down')
  expect(await (await of({ userId: 'alice' }))()).toBe('second')
})

test('with more than 1,000 users, the least recently used key is fetched again', async () => {
  const { asked, keyOf } = keys()
  for (let user = 0; user < 1_000; user++) await keyOf(`${user}`)
  await keyOf('0')
  expect(asked).toHaveLength(1_000)
  await keyOf('new')
  await keyOf('0')
  expect(asked).toHaveLength(1_001)
  await keyOf('1')
  expect(asked).toHaveLength(1_002)
})
