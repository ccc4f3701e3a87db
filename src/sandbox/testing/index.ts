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
} from './fork/fork.ts'
export { NotRecordedError, RecordFileError } from './fork/recordFile.ts'
export type { Snapshot } from './fork/snapshots.ts'
export { startFork } from './fork/startFork.ts'
export type { ExpectedRevert, RedeemMatchers } from './matchers.ts'
export { matchers } from './matchers.ts'
export * from './wallet/index.ts'
