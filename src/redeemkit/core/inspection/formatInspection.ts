import { checkOptions } from '../checkOptions.ts'
import { BaseError } from '../errors/baseError.ts'
import { type InvalidOptionError, InvalidRecordError } from '../errors/inputErrors.ts'
import type { Severity } from '../finding/findingCatalogue.ts'
import { localeOf, usdText } from '../formatUsd.ts'
import { shortAddress } from '../shortAddress.ts'
import { commonEnglish } from './commonEnglish.ts'
import type { Inspection, InspectionSentence, InspectionValue } from './inspection.ts'
import type { InspectionTexts, SentenceKey } from './inspectionTexts.ts'
import { latestDate, utcText } from './values.ts'

/**
 * Renders an inspection as text for a wallet's window: the title, the lines with their labels, and the findings.
 *
 * Each text is on one line. Text that comes from the request is quoted, with invisible characters escaped.
 *
 * @param options.texts the texts of a language. Default English. Findings without a translation are in English
 * @throws {@link InvalidOptionError} for an invalid locale; {@link InvalidRecordError} if the value is not an inspection
 * @example
 * ```ts
 * import { formatInspection, inspect } from 'redeemkit/evm'
 * import { ptBrInspection } from 'redeemkit/languages'
 * const show = (request: inspect.Request) => formatInspection(inspect(request), { texts: ptBrInspection })
 * ```
 */
export function formatInspection(
  inspection: Pick<Inspection, 'title' | 'lines' | 'findings'>,
  options: formatInspection.Options = {},
): formatInspection.ReturnType {
  const { texts = commonEnglish }: { texts?: Texts | undefined } = checkOptions(options, { texts: 'object?' })
  try {
    return render(inspection, { texts, locale: localeOf(texts) })
  } catch (cause) {
    if (cause instanceof BaseError) throw cause
    throw new InvalidRecordError('The inspection or its texts are incomplete.', {
      field: 'inspection',
      fix: 'Pass the result of `inspect`, and all texts of a language.',
      cause,
    })
  }
}

export declare namespace formatInspection {
  type Options = { texts?: InspectionTexts | undefined }
  type ReturnType = {
    title: string
    lines: { label: string; value: string }[]
    /** `fix` is for developers. It is in English, so it is present only with an English message. */
    findings: { severity: Severity; message: string; fix?: string }[]
  }
  type ErrorType = checkOptions.ErrorType | InvalidOptionError | InvalidRecordError
}

function render(
  inspection: Pick<Inspection, 'title' | 'lines' | 'findings'>,
  language: Language,
): formatInspection.ReturnType {
  const { texts } = language
  return {
    title: sentenceText(inspection.title, language),
    lines: inspection.lines.map(({ key, field, value }) => ({
      label: field ?? texts.labels[key],
      value: valueText(value, language, 'line'),
    })),
    findings: inspection.findings.map(({ severity, code, message, fix }) => ({
      severity,
      message: texts.findings[code] ?? message,
      ...(texts.findings[code] === undefined && fix !== undefined && { fix }),
    })),
  }
}

export function summaryOf({ title, lines }: Pick<Inspection, 'title' | 'lines'>): string {
  const { locale } = commonEnglish
  const text = render({ title, lines, findings: [] }, { texts: commonEnglish, locale })
  let summary = text.title
  for (const [index, { label, value }] of text.lines.entries()) {
    const line = `\n${label}: ${value}`
    if (summary.length + line.length > longestSummary)
      return `${summary}\n${commonEnglish.words.more.replace('{count}', `${text.lines.length - index}`)}`
    summary += line
  }
  return summary
}

/** In characters. The summary omits further lines. */
const longestSummary = 6_000

/** The default texts omit sentences that only one chain has, because those sentences include their English text. */
type Texts = Omit<InspectionTexts, 'sentences'> & {
  sentences: Readonly<Partial<Record<SentenceKey, string>>>
}
type Language = { texts: Texts; locale: string }

function sentenceText({ key, values, english }: InspectionSentence, language: Language): string {
  return (language.texts.sentences[key] ?? english ?? '').replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => {
      const value = values[name]
      return value === undefined ? placeholder : valueText(value, language, 'sentence')
    },
  )
}

