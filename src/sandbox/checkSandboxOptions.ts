import * as z from 'zod/mini'
import { InvalidClockError, readClock } from '../redeemkit/core/clock.ts'
import type { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../redeemkit/core/errors/showValue.ts'
import { headerNames } from '../redeemkit/core/headerNames.ts'
import { permitMaximumSeconds } from '../redeemkit/core/limits.ts'
import { longestOrderId, orderIdProblem } from '../redeemkit/core/orderId.ts'
import { InvalidSandboxOptionsError } from './errors.ts'
import { placePattern, type SandboxMerchant, type SandboxMerchantSettings } from './merchantOptions.ts'
import { isExtension, pageOrigin } from './servers/findRefusal.ts'
import { isNetwork } from './servers/networks.ts'
import { checkPlanOptions } from './service/subscription/plans.ts'
import { checkWebhookOptions } from './service/webhooks/webhookSettings.ts'
import type { SandboxOptions } from './start/sandbox.ts'
import { checkDatabaseUrl } from './store/openPostgres.ts'
import { keyScopes } from './store/states.ts'

export function checkSandboxOptions(options: SandboxOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new InvalidSandboxOptionsError(`The options are ${showValue(options)}.`, {
      fix: 'Pass an object with chains and merchants.',
    })
  const [issue] = schema.safeParse(options).error?.issues ?? []
  if (issue !== undefined) throw optionError(options, issue)
  const { chains, service, usdcAuthorizationType, databaseUrl } = options
  if (usdcAuthorizationType === 'TransferWithAuthorization' && service !== 'randomNonce')
    throw new InvalidSandboxOptionsError(
      'usdcAuthorizationType is TransferWithAuthorization, which intent-bound permits do not support.',
      {
        field: 'usdcAuthorizationType',
        fix: 'Omit the option: anyone could execute a transfer of this type, even after the customer gave up. Or pass service: "randomNonce".',
      },
    )
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl)
  headerNames(options.headerPrefix)
  try {
    readClock(options.now)
  } catch (cause) {
    if (!(cause instanceof InvalidClockError)) throw cause
    const { shortMessage, fix } = cause
    throw new InvalidSandboxOptionsError(shortMessage, { field: 'now', fix, cause })
  }
  checkMerchants(options.merchants)
  if (!areUnique(chains.map(({ blockchain }) => blockchain)))
    throw new InvalidSandboxOptionsError('A blockchain is listed twice.', {
      field: 'chains',
      fix: 'Remove the duplicate.',
    })
}

export declare namespace checkSandboxOptions {
  type ErrorType = InvalidSandboxOptionsError | InvalidOptionError
}

const maximumSeconds = Number(permitMaximumSeconds)

/** How to correct each option: the error messages of the schema. */
const fixes = {
  service: 'Pass "intentBound" or "randomNonce", or omit it.',
  permitSeconds: `Pass a whole number of seconds from 1 to ${maximumSeconds}, or omit it.`,
  publicUrl: 'Pass the URL of the service, such as https://service.example.',
  allowedOrigins: 'Pass an array of page origins without a path, such as ["https://shop.example"].',
  allowedHosts: 'Pass an array of host names, with a port to allow only that port, such as ["pay.test"].',
  rateLimit: 'Pass { perSecond, burst }, both above 0 and a burst of at least 1, or pass false for no limit.',
  chains: 'Pass an array with at least one chain for redeems.',
  amount: 'Pass a non-negative bigint, such as 300_000n.',
  confirmations: 'Pass a whole number of blocks, 0 or more, or omit it.',
  merchants:
    'Pass an array of merchants, each with a merchantId, an apiKey and optionally a creditSeed: non-empty strings.',
  apiKeys: `Pass an array of { key } and optionally a scope (${keyScopes.join(', ')}) and ips, such as ["10.0.0.0/8"].`,
  jwtSecret: 'Pass a random string of at least 32 characters, or omit it.',
  settings:
    'Settings are gasFeePayer ("customer" or "merchant"), chargebackProtection, threeDs, sendPresettleWebhooks and banDuplicateAccounts (true or false), minimumCents, maximumCents and threeDsAboveCents (whole US cents), cardFees ({ fixedCents, variableBps, networkBps }: whole US cents, and hundredths of a percent from 0 to 10000), whitelistedAncestorUrls (such as ["https://shop.example"]), requestedAccountFields ("accountHolder", "bic") and blockedPlaces (such as ["KP", "US-NY"]).',
}

const text = (fix: string) => z.string({ error: fix }).check(z.minLength(1, { error: fix }))
const whole = (minimum: number, fix: string) =>
  z.int({ error: fix }).check(z.minimum(minimum, { error: fix }))
const flag = z.optional(z.boolean({ error: fixes.settings }))
const cents = z.optional(whole(0, fixes.settings))
const bps = z.optional(
  z.number({ error: fixes.settings }).check(z.gte(0, fixes.settings), z.lte(10_000, fixes.settings)),
)
const isAmount = (value: unknown) => typeof value === 'bigint' && value >= 0n
const isRate = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value > 0
const listOf = (check: (value: unknown) => boolean, fix: string) =>
  z.optional(z.array(z.custom(check, { error: fix }), { error: fix }))

