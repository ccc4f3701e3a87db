import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { checkOptions } from '../../core/checkOptions.ts'
import type { Database } from './database.ts'
import { lockFolder } from './lockFolder.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import * as tables from './tables/index.ts'

/**
 * Opens the service's database: PGlite in memory, or in a folder that survives this process.
 *
 * The tables and every query are plain PostgreSQL.
 *
 * @throws {@link FolderInUseError} when another process has the folder open
 */
export async function openStore(options: openStore.Options = {}): Promise<Store> {
  checkOptions(options, { dataDir: 'string?' })
  const { dataDir } = options
  if (dataDir === undefined) {
    const client = await fromTemplate()
    return { database: drizzle({ client, schema: tables }), close: () => client.close() }
  }
  const unlock = await lockFolder(dataDir)
  try {
    const folder = join(dataDir, 'database')
    const client = existsSync(folder) ? await PGlite.create(folder) : await fromTemplate(folder)
    const database = drizzle({ client, schema: tables })
    await migrate(database)
    return {
      database,
      close: async () => {
        await client.close()
        unlock()
      },
    }
  } catch (cause) {
    unlock()
    throw cause
  }
}

export declare namespace openStore {
  type Options = {
    /** Folder for the rows. Default: memory. */
    dataDir?: string | undefined
  }
  type ErrorType = lockFolder.ErrorType | checkOptions.ErrorType
}

/** An open database. */
export type Store = {
  database: Database
  close: () => Promise<void>
}

/**
 * A new database. A first start takes seconds (initdb); a copy of a dumped one takes a fraction. The dump is kept
 * beside the installed packages, where it is as safe as they are, and made anew for each version and migration.
 */
async function fromTemplate(folder?: string): Promise<PGlite> {
  template ??= readTemplate()
  const dump = await template
  if (dump !== undefined) return PGlite.create({ ...at(folder), loadDataDir: dump })
  const first = await PGlite.create(at(folder))
  await migrate(drizzle({ client: first, schema: tables }))
  const made = await first.dumpDataDir('none')
  template = Promise.resolve(made)
  await writeTemplate(made)
  return first
}

const at = (folder: string | undefined) => (folder === undefined ? {} : { dataDir: folder })

let template: Promise<Blob | undefined> | undefined

function templateFile(): string {
  const entrance = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const packages = entrance.slice(0, entrance.lastIndexOf('node_modules') + 'node_modules'.length)
  const version = createHash('sha256')
    .update(statSync(entrance).size.toString())
    .update(readFileSync(join(dirname(entrance), '..', 'package.json')))
    .update(JSON.stringify(migrations))
    .digest('hex')
    .slice(0, 16)
  return join(packages, '.cache', 'redeemkit', `database-${version}.tar`)
}

async function readTemplate(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(templateFile())])
  } catch {
    return undefined
  }
}

async function writeTemplate(dump: Blob): Promise<void> {
  try {
    const file = templateFile()
    await mkdir(dirname(file), { recursive: true })
    const own = `${file}.${process.pid}`
    await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
    // Whole or not at all: others may be reading.
    await rename(own, file)
  } catch {
    // A read-only installation: the next process makes its own.
  }
}
