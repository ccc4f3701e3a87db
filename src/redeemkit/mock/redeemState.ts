import type { Address } from 'viem'
import type { Finding } from '../core/finding/finding.ts'
import { pinnedUsdc } from '../evm/usdcToken.ts'
import type { describeSigning } from '../redeem/describeSigning.ts'
import type { RedeemResult } from '../redeem/redeemOptions.ts'
import type { RedeemButtonStep } from '../redeem/redeemStep.ts'
import type { createMockService } from './createMockService.ts'
import { type createMockWallet, mockWalletAddress } from './createMockWallet.ts'
import { hashOf } from './mockWorld.ts'

/** The steps of `useRedeem`. */
export type RedeemStateStep = RedeemButtonStep

/** The result of `useRedeem` in one state, for a component that takes it as a prop. Its functions do nothing. */
export type ShownRedeem = {
  readonly step: RedeemStateStep
  readonly label: string
  readonly canClick: boolean
  readonly canCancel: boolean
  readonly signing: describeSigning.ReturnType | undefined
  readonly prompts: readonly ('creditPermit' | 'usdcAuthorization')[]
  readonly elsewhere: readonly Finding[]
  readonly network: string
  readonly data: RedeemResult | undefined
  readonly paidBy: Address | undefined
  readonly explorerUrl: string | undefined
  readonly error: Error | null
  readonly userMessage: string | undefined
  onClick: () => void
  cancel: () => void
  reset: () => void
}

/** A state of a redeem button. */
export type RedeemState = {
  /** Title for a story: the step, and what happened. */
  readonly name: string
  /** The hook's result for `mockPurchase` on Base Sepolia, in English. */
  readonly shown: ShownRedeem
  /** How to reach the state with `useRedeem`; absent for a transient state. */
  readonly scenario?: RedeemScenario | undefined
}

/** The options of the mocks, and the number of clicks. */
export type RedeemScenario = {
  readonly service: createMockService.Options
  readonly wallet: createMockWallet.Options
  /** Whether the wallet is connected to the page. */
  readonly isConnected: boolean
  readonly clicks: number
  /** The option `secondClick` of `useRedeem`. */
  readonly secondClick: boolean
}

/** The purchase in `redeemStates`: 10 dollars for a shop, 4 of them in USDC. */
export const mockPurchase = {
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
} as const

const chainId = 84532
const creditsContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const shop = mockPurchase.transactionData.destination
const { address: contract } = pinnedUsdc(chainId)
const key = {
  wallet: mockWalletAddress,
  nonce: `0xcff8661c04b781a2804ce2e8${hashOf('nonce').slice(26)}`,
  creditsContract,
  hash: hashOf('transaction'),
} as const

export const doneRedeem: RedeemResult = {
  ...key,
  chainId,
  outcome: {
    ...key,
    blockNumber: 1_000n,
    blockHash: hashOf('block'),
    orderKey: '0xcff8661c04b781a2804ce2e8',
    creditSeedHash: hashOf('mock-shop'),
    kind: 'token',
    target: shop,
    amount: 10_000_000n,
    usdcAmount: 4_000_000n,
    charged: 6_030_000n,
    refunded: 0n,
    gasFee: 30_000n,
    movements: [
      {
        standard: 'ERC-20',
        contract,
        direction: 'out',
        from: mockWalletAddress,
        to: creditsContract,
        amount: 4_000_000n,
      },
      {
        standard: 'ERC-20',
        contract,
        direction: 'paid',
        from: creditsContract,
        to: shop,
        amount: 10_000_000n,
      },
    ],
  },
}
