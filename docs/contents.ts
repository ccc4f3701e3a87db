/** The table of contents: sections of the site with their pages, in the order in which they are read. */
export const contents = [
  {
    title: 'Start',
    folder: 'start',
    pages: [
      'what-it-is',
      'concepts',
      'quickstart-dapp',
      'quickstart-wallet',
      'quickstart-contract',
      'quickstart-merchant',
      'limits',
      'glossary',
    ],
  },
  {
    title: 'dApp',
    folder: 'dapp',
    pages: [
      'react',
      'wagmi',
      'vanilla',
      'steps',
      'messages',
      'reload-and-retry',
      'sign-in',
      'cards',
      'card-form',
      'mobile-wallets',
      'react-native',
      'testing',
      'random-nonces',
      'solana-and-stellar',
      'tempo',
    ],
  },
  {
    title: 'Wallet',
    folder: 'wallet',
    pages: ['inspect', 'receive-the-purchase', 'build-an-extension', 'clear-signing', 'findings', 'chains'],
  },
  {
    title: 'Contract',
    folder: 'contract',
    pages: ['terminal', 'foundry', 'vitest', 'hardhat', 'forks', 'rules'],
  },
  {
    title: 'Merchant',
    folder: 'merchant',
    pages: ['server', 'webhooks', 'orders', 'subscriptions', 'refunds', 'kyc-and-withdrawals'],
  },
  {
    title: 'Reference',
    folder: 'reference',
    pages: ['errors', 'findings', 'http', 'cli', 'configuration', 'sandbox', 'withdrawals', 'figures'],
  },
  {
    title: 'Protocol',
    folder: 'protocol',
    pages: ['overview', 'records', 'transfers', 'client', 'card-form'],
  },
] as const
