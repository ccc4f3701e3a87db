import { isThisMachine } from './isThisMachine.ts'

/**
 * Whether the `Host` of a request is a name of this machine, or one of those that are given, at any port. A foreign name that was
 * pointed at this machine (DNS rebinding) would make a stranger's page same-origin.
 *
 * @param hosts names, with a port where only that one counts
 */
export function isOwnHost(host: string, hosts: readonly string[] = []): boolean {
  const url = `http://${host}`
  // Nothing but a host and a port: no user, no path.
  if (!URL.canParse(url) || /[/\\?#@]/.test(host)) return false
  // As a browser reads it: lower case, numbers of an IPv4 address in their usual form.
  const { hostname, host: asked } = new URL(url)
  return isThisMachine(hostname) || hosts.includes(hostname) || hosts.includes(asked) || hosts.includes(host)
}
