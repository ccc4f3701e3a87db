export { AbiFolderNotFoundError, NoAbiFoundError, readAbiFolder } from '../simulation/abi/buildAbis.ts'
export {
  NoRedeemError,
  TracingUnavailableError,
  UnsupportedCreditsContractError,
} from '../simulation/errors.ts'
export type { CallFrame, RedeemReport, RuleFinding } from '../simulation/redeemReport.ts'
export { reportTransaction } from '../simulation/reportTransaction.ts'
export type { RuleCode } from '../simulation/rules/ruleCatalogue.ts'
export { simulateRedeem } from '../simulation/simulateRedeem.ts'
export { formatReport } from '../simulation/text/formatReport.ts'
export { UnknownSnapshotError } from '../start/createSnapshots.ts'
export type {
  ContractToDeploy,
  Fork,
  ForkGift,
  ForkWhitelistEntry,
  RedeemToSend,
  RedeemToSimulate,
} from './fork.ts'
export type { ExpectedRevert, RedeemMatchers } from './matchers.ts'
export { matchers } from './matchers.ts'
export { NotRecordedError, RecordFileError } from './recordFile.ts'
export type { Snapshot } from './snapshots.ts'
export { startFork } from './startFork.ts'
export * from './wallet/index.ts'
