import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readKeptSettings } from '../../start/keptSettings.ts'
import { announcedSandboxes } from './announcedSandboxes.ts'
import { SandboxNotKnownError } from './errors.ts'

/** Where a sandbox runs, and the merchant's key there. */
export type SandboxAddress = { url: string; apiKey?: string | undefined }

/** Beside that, whose credits are spent there and what its headers begin with, where that is known. */
export type FoundSandbox = SandboxAddress & {
  merchantId?: string | undefined
  creditSeed?: string | undefined
  headerPrefix?: string | undefined
  service?: 'bound' | 'unbound' | undefined
}

/**
 * Where the running sandbox is that a command is about, by its options: an address or a key that was given, then what the
 * folder of `--data-dir` keeps, then what the environment says, then the sandbox that runs on this machine, then the address that a
 * sandbox takes by itself.
 *
 * @throws {@link SandboxNotKnownError} when the folder keeps no sandbox, or several run and none is named;
 * InvalidSandboxOptionsError when the folder cannot be read
 */
export async function findSandbox(command: Command): Promise<FoundSandbox> {
  const { url, apiKey, dataDir }: Given = command.opts()
  const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli'
  const kept = dataDir === undefined ? undefined : await addressKept(dataDir)
  const named = isTyped('url') ? url : (kept?.url ?? url)
  const announced = await announcedSandboxes()
  const here = announced.find((one) => portOf(one.url) === portOf(named ?? defaultUrl))
  const running = here ?? (named === undefined ? onlyOne(announced) : undefined)
  const key = isTyped('apiKey') ? apiKey : (kept?.apiKey ?? apiKey)
  // Another key may be another merchant's.
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

const defaultUrl = 'http://127.0.0.1:4242'

/** Of an address on this machine. */
function portOf(url: string): string | undefined {
  const { hostname, port, protocol } = new URL(url)
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname) ? `${protocol}${port}` : undefined
}

async function addressKept(dataDir: string): Promise<SandboxAddress> {
  const { ports, apiKey } = await readKeptSettings(dataDir)
  if (ports.service === undefined)
    throw new SandboxNotKnownError(`No sandbox has kept its data in ${resolve(dataDir)}.`, {
      field: '--data-dir',
      fix: 'Name the folder that redeemkit sandbox --data was given.',
    })
  return { url: `http://127.0.0.1:${ports.service}`, apiKey }
}

function onlyOne<one extends { url: string }>(announced: readonly one[]): one | undefined {
  if (announced.length < 2) return announced[0]
  throw new SandboxNotKnownError(`Several sandboxes run: ${announced.map(({ url }) => url).join(', ')}.`, {
    field: '--url',
    fix: 'Name the one that is meant with --url, or its folder with --data-dir.',
  })
}
