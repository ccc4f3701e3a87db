import { jsonOf } from './jsonOf.ts'
import { type ReadError, readError } from './readError.ts'
import { wantsJson } from './wantsJson.ts'

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
