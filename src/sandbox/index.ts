export { InvalidOptionError } from '../core/errors/inputErrors.ts'
export { AnvilNotInstalledError } from './chains/anvil/anvilBinary.ts'
export { ChainSetupError } from './chains/anvil/anvilRpc.ts'
export { AnvilStartError, startAnvil } from './chains/anvil/startAnvil.ts'
export type { SandboxSolana } from './chains/solana/startSandboxSolana.ts'
export type { SandboxStellar } from './chains/stellar/startSandboxStellar.ts'
export { startTempoChain, type TempoChain, TempoSetupError } from './chains/tempo/startTempoChain.ts'
export type { TempoPeople } from './chains/tempo/tempoPeople.ts'
export {
  createSandbox,
  InvalidSandboxOptionsError,
  type Sandbox,
  type WhitelistEntry,
} from './createSandbox.ts'
export { type DevAccount, devAccount } from './devAccounts.ts'
export type { AuthVerifier, ChallengeFacts, SignedChallenge } from './service/auth/authVerifier.ts'
export {
  type Gift,
  type People,
  type Person,
  type RunningSandbox,
  type SandboxBlockchain,
  type SandboxChain,
  type SandboxTempo,
  startSandbox,
} from './startSandbox.ts'
export { FolderInUseError } from './store/lockFolder.ts'
export { openStore, type Store } from './store/openStore.ts'
