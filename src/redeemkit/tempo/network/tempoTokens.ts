import type { Address } from 'viem'
import { tempoChainIds } from '../../core/evmNetworks.ts'

/** A TIP-20 token that is known by name. All have 6 decimals. */
export type TempoToken = {
  readonly name: string
  readonly address: Address
  /** The networks that it stands on. */
  readonly chainIds: readonly number[]
}

const [mainnet, testnet] = tempoChainIds

/**
 * The TIP-20 tokens that are known by name, and where they stand. AlphaUSD, BetaUSD and ThetaUSD are the test network's, from
 * its faucet: on the main network their addresses are reserved, and nothing stands there.
 *
 * @see https://docs.tempo.xyz/docs/quickstart/faucet; https://github.com/tempoxyz/tempo, `crates/hardfork/src/constants.rs`
 * @example
 * ```ts
 * import { tempoTokens } from 'redeemkit/tempo'
 * tempoTokens.filter((token) => token.chainIds.includes(4217)).map((token) => token.name) // ['pathUSD', 'OpenUSD', 'USDC.e']
 * ```
 */
export const tempoTokens: readonly TempoToken[] = [
  { name: 'pathUSD', address: '0x20C0000000000000000000000000000000000000', chainIds: tempoChainIds },
  { name: 'OpenUSD', address: '0x20c0000000000000000000006a37DA5C996874BE', chainIds: tempoChainIds },
  { name: 'USDC.e', address: '0x20C000000000000000000000b9537d11c60E8b50', chainIds: [mainnet] },
  { name: 'USDC.e', address: '0x20C0000000000000000000009e8d7eB59B783726', chainIds: [testnet] },
  { name: 'AlphaUSD', address: '0x20C0000000000000000000000000000000000001', chainIds: [testnet] },
  { name: 'BetaUSD', address: '0x20C0000000000000000000000000000000000002', chainIds: [testnet] },
  { name: 'ThetaUSD', address: '0x20C0000000000000000000000000000000000003', chainIds: [testnet] },
]

/** Whether an address is one of the token factory's: what stands there is a TIP-20 token, or nothing. */
export const isTip20 = (address: Address) => /^0x20c0{21}/i.test(address)

/** What a token is called for people: `pathUSD`, or by its address when nobody named it. */
export function tempoTokenName(address: Address, chainId: number): string {
  const known = tempoTokens.find(
    (token) => token.address.toLowerCase() === address.toLowerCase() && token.chainIds.includes(chainId),
  )
  return known?.name ?? `of the token ${address}`
}
