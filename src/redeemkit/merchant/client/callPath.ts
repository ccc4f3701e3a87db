import { isPathPart } from '../../api/pathPart.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { Endpoint } from '../../schema/endpoints/endpoint.ts'
import { parseRecord } from '../../schema/parseRecord.ts'

/** Names of the parameters that stand in braces in a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Whether a path's parameter says whose it is: then the client's merchant is meant where a call names none. */
export function isMerchantParameter(name: string): boolean {
  return name === 'merchantId' || name === 'merchantIdOrCreditSeed'
}

/**
 * Path and query of a call, with its parameters filled in.
 *
 * @throws {@link InvalidOptionError} for a parameter that is missing or cannot stand in a path; InvalidRecordError for the query
 */
export function callPath(
  endpoint: Endpoint,
  options: Readonly<Record<string, unknown>>,
  merchantId: string,
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = options[name] ?? (isMerchantParameter(name) ? merchantId : undefined)
    const text = Number.isSafeInteger(value) ? String(value) : value
    if (text === undefined)
      throw new InvalidOptionError(`${endpoint.id} needs ${name}.`, {
        field: name,
        fix: `Give ${name}: it stands in the path of this call.`,
      })
    if (!isPathPart(text))
      throw new InvalidOptionError(`${name} cannot be used.`, {
        field: name,
        fix: 'Give it as text that is not empty, and leads nowhere else.',
      })
    return encodeURIComponent(text)
  })
  if (endpoint.query === undefined) return path
  const record = parseRecord(endpoint.query, options.query ?? {}, {
    record: `The query of ${endpoint.id}`,
    field: 'query',
  })
  const fields = Object.entries(Object(record)).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? path : `${path}?${query}`
}
