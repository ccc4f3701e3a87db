import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { initDbStartParams, shrinking } from '../../src/sandbox/store/openPglite.ts'

/** Creating a PGlite database takes seconds of processor time, so an empty one is cached and copied. Default: in memory. */
export async function emptyDatabase(folder?: string): Promise<PGlite> {
  const at = folder === undefined ? {} : { dataDir: folder }
  template ??= readTemplate()
  return PGlite.create({ ...at, loadDataDir: await template })
}

let template: Promise<Blob> | undefined

async function readTemplate(): Promise<Blob> {
  const entrance = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(await readFile(join(dirname(entrance), '..', 'package.json'), 'utf8'))
  const packages = entrance.slice(0, entrance.lastIndexOf('node_modules') + 'node_modules'.length)
  const file = join(packages, '.cache', 'redeemkit', `small-database-${version}.tar`)
  try {
    return new Blob([await readFile(file)])
  } catch {
    const first = await PGlite.create({ initDbStartParams })
    for (const statement of shrinking) await first.exec(statement)
    const made = await first.dumpDataDir('none')
    await first.close()
    await mkdir(dirname(file), { recursive: true })
    // Another process may be reading the file, so it must be complete or absent.
    await writeFile(`${file}.${process.pid}`, new Uint8Array(await made.arrayBuffer()))
    await rename(`${file}.${process.pid}`, file)
    return made
  }
}
