import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { OpenDatabase } from './database.ts'
import { guardStatements } from './guardStatements.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'
import { jobMigrations } from './openJobQueue.ts'
import { pipelinePglite } from './pipelinePglite.ts'
import * as tables from './tables/index.ts'

/**
 * Opens PGlite in memory or in a folder, which only its owner can read. It does not lock the folder.
 *
 * @param folder created if missing
 */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  if (folder !== undefined && existsSync(halfMade(folder))) await rm(folder, { recursive: true, force: true })
  const isOld = folder !== undefined && existsSync(folder)
  const client = isOld ? await PGlite.create({ ...at(folder), ...settings }) : await newClient(folder)
  const pipelined = pipelinePglite(client)
  // Drizzle only uses `query` and `transaction`.
  const database = guardStatements(drizzle({ client: pipelined as unknown as PGlite, schema: tables }))
  try {
    if (folder !== undefined) await closeToOthers(folder, !isOld)
    if (isOld) await migrate(database)
    return { database, isShared: false, close: pipelined.close }
  } catch (cause) {
    await client.close()
    throw cause
  }
}

export declare namespace openPglite {
  type ErrorType = guardStatements.ErrorType
}

/** PGlite creates files that everyone may read and write, ignoring the umask. */
async function closeToOthers(folder: string, isNew: boolean): Promise<void> {
  // A closed folder protects its files regardless of their modes.
  if (!isNew && ((await stat(folder)).mode & 0o077) === 0) return
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries.map((entry) => chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)),
  )
}

/** A process killed during creation leaves an unusable folder; the next one starts over. */
async function newClient(folder: string | undefined): Promise<PGlite> {
  if (folder === undefined) return fromTemplate()
  await writeFile(halfMade(folder), '', { mode: 0o600 })
  const client = await fromTemplate(folder)
  await rm(halfMade(folder))
  return client
}

/** Exists while the folder's database is being created. */
const halfMade = (folder: string) => `${folder}.half`

/**
 * Creates a database from a dumped template, because initdb takes seconds. The template is cached beside the installed packages
 * and rebuilt for each version and migration.
 */
async function fromTemplate(folder?: string): Promise<PGlite> {
  if (folder !== undefined) await mkdir(folder, { mode: 0o700 })
  template ??= readTemplate()
  const dump = await template
  if (dump !== undefined) return PGlite.create({ ...at(folder), ...settings, loadDataDir: dump })
  const first = await PGlite.create({ ...at(folder), ...settings })
  await migrate(drizzle({ client: first, schema: tables }))
  const made = await first.dumpDataDir('none')
  template = Promise.resolve(made)
  await writeTemplate(made)
  return first
}

/** PostgreSQL zeroes its shared memory at start. A quarter of the default 128 MB is usually enough; the rest is read from files. */
const settings = { startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'] }

const at = (folder: string | undefined) => (folder === undefined ? {} : { dataDir: folder })

let template: Promise<Blob | undefined> | undefined

async function templateFile(): Promise<string> {
  const entrance = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const packages = entrance.slice(0, entrance.lastIndexOf('node_modules') + 'node_modules'.length)
  const version = createHash('sha256')
    .update(statSync(entrance).size.toString())
    .update(readFileSync(join(dirname(entrance), '..', 'package.json')))
    .update(JSON.stringify([readMigrations(), await jobMigrations()]))
    .digest('hex')
    .slice(0, 16)
  return join(packages, '.cache', 'redeemkit', `database-${version}.tar`)
}

async function readTemplate(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(await templateFile())])
  } catch {
    return undefined
  }
}

async function writeTemplate(dump: Blob): Promise<void> {
  try {
    const file = await templateFile()
    await mkdir(dirname(file), { recursive: true })
    const own = `${file}.${process.pid}`
    await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
    // Atomic, because other processes may be reading.
    await rename(own, file)
  } catch {
    // A read-only installation; the next process creates its own.
  }
}
