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
 * Opens PGlite: in memory, or in a folder, which its owner alone may read. It does not lock the folder.
 *
 * @param folder a new one is made
 */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  if (folder !== undefined && existsSync(halfMade(folder))) await rm(folder, { recursive: true, force: true })
  const isOld = folder !== undefined && existsSync(folder)
  const client = isOld ? await PGlite.create({ ...at(folder), ...settings }) : await newClient(folder)
  const pipelined = pipelinePglite(client)
  // Drizzle asks for `query` and `transaction` alone.
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

/** PGlite makes files that everybody may read and write, whatever the process's umask says. */
async function closeToOthers(folder: string, isNew: boolean): Promise<void> {
  // Behind a closed folder nothing was open, whatever the files say.
  if (!isNew && ((await stat(folder)).mode & 0o077) === 0) return
  await chmod(folder, 0o700)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries.map((entry) => chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)),
  )
}

/** A process that is killed while it makes the folder leaves one that no database opens: the next begins anew. */
async function newClient(folder: string | undefined): Promise<PGlite> {
  if (folder === undefined) return fromTemplate()
  await writeFile(halfMade(folder), '', { mode: 0o600 })
  const client = await fromTemplate(folder)
  await rm(halfMade(folder))
  return client
}

/** There as long as the folder's database is being made. */
const halfMade = (folder: string) => `${folder}.half`

/**
 * A new database. A first start takes seconds (initdb); a copy of a dumped one takes a fraction. The dump is kept
 * beside the installed packages, where it is as safe as they are, and made anew for each version and migration.
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

/**
 * The database's own memory is filled with zeros at the start, whether it is used or not: what its tables are read from often
 * fits in a quarter of PostgreSQL's 128 MB, and what does not is in the files.
 */
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
    // Whole or not at all: others may be reading.
    await rename(own, file)
  } catch {
    // A read-only installation: the next process makes its own.
  }
}
