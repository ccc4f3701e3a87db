export {
  type FakeSolanaWallet,
  fakeSolanaWallet,
  type SolanaProfileName,
} from './fakeSolanaWallet.ts'
export { type FakeStellarWallet, fakeStellarWallet, type StellarProfileName } from './fakeStellarWallet.ts'
export { type EvmProfileName, type FakeWallet, fakeWallet, type WalletInfo } from './fakeWallet.ts'
export type { SmartAccount } from './honestWallet.ts'
export type { WalletProfile, WalletRequest } from './walletProfile.ts'
export { walletProfiles } from './walletProfiles.ts'
