import { formatAmount, usdcDecimals } from '../core/amount.ts'
import { showValue } from '../core/errors/showValue.ts'
import { evmNetworks } from '../core/evmNetworks.ts'
import { type Finding, finding } from '../core/finding/finding.ts'
import { usdText } from '../core/formatUsd.ts'
import { latestDate, utcText } from '../core/inspection/values.ts'

/** Control characters, direction marks, lone surrogates, line separators, private-use characters, and invisible letters. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f/gu

/** Formats raw units of a 6-decimal dollar token: `10.25`. */
export function plainDollars(amount: bigint): string {
  return formatAmount(amount, { decimals: usdcDecimals, minimumPlaces: 2 })
}

/** Formats raw units: `10.25 USD`. */
export function dollars(amount: bigint, unit = 'USD'): string {
  return `${plainDollars(amount)} ${unit}`
}

/** Formats raw units: `$1,906.03`. */
export const usd = (amount: bigint) => usdText(amount, 'en-US')

/** `Base`, or `chain 31337` for an unknown chain. */
export function chainText(chainId: number | bigint): string {
  return (
    evmNetworks.find((network) => BigInt(network.chainId) === BigInt(chainId))?.name ?? `chain ${chainId}`
  )
}

/** `where` completes "The request is for …, but". */
export const wrongChain = (
  chainId: number,
  { where, other, field }: { where: string; other: number; field: string },
) =>
  finding(
    'danger',
    'WRONG_CHAIN',
    `The request is for ${chainText(chainId)}, but ${where} ${chainText(other)}.`,
    { field, fix: 'Switch your wallet to the right network, or do not sign it.' },
  )

/** Formats unix seconds: `2026-11-20 12:00:00 UTC`. */
export const dateText = (seconds: bigint) =>
  seconds > latestDate ? `${seconds} (unix seconds)` : utcText(seconds)

/** Formats an expiry: `until 2026-11-20 12:00:00 UTC (in 10 minutes)`. */
export function until(validBefore: bigint, now: bigint): string {
  if (validBefore > latestDate) return 'forever'
  const left = validBefore - now
  return `until ${dateText(validBefore)} (${left <= 0n ? 'expired' : `in ${span(left)}`})`
}

/** Permit2, at one address on every chain (github.com/Uniswap/permit2). */
export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

type Names = {
  known?: Readonly<Record<string, string>> | undefined
  pinned?:
    | readonly {
        creditsContract?: string | undefined
        creditSeed?: string | undefined
        receivers?: readonly string[] | undefined
        merchantId?: string | undefined
        name?: string | undefined
      }[]
    | undefined
}

/** Returns the wallet's own name for an address, `Permit2`, or the name of a pinned shop, in quotes. */
export function nameOf(address: string, { known, pinned = [] }: Names): string | undefined {
  const lower = address.toLowerCase()
  const named = Object.entries(known ?? {}).find(([key]) => key.toLowerCase() === lower)?.[1]
  if (named !== undefined) return quote(named)
  if (lower === permit2.toLowerCase()) return 'Permit2'
  const shop = pinned.find((pin) =>
    [pin.creditsContract, ...(pin.receivers ?? [])].some((one) => one?.toLowerCase() === lower),
  )
  const name = shop?.name ?? shop?.merchantId ?? shop?.creditSeed
  return name === undefined ? undefined : quote(name)
}

/** Quotes text. Escapes invisible characters and quotation marks, and truncates long text in the middle. */
export function quote(text: string, longest = 64): string {
  return `"${visible(withoutMiddle(text, longest).replace(/["\\]/g, '\\$&'))}"`
}

const visible = (text: string) =>
  text.replace(invisible, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)

/** Cuts a long text in the middle, between words if possible. */
export const shortened = (text: string, longest = 80) => visible(withoutMiddle(text, longest))

function withoutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text
  const keep = Math.floor(longest / 3)
  const [start, end] = [text.slice(0, longest - keep), text.slice(-keep)]
  const head = /\s/.test(start) ? start.replace(/\s+\S*$/, ' ') : start.replace(/[\ud800-\udbff]$/, '')
  const tail = /\s/.test(end) ? end.replace(/^\S*\s+/, ' ') : end.replace(/^[\udc00-\udfff]/, '')
  return `${head}…${tail}`
}

export const hasInvisible = (text: string) => text.search(invisible) !== -1

export function invisibleFindings(
  text: string,
  field: string,
  severity: 'warning' | 'danger' = 'danger',
): Finding[] {
  if (!hasInvisible(text)) return []
  return [
    finding(severity, 'INVISIBLE_CHARACTERS', `${quote(text)} contains invisible characters.`, {
      field,
      fix: 'Do not sign it: it looks different from what it contains.',
    }),
  ]
}

/** `minimum` and `maximum` are the seconds that may remain until the expiry. */
export function expiryFindings(
  validBefore: bigint,
  now: bigint,
  options: { field: string; minimum: bigint; maximum: bigint; severity: 'warning' | 'danger' },
): Finding[] {
  const { field, minimum, maximum, severity } = options
  if (validBefore <= now)
    return [
      finding('danger', 'EXPIRED', `The request expired ${span(now - validBefore)} ago.`, {
        field,
        fix: 'Ask for a new request.',
      }),
    ]
  if (validBefore <= now + minimum)
    return [
      finding('danger', 'EXPIRES_TOO_SOON', `The request expires in ${span(validBefore - now)}.`, {
        field,
        fix: 'Ask for a new request.',
      }),
    ]
  if (validBefore > now + maximum)
    return [
      finding(
        severity,
        'EXPIRES_TOO_LATE',
        `The request is valid for ${span(validBefore - now + 59n)}; at most ${span(maximum)} is usual.`,
        { field, fix: 'Ask for a request with an earlier expiry.' },
      ),
    ]
  return []
}

/** Formats seconds as `10 minutes`. */
export function span(seconds: bigint): string {
  if (seconds < 120n) return `${seconds} s`
  if (seconds < 7200n) return `${seconds / 60n} minutes`
  if (seconds < 172_800n) return `${seconds / 3600n} hours`
  const days = seconds / 86_400n
  return days > 36_500n ? 'more than a century' : `${days} days`
}

/** Returns a finding if `asked`, the account asked to sign, is not the `signer` in the signed content or the wallet's `address`. */
export function accountFindings(
  asked: unknown,
  { signer, address }: { signer?: string | undefined; address?: string | undefined },
): Finding[] {
  const named = typeof asked === 'string' ? asked.toLowerCase() : undefined
  const differs = (one: string | undefined) => one !== undefined && one.toLowerCase() !== named
  const other = [address, signer].find(differs)
  if (other === undefined) return []
  return [
    finding(
      'danger',
      'WRONG_ACCOUNT',
      asked === undefined
        ? 'The request does not name the account that signs.'
        : `The request asks the account ${showValue(asked)} to sign, not ${showValue(other)}.`,
      { field: 'params', fix: `The account must be ${other}.` },
    ),
  ]
}
