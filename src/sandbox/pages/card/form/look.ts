import type { Look } from './channel.ts'

const color =
  /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|rgba|hsl|hsla|oklch|oklab|lab|lch)\([\d.,%/ a-z+-]{1,60}\))$/i
const size = /^\d{1,3}(\.\d{1,3})?(px|rem|em)$/

/** What a page may set, and what it may be (PROTOCOL.md 10.8). */
const variables: Readonly<Record<string, RegExp>> = {
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
}

/** Puts the page's own colours and sizes in place of the form's; anything else in the message is left out. */
export function setLook({ colorScheme, variables: wanted }: Look): void {
  const { style, dataset } = document.documentElement
  dataset.scheme = colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'auto'
  for (const [name, pattern] of Object.entries(variables)) {
    const value = wanted[name]
    if (typeof value === 'string' && pattern.test(value)) style.setProperty(name, value)
    else style.removeProperty(name)
  }
}
