const color =
  /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|rgba|hsl|hsla|oklch|oklab|lab|lch)\([\d.,%/ a-z+-]{1,60}\))$/i
const size = /^\d{1,3}(\.\d{1,3})?(px|rem|em)$/

/** The card form's CSS variables, with the values that a page may set (PROTOCOL.md 10.8). */
export const purchaseVariables = {
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
