import { evmProfiles } from './evmProfiles.ts'
import { solanaProfiles } from './solanaProfiles.ts'
import { stellarProfiles } from './stellarProfiles.ts'
import type { WalletProfile } from './walletProfile.ts'

/**
 * Misbehaviours of real wallets, each with the public report that it comes from. `fakeWallet` plays those of the family
 * `evm`, `fakeSolanaWallet` those of `solana`, `fakeStellarWallet` those of `stellar`.
 *
 * @example
 * ```ts
 * import { fakeWallet, walletProfiles } from '@redeemkit/sandbox/testing'
 * for (const profile of walletProfiles)
 *   if (profile.family === 'evm') fakeWallet({ privateKey: `0x${'01'.repeat(32)}`, profile: profile.name })
 * ```
 */
export const walletProfiles = [
  ...evmProfiles,
  ...solanaProfiles,
  ...stellarProfiles,
] as const satisfies readonly WalletProfile[]
