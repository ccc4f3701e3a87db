import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPglite } from './openPglite.ts'
import { openStore } from './openStore.ts'
import { preparePglite } from './pgliteThread.ts'
import { redeems } from './tables/index.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'redeemkit-modes-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** The permissions of other users, as octal digits. */
const forOthers = async (path: string) => ((await lstat(path)).mode & 0o077).toString(8)

async function openedToOthers(folder: string): Promise<string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))]
  const open = await Promise.all(
    names.map(async (name) => ((await forOthers(join(folder, name))) === '0' ? [] : [name])),
  )
  return open.flat()
}

test('only the owner can read a data folder, regardless of the umask', async () => {
  const folder = join(parent, 'data')
  const umask = process.umask(0)
  try {
    const first = await openStore({ dataDir: folder })
    expect(await openedToOthers(folder)).toEqual([])
    await first.close()
    await chmod(folder, 0o755)
    for (const name of ['database', 'database/PG_VERSION', 'database/base'])
      await chmod(join(folder, name), 0o777)
    const second = await openStore({ dataDir: folder })
    expect(await openedToOthers(folder)).toEqual([])
    await second.close()
  } finally {
    process.umask(umask)
  }
})

test('a folder with other files keeps its mode, and only the database in it becomes private', async () => {
  await chmod(parent, 0o755)
  await writeFile(join(parent, 'theirs'), '', { mode: 0o644 })
  const store = await openStore({ dataDir: parent })
  expect(await forOthers(parent)).toBe('55')
  expect(await forOthers(join(parent, 'theirs'))).toBe('44')
  expect(await openedToOthers(join(parent, 'database'))).toEqual([])
  await store.close()
})

test('reports a read-only folder', async () => {
  const folder = join(parent, 'read-only')
  await mkdir(folder)
  await writeFile(join(folder, 'theirs'), '')
  await chmod(parent, 0o755)
  await chmod(folder, 0o555)
  // Root can write to every folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    await expect(openStore({ dataDir: folder })).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      field: 'dataDir',
      shortMessage: `The folder ${folder} cannot be written to.`,
    })
  } finally {
    if (isRoot) process.seteuid?.(0)
    await chmod(folder, 0o755) // so that it can be removed
  }
})

test('reports why the database cannot use its folder', async () => {
  await writeFile(join(parent, 'database'), '')
  await expect(openStore({ dataDir: parent })).rejects.toMatchObject({
    name: 'InvalidSandboxOptionsError',
    field: 'dataDir',
    shortMessage: expect.stringMatching(/^The database cannot use .*database: system error \d+\.$/),
  })
})

test('reports a folder that cannot be created', async (context) => {
  if (process.platform !== 'linux') return context.skip('The folder /proc exists on Linux only.')
  await expect(openStore({ dataDir: '/proc/redeemkit/data' })).rejects.toMatchObject({
    name: 'InvalidSandboxOptionsError',
    field: 'dataDir',
    shortMessage: 'The folder /proc/redeemkit/data cannot be created.',
  })
}, 20_000)

test('a new database is small: no templates for further databases, and short WAL segments', async () => {
  const { database, close } = await openPglite()
  const databases = await database
    .select({ name: sql`datname`, walSegment: sql`current_setting('wal_segment_size')` })
    .from(sql`pg_database`)
  expect(databases).toEqual([{ name: 'postgres', walSegment: '1MB' }])
  await close()
})

test('recreates a database whose creation was interrupted', async () => {
  const folder = join(parent, 'database')
  // The files of a process that was killed during the creation.
  await mkdir(folder)
  await writeFile(join(folder, 'PG_VERSION'), '18\n')
  await writeFile(`${folder}.half`, '')
  const { database, close } = await openPglite(folder)
  expect(await database.select().from(redeems)).toEqual([])
  await close()
  const again = await openPglite(folder)
  await again.close()
})

test('a prepared thread opens one database, and the next database gets its own thread', async () => {
  preparePglite()
  const [first, second] = await Promise.all([openPglite(), openPglite()])
  await first.database.execute(sql`create table only_here (id int)`)
  await expect(second.database.execute(sql`select * from only_here`)).rejects.toThrow()
  await Promise.all([first.close(), second.close()])
})
