import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** How the card form looks (PROTOCOL.md 10.8). */
export type PurchaseTheme = {
  /** Default: that of the person's system. */
  colorScheme?: 'light' | 'dark' | 'auto' | undefined
  /** The form's CSS variables. The same set on the element or above it count where this says nothing. */
  variables?: Partial<Record<PurchaseVariable, string>> | undefined
}

/** CSS variables of the card form. Colours are a name, hex or a colour function; sizes are in `px`, `rem` or `em`. */
export type PurchaseVariable = keyof typeof variables

const color =
  /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|rgba|hsl|hsla|oklch|oklab|lab|lch)\([\d.,%/ a-z+-]{1,60}\))$/i
const size = /^\d{1,3}(\.\d{1,3})?(px|rem|em)$/

const variables = {
  '--purchase-accent': color,
  '--purchase-on-accent': color,
  '--purchase-background': color,
  '--purchase-field': color,
  '--purchase-text': color,
  '--purchase-faint': color,
  '--purchase-border': color,
  '--purchase-danger': color,
  '--purchase-success': color,
  '--purchase-radius': size,
  '--purchase-font-size': size,
  '--purchase-font': /^[\w\s"',-]{1,160}$/,
} as const

const themeKinds: OptionKinds<PurchaseTheme> = { colorScheme: 'any', variables: 'object?' }

/** @throws {@link InvalidOptionError} */
export function checkTheme(theme: PurchaseTheme): void {
  const { colorScheme = 'auto', variables: given = {} } = checkOptions(theme, themeKinds, 'theme')
  if (!['light', 'dark', 'auto'].includes(colorScheme))
    throw new InvalidOptionError(`${showValue(colorScheme)} is no colour scheme.`, {
      field: 'theme.colorScheme',
      fix: 'Give light, dark or auto.',
    })
  for (const [name, value] of Object.entries(given)) {
    const pattern = Object.entries(variables).find(([known]) => known === name)?.[1]
    if (pattern === undefined || (value !== undefined && !pattern.test(value)))
      throw new InvalidOptionError(`${showValue(value)} cannot be ${showValue(name)}.`, {
        field: `theme.variables.${name}`,
        fix: `The form takes colours, sizes in px, rem or em, and names of fonts, as ${Object.keys(variables).join(', ')}.`,
      })
  }
}

/** What the form is told of its look: the option, and where it says nothing what the page's own CSS says about the element. */
export function readLook(
  element: HTMLElement,
  options: { theme?: PurchaseTheme | undefined; language?: string | undefined },
): { language: string; colorScheme: string; variables: Record<string, string> } {
  const { theme = {}, language } = options
  const inherited = getComputedStyle(element)
  const found: Record<string, string> = {}
  for (const [name, pattern] of Object.entries(variables)) {
    const own = Object.entries(theme.variables ?? {}).find(([given]) => given === name)?.[1]
    const value = own ?? inherited.getPropertyValue(name).trim()
    if (pattern.test(value)) found[name] = value
  }
  return {
    language: language ?? (document.documentElement.lang || 'en'),
    colorScheme: theme.colorScheme ?? 'auto',
    variables: found,
  }
}
