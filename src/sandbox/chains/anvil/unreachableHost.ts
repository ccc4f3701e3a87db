import { createServer } from 'node:net'

/**
 * An address for Anvil's port that no page and no program can connect to. Anvil opens a port whatever it is told; it is
 * asked over its socket instead.
 *
 * TCP has no connections to a multicast address (RFC 1122 4.2.3.10), and yet Linux and the BSDs open a port there. Where
 * that is refused, an address of this machine drawn by lot among 16 million, and 127.0.0.1 as the last resort.
 */
export async function unreachableHost(): Promise<string> {
  const byte = () => Math.floor(Math.random() * 254) + 1
  for (const host of [`239.255.${byte()}.${byte()}`, `127.${byte()}.${byte()}.${byte()}`])
    if (await canOpen(host)) return host
  return '127.0.0.1'
}

function canOpen(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(0, host, () => probe.close(() => resolve(true)))
  })
}
