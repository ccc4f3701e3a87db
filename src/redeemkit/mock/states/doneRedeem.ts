import { pinnedUsdc } from '../../evm/usdcToken.ts'
import type { RedeemResult } from '../../redeem/redeemOptions.ts'
import { hashOf } from '../service/hashOf.ts'
import { mockWalletAddress } from '../wallet/mockKey.ts'
import { mockPurchase } from './mockPurchase.ts'

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

/** What `mockPurchase` gives once it is mined. */
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