/** A line shows the complete address, so that users can compare it; a sentence shortens it. */
function valueText(value: InspectionValue, language: Language, place: 'sentence' | 'line'): string {
  const { words, kinds, findings } = language.texts
  switch (value.type) {
    case 'amount':
      return amountText(value, language)
    case 'address': {
      const address = place === 'line' ? value.address : shortened(value.address)
      return value.name === undefined ? address : `${value.name} (${address})`
    }
    case 'time':
      return value.seconds === undefined ? words.noEnd : timeText(value.seconds, value.now, language)
    case 'duration':
      return durationText(value.seconds, language)
    case 'chain':
      return (
        value.name ??
        (value.chainId === undefined ? words.walletChain : words.chain.replace('{id}', `${value.chainId}`))
      )
    case 'text':
      return value.text
    case 'kind':
      return kinds[value.kind]
    case 'list':
      return listText(value.items, language, place)
    case 'finding':
      return findings[value.code] ?? value.message
    case 'sentence':
      return sentenceText(value.sentence, language)
  }
}

/** A sentence has at most four items, those with a known name first; a line has all items. */
function listText(items: readonly InspectionValue[], language: Language, place: 'sentence' | 'line'): string {
  const { words } = language.texts
  const most = place === 'line' || items.length <= 4 ? items.length : 3
  const shown = most < items.length ? [...items].sort((one, other) => nameless(one) - nameless(other)) : items
  const texts = shown.slice(0, most).map((item) => valueText(item, language, place))
  if (most < items.length) texts.push(words.others.replace('{count}', `${items.length - most}`))
  return texts.join(words.and)
}

const nameless = (item: InspectionValue) => Number(item.type === 'amount' && item.symbol === undefined)

/** Shortens to `0x1234…abcd` or `GBRF…VZ3H`, unless the short form would look like the zero address. */
function shortened(address: string): string {
  if (/^0x0{4}\w*[1-9a-f]\w*0{4}$/i.test(address)) return address
  return address.startsWith('0x') || address.length < 12
    ? shortAddress(address)
    : `${address.slice(0, 4)}…${address.slice(-4)}`
}

function amountText(
  { amount, decimals, symbol, token = '' }: Extract<InspectionValue, { type: 'amount' }>,
  { texts: { words }, locale }: Language,
): string {
  const fill = (text: string, amountText: string) =>
    text.replace('{amount}', amountText).replace('{token}', symbol ?? shortened(token))
  if (amount === 'unlimited') return fill(symbol === undefined ? words.allOfToken : words.all, '')
  if (symbol === 'USD') return usdText(amount, locale)
  if (decimals === undefined) return fill(amount === 1n ? words.rawUnit : words.rawUnits, `${amount}`)
  const number = decimalText(amount, { decimals, minimumPlaces: symbol?.includes('USD') ? 2 : 0 }, locale)
  return symbol === undefined ? fill(words.ofToken, number) : `${number} ${symbol}`.trim()
}

/** Formats a decimal exactly. Does not use `formatAmount`, which can throw. */
function decimalText(
  amount: bigint,
  { decimals, minimumPlaces }: { decimals: number; minimumPlaces: number },
  locale: string,
): string {
  const digits = `${amount}`.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const places = digits.slice(whole.length).replace(/0+$/, '').padEnd(minimumPlaces, '0')
  const [group, point] = separatorsOf(locale)
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group)
  return places === '' ? grouped : `${grouped}${point}${places}`
}

function separatorsOf(locale: string): [group: string, point: string] {
  if (locale === commonEnglish.locale) return [',', '.']
  const parts = numberFormat(locale, {}).formatToParts(1_000_000.5)
  const [group, point] = ['group', 'decimal'].map((name) => parts.find(({ type }) => type === name)?.value)
  return [group ?? '', point ?? '.']
}

/** `2026-11-20 12:00:00 UTC (in 10 minutes)` */
function timeText(seconds: bigint, now: bigint, language: Language): string {
  const { words } = language.texts
  if (seconds > latestDate) return words.noEnd
  const left = seconds - now
  const far = left <= 0n ? words.over : words.in.replace('{duration}', durationText(left, language))
  return `${utcText(seconds)} (${far})`
}

const [minute, hour, day] = [60n, 3_600n, 86_400n]

/** Rounds down: `10 minutes`. */
function durationText(seconds: bigint, { locale }: Language): string {
  const [count, unit] =
    seconds < 2n * minute
      ? [seconds, 'second']
      : seconds < 2n * hour
        ? [seconds / minute, 'minute']
        : seconds < 2n * day
          ? [seconds / hour, 'hour']
          : [seconds / day, 'day']
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** Creating a formatter takes far longer than formatting. */
const formats = new Map<string, Intl.NumberFormat>()

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${options.unit}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  // Bounded, because a server may receive any locale.
  if (formats.size > 50) formats.clear()
  formats.set(key, format)
  return format
}
