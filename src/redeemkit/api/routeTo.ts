import { InvalidOptionError } from '../core/errors/inputErrors.ts'

type Route = { method: 'GET' | 'POST'; path: string }

/** Rejects a value that would change which endpoint is called. `field` names the option in errors. */
export function routeTo({ method, path }: Route, value: string, field = 'merchantId'): Route {
  if (!isPathPart(value))
    throw new InvalidOptionError(`${field} is not a valid part of a URL path.`, {
      field,
      fix: 'Pass the credit seed or the merchant id as text, or omit it.',
    })
  return { method, path: path.replace(/{\w+}/, () => encodeURIComponent(value)) }
}

/** False for "." and "../..", even with an encoded slash, because proxies may decode `%2F`. A lone surrogate cannot be encoded. */
export function isPathPart(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    !/(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\]|%2f|%5c)|\p{Surrogate}/iu.test(value)
  )
}
