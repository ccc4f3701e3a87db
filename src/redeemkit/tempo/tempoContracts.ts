/**
 * Contracts that stand at the same address on every Tempo network, and pathUSD, the one token that does so too.
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
