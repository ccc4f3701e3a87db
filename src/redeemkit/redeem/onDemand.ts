/** Code that only some services and callers need, loaded by `loadOnDemand` before anything is signed. */
export { lookUpRandomNonce } from './chain/lookUpRandomNonce.ts'
export { dryRunRedeem } from './dryRun/dryRunRedeem.ts'
