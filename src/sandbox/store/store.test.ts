import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
import { type Database, lockIn } from './database.ts'
import { DatabaseStatementError } from './databaseOf.ts'
import { FolderInUseError, lockFolder } from './lockFolder.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'
import { openStore, type Store, toStore } from './openStore.ts'
import { setMerchants } from './setMerchants.ts'
import * as tables from './tables/index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a folder', () => {
  test('has only one owner, even within a process', async () => {
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

  test('can be locked by only one of many concurrent requests', async () => {
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

  test('is taken over immediately, but only from processes that have ended', async () => {
    await owner({ pid: 2 ** 22 + 1 })
    ;(await lockFolder(folder))()
    // The process id was reused by another process.
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

onEachDatabase(({ name, create }) => {
  test('rows survive a restart', async () => {
    const row = { merchantId: 'shop', creditSeed: 'seed' }
    const options = await create(folder)
    const first = await openStore(options)
    await first.database.insert(tables.merchants).values(row)
    await first.close()
    const second = await openStore(options)
    expect(await second.database.select().from(tables.merchants)).toMatchObject([row])
    // Migrating repeatedly and concurrently gives the same tables.
    await Promise.all([migrate(second.database), migrate(second.database)])
    await second.close()
  })

  test('a folder rejects a second store, but a server accepts it', async () => {
    const options = await create(folder)
    const first = await openStore(options)
    const second = await openStore(options).catch((error: unknown) => error)
    if (name === 'PGlite') expect(second).toBeInstanceOf(FolderInUseError)
    else await expect(second).toMatchObject({ isShared: true })
    if (typeof second === 'object' && second !== null && 'close' in second)
      await toStore(second as Store).close()
    await first.close()
  })

  test('amounts and times survive a round trip', async () => {
    const store = await openStore(await create())
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
      createdAt: new Date(1_790_000_000_123),
    } as const // keeps the literal types
    await store.database.insert(tables.intents).values(row)
    expect(await store.database.select().from(tables.intents)).toEqual([
      { ...row, purchaseId: null, webhookInfo: null, gasNeeded: null },
    ])
    await store.close()
  })

  test('a failed transaction is rolled back, and the error of its work is rethrown', async () => {
    const store = await openStore(await create())
    const own = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    const failing = store.database.transaction(async (work) => {
      await work.insert(tables.merchants).values({ merchantId: 'a', creditSeed: 'a' })
      throw own
    })
    await expect(failing).rejects.toBe(own)
    expect(await store.database.select().from(tables.merchants)).toEqual([])
    await store.close()
  })

  test('a failed statement reports code and table but no values', async () => {
    const store = await openStore(await create())
    const secret = 'a signature to keep secret'
    const row = { merchantId: secret, creditSeed: secret, apiKeyHash: secret }
    const twice = async (database: Pick<Database, 'insert'>) => {
      await database.insert(tables.merchants).values(row)
      await database.insert(tables.merchants).values(row)
    }
    const failures = [
      await store.database.transaction(twice).catch((error: unknown) => error),
      await twice(store.database).catch((error: unknown) => error),
      await store.database.execute(sql`select ${secret}::integer`).catch((error: unknown) => error),
      await store.database.transaction((work) => work.transaction(twice)).catch((error: unknown) => error),
    ]
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(DatabaseStatementError)
      expect(inspect(failure, { depth: Infinity, showHidden: true })).not.toContain(secret)
    }
    expect(failures[0]).toMatchObject({
      shortMessage: expect.stringMatching(/the insert on merchants because of merchants_\w+ \(23505\)/),
    })
    await store.close()
  })

  test('tables of another version are named as the reason of a failed statement', async () => {
    const store = await openStore(await create())
    await store.database.execute(sql`alter table merchants drop column settings`)
    const failure = await store.database
      .select()
      .from(tables.merchants)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: 'DatabaseStatementError',
      shortMessage: 'The database rejected the select on merchants (42703).',
      fix: expect.stringContaining('another version'),
    })
    await store.close()
  })

  test('names the merchant to which the credit seed of a renamed merchant belongs', async () => {
    const store = await openStore(await create())
    const setUp = (merchantId: string) =>
      store.database.transaction((work) =>
        setMerchants(work, [{ merchantId, creditSeed: 'seed', keys: [{ key: 'key' }] }]),
      )
    await setUp('shop')
    await expect(setUp('renamed')).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      field: 'merchants',
      message: expect.stringContaining('"seed" belongs to merchant "shop"'),
    })
    await setUp('shop')
    await store.close()
  })

  test('lockIn runs work with the same key one after another', async () => {
    const store = await openStore(await create())
    const events: string[] = []
    const one = (label: string) =>
      lockIn(store.database, 'key', async (work) => {
        events.push(`${label} in`)
        await work.execute(sql`select pg_sleep(0.02)`)
        events.push(`${label} out`)
      })
    await Promise.all(['a', 'b', 'c'].map(one))
    for (let at = 0; at < events.length; at += 2)
      expect(events[at + 1]).toBe(events[at]?.replace('in', 'out'))
    await store.close()
  })
})

describe('migrations', () => {
  test('create the tables that the code expects', async () => {
    // Before the first release there is only one migration, which must equal the one that drizzle generates from the tables.
    // Vitest does not sort a module's exports, so they are sorted here.
    const byName = Object.fromEntries(Object.entries(tables).sort(([one], [other]) => (one < other ? -1 : 1)))
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(byName))
    expect(readMigrations()).toEqual([
      { name: '0000_first', statements: statements.map((statement) => statement.trim()) },
    ])
  })
})

test('toStore accepts only the result of openStore', async () => {
  const store = await openStore()
  expect(toStore({ ...store }).database).toBe(store.database)
  const wrong = { database: {}, close: async () => {} }
  expect(() => toStore(wrong)).toThrow(expect.objectContaining({ field: 'store' }))
  await store.close()
})
