import type { MockSettings } from './mockWorld.ts'

/** What a mock is like when it is told nothing. */
export const defaultSettings: MockSettings = {
  creditsCents: 100_000,
  usdcCents: 100_000,
  gasFeeCents: 3,
  laterGasFeeCents: undefined,
  permitSeconds: 1_800,
  delayMs: 0,
  offline: false,
  needsSignIn: false,
  smartAccounts: false,
  chain: 'mines',
  minesAfterMs: 0,
  faults: {},
  plans: [
    {
      id: 'mock-plan-1',
      name: 'Monthly',
      code: 'monthly',
      interval: 'Monthly',
      amount: { cents: 999, currency: 'USD' },
      active: true,
      description: 'Cancel whenever you like.',
    },
    {
      id: 'mock-plan-2',
      name: 'Yearly',
      code: 'yearly',
      interval: 'Yearly',
      amount: { cents: 9_900, currency: 'USD' },
      active: true,
    },
  ],
  cards: [{ token: 'mock-card-1', lastFour: '4242', firstSix: '424242', expMonth: '12', expYear: '2034' }],
}
