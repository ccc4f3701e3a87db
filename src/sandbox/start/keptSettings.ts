import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { SandboxMerchant } from '../merchantOptions.ts'
import { makeFolder } from '../store/lockFolder.ts'

/** Settings that a data folder stores between starts, in addition to the database and the chains. */
export type KeptSettings = z.infer<typeof keptSettings>

const port = z.optional(z.int().check(z.minimum(1), z.maximum(65_535)))
const merchantKeys = z.strictObject({
  apiKey: z.string().check(z.minLength(1)),
  jwtSecret: z.string().check(z.minLength(32)),
})
const keptSettings = z.strictObject({
  ...merchantKeys.shape,
  merchants: z.optional(z.record(z.string(), merchantKeys)),
  ports: z.strictObject({ service: port, solana: port, stellar: port }),
})

/** Returns new settings for a new folder, or without a folder. */
export async function readKeptSettings(dataDir: string | undefined): Promise<KeptSettings> {
  const fresh = { ...newKeys(), ports: {} }
  if (dataDir === undefined) return fresh
  const file = fileIn(dataDir)
  try {
    return keptSettings.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    // The folder does not exist yet. If the path is a file, writing the settings will fail.
    if (/^(ENOENT|ENOTDIR)$/.test(codeOf(cause))) return fresh
    throw new InvalidSandboxOptionsError(`The settings in ${file} cannot be read.`, {
      field: 'dataDir',
      fix: 'Delete that file to get new ports and keys. All other data is kept.',
      cause,
    })
  }
}

export async function writeKeptSettings(dataDir: string, settings: KeptSettings): Promise<void> {
  const file = fileIn(dataDir)
  try {
    await makeFolder(dataDir)
    await writeFile(`${file}.half`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
    await rename(`${file}.half`, file)
  } catch (cause) {
    throw new InvalidSandboxOptionsError(
      `The folder ${resolve(dataDir)} is not writable (${codeOf(cause)}).`,
      {
        field: 'dataDir',
        fix: 'Pass a writable folder, or omit the option to keep everything in memory.',
        cause,
      },
    )
  }
}

const fileIn = (dataDir: string) => join(resolve(dataDir), 'sandbox.json')

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

export function newKeys(): z.infer<typeof merchantKeys> {
  return {
    apiKey: `sk_sandbox_${randomBytes(24).toString('hex')}`,
    jwtSecret: randomBytes(32).toString('base64url'),
  }
}

type StartedMerchant = SandboxMerchant & { creditSeed: string; jwtSecret: string }

/** Keys come from the options or the data folder; missing keys are random. The returned `kept` contains all keys. */
export function merchantsToStart(
  first: FurtherMerchant,
  { further, kept }: { further: readonly FurtherMerchant[]; kept: KeptSettings },
): { merchants: [StartedMerchant, ...StartedMerchant[]]; kept: KeptSettings } {
  const own = withKeys(first, kept)
  const keptKeys = new Map(Object.entries(kept.merchants ?? {}))
  // Untyped callers may pass any value; `checkSandboxOptions` reports an invalid one.
  const others = further.map((one) => withKeys({ ...one }, keptKeys.get(one?.merchantId) ?? newKeys()))
  for (const { merchantId, apiKey, jwtSecret } of others) keptKeys.set(merchantId, { apiKey, jwtSecret })
  const { apiKey, jwtSecret } = own
  const merchants = keptKeys.size > 0 && { merchants: Object.fromEntries(keptKeys) }
  return { merchants: [own, ...others], kept: { ...kept, apiKey, jwtSecret, ...merchants } }
}

const withKeys = (one: FurtherMerchant, keys: z.infer<typeof merchantKeys>): StartedMerchant => ({
  ...one,
  creditSeed: one.creditSeed ?? one.merchantId,
  apiKey: one.apiKey ?? keys.apiKey,
  jwtSecret: one.jwtSecret ?? keys.jwtSecret,
})

export type FurtherMerchant = Omit<SandboxMerchant, 'apiKey'> & {
  /** API key. Default: the key stored in `dataDir`, or a random one. */
  apiKey?: string | undefined
}
