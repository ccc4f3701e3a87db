/** Whether nobody on the way can read or change what is sent: https, or http that does not leave the local network. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  // Loopback, names without a dot, and names reserved for tests.
  const isHere = /^(127(\.\d+){3}|\[::1\]|[^.:[\]]+|.+\.(localhost|test))$/.test(hostname)
  return protocol === 'http:' && isHere
}
