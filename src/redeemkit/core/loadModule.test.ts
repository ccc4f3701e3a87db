import { expect, test } from 'vitest'
import { loadModule } from './loadModule.ts'

const failed = new TypeError('Failed to fetch')

/** Creates a module loader that counts its calls. The first `times` loads fail. */
function moduleThatFails(times: number) {
  let loads = 0
  const load = loadModule(async () => {
    loads++
    if (loads <= times) throw failed
    return { name: 'part' }
  })
  return { load, loads: () => loads }
}

test('a module is loaded once for all callers', async () => {
  const { load, loads } = moduleThatFails(0)
  const [one, other] = await Promise.all([load(), load()])
  expect(one).toBe(other)
  expect(await load()).toBe(one)
  expect(loads()).toBe(1)
})

test('a failed load is retried immediately', async () => {
  const { load, loads } = moduleThatFails(1)
  expect(await load()).toEqual({ name: 'part' })
  expect(loads()).toBe(2)
})

test('a second failed load is an error, and the next call loads again', async () => {
  const { load } = moduleThatFails(2)
  await expect(load()).rejects.toMatchObject({
    name: 'ModuleLoadError',
    fix: expect.stringContaining('reload'),
  })
  expect(await load()).toEqual({ name: 'part' })
})
