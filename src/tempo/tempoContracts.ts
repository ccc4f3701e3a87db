/**
 * Contracts and tokens that stand at the same address on every Tempo network. All tokens have 6 decimals (TIP-20).
 *
 * `signatureVerifier` is the TIP-1020 precompile; `accountKeychain` knows which access keys act for an account.
 */
export const tempoContracts = {
  signatureVerifier: '0x5165300000000000000000000000000000000000',
  accountKeychain: '0xaAAAaaAA00000000000000000000000000000000',
  feeManager: '0xfeEC000000000000000000000000000000000000',
  pathUsd: '0x20C0000000000000000000000000000000000000',
  alphaUsd: '0x20c0000000000000000000000000000000000001',
} as const
