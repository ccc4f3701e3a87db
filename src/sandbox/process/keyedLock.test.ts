import { expect, test } from 'vitest'
import { keyedLock } from './keyedLock.ts'

test('serializes equal keys in order of arrival, but not different keys', async () => {
  const lock = keyedLock()
  const log: string[] = []
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const first = lock('a', async () => {
    await gate
    log.push('a1')
  })
  const second = lock('a', async () => log.push('a2'))
  await lock('b', async () => log.push('b'))
  expect(log).toEqual(['b'])
  release()
  await Promise.all([first, second])
  expect(log).toEqual(['b', 'a1', 'a2'])
})

test('continues after an error, which rejects only its caller', async () => {
  const lock = keyedLock()
  const bad = lock('a', async () => {
    throw new Error('no')
  })
  const good = lock('a', async () => 1)
  await expect(bad).rejects.toThrow('no')
  expect(await good).toBe(1)
})
