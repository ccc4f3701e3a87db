import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { appendFile, chmod, readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { lock } from 'proper-lockfile'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import { makeFolder } from '../process/makeFolder.ts'
import { processStart } from '../process/processStart.ts'

/**
 * Takes a folder for this process alone, and its user. PGlite does not: a second opener silently loses rows.
 *
 * The lock names its process and is taken over at once when that process is gone, so that a killed service restarts
 * without waiting.
 *
 * @returns gives the folder back
 * @throws {@link FolderInUseError} when another process, or this one, has it open; {@link InvalidSandboxOptionsError} when it
 * is none
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = resolve(folder)
  await makeFolder(path).catch(refuse('made'))
  const file = join(path, 'redeemkit.lock')
  // What is there stays: it may be another process's.
  await appendFile(file, '', { mode: 0o600 }).catch(refuse('written to'))
  await closeToOthers(path)
  // Guards the look and the take as one step; held for milliseconds, and stale after a crash in the middle.
  const leave = await lock(path, {
    lockfilePath: join(path, 'redeemkit.lock.guard'),
    stale: 2_000,
    retries: { retries: 60, minTimeout: 50, maxTimeout: 100, factor: 1 },
  })
  try {
    const owner = readOwner(file)
    if (owner !== undefined && isAlive(owner))
      throw new FolderInUseError(`The folder ${path} is open in process ${owner.pid} on ${owner.host}.`, {
        field: 'dataDir',
        fix: `Stop that process or use another folder. If it is certainly gone, delete ${file}.`,
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
        fix: 'Give a folder, not a file, in which this process may write.',
        cause,
      })
    }
  }

  function isAlive(owner: Owner): boolean {
    // Another machine's process cannot be asked.
    if (owner.host !== hostname()) return true
    if (owner.pid === process.pid) return open.has(path)
    const startedAt = processStart(owner.pid)
    if (startedAt === 'gone') return false
    // The number lives, but perhaps as another process.
    return owner.startedAt === null || startedAt === undefined || startedAt === owner.startedAt
  }
}

export declare namespace lockFolder {
  type ErrorType = FolderInUseError | InvalidSandboxOptionsError
}

/** Makes a folder that is this service's own one that its owner alone may read; one that held other things first stays. */
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
    const { pid, host, startedAt } = value as Partial<Owner> // each field is checked on the next line
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined
    return { pid, host, startedAt: typeof startedAt === 'string' ? startedAt : null }
  } catch {
    // Half-written by a process that died while writing.
    return undefined
  }
}

/** A data folder that another process has open. */
export class FolderInUseError extends BaseError {
  override readonly name = 'FolderInUseError'
}
