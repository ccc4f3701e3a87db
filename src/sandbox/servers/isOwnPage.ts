import { isThisMachine } from './isThisMachine.ts'

/**
 * Whether an `Origin`, which browsers send and pages cannot forge, is a page of this machine, or one that is named. `null` is none:
 * a sandboxed frame, a file, a redirect.
 *
 * @param origins such as `https://shop.example`
 */
export function isOwnPage(origin: string, origins: readonly string[] = []): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  if (page.origin !== origin || !/^https?:$/.test(page.protocol)) return false
  return isThisMachine(page.hostname) || origins.includes(origin)
}
