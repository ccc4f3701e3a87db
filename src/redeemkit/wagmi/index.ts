export { cancelPermit, cancelPermitMutationOptions } from './actions/cancelPermit.ts'
export {
  checkout,
  checkoutMutationOptions,
  getTotals,
  getTotalsQueryKey,
  getTotalsQueryOptions,
} from './actions/checkout.ts'
export {
  type AccountName,
  getAccountName,
  getAccountNameQueryKey,
  getAccountNameQueryOptions,
} from './actions/getAccountName.ts'
export { getBalances, getBalancesQueryKey, getBalancesQueryOptions } from './actions/getBalances.ts'
export {
  getSession,
  getSessionQueryOptions,
  login,
  loginMutationOptions,
  type Session,
  type SignedIn,
} from './actions/login.ts'
export {
  getOpenRedeems,
  getOpenRedeemsQueryOptions,
  resumeRedeem,
  resumeRedeemMutationOptions,
} from './actions/openRedeems.ts'
export { prepareRedeem, prepareRedeemQueryKey, prepareRedeemQueryOptions } from './actions/prepareRedeem.ts'
export { redeem, redeemMutationOptions } from './actions/redeem.ts'
export {
  signUsdcAuthorization,
  signUsdcAuthorizationMutationOptions,
} from './actions/signUsdcAuthorization.ts'
export {
  getPlans,
  getPlansQueryKey,
  getPlansQueryOptions,
  subscribe,
  subscribeMutationOptions,
} from './actions/subscription.ts'
export { clickRedeemButton } from './clickRedeemButton.ts'
export { createRedeemButton, type RedeemButton, type RedeemButtonState } from './createRedeemButton.ts'
export { createRedeemkit } from './createRedeemkit.ts'
export {
  describeRedeemButton,
  type RedeemButtonStep,
  type RedeemButtonView,
} from './describeRedeemButton.ts'
export type { PurchaseParameters, RedeemParameters } from './engine/redeem.ts'
export type { ChainPins, Redeemkit } from './kit.ts'
