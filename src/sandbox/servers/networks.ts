import dns from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Whether an IP address, including IPv4-mapped IPv6, is in a list of addresses and networks (`10.0.0.0/8`, `fd00::/8`). */
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

export function isLoopback(address: string): boolean {
  return isInNetworks(address, ['127.0.0.0/8', '::1'])
}

/** Addresses at which a cloud machine reads its credentials: link-local ones, and those of other metadata services. */
const metadataNetworks = [
  '169.254.0.0/16',
  'fe80::/10',
  // Link-local IPv4 behind NAT64 (RFC 6052).
  '64:ff9b::a9fe:0/112',
  // IPv6 addresses of AWS, Google Cloud, Oracle Cloud, Scaleway, Linode and Alibaba Cloud.
  'fd00:ec2::/32',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fd00:100::100:200',
  // Alibaba Cloud, Azure's host agent, Oracle Cloud.
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]

/** Whether the host of a URL is a link-local address or a metadata service. Host names are not resolved. */
export function isMetadataAddress(hostname: string): boolean {
  return isInNetworks(hostname.replace(/^\[|\]$/g, ''), metadataNetworks)
}

/** Checks the addresses that the request connects to: a second lookup of the same name could return a metadata service. */
export const lookupAllowed: LookupFunction = (hostname, options, callback) =>
  dns.lookup(hostname, options, (error, found, family) => {
    const isForbidden = [found ?? []].flat().some((one) => isMetadataAddress(Object(one).address ?? one))
    callback(isForbidden ? Object.assign(new Error(), { code: forbiddenAddress }) : error, found, family)
  })

export const forbiddenAddress = 'FORBIDDEN_ADDRESS'
