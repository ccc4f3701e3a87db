/**
 * `loadEngine` loads this file before anything is signed: a file that is needed only after the signature could be missing by then.
 * `actions/` and `button/` import only types from this folder.
 */
export { sendCall } from '../../api/sendCall.ts'
export { evmExplorerUrl as explorerUrl } from '../../core/explorerUrl.ts'
export { describeSigning } from '../../redeem/describeSigning.ts'
export { messageOf } from '../messageOf.ts'
export { getOpenRedeems } from './getOpenRedeems.ts'
export { isWrongNetwork } from './isWrongNetwork.ts'
export { prepareRedeem } from './prepareRedeem.ts'
export { redeem } from './redeem.ts'
export { resumeRedeem } from './resumeRedeem.ts'
export { switchWallet } from './switchWallet.ts'
