import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { formatAmount, formatUsd } from 'redeemkit'
import type { Settings } from '../messages.ts'
import { english, type TextKey } from './texts/english.ts'
import { portuguese } from './texts/portuguese.ts'

export type Language = Exclude<Settings['language'], undefined>

const catalogues = { en: english, 'pt-BR': portuguese }
const locales = { en: 'en-US', 'pt-BR': 'pt-BR' } as const

const Context = createContext<Language>('en')

export function TextProvider(props: { language: Language; children: ReactNode }) {
  const { language } = props
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <Context value={language}>{props.children}</Context>
}

/** Returns the language in the settings. Without one, returns the browser's language if it is supported, or English. */
export function languageOf(chosen: Settings['language']): Language {
  return chosen ?? (navigator.language.startsWith('pt') ? 'pt-BR' : 'en')
}

export function useText() {
  const language = useContext(Context)
  const locale = locales[language]
  return {
    language,
    text: (key: TextKey, values: Readonly<Record<string, string | number>> = {}) =>
      catalogues[language][key].replace(/\{(\w+)\}/g, (placeholder, name: string) =>
        String(values[name] ?? placeholder),
      ),
    usd: (amount: bigint) => formatUsd(amount, { locale }),
    /** With all digits. */
    amount: (amount: bigint, decimals: number, minimumPlaces = 0) => {
      const [whole = '', places] = formatAmount(amount, { decimals, minimumPlaces }).split('.')
      const grouped = BigInt(whole).toLocaleString(locale)
      return places === undefined ? grouped : `${grouped}${language === 'en' ? '.' : ','}${places}`
    },
    time: (milliseconds: number) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds),
  }
}
