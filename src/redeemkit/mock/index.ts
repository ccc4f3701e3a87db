export type { MockChain, MockRequest } from './createMockChain.ts'
export type { MockFetch } from './createMockFetch.ts'
export { createMockService, type MockService } from './createMockService.ts'
export {
  createMockWallet,
  type MockPrompt,
  type MockWallet,
  type MockWalletChanges,
} from './createMockWallet.ts'
export type { MockAsk, MockCall, MockChanges, MockFault, MockSettings } from './mockWorld.ts'
export type { RedeemScenario, RedeemState, RedeemStateStep, ShownRedeem } from './redeemState.ts'
export { mockPurchase } from './redeemState.ts'
export { redeemStates } from './redeemStates.ts'
