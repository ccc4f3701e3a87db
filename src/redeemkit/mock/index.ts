export type { MockChain, MockRequest } from './chain/createMockChain.ts'
export { createMockService, type MockService } from './createMockService.ts'
export {
  createMockWallet,
  type MockPrompt,
  type MockWallet,
  type MockWalletChanges,
} from './createMockWallet.ts'
export type { MockFetch } from './service/createMockFetch.ts'
export type { MockCall } from './service/mockCalls.ts'
export type { MockAsk, MockChanges, MockFault, MockSettings } from './service/mockWorld.ts'
export { mockPurchase } from './states/mockPurchase.ts'
export type { RedeemScenario, RedeemState, RedeemStateStep, ShownRedeem } from './states/redeemState.ts'
export { redeemStates } from './states/redeemStates.ts'
