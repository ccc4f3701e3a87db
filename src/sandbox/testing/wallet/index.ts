import { evmProfiles } from './evmProfiles.ts'
import { solanaProfiles } from './fakeSolanaWallet.ts'
import { stellarProfiles } from './fakeStellarWallet.ts'
import type { WalletProfile } from './walletProfile.ts'

export {
  type FakeSolanaWallet,
  fakeSolanaWallet,
  type SolanaProfileName,
} from './fakeSolanaWallet.ts'
export { type FakeStellarWallet, fakeStellarWallet, type StellarProfileName } from './fakeStellarWallet.ts'
export { type EvmProfileName, type FakeWallet, fakeWallet, type WalletInfo } from './fakeWallet.ts'
export type { SmartAccount } from './honestWallet.ts'
export type { WalletProfile, WalletRequest } from './walletProfile.ts'

/**
 * Known defects of real wallets, each with its public report. `fakeWallet` supports the profiles of the family `evm`, `fakeSolanaWallet`
 * the profiles of `solana`, and `fakeStellarWallet` the profiles of `stellar`.
 *
 * @example
 * ```ts
 * import { fakeWallet, walletProfiles } from '@redeemkit/sandbox/testing'
 * for (const profile of walletProfiles)
 *   if (profile.family === 'evm') fakeWallet({ privateKey: `0x${'01'.repeat(32)}`, profile: profile.name })
 * ```
 */
export const walletProfiles = [
  ...evmProfiles.map((profile) => ({ family: 'evm' as const, ...profile })),
  ...solanaProfiles.map((profile) => ({ family: 'solana' as const, ...profile })),
  ...stellarProfiles.map((profile) => ({ family: 'stellar' as const, ...profile })),
] satisfies readonly WalletProfile[]
