/** The origin of a page's address, which is http or https; undefined for anything else. */
export function pageOrigin(address: unknown): string | undefined {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
