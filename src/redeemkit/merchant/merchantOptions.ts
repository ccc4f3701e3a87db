import { type ClientOptions, checkClientOptions, checkHeader } from '../api/clientOptions.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { holdsKey, isSecret } from './client/callRequest.ts'

/** Options of a merchant's client. */
export type MerchantClientOptions = Pick<
  ClientOptions,
  | 'baseUrl'
  | 'merchantId'
  | 'environment'
  | 'headerPrefix'
  | 'fetch'
  | 'timeoutMs'
  | 'signal'
  | 'maxAnswerBytes'
  | 'onRequest'
  | 'onResponse'
  | 'retry'
  | 'now'
  | 'sleep'
> & {
  /** The merchant's API key, from your server's secrets, with or without `Bearer `. */
  apiKey: string
}

const kinds: OptionKinds<MerchantClientOptions> = {
  baseUrl: 'any',
  apiKey: 'any',
  merchantId: 'any',
  environment: 'any',
  headerPrefix: 'any',
  fetch: 'function?',
  timeoutMs: 'any',
  signal: 'object?',
  maxAnswerBytes: 'any',
  onRequest: 'function?',
  onResponse: 'function?',
  retry: 'any',
  now: 'any',
  sleep: 'function?',
}

/**
 * Checks the options of a merchant's client. Never shows the API key.
 *
 * @throws {@link InvalidOptionError} naming the option, InvalidOrderIdError for the merchant id
 */
export function checkMerchantOptions(options: MerchantClientOptions): {
  baseUrl: string
  apiKey: string
  /** How calls are sent. */
  sending: ClientOptions
} {
  const { apiKey, ...rest } = checkOptions(options, kinds)
  if (!isSecret(apiKey))
    throw new InvalidOptionError('The apiKey is missing or empty.', {
      field: 'apiKey',
      fix: "Pass the merchant's API key as text, from your server's secrets.",
      source: 'PROTOCOL.md 1.3',
    })
  checkHeader(apiKey, 'apiKey')
  for (const [name, value] of Object.entries(rest))
    if (typeof value === 'string' && holdsKey(value, apiKey))
      throw new InvalidOptionError(`${name} is the API key.`, {
        field: name,
        fix: 'Pass the key only as `apiKey`: other options end up in URLs and logs.',
      })
  // Each call names the customer's chain; `user` means no chain.
  const sending: ClientOptions = { ...rest, blockchain: 'user' }
  return { baseUrl: checkClientOptions(sending), apiKey, sending }
}
