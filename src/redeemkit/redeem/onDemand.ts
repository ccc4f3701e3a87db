/** Code for random nonces and dry runs. `loadOnDemand` loads it before anything is signed. */
export { lookUpRandomNonce } from './chain/lookUpRandomNonce.ts'
export { dryRunRedeem } from './dryRun/dryRunRedeem.ts'
