import type { Address } from 'viem'
import { usdcDecimals } from '../core/amount.ts'
import { tempoChainIds } from '../core/evmNetworks.ts'
import type { InspectionValue } from '../core/inspection/inspection.ts'
import { tempoSentences } from '../core/inspection/tempoSentences.ts'
import { addressValue, sentencesOf, sentenceValue, tokenValue } from '../core/inspection/values.ts'
import { sameHex } from '../evm/values.ts'

/** A TIP-20 token with a known name. Every TIP-20 token here has 6 decimals. */
export type TempoToken = {
  readonly name: string
  readonly address: Address
  /** The networks on which the token exists. */
  readonly chainIds: readonly number[]
}

const [mainnet, testnet] = tempoChainIds

/**
 * The TIP-20 tokens with a known name, and their addresses. AlphaUSD, BetaUSD and ThetaUSD are tokens of the test network's
 * faucet. On the main network, their addresses are reserved, and no token exists there.
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

/** Whether an address has the token factory's prefix, with which only TIP-20 tokens can be deployed. */
export const isTip20 = (address: string) => /^0x20c0{21}/i.test(address)

export function tempoTokenName(address: string, chainId: number): string | undefined {
  return tempoTokens.find((token) => sameHex(token.address, address) && token.chainIds.includes(chainId))
    ?.name
}

/**
 * Contracts with the same address on every Tempo network, and pathUSD, the only token with the same address on all of them.
 *
 * `signatureVerifier` is the TIP-1020 precompile. `accountKeychain` stores which access keys may act for an account. `tempoTokens` has
 * the other tokens.
 */
export const tempoContracts = {
  signatureVerifier: '0x5165300000000000000000000000000000000000',
  accountKeychain: '0xaAAAaaAA00000000000000000000000000000000',
  feeManager: '0xfeEC000000000000000000000000000000000000',
  pathUsd: '0x20C0000000000000000000000000000000000000',
} as const

type TokenPlace = { contract: Address; chainId: number }

/** Returns decimals and name of a TIP-20 token; `undefined` for any other contract. */
export const tip20Of = (contract: string, chainId: number) =>
  isTip20(contract) ? { decimals: usdcDecimals, symbol: tempoTokenName(contract, chainId) } : undefined

/** Shows raw units if the token's decimals are unknown. */
export const amountValue = (
  amount: bigint | 'unlimited',
  { contract, chainId }: TokenPlace,
): InspectionValue => tokenValue(amount, { token: contract, ...tip20Of(contract, chainId) })

export const contractValue = ({ contract, chainId }: TokenPlace): InspectionValue =>
  addressValue(contract, tempoTokenName(contract, chainId))

/** A sentence that only Tempo uses includes its English text. */
export const tempoSentence = /* @__PURE__ */ sentencesOf(tempoSentences)

/** Creates a sentence, or a part of a sentence, to embed in another sentence. */
export const partValue = (...part: Parameters<typeof tempoSentence>): InspectionValue =>
  sentenceValue(tempoSentence(...part))
