import { InsufficientFundsError, userMessage } from 'redeemkit'
import { expect, test } from 'vitest'
import { kit } from './kit.ts'

const { messages } = kit

test('uses the given messages with amounts of their locale, and English for the rest', () => {
  expect(userMessage({ code: 4001 }, { messages })).toMatch(/^Rechazaste/)
  const poor = new InsufficientFundsError('too few', {
    asset: 'credits',
    have: 1_000_000n,
    need: 10_030_000n,
  })
  expect(userMessage(poor, { messages })).toMatch(/^Tienes 1,00\s.+ en créditos y esto cuesta hasta 10,03\s/)
  expect(userMessage({ code: 4001 }, { messages, about: 'other' })).toBe(
    'You rejected the request in your wallet.',
  )
})
