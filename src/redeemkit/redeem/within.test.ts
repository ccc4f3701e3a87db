import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { within } from './within.ts'

const never = new Promise<never>(() => {})
const onEnd = (why: string) => new Error(why)
/** Returns the running timers, which keep Node alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('work that ends in time leaves neither its timer nor its listener behind', async () => {
  const { signal } = new AbortController()
  const before = timers()
  expect(await within(Promise.resolve('done'), { ms: 60_000, signal, onEnd })).toBe('done')
  await expect(within(Promise.reject(new Error('failed')), { ms: 60_000, signal, onEnd })).rejects.toThrow(
    'failed',
  )
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(timers()).toBe(before)
})

test('an abort before or during the wait ends it', async () => {
  const controller = new AbortController()
  const waiting = within(never, { signal: controller.signal, onEnd })
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await expect(within(never, { signal: controller.signal, onEnd })).rejects.toThrow('aborted')
})

test.each([0, -1, 1])('a time limit of %i ms ends the wait', async (ms) => {
  await expect(within(never, { ms, onEnd })).rejects.toThrow('timeout')
})

test.each([undefined, 2 ** 31, Number.POSITIVE_INFINITY])(
  'a time limit of %s ms never ends the wait',
  async (ms) => {
    const work = new Promise((resolve) => setTimeout(() => resolve('done'), 20))
    expect(await within(work, { ms, onEnd })).toBe('done')
  },
)
