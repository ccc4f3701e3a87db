/** Whether a connection is private: https, or http that stays on the local network. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  // loopback, names without a dot, and names reserved for tests
  const isHere = /^(127(\.\d+){3}|\[::1\]|[^.:[\]]+|.+\.(localhost|test))$/.test(hostname)
  return protocol === 'http:' && isHere
}
