import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FileStorage, fileStorage } from './fileStorage.ts'

let folder: string
let storage: FileStorage
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'redeemkit-storage-')), 'state')
  storage = await fileStorage(folder)
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

test('the next process can read a value', async () => {
  await storage.setItem('a/b: c', 'value')
  const next = await fileStorage(folder)
  expect([await next.getItem('a/b: c'), await next.keys()]).toEqual(['value', ['a/b: c']])
})

test('a missing or removed item is null', async () => {
  await storage.setItem('a', 'value')
  await storage.removeItem('a')
  expect([await storage.getItem('a'), await storage.getItem('b'), await storage.keys()]).toEqual([
    null,
    null,
    [],
  ])
})

test('replaces a value only if it has the expected old value', async () => {
  expect(await storage.replaceItem('a', 'other', 'new')).toBe(false)
  expect(await storage.replaceItem('a', null, 'first')).toBe(true)
  expect(await storage.replaceItem('a', null, 'second')).toBe(false)
  expect(await storage.getItem('a')).toBe('first')
})

test('of two concurrent replacements of a value, one succeeds', async () => {
  const others = await Promise.all([fileStorage(folder), fileStorage(folder)])
  const done = await Promise.all(others.map((one, index) => one.replaceItem('a', null, `value ${index}`)))
  expect(done.filter(Boolean)).toHaveLength(1)
})

test('concurrent changes are all kept', async () => {
  const add = (value: string | null) => `${Number(value ?? 0) + 1}`
  const others = await Promise.all([fileStorage(folder), fileStorage(folder)])
  await Promise.all([...others, ...others].map((one) => one.update('count', add)))
  expect(await storage.getItem('count')).toBe('4')
})

test('ignores the half-written file of a killed process', async () => {
  await storage.setItem('a', 'whole')
  await writeFile(join(folder, 'a.json.4711.new'), 'ha')
  expect([await storage.getItem('a'), await storage.keys()]).toEqual(['whole', ['a']])
})

test('only the owner of the folder can read it', async () => {
  await storage.setItem('a', 'value')
  const modes = await Promise.all([stat(folder), stat(join(folder, 'a.json'))])
  expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0])
})
