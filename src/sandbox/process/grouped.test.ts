import { expect, test } from 'vitest'
import { grouped } from './grouped.ts'

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

test('runs the first item immediately and batches those that arrive meanwhile', async () => {
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
  bad.catch(() => {})
  await release()
  await release()
  await expect(bad).rejects.toThrow('no')
  expect(await good).toBe(2)
})
