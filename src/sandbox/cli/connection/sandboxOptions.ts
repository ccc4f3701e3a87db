import { type Command, InvalidArgumentError, Option } from 'commander'

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
