import { BlockList, isIP } from 'node:net'

/**
 * Whether an IP address is one of a list, or in one of its networks (`10.0.0.0/8`, `fd00::/8`). An address that is not known is in
 * none.
 */
export function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const family = familyOf(address ?? '')
  if (address === undefined || family === undefined) return false
  const list = new BlockList()
  for (const text of networks) {
    const network = readNetwork(text)
    if (network !== undefined) list.addSubnet(network.address, network.bits, network.family)
  }
  return list.check(address, family)
}

/** Whether text is an IP address, or a network of them. */
export function isNetwork(text: unknown): boolean {
  return typeof text === 'string' && readNetwork(text) !== undefined
}

function readNetwork(text: string) {
  const [address = '', bitsText, ...rest] = text.split('/')
  const family = familyOf(address)
  if (family === undefined || rest.length > 0) return undefined
  const most = family === 'ipv4' ? 32 : 128
  if (bitsText === undefined) return { address, family, bits: most }
  const bits = /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : Number.NaN
  return bits <= most ? { address, family, bits } : undefined
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined
}
