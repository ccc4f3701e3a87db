/**
 * `loadEngine` loads this file before anything is signed: a file that is needed only after the signature could be missing by then.
 * `actions/` and the button import only types from this folder.
 */
export { sendCall } from '../../api/sendCall.ts'
export { evmExplorerUrl as explorerUrl } from '../../core/explorerUrl.ts'
export { describeSigning } from '../../redeem/describeSigning.ts'
export { messageOf } from '../messageOf.ts'
export { getOpenRedeems, isWrongNetwork, prepareRedeem, redeem, resumeRedeem } from './redeem.ts'
export { switchWallet } from './switchWallet.ts'
