/**
 * What most redeems never need: loaded when it is, by `loadOnDemand`. It is one file because a bundler tears the page's own code into
 * as many pieces as there are files on demand that share parts of it, and each piece costs more than it spares.
 */
export { decodeRevert } from '../evm/revert/decodeRevert.ts'
export { lookUpRandomNonce } from './chain/lookUpRandomNonce.ts'
export { readRevert } from './chain/readRevert.ts'
export { dryRunRedeem } from './dryRun/dryRunRedeem.ts'
