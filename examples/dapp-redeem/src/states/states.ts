import { InsufficientFundsError, UserRejectedError, userMessage } from 'redeemkit'
import type { RedeemButtonView } from 'redeemkit/wagmi'

/** A state of a payment, shown without a wallet or a service. */
export type DrawnState = {
  name: string
  usdcCents: number
  isOnline?: boolean
  button: RedeemButtonView
}

const idle: RedeemButtonView = {
  step: 'ready',
  label: 'Pay $24.50',
  canClick: true,
  canCancel: false,
  prompts: [],
  elsewhere: [],
  signing: undefined,
  network: 'Base Sepolia',
  data: undefined,
  paidBy: undefined,
  explorerUrl: undefined,
  error: null,
  userMessage: undefined,
}

const forCredits = {
  text: 'You pay up to $24.50 for a purchase at 0x5FbDB2315678afecb367f032d93F642f64180aa3 on Base Sepolia. From your credits: $24.50, plus a network fee of at most $0.03.',
  credits: '$24.50',
  usdc: '$0.00',
  fee: '$0.03',
  most: '$24.53',
}

const forBoth = {
  text: 'You pay up to $24.50 for a purchase at 0x5FbDB2315678afecb367f032d93F642f64180aa3 on Base Sepolia. From your credits: $14.50, plus a network fee of at most $0.03. From your USDC: $10.00.',
  credits: '$14.50',
  usdc: '$10.00',
  fee: '$0.03',
  most: '$24.53',
}

const tooFew = new InsufficientFundsError('There are too few credits.', {
  asset: 'credits',
  have: 7_000_000n,
  need: 24_530_000n,
})
const refused = new UserRejectedError('The request was refused.')
const lost = new Error('no answer')

export const paidRedeem: NonNullable<RedeemButtonView['data']> = {
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  nonce: `0x${'a1'.repeat(32)}`,
  creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  chainId: 84532,
  hash: `0x${'7c'.repeat(32)}`,
  outcome: {
    wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    orderKey: `0x${'a1'.repeat(12)}`,
    nonce: `0x${'a1'.repeat(32)}`,
    creditSeedHash: `0x${'01'.repeat(32)}`,
    creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    kind: 'safeMint',
    target: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    amount: 24_500_000n,
    usdcAmount: 10_000_000n,
    charged: 14_530_000n,
    refunded: 0n,
    gasFee: 30_000n,
    hash: `0x${'7c'.repeat(32)}`,
    blockNumber: 12n,
    blockHash: `0x${'0b'.repeat(32)}`,
    movements: [],
  },
}

const underWay = (step: RedeemButtonView['step'], usdcCents = 1000): Omit<DrawnState, 'name'> => ({
  usdcCents,
  button: { ...idle, step, canClick: step === 'secondClick', signing: usdcCents > 0 ? forBoth : forCredits },
})

export const allStates: readonly DrawnState[] = [
  {
    name: 'No wallet',
    usdcCents: 0,
    button: { ...idle, step: 'notConnected', label: 'Connect a wallet to pay' },
  },
  {
    name: 'Preparing',
    usdcCents: 0,
    button: { ...idle, step: 'preparing', label: 'Preparing your payment', canClick: false },
  },
  { name: 'Ready, credits alone', usdcCents: 0, button: { ...idle, signing: forCredits } },
  { name: 'Ready, split', usdcCents: 1000, button: { ...idle, signing: forBoth } },
  {
    name: 'Another network',
    usdcCents: 0,
    button: { ...idle, step: 'wrongChain', label: 'Switch to Base Sepolia' },
  },
  { name: 'Switching', ...underWay('switchingChain') },
  { name: 'Signing, the only one', ...underWay('signingPermit', 0) },
  { name: 'Signing 1 of 2', ...underWay('signingPermit') },
  { name: 'A second click', ...underWay('secondClick') },
  { name: 'Signing 2 of 2', ...underWay('signingUsdc') },
  { name: 'Submitting', ...underWay('submitting') },
  { name: 'Looking up', ...underWay('lookingUp') },
  { name: 'Confirming', ...underWay('confirming') },
  { name: 'In another tab', ...underWay('waitingForOther') },
  {
    name: 'Refused in the wallet',
    usdcCents: 0,
    button: { ...idle, signing: forCredits, error: refused, userMessage: userMessage(refused) },
  },
  {
    name: 'Too few credits',
    usdcCents: 0,
    button: {
      ...idle,
      step: 'failed',
      label: 'Check again',
      error: tooFew,
      userMessage: userMessage(tooFew),
    },
  },
  {
    name: 'Open from before',
    usdcCents: 1000,
    button: { ...idle, step: 'open', label: 'Resume this payment' },
  },
  {
    name: 'Outcome unknown',
    usdcCents: 1000,
    button: {
      ...idle,
      step: 'open',
      label: 'Resume this payment',
      error: lost,
      userMessage: userMessage(lost),
    },
  },
  {
    name: 'Offline',
    usdcCents: 0,
    isOnline: false,
    button: { ...idle, step: 'preparing', label: 'Preparing your payment', canClick: false },
  },
]