const settings: z.ZodMiniType = z.strictObject(
  {
    gasFeePayer: z.optional(z.enum(['customer', 'merchant'], { error: fixes.settings })),
    chargebackProtection: flag,
    threeDs: flag,
    sendPresettleWebhooks: flag,
    minimumCents: cents,
    maximumCents: cents,
    threeDsAboveCents: cents,
    cardFees: z.optional(
      z.strictObject({ fixedCents: cents, variableBps: bps, networkBps: bps }, { error: fixes.settings }),
    ),
    whitelistedAncestorUrls: listOf((value) => pageOrigin(value) !== undefined, fixes.settings),
    banDuplicateAccounts: flag,
    requestedAccountFields: listOf((value) => value === 'accountHolder' || value === 'bic', fixes.settings),
    blockedPlaces: listOf((value) => typeof value === 'string' && placePattern.test(value), fixes.settings),
  } satisfies Record<keyof SandboxMerchantSettings, z.ZodMiniType>,
  { error: fixes.settings },
)

const schema = z.object({
  service: z.optional(z.enum(['intentBound', 'randomNonce'], { error: fixes.service })),
  permitSeconds: z.optional(
    whole(1, fixes.permitSeconds).check(z.maximum(maximumSeconds, { error: fixes.permitSeconds })),
  ),
  publicUrl: z.optional(z.custom(isHttpUrl, { error: fixes.publicUrl })),
  allowedOrigins: listOf(
    (value) => isExtension(String(value)) || (isHttpUrl(value) && new URL(String(value)).origin === value),
    fixes.allowedOrigins,
  ),
  allowedHosts: listOf(isHost, fixes.allowedHosts),
  rateLimit: z.optional(
    z.custom(
      (value) =>
        value === false ||
        (isRate(Object(value).perSecond) && isRate(Object(value).burst) && Object(value).burst >= 1),
      { error: fixes.rateLimit },
    ),
  ),
  chains: z.array(
    z.object(
      {
        nativePriceCents: z.optional(
          z.custom((value) => typeof value === 'function' || isAmount(value), { error: fixes.amount }),
        ),
        maxPriorityFeePerGas: z.optional(z.custom(isAmount, { error: fixes.amount })),
        confirmations: z.optional(whole(0, fixes.confirmations)),
      },
      { error: fixes.chains },
    ),
    { error: fixes.chains },
  ),
  merchants: z.array(
    z.object(
      {
        merchantId: text(fixes.merchants),
        apiKey: text(fixes.merchants),
        creditSeed: z.optional(text(fixes.merchants)),
        apiKeys: listOf(isApiKey, fixes.apiKeys),
        // RFC 7518, section 3.2, requires at least the length of the hash output.
        jwtSecret: z.optional(
          z.string({ error: fixes.jwtSecret }).check(z.minLength(32, { error: fixes.jwtSecret })),
        ),
        settings: z.optional(settings),
      },
      { error: fixes.merchants },
    ),
    { error: fixes.merchants },
  ),
})

/** The error names the option, and never shows a secret, such as an API key or the password in a URL. */
function optionError(options: unknown, issue: z.core.$ZodIssue): InvalidSandboxOptionsError {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const field = path.filter((part) => typeof part !== 'number').join('.')
  const value = path.reduce<unknown>((at, part) => Reflect.get(Object(at), part), options)
  const isSecret =
    /^merchants$|apiKey|jwtSecret/.test(field) ||
    (typeof value === 'string' ? value.includes('@') : typeof value === 'object' && value !== null)
  return new InvalidSandboxOptionsError(`${field} is ${isSecret ? 'not valid' : showValue(value)}.`, {
    field,
    fix: issue.message,
  })
}

function checkMerchants(merchants: readonly SandboxMerchant[]): void {
  for (const { merchantId } of merchants) {
    const problem = orderIdProblem(merchantId)
    if (problem !== undefined)
      throw new InvalidSandboxOptionsError(`The merchant id ${showValue(merchantId)} ${problem}.`, {
        field: 'merchants.merchantId',
        fix: `Pass 1 to ${longestOrderId} visible characters in Unicode NFC.`,
      })
  }
  const ids = merchants.map(({ merchantId }) => merchantId)
  const seeds = merchants.map(({ merchantId, creditSeed = merchantId }) => creditSeed)
  if (!areUnique(ids) || !areUnique(seeds))
    throw new InvalidSandboxOptionsError('Two merchants have the same merchant id or the same credit seed.', {
      field: 'merchants',
      fix: 'Make both unique. The default credit seed is the merchant id.',
    })
  // Balances are read by merchant id or by credit seed, so neither may name another merchant.
  if (seeds.some((seed, at) => seed !== ids[at] && ids.includes(seed)))
    throw new InvalidSandboxOptionsError('A merchant’s credit seed is another merchant’s id.', {
      field: 'merchants',
      fix: 'Rename one of them, or omit `creditSeed`.',
    })
  checkWebhookOptions(merchants)
  checkPlanOptions(merchants)
  const keys = merchants.flatMap(({ apiKey, apiKeys = [] }) => [apiKey, ...apiKeys.map(({ key }) => key)])
  if (!areUnique(keys))
    throw new InvalidSandboxOptionsError('An API key is used twice.', {
      field: 'merchants',
      fix: 'Pass unique keys: each belongs to one merchant and has one scope.',
    })
}

function areUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

function isApiKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { key, scope, ips = [], disabled }: Partial<Record<string, unknown>> = { ...value }
  return (
    typeof key === 'string' &&
    key !== '' &&
    (scope === undefined || keyScopes.some((known) => known === scope)) &&
    Array.isArray(ips) &&
    ips.every(isNetwork) &&
    (disabled === undefined || typeof disabled === 'boolean')
  )
}

function isHost(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(`http://${value}`) && /^[^/\\?#@\s]+$/.test(value)
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
