import { resolve, sep } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readKeptSettings } from '../../start/keptSettings.ts'
import { defaultPort } from '../readNumber.ts'
import { type AnnouncedSandbox, announcedSandboxes, SandboxNotKnownError } from './announcedSandboxes.ts'

export function sandboxOptions(command: Command): Command {
  return command
    .optionsGroup('The sandbox (default: the one started in this folder, or the only one running):')
    .addOption(
      new Option('--url <url>', 'address of the service').env('REDEEMKIT_URL').argParser(readHttpUrl),
    )
    .addOption(
      new Option('--api-key <key>', "the merchant's API key, as printed by the sandbox").env(
        'REDEEMKIT_API_KEY',
      ),
    )
    .option('--data-dir <folder>', 'data folder of the sandbox (its --data), instead of --url and --api-key')
    .optionsGroup('Output:')
    .option('--json', 'print JSON, one object per line')
}

export function readHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError(
      `Pass an http or https URL without user and password, such as ${defaultUrl}.`,
    )
  return text
}

export type SandboxAddress = { url: string; apiKey?: string | undefined }

export type FoundSandbox = SandboxAddress & {
  merchantId?: string | undefined
  creditSeed?: string | undefined
  headerPrefix?: string | undefined
  service?: 'intentBound' | 'randomNonce' | undefined
}

/**
 * Precedence: `--url` and `--api-key`, the folder of `--data-dir`, environment variables, the sandbox started in this folder or its
 * closest parent folder, the only sandbox on this machine, the default address.
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

const defaultUrl = `http://127.0.0.1:${defaultPort}`

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
