/** What is bought in `redeemStates`: 10 dollars for a shop, 4 of them in USDC. */
export const mockPurchase = {
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
} as const
