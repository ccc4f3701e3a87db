import type { Finding } from '../../core/finding/finding.ts'
import type { describeSigning } from '../../redeem/describeSigning.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import type { createMockService } from '../createMockService.ts'
import type { createMockWallet } from '../createMockWallet.ts'

/** Where a redeem button stands: the steps of `useRedeem`. */
export type RedeemStateStep =
  | 'notConnected'
  | 'wrongChain'
  | 'switchingChain'
  | 'preparing'
  | 'checking'
  | 'failed'
  | 'ready'
  | 'open'
  | 'waitingForOther'
  | 'signingPermit'
  | 'secondClick'
  | 'signingUsdc'
  | 'submitting'
  | 'lookingUp'
  | 'confirming'
  | 'done'

/** What `useRedeem` returns in one state, for a component that takes it as a property. Its functions do nothing. */
export type ShownRedeem = {
  readonly step: RedeemStateStep
  readonly canClick: boolean
  readonly signing: describeSigning.ReturnType | undefined
  readonly prompts: readonly ('creditPermit' | 'usdcAuthorization')[]
  readonly elsewhere: readonly Finding[]
  readonly network: string
  readonly data: RedeemResult | undefined
  readonly explorerUrl: string | undefined
  readonly error: Error | null
  readonly userMessage: string | undefined
  onClick: () => void
  reset: () => void
}

/** One state of a redeem button. */
export type RedeemState = {
  /** For a story's title: a step, or a step and what happened. */
  readonly name: string
  /** What is shown, for `mockPurchase` on Base Sepolia, in English. */
  readonly shown: ShownRedeem
  /** How a component that calls `useRedeem` gets there; absent for a state that only passes by. */
  readonly scenario?: RedeemScenario | undefined
}

/** What a mock is told, and how often the button is clicked. */
export type RedeemScenario = {
  readonly service: createMockService.Options
  readonly wallet: createMockWallet.Options
  /** Whether the wallet is connected to the page. */
  readonly isConnected: boolean
  readonly clicks: number
  /** For `secondClick` of `useRedeem`. */
  readonly secondClick: boolean
}
