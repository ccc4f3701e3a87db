import type { Command } from 'commander'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { showText, showValue } from '../../redeemkit/core/errors/showValue.ts'
import { jsonText } from '../../redeemkit/core/parseJson.ts'

/** Prints text or, with `--json`, one JSON object on one line. */
export function printError(error: unknown): void {
  printReadError(readError(error))
}

export function printReadError(read: ReadError): void {
  console.error(wantsJson() ? errorJson(read) : errorText(read))
}

export function errorJson({ name, message, field, fix, source }: Omit<ReadError, 'places'>): string {
  return jsonText({ error: { name, message, field, fix, source } })
}

export function errorText({ name, message, field, fix, source, places = [] }: ReadError): string {
  return [
    name === undefined ? message : `${name}: ${message}`,
    ...(field === undefined ? [] : [`Field: ${field}`]),
    ...(fix === undefined ? [] : [`What to do: ${fix}`]),
    ...(source === undefined ? [] : [`See: ${source}`]),
    ...places,
  ].join('\n')
}

export function printWarning(text: string): void {
  console.error(wantsJson() ? jsonText({ warning: text }) : oneLine(`Warning: ${text}`))
}

export type ReadError = {
  name?: string | undefined
  message: string
  field?: string | undefined
  fix?: string | undefined
  source?: string | undefined
  places?: readonly string[] | undefined
}

/**
 * For errors that are not redeemkit's, only the quoted message and the stack frames are shown, because their properties may contain a
 * request with its headers.
 */
export function readError(error: unknown): ReadError {
  if (error instanceof BaseError) {
    const { name, shortMessage, field, fix, source } = error
    return {
      name,
      message: textInFlags(shortMessage),
      field: field && fieldInFlags(field),
      fix: fix && textInFlags(fix),
      source,
    }
  }
  if (!(error instanceof Error)) return { message: showValue(error) }
  const texts = 'shortMessage' in error ? String(error.shortMessage) : error.message
  const places = `${error.stack}`.split('\n').filter((line) => /^ +at /.test(line))
  return { name: oneLine(error.name), message: showText(texts), places: places.map(oneLine) }
}

/** Translates an option name in an error to its flag: `forkUrl` is `--fork-url`. */
function fieldInFlags(field: string): string {
  return { ...textFlags(), ...fieldFlags }[field] ?? field
}

function textInFlags(text: string): string {
  const flags = textFlags()
  return text.replace(/"?\b([a-z]+[A-Z]\w*)\b"?/g, (all, name: string) => flags[name] ?? all)
}

/** Flags for option names that never name a value in a contract call, so they can safely be replaced in texts. */
function textFlags(): Readonly<Record<string, string>> {
  return {
    forkUrl: '--fork-url',
    forkBlockNumber: '--fork-block',
    databaseUrl: '--database-url',
    headerPrefix: '--header-prefix',
    allowedOrigins: '--allow-origin',
    baseUrl: '--url',
    // In the other commands, --data is call data.
    dataDir: ['sandbox', 'doctor'].includes(process.argv[2] ?? '') ? '--data' : '--data-dir',
  }
}

/** Flags for option names that may also name a value in a contract call: replaced in `field`, but not in texts. */
const fieldFlags: Readonly<Record<string, string>> = {
  port: '--port',
  merchants: '--merchants',
  merchantId: '--merchant-id',
  creditSeed: '--credit-seed',
  apiKey: '--api-key',
  usdcAmount: '--usdc',
  nftId: '--nft-id',
  functionName: '--sig',
}

/** Searches the raw arguments, because parsing them may fail. */
function wantsJson(): boolean {
  return process.argv.includes('--json')
}

/** Exits with 2 for invalid usage and for thrown errors. For a negative result, an action sets `process.exitCode` to 1. */
export function exitCodes(command: Command, path = 'npx redeemkit'): Command {
  command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .configureOutput({
      outputError: (text, write) => {
        // Removes user and password from URLs that commander repeats in its message.
        const said = text.replace(/(\w:\/\/)[^\s/@']*@/g, '$1…@')
        const message = said.replace(/^error: /, '').trim()
        const fix = `Run ${path} --help for usage.`
        write(wantsJson() ? `${errorJson({ name: 'UsageError', message, fix })}\n` : `${said}${fix}\n`)
      },
    })
  for (const one of command.commands) exitCodes(one, `${path} ${one.name()}`)
  return command
}

export const exitCodeHelp = (answers: string) => `
Exit codes:
  0  ${answers}
  2  failure: invalid input, no running sandbox, or the sandbox rejected the request
With --json, an error is one JSON object on standard error: {"error":{"name","message","fix",…}}`
