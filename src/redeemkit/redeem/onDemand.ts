/** `loadOnDemand` loads this code before anything is signed. */

export { dryRunRedeem } from './chain/dryRunRedeem.ts'
export { lookUpRandomNonce } from './chain/lookUpRandomNonce.ts'
