/**
 * Loaded on demand by `loadEngine`, in one file: code that is first needed after a signature could be missing then. Only types of the
 * files below are imported elsewhere.
 */
export { explorerUrl } from '../../core/explorerUrl.ts'
export { describeSigning } from '../../redeem/describeSigning.ts'
export { messageOf } from '../messageOf.ts'
export { getOpenRedeems } from './getOpenRedeems.ts'
export { isWrongNetwork } from './isWrongNetwork.ts'
export { prepareRedeem } from './prepareRedeem.ts'
export { redeem } from './redeem.ts'
export { resumeRedeem } from './resumeRedeem.ts'
export { switchWallet } from './switchWallet.ts'
