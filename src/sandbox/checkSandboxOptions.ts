import type { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../redeemkit/core/errors/showValue.ts'
import { headerNames } from '../redeemkit/core/headerNames.ts'
import { permitMaximumSeconds } from '../redeemkit/core/limits.ts'
import { orderIdProblem } from '../redeemkit/core/orderId.ts'
import { type Clock, InvalidClockError, readClock } from '../redeemkit/core/time/clock.ts'
import type { connectEvmChain } from './chains/connectEvmChain.ts'
import { InvalidSandboxOptionsError } from './errors.ts'
import { placePattern, type SandboxMerchant, type SandboxMerchantSettings } from './merchantOptions.ts'
import { pageOrigin } from './servers/pageOrigin.ts'
import { isNetwork } from './service/http/isInNetworks.ts'
import { checkPlanOptions } from './service/subscription/checkPlanOptions.ts'
import { checkWebhookOptions } from './service/webhooks/checkWebhookOptions.ts'
import type { ServiceKind } from './serviceKind.ts'
import { checkDatabaseUrl } from './store/checkDatabaseUrl.ts'
import { keyScopes } from './store/keyScopes.ts'

/**
 * Rejects invalid options at the start, before a customer is affected.
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export function checkSandboxOptions(options: checkSandboxOptions.Options): void {
  // Untyped callers may pass anything.
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new InvalidSandboxOptionsError(`The options are ${showValue(options)}.`, {
      fix: 'Pass an object with chains and merchants.',
    })
  const { permitSeconds, publicUrl, allowedOrigins = [], now, chains, merchants } = options
  const {
    service,
    usdcAuthorizationType,
    headerPrefix,
    allowedHosts = [],
    rateLimit = false,
    databaseUrl,
  } = options
  if (service !== undefined && service !== 'bound' && service !== 'unbound')
    throw new InvalidSandboxOptionsError(`service is ${showValue(service)}.`, {
      field: 'service',
      fix: 'Pass "bound" or "unbound", or omit it.',
    })
  if (usdcAuthorizationType === 'TransferWithAuthorization' && service !== 'unbound')
    throw new InvalidSandboxOptionsError(
      'usdcAuthorizationType is TransferWithAuthorization, which intent-bound permits do not take.',
      {
        field: 'usdcAuthorizationType',
        fix: 'Leave it out, or pass service: "unbound": anyone could execute a transfer, even after the customer gave up.',
      },
    )
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl)
  headerNames(headerPrefix)
  const maximum = Number(permitMaximumSeconds)
  if (
    permitSeconds !== undefined &&
    !(Number.isInteger(permitSeconds) && permitSeconds >= 1 && permitSeconds <= maximum)
  )
    throw new InvalidSandboxOptionsError(`permitSeconds is ${showValue(permitSeconds)}.`, {
      field: 'permitSeconds',
      fix: `Pass a whole number of seconds from 1 to ${maximum}, or omit it.`,
    })
  if (publicUrl !== undefined && !isHttpUrl(publicUrl))
    throw new InvalidSandboxOptionsError(`publicUrl is ${showValue(publicUrl)}.`, {
      field: 'publicUrl',
      fix: 'Pass the address at which the service is reached, such as https://service.example.',
    })
  // Untyped callers may pass anything.
  if (!Array.isArray(allowedOrigins) || !allowedOrigins.every(isOrigin))
    throw new InvalidSandboxOptionsError('allowedOrigins is not a list of origins.', {
      field: 'allowedOrigins',
      fix: 'Pass the origin of each page, without a path, such as ["https://shop.example"].',
    })
  // Untyped callers may pass anything.
  if (!Array.isArray(allowedHosts) || !allowedHosts.every(isHost))
    throw new InvalidSandboxOptionsError('allowedHosts is not a list of hosts.', {
      field: 'allowedHosts',
      fix: 'Pass the name of each host, with a port where only that one counts, such as ["pay.test"].',
    })
  const isRate = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value > 0
  if (
    rateLimit !== false &&
    !(isRate(rateLimit?.perSecond) && isRate(rateLimit.burst) && rateLimit.burst >= 1)
  )
    throw new InvalidSandboxOptionsError(`rateLimit is ${showValue(rateLimit)}.`, {
      field: 'rateLimit',
      fix: 'Pass { perSecond, burst }, numbers above 0 and a burst of at least 1; or false for no limit.',
    })
  try {
    readClock(now)
  } catch (cause) {
    if (!(cause instanceof InvalidClockError)) throw cause
    const { shortMessage, fix } = cause
    throw new InvalidSandboxOptionsError(shortMessage, { field: 'now', fix, cause })
  }
  if (!Array.isArray(chains))
    throw new InvalidSandboxOptionsError('chains is not a list of chains.', {
      field: 'chains',
      fix: 'Pass at least one chain that redeems happen on.',
    })
  checkMerchants(merchants)
  for (const { nativePriceCents, maxPriorityFeePerGas, confirmations } of chains) {
    if (confirmations !== undefined) checkConfirmations(confirmations)
    if (typeof nativePriceCents !== 'function') checkAmount('nativePriceCents', nativePriceCents)
    checkAmount('maxPriorityFeePerGas', maxPriorityFeePerGas)
  }
  if (new Set(chains.map(({ blockchain }) => blockchain)).size !== chains.length)
    throw new InvalidSandboxOptionsError('A blockchain is named twice.', {
      field: 'chains',
      fix: 'One environment has one chain per blockchain.',
    })
}

function checkConfirmations(confirmations: unknown): void {
  if (Number.isSafeInteger(confirmations) && Number(confirmations) >= 0) return
  throw new InvalidSandboxOptionsError(`confirmations is ${showValue(confirmations)}.`, {
    field: 'confirmations',
    fix: 'Pass a whole number of blocks, 0 or more, or omit it.',
  })
}

function checkMerchants(merchants: checkSandboxOptions.Options['merchants']): void {
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const isMerchant = (one: (typeof merchants)[number]) =>
    isText(one?.merchantId) && isText(one.apiKey) && (one.creditSeed === undefined || isText(one.creditSeed))
  if (!Array.isArray(merchants) || !merchants.every(isMerchant))
    throw new InvalidSandboxOptionsError('merchants is not a list of merchants.', {
      field: 'merchants',
      fix: 'Pass each a merchantId and an apiKey, and a creditSeed where it has another name: texts that are not empty.',
    })
  for (const { merchantId, apiKeys = [], jwtSecret, settings } of merchants) {
    const problem = orderIdProblem(merchantId)
    if (problem !== undefined)
      throw new InvalidSandboxOptionsError(`The merchant id ${showValue(merchantId)} ${problem}.`, {
        field: 'merchants.merchantId',
        fix: 'Pass 1 to 256 visible characters in Unicode NFC.',
      })
    if (settings !== undefined) checkSettings(settings)
    if (!Array.isArray(apiKeys) || !apiKeys.every(isApiKey))
      throw new InvalidSandboxOptionsError('apiKeys is not a list of API keys.', {
        field: 'merchants.apiKeys',
        fix: `Pass each a key, and where it is not for all a scope (${keyScopes.join(', ')}) and ips, such as ["10.0.0.0/8"].`,
      })
    // RFC 7518, 3.2: as long as the hash.
    if (jwtSecret !== undefined && !(isText(jwtSecret) && jwtSecret.length >= 32))
      throw new InvalidSandboxOptionsError('jwtSecret is not a text of at least 32 characters.', {
        field: 'merchants.jwtSecret',
        fix: 'Pass a random text, such as 32 bytes in base64url, or omit it.',
      })
  }
  const ids = merchants.map(({ merchantId }) => merchantId)
  const seeds = merchants.map(({ merchantId, creditSeed = merchantId }) => creditSeed)
  if (new Set(ids).size !== ids.length || new Set(seeds).size !== seeds.length)
    throw new InvalidSandboxOptionsError(
      'Two merchants have the same merchant id, or the same credit seed.',
      {
        field: 'merchants',
        fix: 'Pass each a name of its own. The credit seed is the merchant id where none is given.',
      },
    )
  checkWebhookOptions(merchants)
  checkPlanOptions(merchants)
  const keys = merchants.flatMap(({ apiKey, apiKeys = [] }: SandboxMerchant) => [
    apiKey,
    ...apiKeys.map(({ key }) => key),
  ])
  if (new Set(keys).size !== keys.length)
    throw new InvalidSandboxOptionsError('An API key is given twice.', {
      field: 'merchants',
      fix: 'Each key belongs to one merchant, and has one scope.',
    })
}

function checkSettings(settings: SandboxMerchantSettings): void {
  const isCents = (value: unknown) =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
  const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean'
  const checks: Record<keyof SandboxMerchantSettings, (value: unknown) => boolean> = {
    gasFeePayer: (value) => value === undefined || value === 'customer' || value === 'merchant',
    chargebackProtection: isFlag,
    sendPresettleWebhooks: isFlag,
    minimumCents: isCents,
    maximumCents: isCents,
    whitelistedAncestorUrls: (value) =>
      value === undefined || (Array.isArray(value) && value.every((one) => pageOrigin(one) !== undefined)),
    banDuplicateAccounts: isFlag,
    blockedPlaces: (value) => value === undefined || (Array.isArray(value) && value.every(isPlace)),
  }
  // Untyped callers may pass anything.
  const given: Partial<Record<string, unknown>> =
    typeof settings === 'object' ? { ...settings } : { settings }
  const wrong = Object.keys(given).find(
    (name) => !Object.hasOwn(checks, name) || !checks[name as keyof typeof checks](given[name]),
  )
  if (wrong === undefined) return
  throw new InvalidSandboxOptionsError(`The setting ${wrong} of a merchant is ${showValue(given[wrong])}.`, {
    field: `merchants.settings.${wrong}`,
    fix: 'Settings are gasFeePayer ("customer" or "merchant"), chargebackProtection, sendPresettleWebhooks and banDuplicateAccounts (true or false), minimumCents and maximumCents (whole US cents), whitelistedAncestorUrls (such as ["https://shop.example"]) and blockedPlaces (such as ["KP", "US-NY"]).',
  })
}

/** A country or state (ISO 3166-1 and -2). */
function isPlace(one: unknown): boolean {
  return typeof one === 'string' && placePattern.test(one)
}

function isApiKey(one: unknown): boolean {
  if (typeof one !== 'object' || one === null) return false
  const { key, scope, ips = [], disabled }: Partial<Record<string, unknown>> = { ...one }
  return (
    typeof key === 'string' &&
    key !== '' &&
    (scope === undefined || keyScopes.some((known) => known === scope)) &&
    Array.isArray(ips) &&
    ips.every(isNetwork) &&
    (disabled === undefined || typeof disabled === 'boolean')
  )
}

export declare namespace checkSandboxOptions {
  type Options = {
    permitSeconds?: number | undefined
    publicUrl?: string | undefined
    allowedOrigins?: readonly string[] | undefined
    now?: Clock | undefined
    service?: ServiceKind | undefined
    usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
    headerPrefix?: string | undefined
    allowedHosts?: readonly string[] | undefined
    rateLimit?: { perSecond: number; burst: number } | false | undefined
    databaseUrl?: string | undefined
    merchants: readonly SandboxMerchant[]
    chains: readonly Pick<
      connectEvmChain.Options,
      'blockchain' | 'nativePriceCents' | 'maxPriorityFeePerGas' | 'confirmations'
    >[]
  }
  type ErrorType = InvalidSandboxOptionsError | InvalidOptionError
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && isHttpUrl(text) && new URL(text).origin === text
}

/** A host, perhaps with a port, and nothing else. */
function isHost(text: unknown): boolean {
  return typeof text === 'string' && URL.canParse(`http://${text}`) && /^[^/\\?#@\s]+$/.test(text)
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function checkAmount(name: string, value: bigint | undefined): void {
  if (value === undefined || (typeof value === 'bigint' && value >= 0n)) return
  throw new InvalidSandboxOptionsError(`${name} is ${showValue(value)}.`, {
    field: `chains.${name}`,
    fix: 'Pass a bigint that is not negative, such as 300_000n.',
  })
}
