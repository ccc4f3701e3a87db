import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { purchaseVariables } from '../schema/purchaseVariables.ts'

/** Theme of the card form (PROTOCOL.md 10.8). */
export type PurchaseTheme = {
  /** Default: the customer's system setting. */
  colorScheme?: 'light' | 'dark' | 'auto' | undefined
  /** The form's CSS variables. They override those set on the element or its ancestors. */
  variables?: Partial<Record<PurchaseVariable, string>> | undefined
}

/** CSS variables of the card form. Colors are a name, hex or a color function; sizes are in `px`, `rem` or `em`. */
export type PurchaseVariable = keyof typeof purchaseVariables

const themeKinds: OptionKinds<PurchaseTheme> = { colorScheme: 'any', variables: 'object?' }

export function checkTheme(theme: PurchaseTheme): void {
  const { colorScheme = 'auto', variables: given = {} } = checkOptions(theme, themeKinds, 'theme')
  if (!['light', 'dark', 'auto'].includes(colorScheme))
    throw new InvalidOptionError(`${showValue(colorScheme)} is not a color scheme.`, {
      field: 'theme.colorScheme',
      fix: 'Pass light, dark or auto.',
    })
  for (const [name, value] of Object.entries(given)) {
    const pattern = Object.entries(purchaseVariables).find(([known]) => known === name)?.[1]
    if (pattern === undefined || (value !== undefined && !pattern.test(value)))
      throw new InvalidOptionError(`${showValue(value)} is not a value for ${showValue(name)}.`, {
        field: `theme.variables.${name}`,
        fix: `Pass colors, sizes in px, rem or em, or font names as ${Object.keys(purchaseVariables).join(', ')}.`,
      })
  }
}

/** Reads each value from the option or, without it, from the page's CSS on the element. */
export function readLook(
  element: PageElement,
  options: { theme?: PurchaseTheme | undefined; language?: string | undefined },
): { language: string; colorScheme: string; variables: Record<string, string> } {
  const { theme = {}, language } = options
  const inherited = getComputedStyle(element)
  const found: Record<string, string> = {}
  for (const [name, pattern] of Object.entries(purchaseVariables)) {
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

/** The type `HTMLElement`, without its name: server projects that read these declarations have no DOM types. */
export type PageElement = typeof globalThis extends { HTMLElement: { prototype: infer element } }
  ? element
  : never
