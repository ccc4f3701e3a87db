import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readKeptSettings } from '../../start/keptSettings.ts'
import { announcedSandboxes, SandboxNotKnownError } from './announcedSandboxes.ts'

/** The options of every command that talks with a running sandbox; `findSandbox` reads them. */
export function sandboxOptions(command: Command): Command {
  return command
    .optionsGroup('The running sandbox (default: the one that runs on this machine):')
    .addOption(new Option('--url <url>', 'where it runs').env('REDEEMKIT_URL').argParser(readHttpUrl))
    .addOption(
      new Option('--api-key <key>', "the merchant's key, as the sandbox printed it").env('REDEEMKIT_API_KEY'),
    )
    .option('--data-dir <folder>', 'in place of both: the folder that redeemkit sandbox --data was given')
    .optionsGroup('Output:')
    .option('--json', 'one JSON object a line, for programs')
}

/** An http or https address without credentials. */
export function readHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError(
      'It is an address without user and password, such as http://127.0.0.1:4242.',
    )
  return text
}

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

/**
 * As {@link findSandbox}, for what needs the merchant's key.
 *
 * @throws {@link SandboxNotKnownError} when there is none, or one that no header can carry
 */
export async function findMerchant(
  command: Command,
): Promise<{ url: string; apiKey: string; headerPrefix?: string | undefined }> {
  const { url, apiKey, headerPrefix } = await findSandbox(command)
  if (apiKey === undefined || apiKey === '')
    throw new SandboxNotKnownError(`No sandbox that says its API key runs at ${url} on this machine.`, {
      field: '--api-key',
      fix: 'Start one with npx redeemkit sandbox; or give --api-key, as the sandbox printed it, set REDEEMKIT_API_KEY, or name its folder with --data-dir.',
    })
  // RFC 9110 5.5: what a header's value is made of.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { url, apiKey, headerPrefix }
  throw new SandboxNotKnownError(
    'The API key has characters that no key has: blanks, line breaks, or letters beyond ASCII.',
    {
      field: '--api-key',
      fix: 'Copy it again from what the sandbox printed.',
    },
  )
}

/**
 * Refuses a sandbox that is known to play a service of unbound permits (PROTOCOL.md 4.6), of whose redeems the commands can say
 * nothing.
 *
 * @throws {@link SandboxNotKnownError}
 */
export function checkBound({ url, service }: Pick<FoundSandbox, 'url' | 'service'>): void {
  if (service !== 'unbound') return
  throw new SandboxNotKnownError(
    `The sandbox at ${url} runs with --service unbound: its permits do not say what they pay for.`,
    {
      field: '--url',
      fix: 'Start one without that option: npx redeemkit sandbox --port 0. A program redeems on this one with the pin intentBound: false.',
    },
  )
}
