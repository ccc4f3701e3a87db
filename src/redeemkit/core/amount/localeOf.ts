import { InvalidOptionError } from '../errors/inputErrors.ts'
import { showValue } from '../errors/showValue.ts'

/**
 * The locale in which something is written, checked: one that `Intl` does not know would break a page where it shows an amount.
 *
 * @throws {@link InvalidOptionError} when it is no language tag
 */
export function localeOf({ locale = 'en-US' }: { locale?: string | undefined }): string {
  try {
    const [canonical] = typeof locale === 'string' ? Intl.getCanonicalLocales(locale) : []
    if (canonical !== undefined) return canonical
  } catch (cause) {
    throw wrongLocale(locale, cause)
  }
  throw wrongLocale(locale)
}

function wrongLocale(locale: unknown, cause?: unknown): InvalidOptionError {
  return new InvalidOptionError(`${showValue(locale)} is not a locale.`, {
    field: 'locale',
    fix: 'Give a language tag, such as "en-US" or "pt-BR".',
    docs: 'RFC 5646',
    cause,
  })
}
