import { describe, expect, test } from 'vitest'
import { createGate, grouped, keyedLock, recentKeys } from './concurrency.ts'

test('runs work with the same key in order of arrival, and work with different keys concurrently', async () => {
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

test('continues after an error, and rejects only the caller whose work failed', async () => {
  const lock = keyedLock()
  const bad = lock('a', async () => {
    throw new Error('no')
  })
  const good = lock('a', async () => 1)
  await expect(bad).rejects.toThrow('no')
  expect(await good).toBe(1)
})

describe('createGate', () => {
  const onTimeout = () => new Error('still pending')
  const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

  test('waits for pending work before exclusive work, and holds back new work', async () => {
    const gate = createGate()
    const order: string[] = []
    const first = gate.pass(async () => {
      await later(20)
      order.push('first')
    })
    const shut = gate.whileShut(
      async () => {
        await later(20)
        order.push('shut')
      },
      { timeoutMs: 1000, onTimeout },
    )
    const second = gate.pass(() => order.push('second'))
    await Promise.all([first, shut, second])
    expect(order).toEqual(['first', 'shut', 'second'])
  })

  test('runs exclusive work one at a time', async () => {
    const gate = createGate()
    let shut = 0
    const work = async () => {
      shut++
      await later(10)
      expect(shut).toBe(1)
      shut--
    }
    await Promise.all([1, 2, 3].map(() => gate.whileShut(work, { timeoutMs: 1000, onTimeout })))
  })

  test('opens again after a timeout and after an error', async () => {
    const gate = createGate()
    const endless = gate.pass(() => later(60))
    await expect(gate.whileShut(async () => {}, { timeoutMs: 10, onTimeout })).rejects.toThrow(
      'still pending',
    )
    await endless
    const failing = gate.whileShut(() => Promise.reject(new Error('failed')), { timeoutMs: 10, onTimeout })
    await expect(failing).rejects.toThrow('failed')
    expect(await gate.pass(() => 'through')).toBe('through')
  })
})

describe('grouped', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  function recording({ most }: { most: number }) {
    const groups: number[][] = []
    const releases: (() => void)[] = []
    const ask = grouped<number, number>(
      async (items) => {
        groups.push([...items])
        await new Promise<void>((resolve) => releases.push(resolve))
        if (items.includes(13)) throw new Error('no')
        return items.map((item) => item * 2)
      },
      { most },
    )
    const release = async () => {
      await turn()
      await turn()
      releases.shift()?.()
      await turn()
      await turn()
    }
    return { ask, groups, release }
  }

  test('runs the first item immediately and batches items that arrive while it runs', async () => {
    const { ask, groups, release } = recording({ most: 8 })
    const first = ask(1)
    await turn()
    await turn()
    const others = [ask(2), ask(3)]
    expect(groups).toEqual([[1]])
    await release()
    expect(groups).toEqual([[1], [2, 3]])
    await release()
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6])
  })

  test('limits the batch size', async () => {
    const { ask, groups, release } = recording({ most: 2 })
    const all = Promise.all([ask(1), ask(2), ask(3)])
    await release()
    await release()
    await all
    expect(groups).toEqual([[1, 2], [3]])
  })

  test('rejects only the failing batch', async () => {
    const { ask, release } = recording({ most: 1 })
    const bad = ask(13)
    const good = ask(1)
    bad.catch(() => {}) // checked below; without this, Node would report an unhandled rejection first
    await release()
    await release()
    await expect(bad).rejects.toThrow('no')
    expect(await good).toBe(2)
  })
})

describe('recentKeys', () => {
  test('detects changes of the same key since a given moment', () => {
    const recent = recentKeys()
    recent.note('a')
    const moment = recent.now()
    expect(recent.isSince('a', moment)).toBe(false)
    recent.note('b')
    expect(recent.isSince('a', moment)).toBe(false)
    expect(recent.isSince('b', moment)).toBe(true)
  })

  test('treats every earlier moment as outdated once there are too many keys', () => {
    const recent = recentKeys({ most: 2 })
    const moment = recent.now()
    for (const key of ['a', 'b', 'c']) recent.note(key)
    expect(recent.isSince('never', moment)).toBe(true)
    expect(recent.isSince('a', recent.now())).toBe(false)
  })
})
