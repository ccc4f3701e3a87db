export { cancelPermit, cancelPermitMutationOptions } from './actions/cancelPermit.ts'
export { checkout, checkoutMutationOptions } from './actions/checkout.ts'
export {
  type AccountName,
  getAccountName,
  getAccountNameQueryKey,
  getAccountNameQueryOptions,
} from './actions/getAccountName.ts'
export { getBalances, getBalancesQueryKey, getBalancesQueryOptions } from './actions/getBalances.ts'
export { getOpenRedeems, getOpenRedeemsQueryOptions } from './actions/getOpenRedeems.ts'
export { getPlans, getPlansQueryKey, getPlansQueryOptions } from './actions/getPlans.ts'
export { getSession, getSessionQueryOptions, type Session } from './actions/getSession.ts'
export { getTotals, getTotalsQueryKey, getTotalsQueryOptions } from './actions/getTotals.ts'
export { login, loginMutationOptions, type SignedIn } from './actions/login.ts'
export { prepareRedeem, prepareRedeemQueryKey, prepareRedeemQueryOptions } from './actions/prepareRedeem.ts'
export { redeem, redeemMutationOptions } from './actions/redeem.ts'
export { resumeRedeem, resumeRedeemMutationOptions } from './actions/resumeRedeem.ts'
export {
  signUsdcAuthorization,
  signUsdcAuthorizationMutationOptions,
} from './actions/signUsdcAuthorization.ts'
export { subscribe, subscribeMutationOptions } from './actions/subscribe.ts'
export { clickRedeemButton } from './button/clickRedeemButton.ts'
export { createRedeemButton, type RedeemButton, type RedeemButtonState } from './button/createRedeemButton.ts'
export {
  describeRedeemButton,
  type RedeemButtonStep,
  type RedeemButtonView,
} from './button/describeRedeemButton.ts'
export { createRedeemkit } from './createRedeemkit.ts'
export type { PurchaseParameters, RedeemParameters } from './engine/redeem.ts'
export type { ChainPins, Redeemkit } from './kit.ts'
