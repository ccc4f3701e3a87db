import { lstat, readdir, readFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'

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
