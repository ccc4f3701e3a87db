import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFile } from './recordFile.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redeemkit-record-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const record = (answers: Record<string, unknown>, blockNumber = 5n) => ({
  chainId: 1,
  blockNumber,
  answers: new Map(Object.entries(answers)),
})

test('reads the record that it wrote', async () => {
  const file = recordFile(join(folder, 'deep', 'fork.json'))
  const written = record({ 'eth_b []': { hash: '0x1' }, 'eth_a ["0x2"]': null })
  await file.add(written)
  expect(await file.read()).toEqual(written)
})

test('stores all responses that are added concurrently, and leaves no other file behind', async () => {
  const path = join(folder, 'fork.json')
  const names = [...Array(12).keys()].map((place) => `eth_${place} []`)
  await Promise.all(names.map((name) => recordFile(path).add(record({ [name]: '0x1' }))))
  expect([...((await recordFile(path).read())?.answers.keys() ?? [])].sort()).toEqual(names.sort())
  expect(readdirSync(folder)).toEqual(['fork.json'])
})

test('creates the file only once if several processes start concurrently', async () => {
  const path = join(folder, 'fork.json')
  const begun = await Promise.all(
    [1n, 2n, 3n].map((blockNumber) => recordFile(path).begin({ chainId: 1, blockNumber })),
  )
  expect(new Set(begun.map(({ blockNumber }) => blockNumber)).size).toBe(1)
})

test('rejects responses for a different block', async () => {
  const file = recordFile(join(folder, 'fork.json'))
  await file.begin({ chainId: 1, blockNumber: 5n })
  await expect(file.add(record({ 'eth_a []': '0x1' }, 6n))).rejects.toMatchObject({ name: 'RecordFileError' })
  expect((await file.read())?.answers.size).toBe(0)
})

test('reports a folder at the file’s path', async () => {
  await expect(recordFile(folder).read()).rejects.toMatchObject({
    name: 'RecordFileError',
    shortMessage: expect.stringContaining('EISDIR'),
  })
})
