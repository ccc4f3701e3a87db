import { type Command, InvalidArgumentError, Option } from 'commander'

/** The options of every command that talks with a running sandbox. */
export function sandboxOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'where the sandbox runs')
        .env('REDEEMKIT_URL')
        .argParser(readHttpUrl)
        .default('http://127.0.0.1:4242'),
    )
    .addOption(
      new Option('--api-key <key>', "the merchant's key, as the sandbox printed it")
        .env('REDEEMKIT_API_KEY')
        .makeOptionMandatory(),
    )
    .option('--json', 'one JSON object a line, for programs')
}

/** An http or https address without credentials. */
export function readHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It is an address such as http://localhost:3000/webhooks.')
  return text
}
