import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile, chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { lock } from 'proper-lockfile'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import { processStart } from '../processStart.ts'

/**
 * PGlite does not lock its folder, so two processes would silently lose rows. The lock file names its process: once that process has
 * ended, the next one can take the lock immediately.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = resolve(folder)
  await makeFolder(path).catch(refuse('created'))
  const file = join(path, 'redeemkit.lock')
  // Keeps the content of an existing file, which may name another process.
  await appendFile(file, '', { mode: 0o600 }).catch(refuse('written to'))
  await closeToOthers(path)
  // Makes the check and the acquisition atomic. This lock is held for milliseconds, and expires after a crash.
  const leave = await lock(path, {
    lockfilePath: join(path, 'redeemkit.lock.guard'),
    stale: 2_000,
    retries: { retries: 60, minTimeout: 50, maxTimeout: 100, factor: 1 },
  })
  try {
    const owner = readOwner(file)
    if (owner !== undefined && isAlive(owner))
      throw new FolderInUseError(`The folder ${path} is in use by process ${owner.pid} on ${owner.host}.`, {
        field: 'dataDir',
        fix: `Stop that process or use another folder. If the process no longer exists, delete ${file}.`,
      })
    const me: Owner = { pid: process.pid, host: hostname(), startedAt: processStart(process.pid) ?? null }
    writeFileSync(file, JSON.stringify(me), { mode: 0o600 })
    open.add(path)
  } finally {
    await leave()
  }
  let held = true
  return () => {
    if (!held) return
    held = false
    open.delete(path)
    rmSync(file, { force: true })
  }

  function refuse(verb: string) {
    return (cause: unknown): never => {
      throw new InvalidSandboxOptionsError(`The folder ${path} cannot be ${verb}.`, {
        field: 'dataDir',
        fix: 'Pass a folder, not a file, that this process may write to.',
        cause,
      })
    }
  }

  function isAlive(owner: Owner): boolean {
    // A process on another machine cannot be checked.
    if (owner.host !== hostname()) return true
    if (owner.pid === process.pid) return open.has(path)
    const startedAt = processStart(owner.pid)
    if (startedAt === 'gone') return false
    // A process with this id exists, but the id may have been reused.
    return owner.startedAt === null || startedAt === undefined || startedAt === owner.startedAt
  }
}

export declare namespace lockFolder {
  type ErrorType = FolderInUseError | InvalidSandboxOptionsError
}

/** Restricts a folder to its owner, unless the folder had other files before the service used it. */
async function closeToOthers(path: string): Promise<void> {
  const names = await readdir(path)
  if (names.length === 1 || names.includes('database')) await chmod(path, 0o700)
}

type Owner = { pid: number; host: string; startedAt: string | null }

const open = new Set<string>()

function readOwner(file: string): Owner | undefined {
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, host, startedAt } = value as Partial<Owner> // the fields are checked below
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined
    return { pid, host, startedAt: typeof startedAt === 'string' ? startedAt : null }
  } catch {
    // The process that wrote the file was killed while writing it.
    return undefined
  }
}

/** Another process uses the data folder. */
export class FolderInUseError extends BaseError {
  override readonly name = 'FolderInUseError'
}

/** Only the owner can read the folder. Node's `recursive` hangs where folders cannot be created, such as in `/proc`. */
export async function makeFolder(path: string, isAgain = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || isAgain || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await makeFolder(path, true)
  }
}
