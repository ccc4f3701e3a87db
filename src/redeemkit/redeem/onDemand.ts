/**
 * Code that most redeems never need, loaded by `loadOnDemand`. Kept in one file: with several, bundlers split the page's own code
 * into a chunk for every combination that shares modules.
 */
export { decodeRevert } from '../evm/revert/decodeRevert.ts'
export { lookUpRandomNonce } from './chain/lookUpRandomNonce.ts'
export { readRevert } from './chain/readRevert.ts'
export { checkFactory } from './checkFactory.ts'
export { dryRunRedeem } from './dryRun/dryRunRedeem.ts'
