import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readKeptSettings } from '../../sandbox/start/keptSettings.ts'
import { SandboxNotKnownError } from './errors.ts'

/** Where a sandbox runs, and the merchant's key there. */
export type SandboxAddress = { url: string; apiKey?: string | undefined }

/**
 * Where the running sandbox is that a command is about, by its options: an address or a key that was given, then what the
 * folder of `--data-dir` keeps, then what the environment says, then the address that a sandbox takes by itself.
 *
 * @throws {@link SandboxNotKnownError} when the folder keeps no sandbox; InvalidSandboxOptionsError when it cannot be read
 */
export async function findSandbox(command: Command): Promise<SandboxAddress> {
  const { url, apiKey, dataDir }: Given = command.opts()
  if (dataDir === undefined) return { url: url ?? defaultUrl, apiKey }
  const kept = await readKeptSettings(dataDir)
  const { service: port } = kept.ports
  if (port === undefined)
    throw new SandboxNotKnownError(`No sandbox has kept its data in ${resolve(dataDir)}.`, {
      field: '--data-dir',
      fix: 'Name the folder that redeemkit sandbox --data was given.',
    })
  const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli'
  return {
    url: url !== undefined && isTyped('url') ? url : `http://127.0.0.1:${port}`,
    apiKey: isTyped('apiKey') ? apiKey : kept.apiKey,
  }
}

type Given = { url?: string; apiKey?: string; dataDir?: string }

export const defaultUrl = 'http://127.0.0.1:4242'
