import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** What the other commands need of a sandbox that `redeemkit sandbox` keeps open on this machine. */
export type AnnouncedSandbox = z.infer<typeof announcement>

const announcement = z.object({
  url: z.string(),
  /** Of the process that runs it. */
  pid: z.int(),
  apiKey: z.string(),
  merchantId: z.string(),
  creditSeed: z.string(),
  headerPrefix: z.string(),
  service: z.enum(['bound', 'unbound']),
})

/** Where they are written down, a file each: in a folder that is this user's alone. */
export function announcementFolder(): string {
  return join(tmpdir(), `redeemkit-sandboxes-${userInfo().username}`)
}

/** Whether nobody else could have written there, or can read it. */
export async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined || !found.isDirectory()) return false
  // Windows has neither; there the folder lies in the user's own profile.
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0)
}

/** The sandboxes that run on this machine by `redeemkit sandbox` of this user. */
export async function announcedSandboxes(
  folder = announcementFolder(),
): Promise<readonly AnnouncedSandbox[]> {
  if (!(await isPrivate(folder))) return []
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const read = await Promise.all(files.map((name) => readAnnouncement(join(folder, name))))
  return read.filter((one) => one !== undefined && isAlive(one.pid)) as AnnouncedSandbox[] // what was not read is left out
}

async function readAnnouncement(file: string): Promise<AnnouncedSandbox | undefined> {
  try {
    return announcement.safeParse(JSON.parse(await readFile(file, 'utf8'))).data
  } catch {
    // One that ends just now, or of a process that was killed while it wrote.
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}

/**
 * Writes down that a sandbox runs, for the other commands of this user on this machine.
 *
 * @returns takes it back
 * @throws {@link SandboxNotKnownError} when there is no folder that is this user's alone
 */
export async function announceSandbox(
  sandbox: Omit<AnnouncedSandbox, 'pid'>,
  folder = announcementFolder(),
): Promise<() => Promise<void>> {
  const { url, apiKey, merchantId, creditSeed, headerPrefix, service } = sandbox
  const file = join(folder, `${new URL(url).port}.json`)
  const { pid } = process
  const text = JSON.stringify({ url, pid, apiKey, merchantId, creditSeed, headerPrefix, service })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!(await isPrivate(folder))) throw new Error('Others can write or read there.')
    await writeFile(`${file}.half`, `${text}\n`, { mode: 0o600 })
    await rename(`${file}.half`, file)
  } catch (cause) {
    throw new SandboxNotKnownError(`The folder ${folder} cannot be written in, or is not yours alone.`, {
      fix: 'Give the other commands the address and the key yourself: --url, --api-key.',
      cause,
    })
  }
  return () => rm(file, { force: true })
}

/** No folder, or no key, by which a running sandbox could be asked. */
export class SandboxNotKnownError extends BaseError {
  override readonly name = 'SandboxNotKnownError'
}

/** At the address is another program, or a sandbox of another version. */
export class NotASandboxError extends BaseError {
  override readonly name = 'NotASandboxError'
}
