import type { Environment } from './blockchains.ts'
import { evmNetworks } from './evmNetworks.ts'
import { parseUrl } from './parseUrl.ts'

/**
 * Returns the URL of a transaction or an account on the chain's block explorer.
 *
 * @returns an https URL on the explorer's host; `undefined` for chains without an explorer, and for an invalid hash or address. Pass
 * `baseUrl`, so that a local chain with the id of a public chain gets no link
 * @example
 * ```ts
 * import { explorerUrl } from 'redeemkit'
 * explorerUrl({ chainId: 8453, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' })
 * // 'https://basescan.org/address/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
 * explorerUrl({ chainId: 31337, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }) // undefined
 * ```
 */
export function explorerUrl(options: explorerUrl.Options): string | undefined {
  const { blockchain, environment, hash, address, baseUrl } = Object(options) as Asked // each value is checked
  if (blockchain === undefined) return evmExplorerUrl(options)
  const [value, what] = hash === undefined ? [address, 'address' as const] : [hash, 'hash' as const]
  if (typeof value !== 'string' || isLocal(baseUrl)) return undefined
  if (!isFamily(blockchain) || (environment !== 'prod' && environment !== 'sandbox')) return undefined
  if (!forms[blockchain][what].test(value)) return undefined
  if (blockchain === 'solana')
    return `https://explorer.solana.com/${what === 'hash' ? 'tx' : 'address'}/${value}${
      environment === 'prod' ? '' : '?cluster=devnet'
    }`
  const kind = what === 'hash' ? 'tx' : value.startsWith('C') ? 'contract' : 'account'
  return `https://stellar.expert/explorer/${environment === 'prod' ? 'public' : 'testnet'}/${kind}/${value}`
}

export declare namespace explorerUrl {
  type Options = ({ chainId: number } | { blockchain: 'solana' | 'stellar'; environment: Environment }) &
    ({ hash: string; address?: undefined } | { address: string; hash?: undefined }) & {
      /** URL of the payments service: `client.baseUrl`. A service on localhost has local chains, which have no explorer. */
      baseUrl?: string | undefined
    }
}

/** Like `explorerUrl`, without the code for other chains. */
export function evmExplorerUrl(options: object): string | undefined {
  const { chainId, hash, address, baseUrl } = Object(options) as Asked // each value is checked
  const network = evmNetworks.find((one) => one.chainId === chainId)
  const [value, path, digits] = hash === undefined ? [address, 'address', 40] : [hash, 'tx', 64]
  if (network === undefined || typeof value !== 'string' || isLocal(baseUrl)) return undefined
  // The paths of EIP-3091.
  return /^0x[0-9a-f]+$/i.test(value) && value.length === 2 + digits
    ? `https://${network.explorer}/${path}/${value}`
    : undefined
}

type Asked = Readonly<
  Partial<Record<'chainId' | 'blockchain' | 'environment' | 'hash' | 'address' | 'baseUrl', unknown>>
>

/** Solana's transaction hash is a 64-byte signature in base58. */
const forms = {
  solana: { hash: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ },
  stellar: { hash: /^[0-9a-f]{64}$/i, address: /^[GC][A-Z2-7]{55}$/ },
}

/** Local hosts are those of RFC 6761 and RFC 1122. */
function isLocal(baseUrl: unknown): boolean {
  const url = typeof baseUrl === 'string' ? parseUrl(baseUrl) : undefined
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '')
}

function isFamily(blockchain: unknown): blockchain is 'solana' | 'stellar' {
  return blockchain === 'solana' || blockchain === 'stellar'
}
