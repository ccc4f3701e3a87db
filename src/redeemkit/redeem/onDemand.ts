/** `loadOnDemand` loads this code before anything is signed. */
export { lookUpRandomNonce } from './chain/lookUpRandomNonce.ts'
export { dryRunRedeem } from './dryRun/dryRunRedeem.ts'
