import type { startSandbox } from '@redeemkit/sandbox'

/** What a visitor can join. */
export const plans = [
  {
    name: 'Window seat',
    code: 'window-seat',
    interval: 'Monthly',
    amount: { cents: 400, currency: 'USD' },
    description: 'The reading room every evening, and the almanac by post.',
  },
  {
    name: 'Lamp Society',
    code: 'lamp-society',
    interval: 'Monthly',
    amount: { cents: 1100, currency: 'USD' },
    description: 'A plate of the month, first look at new species, and a key to the roof.',
  },
] satisfies startSandbox.Options['plans']
