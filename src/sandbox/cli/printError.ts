import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { showText } from '../../redeemkit/core/errors/showText.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'

/** Says on standard error why a command could not do what was asked: for a person, or with `--json` as one object on a line. */
export function printError(error: unknown): void {
  const read = readError(error)
  console.error(wantsJson() ? errorJson(read) : errorText(read))
}

/** As a program reads it: `{"error":{"name":…,"message":…,"field":…,"fix":…,"docs":…}}`. */
export function errorJson({ name, message, field, fix, docs }: Omit<ReadError, 'places'>): string {
  return jsonOf({ error: { name, message, field, fix, docs } })
}

/** As a terminal shows it. */
export function errorText({ name, message, field, fix, docs, places = [] }: ReadError): string {
  return [
    name === undefined ? message : `${name}: ${message}`,
    ...(field === undefined ? [] : [`Field: ${field}`]),
    ...(fix === undefined ? [] : [`What to do: ${fix}`]),
    ...(docs === undefined ? [] : [`See: ${docs}`]),
    ...places,
  ].join('\n')
}

/** Says something on standard error that ends nothing: for a person, or with `--json` as one object on a line. */
export function printWarning(text: string): void {
  console.error(wantsJson() ? jsonOf({ warning: text }) : oneLine(`Warning: ${text}`))
}

/** What a command shows of an error. */
export type ReadError = {
  name?: string | undefined
  message: string
  field?: string | undefined
  fix?: string | undefined
  docs?: string | undefined
  /** Where it was thrown. */
  places?: readonly string[] | undefined
}

/**
 * Ours say what to do, in the words of the command line; of all others their words, quoted, and where they were thrown: never what
 * they hold, which may be a request with its headers.
 */
export function readError(error: unknown): ReadError {
  if (error instanceof BaseError) {
    const { name, shortMessage, field, fix, docs } = error
    return {
      name,
      message: textInFlags(shortMessage),
      field: field && fieldInFlags(field),
      fix: fix && textInFlags(fix),
      docs,
    }
  }
  if (!(error instanceof Error)) return { message: showValue(error) }
  const words = 'shortMessage' in error ? String(error.shortMessage) : error.message
  const places = `${error.stack}`.split('\n').filter((line) => /^ +at /.test(line))
  return { name: oneLine(error.name), message: showText(words), places: places.map(oneLine) }
}

/** A field of an error in the words of the command line: `forkUrl` is `--fork-url` there. */
export function fieldInFlags(field: string, words: readonly string[] = process.argv): string {
  return { ...flagsBeside(words), ...fieldFlags }[field] ?? field
}

/** A sentence in the words of the command line. */
export function textInFlags(text: string, words: readonly string[] = process.argv): string {
  const flags = flagsBeside(words)
  return text.replace(/"?\b([a-z]+[A-Z]\w*)\b"?/g, (all, name: string) => flags[name] ?? all)
}

/** Names that stand in a sentence for nothing but the option. */
function flagsBeside(words: readonly string[]): Readonly<Record<string, string>> {
  return {
    forkUrl: '--fork-url',
    forkBlockNumber: '--fork-block',
    databaseUrl: '--database-url',
    headerPrefix: '--header-prefix',
    allowedOrigins: '--allow-origin',
    baseUrl: '--url',
    // Where --data is call data, the folder has another name.
    dataDir: ['sandbox', 'doctor'].includes(words[2] ?? '') ? '--data' : '--data-dir',
  }
}

/** A contract's own values may have these names. */
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

/** Plain data as one line of JSON, for programs in any language: a bigint becomes decimal text. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

/** Whether the output is for a program. Known from the words themselves: they may not parse. */
export function wantsJson(words: readonly string[] = process.argv): boolean {
  return words.includes('--json')
}
