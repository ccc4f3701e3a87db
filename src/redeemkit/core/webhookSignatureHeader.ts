import { headerNames } from './headerNames.ts'

/**
 * The header of a webhook's signature (PROTOCOL.md 10.4), built from the prefix as the headers of requests are.
 *
 * @throws InvalidOptionError for a prefix that no header may have
 */
export function webhookSignatureHeader(prefix = 'x-svc-'): string {
  headerNames(prefix)
  return `${prefix}signature`
}
