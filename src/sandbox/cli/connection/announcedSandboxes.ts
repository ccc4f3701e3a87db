import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { processStart } from '../../processStart.ts'

export type AnnouncedSandbox = z.infer<typeof announcement>

const announcement = z.object({
  url: z.string(),
  pid: z.int(),
  apiKey: z.string(),
  merchantId: z.string(),
  creditSeed: z.string(),
  headerPrefix: z.string(),
  service: z.enum(['intentBound', 'randomNonce']),
  folder: z.string(),
})

/** Contains one announcement file per sandbox. Only this user can access it. */
function announcementFolder(): string {
  return join(tmpdir(), `redeemkit-sandboxes-${userInfo().username}`)
}

async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined || !found.isDirectory()) return false
  // Windows has no user ids or modes, so the folder is in the user profile there.
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0)
}

/** Returns this user's sandboxes that `redeemkit sandbox` started on this machine and that still run. */
export async function announcedSandboxes(
  folder = announcementFolder(),
): Promise<readonly AnnouncedSandbox[]> {
  if (!(await isPrivate(folder))) return []
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const read = await Promise.all(files.map((name) => readAnnouncement(join(folder, name))))
  return read.filter((one) => one !== undefined && processStart(one.pid) !== 'gone') as AnnouncedSandbox[]
}

async function readAnnouncement(file: string): Promise<AnnouncedSandbox | undefined> {
  try {
    return announcement.safeParse(JSON.parse(await readFile(file, 'utf8'))).data
  } catch {
    // The file was removed after it was listed, or the sandbox was killed while it wrote the file.
    return undefined
  }
}

/** Lets this user's other commands find the sandbox. Returns a function that withdraws the announcement. */
export async function announceSandbox(
  sandbox: Omit<AnnouncedSandbox, 'pid' | 'folder'>,
  folder = announcementFolder(),
): Promise<() => Promise<void>> {
  const { url, apiKey, merchantId, creditSeed, headerPrefix, service } = sandbox
  const file = join(folder, `${new URL(url).port}.json`)
  const { pid } = process
  const started = { pid, folder: process.cwd() }
  const text = JSON.stringify({ url, ...started, apiKey, merchantId, creditSeed, headerPrefix, service })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!(await isPrivate(folder))) throw new Error('Other users can access the folder.')
    await writeFile(`${file}.half`, `${text}\n`, { mode: 0o600 })
    await rename(`${file}.half`, file)
  } catch (cause) {
    throw new SandboxNotKnownError(`The folder ${folder} is not writable, or other users can access it.`, {
      fix: 'Make the folder writable and private (mode 700). Until then, pass --url and --api-key to the other commands.',
      cause,
    })
  }
  return () => rm(file, { force: true })
}

export class SandboxNotKnownError extends BaseError {
  override readonly name = 'SandboxNotKnownError'
}

/** A program other than this version of the sandbox runs at the address. */
export class NotASandboxError extends BaseError {
  override readonly name = 'NotASandboxError'
}
