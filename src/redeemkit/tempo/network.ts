import type { Address } from 'viem'
import { tempoChainIds } from '../core/evmNetworks.ts'

/** A hardfork of Tempo: its time in unix seconds, and its changes for signers and payers. */
export type TempoHardfork = {
  readonly name: string
  /** Main network, 4217. */
  readonly prod: number
  /** Test network Moderato, 42431. */
  readonly sandbox: number
  readonly changed: string
}

/**
 * Tempo's known hardforks, oldest first.
 *
 * @see https://github.com/tempoxyz/tempo, `crates/hardfork/src/constants.rs` (times) and its releases v1.4.0 to v1.14.0;
 * https://docs.tempo.xyz/docs/protocol/upgrades
 * @example
 * ```ts
 * import { tempoHardforks } from 'redeemkit/tempo'
 * tempoHardforks.filter((fork) => fork.prod <= Date.now() / 1000).at(-1)?.name
 * ```
 */
export const tempoHardforks: readonly TempoHardfork[] = [
  row(
    'T0',
    0,
    1_770_303_600,
    'Base fee fixed at 10^10 attodollars a gas. Transactions of type 0x76; secp256k1, P-256, WebAuthn.',
  ),
  row(
    'T1',
    1_770_908_400,
    1_770_303_600,
    'Base fee fixed at 2 * 10^10 (TIP-1010). Expiring nonces: nonceKey 2^256 - 1, at most 30 seconds ahead (TIP-1009).',
  ),
  row('T1A', 1_770_908_400, 1_771_858_800, 'A transaction may take 30,000,000 gas.'),
  row('T1B', 1_771_858_800, 1_771_858_800, 'Expiring nonces cannot be replayed.'),
  row(
    'T1C',
    1_773_327_600,
    1_773_068_400,
    'Keychain V2 only: an access key signs for one named account. Keychain V1 (0x03) is refused.',
  ),
  row(
    'T2',
    1_774_965_600,
    1_774_537_200,
    'TIP-20 tokens have permit (TIP-1004). A sender cannot be its own sponsor (TIP-1036).',
  ),
  row(
    'T3',
    1_777_298_400,
    1_776_780_000,
    'Signature verifier for contracts (TIP-1020). Access keys with calls and periodic limits (TIP-1011). Virtual addresses (TIP-1022).',
  ),
  row('T4', 1_779_112_800, 1_778_767_200, 'Hardening of access key scopes (TIP-1046).'),
  row(
    'T5',
    1_781_013_600,
    1_780_495_200,
    'Key authorizations with a witness (TIP-1053). Some contracts spend TIP-20 tokens without an allowance (TIP-1035). Fees are swapped over several pools.',
  ),
  row(
    'T6',
    1_782_223_200,
    1_781_791_200,
    'verifyKeychain: contracts can check access keys. Admin access keys (TIP-1049). An account may choose whom it receives from (TIP-1028).',
  ),
  row(
    'T7',
    1_783_605_600,
    1_783_000_800,
    'Base fee moves with the load between 6 * 10^8 and 1.2 * 10^10 (TIP-1067). Cleared storage is credited (TIP-1060).',
  ),
  row(
    'T8',
    1_785_420_000,
    1_785_160_800,
    'Fee collection asks the token policy about the payer only (TIP-1042).',
  ),
  row(
    'T9',
    1_786_024_800,
    1_785_938_400,
    'Transfer policies of TIP-20 tokens are kept in the registry (TIP-1092).',
  ),
  row('T10', 1_787_320_800, 1_787_234_400, 'Zones (TIP-1091).'),
  row(
    'T11',
    1_789_048_800,
    1_788_962_400,
    'Expiring nonces live up to 5 minutes (TIP-1093). Input of precompiles costs 30 gas a word (TIP-1100) and must be ABI-encoded to the letter (TIP-1105).',
  ),
  row(
    'T12',
    1_791_900_000,
    1_791_468_000,
    'Input of precompiles may have bytes behind its ABI encoding again (TIP-1116).',
  ),
]

/** The highest and lowest price of gas since T7, in attodollars (10^-18 USD), without the tip (TIP-1067). */
export const tempoBaseFee = { cap: 12_000_000_000n, floor: 600_000_000n } as const

function row(name: string, prod: number, sandbox: number, changed: string): TempoHardfork {
  return { name, prod, sandbox, changed }
}

/** A TIP-20 token that is known by name. All have 6 decimals. */
export type TempoToken = {
  readonly name: string
  readonly address: Address
  /** The networks that have it. */
  readonly chainIds: readonly number[]
}

const [mainnet, testnet] = tempoChainIds

/**
 * The TIP-20 tokens with a known name, and their addresses. AlphaUSD, BetaUSD and ThetaUSD come from the test network's
 * faucet. On the main network their addresses are reserved and have no token.
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

/** Whether an address is in the token factory's range: only a TIP-20 token can be deployed there. */
export const isTip20 = (address: Address) => /^0x20c0{21}/i.test(address)

/** A token's name, if it is known: `pathUSD`. */
export function tempoTokenName(address: Address, chainId: number): string | undefined {
  return tempoTokens.find(
    (token) => token.address.toLowerCase() === address.toLowerCase() && token.chainIds.includes(chainId),
  )?.name
}

/**
 * Contracts with the same address on every Tempo network, and pathUSD, the only such token.
 *
 * `signatureVerifier` is the TIP-1020 precompile; `accountKeychain` knows which access keys act for an account. Other tokens
 * are in `tempoTokens`, by network.
 */
export const tempoContracts = {
  signatureVerifier: '0x5165300000000000000000000000000000000000',
  accountKeychain: '0xaAAAaaAA00000000000000000000000000000000',
  feeManager: '0xfeEC000000000000000000000000000000000000',
  pathUsd: '0x20C0000000000000000000000000000000000000',
} as const
