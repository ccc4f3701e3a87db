import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bundleMigrations } from './bundleMigrations.ts'
import { FolderInUseError, lockFolder } from './lockFolder.ts'
import { migrate } from './migrate.ts'
import { openStore } from './openStore.ts'
import * as tables from './tables/index.ts'
import { toStore } from './toStore.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a folder', () => {
  test('has one owner, in this process as in others', async () => {
    const unlock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError)
    await expect(lockFolder(join(folder, '..', folder.split('/').at(-1) ?? ''))).rejects.toThrow(
      FolderInUseError,
    )
    unlock()
    unlock()
    const again = await lockFolder(folder)
    again()
  })

  test('only one of many at once gets it', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
    const won = results.filter((result) => result.status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const result of won) result.value()
  })

  const owner = (changes: object) =>
    writeFile(
      join(folder, 'redeemkit.lock'),
      JSON.stringify({ pid: 1, host: hostname(), startedAt: null, ...changes }),
    )

  test('is taken over from the dead at once, and from nobody else', async () => {
    await owner({ pid: 2 ** 22 + 1 })
    ;(await lockFolder(folder))()
    // The number lives again, as somebody else.
    await owner({ pid: 1, startedAt: '-1' })
    ;(await lockFolder(folder))()
    await writeFile(join(folder, 'redeemkit.lock'), '{"pid":')
    ;(await lockFolder(folder))()
    await owner({ pid: 1 })
    await expect(lockFolder(folder)).rejects.toThrow(/process 1 on/)
    await owner({ pid: 2 ** 22 + 1, host: 'another-machine' })
    await expect(lockFolder(folder)).rejects.toThrow(/another-machine/)
  })
})

test('rows outlive the store, and a second store is kept out', async () => {
  const row = { merchantId: 'shop', creditSeed: 'seed' }
  const first = await openStore({ dataDir: folder })
  await first.database.insert(tables.merchants).values(row)
  await expect(openStore({ dataDir: folder })).rejects.toThrow(FolderInUseError)
  await first.close()
  const second = await openStore({ dataDir: folder })
  expect(await second.database.select().from(tables.merchants)).toMatchObject([row])
  // Again and at once: the same tables.
  await Promise.all([migrate(second.database), migrate(second.database)])
  await second.close()
})

test('amounts come back to the unit', async () => {
  const store = await openStore()
  const amount = 2n ** 256n - 1n
  const row = {
    blockchain: 'base',
    wallet: '0x',
    nonce: '0x',
    merchantId: 'shop',
    salt: '0x',
    settlementHash: '0x',
    amount,
    usdcAmount: 0n,
    blockNumber: 9007199254740993n,
    createdAt: new Date(0),
  } as const // for the types of hex and names
  await store.database.insert(tables.intents).values(row)
  expect(await store.database.select().from(tables.intents)).toEqual([{ ...row, gasNeeded: null }])
  await store.close()
})

describe('migrations', () => {
  test('the bundled ones are those of the folder', () => {
    expect(readFileSync(new URL('migrations.ts', import.meta.url), 'utf8')).toBe(bundleMigrations())
  })

  test('they bring the tables to the shape that the code expects', async () => {
    const snapshots = new URL('migrations/meta/', import.meta.url)
    const { entries } = JSON.parse(readFileSync(new URL('_journal.json', snapshots), 'utf8'))
    const last = String(entries.at(-1).idx).padStart(4, '0')
    const before = JSON.parse(readFileSync(new URL(`${last}_snapshot.json`, snapshots), 'utf8'))
    const statements = await generateMigration(before, generateDrizzleJson(tables, before.id))
    expect(statements).toEqual([])
  })
})

test('only what openStore opened is a store', async () => {
  const store = await openStore()
  expect(toStore({ ...store }).database).toBe(store.database)
  const wrong = { database: {}, close: async () => {} }
  expect(() => toStore(wrong)).toThrow(expect.objectContaining({ field: 'store' }))
  await store.close()
})
