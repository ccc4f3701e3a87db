/** Whether a host name is this machine's: RFC 6761 6.3 gives it `localhost` and every name under it. IPv6 in brackets, as in a URL. */
export function isThisMachine(hostname: string): boolean {
  return /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
