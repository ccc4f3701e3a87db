import { afterEach, expect, test, vi } from 'vitest'
import { RequestAbortedError } from '../../api/errors.ts'
import { type LockState, withPurchaseLock } from './withPurchaseLock.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Starts a call whose work ends when the test ends it. */
function call(change: Partial<withPurchaseLock.Options<string>> = {}) {
  const onWait = vi.fn()
  const states: LockState[] = []
  let finish = (_: string) => {}
  let fail = (_: Error) => {}
  const end = new Promise<string>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  const work = (state: LockState) => {
    states.push(state)
    return end
  }
  const own = { subject: 'a', across: true, signal: undefined, onWait, work, ...change }
  return { result: withPurchaseLock('order', own), onWait, states, finish, fail }
}
const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

/** Stubs the page's Web Locks. With `held`, another page holds the lock. */
function stubLocks({ held = false } = {}) {
  const request = vi.fn(async (_: string, options: LockOptions, work: (lock: object | null) => unknown) => {
    if (options.ifAvailable) return work(held ? null : {})
    options.signal?.throwIfAborted()
    await new Promise((resolve, reject) => {
      setTimeout(resolve, 1)
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
    })
    return work({})
  })
  vi.stubGlobal('navigator', { locks: { request } })
  vi.stubGlobal('isSecureContext', true)
  return request
}

test('without Web Locks, the work runs unlocked', async () => {
  vi.stubGlobal('navigator', undefined)
  const { result, states, finish, onWait } = call()
  finish('paid')
  expect(await result).toBe('paid')
  expect(states).toEqual([{ waited: false, locked: false }])
  expect(onWait).not.toHaveBeenCalled()
})

test('Node 24’s locks are not used, because they do not exclude other processes', async () => {
  const request = stubLocks()
  vi.stubGlobal('isSecureContext', undefined)
  const { result, states, finish } = call()
  finish('paid')
  await result
  expect(states).toEqual([{ waited: false, locked: false }])
  expect(request).not.toHaveBeenCalled()
})

test('a second call for the same purchase returns the same result, and reports that it waits', async () => {
  const [one, other] = [call(), call()]
  one.finish('paid')
  expect([await one.result, await other.result]).toEqual(['paid', 'paid'])
  expect([one.states.length, other.states.length]).toEqual([1, 0])
  expect([one.onWait.mock.calls.length, other.onWait.mock.calls.length]).toEqual([0, 1])
})

test('a second call fails with the same error', async () => {
  const [one, other] = [call(), call()]
  one.fail(new Error('declined'))
  for (const { result } of [one, other]) await expect(result).rejects.toThrow('declined')
  expect(other.states).toEqual([])
})

test('after an abort of the first call, the second call does the work', async () => {
  const [one, other] = [call(), call()]
  other.finish('paid')
  one.fail(new RequestAbortedError({ sent: false }))
  await expect(one.result).rejects.toMatchObject({ name: 'RequestAbortedError' })
  expect(await other.result).toBe('paid')
  expect(other.states).toHaveLength(1)
})

test.each(['a', 'b'])(
  'an abort ends the wait for a call for %s, and reports that a redeem may have been sent',
  async (subject) => {
    const abort = new AbortController()
    const one = call()
    const other = call({ subject, signal: abort.signal })
    await turn()
    abort.abort()
    await expect(other.result).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
    one.fail(new RequestAbortedError({ sent: false }))
    await expect(one.result).rejects.toMatchObject({ name: 'RequestAbortedError' })
    expect(other.states).toEqual([])
  },
)

test('a call for another purchase waits, and runs even if the first fails', async () => {
  const [one, other] = [call(), call({ subject: 'b' })]
  await turn()
  expect(other.states).toEqual([])
  one.fail(new Error('declined'))
  other.finish('paid')
  await expect(one.result).rejects.toThrow('declined')
  expect(await other.result).toBe('paid')
})

test('a free Web Lock excludes other pages', async () => {
  const request = stubLocks()
  const { result, states, finish, onWait } = call()
  finish('paid')
  expect(await result).toBe('paid')
  expect(states).toEqual([{ waited: false, locked: true }])
  expect(onWait).not.toHaveBeenCalled()
  expect(request).toHaveBeenCalledOnce()
})

test('a purchase that no other page can see needs no Web Lock', async () => {
  const request = stubLocks()
  const { result, finish } = call({ across: false })
  finish('paid')
  await result
  expect(request).not.toHaveBeenCalled()
})

test('a call waits for a Web Lock that another page holds', async () => {
  stubLocks({ held: true })
  const { result, states, finish, onWait } = call()
  finish('paid')
  expect(await result).toBe('paid')
  expect(states).toEqual([{ waited: true, locked: true }])
  expect(onWait).toHaveBeenCalledOnce()
})

test('an abort ends the wait for a Web Lock, but not work that has started', async () => {
  stubLocks({ held: true })
  const abort = new AbortController()
  const waiting = call({ signal: abort.signal })
  abort.abort()
  await expect(waiting.result).rejects.toMatchObject({ name: 'RequestAbortedError', remedy: 'lookUp' })
  expect(waiting.states).toEqual([])
  const later = new AbortController()
  const working = call({ signal: later.signal })
  await vi.waitFor(() => expect(working.states).toHaveLength(1))
  later.abort()
  working.fail(new Error('declined'))
  await expect(working.result).rejects.toThrow('declined')
})

test('a Web Lock that fails without an abort is an error', async () => {
  const request = stubLocks({ held: true })
  request.mockImplementationOnce(async (_, __, work) => work(null))
  request.mockRejectedValueOnce(new DOMException('The frame is detached.', 'InvalidStateError'))
  await expect(call().result).rejects.toMatchObject({ name: 'InvalidStateError' })
})

test('if the browser forbids Web Locks, the work runs unlocked, and only once', async () => {
  const request = vi.fn(() => Promise.reject(new DOMException('opaque origin', 'SecurityError')))
  vi.stubGlobal('navigator', { locks: { request } })
  vi.stubGlobal('isSecureContext', true)
  const { result, states, fail } = call()
  fail(new Error('declined'))
  await expect(result).rejects.toThrow('declined')
  expect(states).toEqual([{ waited: false, locked: false }])
  stubLocks()
  const locked = call()
  locked.fail(new Error('declined'))
  await expect(locked.result).rejects.toThrow('declined')
  expect(locked.states).toHaveLength(1)
})
