export { UnknownSnapshotError } from '../sandbox/start/createSnapshots.ts'
export type {
  ContractToDeploy,
  Fork,
  ForkGift,
  ForkWhitelistEntry,
  RedeemToSend,
  RedeemToSimulate,
} from './fork/fork.ts'
export type { Snapshot } from './fork/snapshots.ts'
export { startFork } from './fork/startFork.ts'
export { matchers } from './matchers/matchers.ts'
export type { RedeemMatchers } from './matchers/redeemMatchers.ts'
export type { ExpectedRevert } from './matchers/toRevertWith.ts'
export { NotRecordedError, RecordFileError } from './record/errors.ts'
