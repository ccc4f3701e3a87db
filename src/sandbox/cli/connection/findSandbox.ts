import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve, sep } from 'node:path'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { processStart } from '../../processStart.ts'
import { readKeptSettings } from '../../start/keptSettings.ts'
import { defaultUrl } from '../options.ts'

export type SandboxAddress = { url: string; apiKey?: string | undefined }

export type FoundSandbox = SandboxAddress & {
  merchantId?: string | undefined
  creditSeed?: string | undefined
  headerPrefix?: string | undefined
  service?: 'intentBound' | 'randomNonce' | undefined
}

/**
 * Finds the sandbox of a command. Precedence: `--url` and `--api-key`, the folder of `--data-dir`, environment variables, the sandbox
 * started in this folder or its closest parent folder, the only sandbox on this machine, the default address.
 */
export async function findSandbox(command: Command): Promise<FoundSandbox> {
  const { url, apiKey, dataDir }: Given = command.opts()
  const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli'
  const kept = dataDir === undefined ? undefined : await addressKept(dataDir)
  const named = isTyped('url') ? url : (kept?.url ?? url)
  const announced = await announcedSandboxes()
  const running =
    named === undefined
      ? onlyOne(closest(announced))
      : announced.find((one) => portOf(one.url) === portOf(named))
  const key = isTyped('apiKey') ? apiKey : (kept?.apiKey ?? apiKey)
  // A different key may belong to a different merchant.
  const isSame = running !== undefined && (key === undefined || key === running.apiKey)
  const { merchantId, creditSeed, headerPrefix, service } = running ?? {}
  return {
    url: named ?? running?.url ?? defaultUrl,
    apiKey: key ?? running?.apiKey,
    headerPrefix,
    service,
    ...(isSame && { merchantId, creditSeed }),
  }
}

type Given = { url?: string; apiKey?: string; dataDir?: string }

/** Returns `undefined` for the URL of another machine. */
function portOf(url: string): string | undefined {
  const { hostname, port, protocol } = new URL(url)
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname) ? `${protocol}${port}` : undefined
}

async function addressKept(dataDir: string): Promise<SandboxAddress> {
  const { ports, apiKey } = await readKeptSettings(dataDir)
  if (ports.service === undefined)
    throw new SandboxNotKnownError(`${resolve(dataDir)} contains no sandbox data.`, {
      field: '--data-dir',
      fix: 'Pass the folder that you passed to redeemkit sandbox --data.',
    })
  return { url: `http://127.0.0.1:${ports.service}`, apiKey }
}

/** Returns the sandboxes started in this folder; if there are none, those of its closest parent folder; if there are none, all. */
function closest(announced: readonly AnnouncedSandbox[]): readonly AnnouncedSandbox[] {
  const here = `${process.cwd()}${sep}`
  const around = announced.filter(({ folder }) =>
    here.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`),
  )
  const longest = Math.max(...around.map(({ folder }) => folder.length))
  return around.length === 0 ? announced : around.filter(({ folder }) => folder.length === longest)
}

function onlyOne<one extends { url: string }>(announced: readonly one[]): one | undefined {
  if (announced.length < 2) return announced[0]
  throw new SandboxNotKnownError(
    `Several sandboxes are running: ${announced.map(({ url }) => url).join(', ')}.`,
    {
      field: '--url',
      fix: 'Select one with --url or --data-dir, or run the command in the folder in which it was started.',
    },
  )
}

/** Like {@link findSandbox}, but requires the merchant's API key. */
export async function findMerchant(
  command: Command,
): Promise<{ url: string; apiKey: string; headerPrefix?: string | undefined }> {
  const { url, apiKey, headerPrefix } = await findSandbox(command)
  if (apiKey === undefined || apiKey === '')
    throw new SandboxNotKnownError(`The API key of the sandbox at ${url} is unknown.`, {
      field: '--api-key',
      fix: 'Pass the API key that the sandbox printed when it started (--api-key or REDEEMKIT_API_KEY), or its folder (--data-dir). If none is running, start one with npx redeemkit sandbox.',
    })
  // Accepts only the characters that a header value may contain (RFC 9110 5.5), without spaces.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { url, apiKey, headerPrefix }
  throw new SandboxNotKnownError('The API key contains spaces, line breaks or non-ASCII characters.', {
    field: '--api-key',
    fix: 'Copy it again from the sandbox’s output.',
  })
}

/** Rejects a sandbox that emulates a service with random nonces (PROTOCOL.md 4.6), which these commands do not support. */
export function checkIntentBound({ url, service }: Pick<FoundSandbox, 'url' | 'service'>): void {
  if (service !== 'randomNonce') return
  throw new SandboxNotKnownError(
    `The sandbox at ${url} runs with --service randomNonce, which this command does not support.`,
    {
      field: '--url',
      fix: 'Start one without that option: npx redeemkit sandbox --port 0. Programs can redeem on this one with the pin intentBound: false.',
    },
  )
}

type AnnouncedSandbox = z.infer<typeof announcement>

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
