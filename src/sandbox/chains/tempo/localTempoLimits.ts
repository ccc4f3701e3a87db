/**
 * The hardfork of the local Tempo chain: the last one that Anvil 1.7 knows. The networks are further; `tempoHardforks` of
 * `redeemkit/tempo` says when each came.
 */
export const localTempoHardfork = 'T4'

/** What the networks do and the local chain, at T4, cannot show. The one place where this is said. */
const localTempoLimits = {
  T5: 'No key authorizations with a witness; nobody spends tokens without an allowance.',
  T6: 'No contract can check the signature of an access key (verifyKeychainAdmin), so no redeem signed by one; no admin keys; no account that chooses whom it receives from.',
  T7: 'The base fee is 2 * 10^10 attodollars a gas at the start and sinks as on Ethereum; the networks keep it between 6 * 10^8 and 1.2 * 10^10. Storage is not credited.',
  T11: 'Expiring nonces live 30 seconds, not 5 minutes; precompiles take input that is not ABI-encoded to the letter, and charge 6 gas a word of it, not 30.',
} as const

/** Why redeems signed by an access key are skipped on a local chain. */
export const tempoKeychainSkip = `SKIP: Anvil knows Tempo up to hardfork ${localTempoHardfork}. ${localTempoLimits.T6}`
