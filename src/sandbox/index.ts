export { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
export { ChainConnectionError } from './chains/anvil/connectPipe.ts'
export { ForkOriginError, type ForkProblem } from './chains/anvil/forkOrigin.ts'
export { startAnvil } from './chains/anvil/startAnvil.ts'
export { AnvilNotInstalledError, AnvilStartError } from './chains/anvil/startProcess.ts'
export { ChainSetupError } from './chains/errors.ts'
export type { SandboxSolana } from './chains/solana/startSandboxSolana.ts'
export type { SandboxStellar } from './chains/stellar/startSandboxStellar.ts'
export { startTempoChain, type TempoChain } from './chains/tempo/startTempoChain.ts'
export type { TempoAccounts } from './chains/tempo/tempoAccounts.ts'
export { createSandbox } from './createSandbox.ts'
export { type DevAccount, devAccount } from './devAccounts.ts'
export { InvalidSandboxOptionsError } from './errors.ts'
export type { RequestLogEntry } from './requestLog.ts'
export type {
  CreditsGift,
  Deployable,
  Funds,
  Gift,
  RunningSandbox,
  SandboxBlockchain,
  SandboxChain,
  SandboxControls,
  SandboxMerchantKeys,
  SandboxTempo,
  TestAccount,
  TestAccounts,
} from './runningSandbox.ts'
export { openSandboxStore as openStore, type SandboxStore as Store } from './sandboxStore.ts'
export { testCards } from './service/checkout/cards.ts'
export { sandboxRates } from './service/checkout/rates.ts'
export { sandboxAddresses } from './service/withdraw/place.ts'
export { testTins } from './service/withdraw/withdrawers.ts'
export type { ServiceKind } from './serviceKind.ts'
export {
  ChainSnapshotGoneError,
  SnapshotUnavailableError,
  UnknownSnapshotError,
} from './start/createSnapshots.ts'
export { DeploymentFailedError } from './start/deployTo.ts'
export { SandboxBusyError } from './start/openSandbox.ts'
export type { Sandbox, SandboxApp, WhitelistEntry } from './start/sandbox.ts'
export { startSandbox } from './startSandbox.ts'
export { FolderInUseError } from './store/lockFolder.ts'
export { PackageNotInstalledError } from './withPackage.ts'
