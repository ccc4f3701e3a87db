import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AnnouncedSandbox, announcementFolder, isPrivate } from './announcedSandboxes.ts'
import { SandboxNotKnownError } from './errors.ts'

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
