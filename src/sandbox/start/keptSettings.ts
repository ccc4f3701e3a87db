import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { InvalidSandboxOptionsError } from '../errors.ts'
import { makeFolder } from '../process/makeFolder.ts'
import { newKeys } from './newKeys.ts'

/** What stays the same from start to start in a data folder, beside what is in the database and on the chains. */
export type KeptSettings = z.infer<typeof keptSettings>

const port = z.optional(z.int().check(z.minimum(1), z.maximum(65_535)))
const keys = {
  /** The merchant's key. */
  apiKey: z.string().check(z.minLength(1)),
  /** Signs the merchant's JWTs. */
  jwtSecret: z.string().check(z.minLength(32)),
}
const keptSettings = z.strictObject({
  ...keys,
  /** Of further merchants, by their id. */
  merchants: z.optional(z.record(z.string(), z.strictObject(keys))),
  ports: z.strictObject({ service: port, solana: port, stellar: port }),
})

/**
 * Reads what a data folder keeps; new settings without a folder, and for a new one.
 *
 * @throws {@link InvalidSandboxOptionsError} when the file in it cannot be read
 */
export async function readKeptSettings(dataDir: string | undefined): Promise<KeptSettings> {
  const fresh = { ...newKeys(), ports: {} }
  if (dataDir === undefined) return fresh
  const file = fileIn(dataDir)
  try {
    return keptSettings.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    // There is no folder yet, or a file where it should be, of which the writing will tell.
    if (/^(ENOENT|ENOTDIR)$/.test(codeOf(cause))) return fresh
    throw new InvalidSandboxOptionsError(`The settings in ${file} cannot be read.`, {
      field: 'dataDir',
      fix: 'Delete that file: ports and the key are then chosen anew, and everything else is kept.',
      cause,
    })
  }
}

/**
 * Writes them, readable by this user alone.
 *
 * @throws {@link InvalidSandboxOptionsError} when the folder cannot be written in
 */
export async function writeKeptSettings(dataDir: string, settings: KeptSettings): Promise<void> {
  const file = fileIn(dataDir)
  try {
    await makeFolder(dataDir)
    await writeFile(`${file}.half`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
    await rename(`${file}.half`, file)
  } catch (cause) {
    throw new InvalidSandboxOptionsError(
      `The folder ${resolve(dataDir)} cannot be written in (${codeOf(cause)}).`,
      {
        field: 'dataDir',
        fix: 'Give a folder in which this process may write, or leave the option out to keep everything in memory.',
        cause,
      },
    )
  }
}

const fileIn = (dataDir: string) => join(resolve(dataDir), 'sandbox.json')

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
