import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { keyedLock } from '../concurrency.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { OpenDatabase } from './database.ts'
import { type Connections, databaseOf, type guardStatements, planSettings } from './databaseOf.ts'
import { allMigrations, migrate } from './migrate.ts'
import { folderErrorCode, type PgliteThread, startPglite } from './pgliteThread.ts'

/**
 * Does not lock the folder. A new database is unpacked from a template, because initdb takes seconds. The template is cached in
 * `node_modules`, and rebuilt after a change of PGlite, of a migration, of `initDbStartParams` or of `shrinking`.
 */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  if (folder !== undefined && existsSync(halfMade(folder))) await rm(folder, { recursive: true, force: true })
  const isNew = folder === undefined || !existsSync(folder)
  const template = isNew ? await templateFile() : undefined
  const isReady = template !== undefined && existsSync(template)
  if (isNew && folder !== undefined) {
    // If this process is killed during the creation, the next one finds this file and deletes the incomplete folder.
    await writeFile(halfMade(folder), '', { mode: 0o600 })
    await mkdir(folder, { mode: 0o700 })
  }
  const thread = startPglite({
    folder,
    template: isReady ? template : undefined,
    initDbStartParams,
    settings: planSettings,
  })
  try {
    // Loads the migrations while PGlite starts.
    await allMigrations()
    const connection = await connect(thread)
    const database = databaseOf(connection)
    if (!isReady) await migrate(database)
    if (!isReady && template !== undefined) {
      for (const statement of shrinking) await database.execute(sql.raw(statement))
      await keepTemplate(thread, template)
    }
    if (folder !== undefined) await closeToOthers(folder, isNew)
    if (isNew && folder !== undefined) await rm(halfMade(folder))
    return { database, isShared: false, close: () => connection.close().finally(thread.close) }
  } catch (cause) {
    await thread.close()
    const { code, reason }: { code?: unknown; reason?: unknown } = Object(cause)
    if (code !== folderErrorCode) throw cause
    throw new InvalidSandboxOptionsError(`The database cannot use ${folder}: ${reason}.`, {
      field: 'dataDir',
      fix: 'Free space there, or pass another folder.',
    })
  }
}

export declare namespace openPglite {
  type ErrorType = guardStatements.ErrorType | InvalidSandboxOptionsError
}

/** Restricts access, because PGlite ignores the umask and creates files that everyone may read and write. */
async function closeToOthers(folder: string, isNew: boolean): Promise<void> {
  // Other users cannot enter the folder, so the modes of its files are irrelevant.
  if (!isNew && ((await stat(folder)).mode & 0o077) === 0) return
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries.map((entry) => chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)),
  )
}

/** Connects to PGlite. It has one connection, so statements and transactions run one after another. */
async function connect({ stream }: PgliteThread): Promise<Connections & { close: () => Promise<void> }> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ stream: () => stream, user: 'postgres', database: 'postgres' })
  // The next statement reports a lost connection. Without a listener, the error would end the process.
  client.on('error', () => {})
  await client.connect()
  const lock = keyedLock()
  const query: Connections['query'] = (config, values) => client.query(config, values)
  const connection = { query, release: () => {} }
  return {
    query: (config, values) => lock('connection', () => query(config, values)),
    connect: () =>
      new Promise((taken) => {
        const hold = (release: () => void) => taken(Object.assign(connection, { release }))
        lock('connection', () => new Promise<void>(hold))
      }),
    close: () => lock('connection', () => client.end()),
  }
}

/** Returns the path of a file that exists while the folder's database is being created. */
const halfMade = (folder: string) => `${folder}.half`

/** WAL segments of 1 MB instead of 16, so that a start copies less. */
export const initDbStartParams = ['--wal-segsize=1']

/** Shrinks a new database, so that a start copies less: PostgreSQL's templates serve only for creating further databases. */
export const shrinking = [
  "update pg_database set datistemplate = false, datallowconn = true where datname like 'template_'",
  'drop database template0',
  'drop database template1',
  'checkpoint',
]

async function templateFile(): Promise<string> {
  const entrance = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const packages = entrance.slice(0, entrance.lastIndexOf('node_modules') + 'node_modules'.length)
  const version = createHash('sha256')
    .update(statSync(entrance).size.toString())
    .update(readFileSync(join(dirname(entrance), '..', 'package.json')))
    .update(JSON.stringify([initDbStartParams, shrinking, await allMigrations()]))
    .digest('hex')
    .slice(0, 16)
  return join(packages, '.cache', 'redeemkit', `database-${version}.tar`)
}

async function keepTemplate(thread: PgliteThread, file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    const own = `${file}.${process.pid}`
    await thread.dump(own)
    // Renaming is atomic; other processes may be reading the file.
    await rename(own, file)
  } catch {
    // The installation is read-only, so each new database runs initdb.
  }
}
